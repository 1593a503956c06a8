/* Games valued ply by ply, held against a second meaning on the naive engine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/valued_game.h"
#include "support/variants.h"

static const hy_policy_spec valued_spec = {.type = &valued_policy};

/* Small variants of every kind; those on which the landing hole is simple if `simple`. */
static hy_condition condition_random(dice *d, bool simple)
{
    hy_condition condition = {.max_plies = dice_one_in(d, 3) ? 1 + dice_below(d, 20) : 150,
                              .max_laps = dice_one_in(d, 4) ? 1 + dice_below(d, 20) : 2000};
    do {
        condition.rules = variant_random(d, 4, 4);
        if (simple) {
            condition.rules.en_passant = HY_EN_PASSANT_NONE;
            condition.rules.skip_origin = false;
            condition.rules.capture_side = HY_SIDE_ANY;
            condition.rules.final_capture = true;
        }
    } while (hy_rules_check(&condition.rules, NULL, NULL) != HY_OK);
    return condition;
}

static void assert_sums(const hy_sums *found, const hy_sums *naive, const char *what, unsigned i)
{
    const double a[] = {(double)found->n, found->x, found->y, found->xx, found->yy, found->xy};
    const double b[] = {(double)naive->n, naive->x, naive->y, naive->xx, naive->yy, naive->xy};
    for (unsigned k = 0; k < 6; k++) {
        if (!(fabs(a[k] - b[k]) <= 1e-9 * (1 + fabs(b[k]))))
            fail_msg("%s %u, number %u: %.15g, not %.15g", what, i, k, a[k], b[k]);
    }
}

static void assert_captures(const hy_capture_sums *found, const hy_capture_sums *naive)
{
    for (unsigned i = 0; i < HY_MAX_BOARD; i++) {
        assert_sums(&found->captures_at[i], &naive->captures_at[i], "captures at", i);
        assert_sums(&found->chains_at[i], &naive->chains_at[i], "chains at", i);
        assert_sums(&found->chained_at[i], &naive->chained_at[i], "chained at", i);
        assert_sums(&found->casas[i + 1], &naive->casas[i + 1], "casas", i + 1);
    }
    assert_sums(&found->own_captures, &naive->own_captures, "own captures", 0);
    assert_sums(&found->own_chains, &naive->own_chains, "own chains", 0);
    assert_sums(&found->chain_share, &naive->chain_share, "chain share", 0);
    assert_sums(&found->casas_a_capture, &naive->casas_a_capture, "casas a capture", 0);
    assert_sums(&found->chain_length, &naive->chain_length, "chain length", 0);
    assert_int_equal(found->en_passant, naive->en_passant);
    assert_int_equal(found->most_casas, naive->most_casas);
}

static void assert_same(const hy_quality_sums *found, const hy_quality_sums *naive, bool places)
{
    assert_int_equal(found->games, naive->games);
    assert_int_equal(found->plies, naive->plies);
    for (unsigned i = 0; i < HY_NUM_RESULTS; i++)
        assert_int_equal(found->results[i], naive->results[i]);
    for (unsigned i = 0; i < HY_NUM_QUALITY_MEASURES; i++)
        assert_sums(&found->measures[i], &naive->measures[i], "measure", i);
    for (unsigned i = 0; places && i < HY_NUM_MOVERS; i++)
        assert_captures(&found->captures[i], &naive->captures[i]);
}

/* What the games were, so that no kind is missed. */
typedef struct kinds {
    unsigned terminations[HY_NUM_TERMINATIONS];
    unsigned results[HY_NUM_RESULTS];
    unsigned without_plies, repeated, chains, flat, forced_cuts;
} kinds;

static void note_kind(kinds *k, const valued_game *game)
{
    k->terminations[game->termination]++;
    k->results[game->result]++;
    k->without_plies += game->plies == 0;
    k->forced_cuts +=
        game->termination == HY_TRUNCATED && game->positions[game->plies].moves.num == 1;
}

static void compare_games(const hy_condition *condition, const hy_policy_spec *evaluator,
                          unsigned games, bool places, dice *d, kinds *k)
{
    hy_quality quality;
    hy_quality_sums *naive = calloc(1, sizeof *naive);
    hy_policy *policy;
    assert_non_null(naive);
    assert_int_equal(hy_policy_new(evaluator, &condition->rules, &policy, NULL), HY_OK);
    assert_int_equal(hy_quality_init(&quality, condition, evaluator, NULL, NULL), HY_OK);
    for (unsigned i = 0; i < games; i++) {
        valued_game game = valued_game_play(condition, policy, d);
        hy_error error;
        if (hy_quality_add(&quality, &game.holes, &error) != HY_OK)
            fail_msg("%s", error.text);
        valued_game_add(&game, naive);
        note_kind(k, &game);
        valued_game_clean_up(&game);
    }
    assert_same(&quality.sums, naive, places);
    k->repeated += naive->measures[HY_QUALITY_REPETITION].y > 0;
    k->chains += naive->captures[HY_EITHER].chain_share.y > 0;
    k->flat += naive->measures[HY_QUALITY_FLAT].y > 0;
    hy_quality_clean_up(&quality);
    hy_policy_destroy(policy);
    free(naive);
}

static void measures_agree_with_the_naive_ones(void **state)
{
    (void)state;
    dice d = {1};
    kinds k = {0};
    for (unsigned i = 0; i < 600; i++) {
        bool simple = dice_one_in(&d, 2);
        hy_condition condition = condition_random(&d, simple);
        compare_games(&condition, &valued_spec, 4, simple, &d, &k);
    }
    hy_condition still = {
        .rules = variant_of("holes=1 seeds=2 skip_origin=true casa=2 claim=0 endless=forbid"),
        .max_plies = 10,
        .max_laps = 100}; /* no ply is ever legal */
    compare_games(&still, &valued_spec, 5, false, &d, &k);
    for (unsigned i = HY_GOES_ON + 1; i < HY_NUM_TERMINATIONS; i++) {
        if (k.terminations[i] < 5)
            fail_msg("only %u games ended so: %s", k.terminations[i], hy_termination_words[i]);
    }
    for (unsigned i = 0; i < HY_NUM_RESULTS; i++)
        assert_true(k.results[i] > 50);
    assert_true(k.without_plies > 0);
    assert_true(k.forced_cuts > 5);
    assert_true(k.repeated > 20 && k.chains > 20 && k.flat > 20);
}

static void so_do_those_of_a_search(void **state)
{
    (void)state;
    dice d = {2};
    kinds k = {0};
    hy_policy_spec *spec = spec_of("alphabeta:depth=2,table=1");
    assert_int_equal(hy_quality_check(spec, NULL), HY_OK);
    for (unsigned i = 0; i < 60; i++) {
        hy_condition condition = condition_random(&d, true);
        condition.max_plies = 60;
        compare_games(&condition, spec, 3, true, &d, &k);
    }
    hy_policy_spec_destroy(spec);
}

static hy_hole_list list_of(const uint8_t *holes, size_t num)
{
    hy_hole_list list = {0};
    for (size_t i = 0; i < num; i++)
        assert_int_equal(hy_hole_list_add(&list, holes[i], NULL), HY_OK);
    return list;
}

/* Counts what each hole wins at once, and nothing else. */
static hy_status analyse_wins(hy_policy *policy, const hy_choice *choice, hy_analysis *analysis,
                              hy_error *error)
{
    (void)policy;
    (void)error;
    for (unsigned i = 0; i < choice->moves->num; i++) {
        hy_position after = {0};
        hy_ply ply;
        hy_ply_play(choice->rules, choice->position, choice->moves->hole[i], choice->max_laps,
                    &after, &ply);
        analysis->values[i] =
            after.score[choice->position->mover] - choice->position->score[choice->position->mover];
    }
    return HY_OK;
}

static unsigned choose_any(hy_policy *policy, const hy_choice *choice)
{
    (void)policy;
    return choice->moves->hole[0];
}

static const hy_policy_type wins_policy = {
    .name = "wins", .meaning = "for tests", .choose = choose_any, .analyse = analyse_wins};

/* 2×2, two counters a hole, eight in all, no relay; a ply into a hole of casa 3 or on its own ends.
 *
 * Board 2 2 2 2, south: hole 0 gives 0 3 3 2: the final counter makes a casa in hole 2 and takes
 * it, and the casa behind it in hole 1: six counters, a chain of one. Hole 1 gives 2 0 3 3: the
 * same, landing in hole 3. So both holes are worth 6: value at the start 6/8, flat. South plays 0:
 * 0 0 0 2, south has 6; two counters are less than a casa, the game is exhausted with 6 : 0.
 * e_south(1) = 6/8. Drama 0, no change of leader, stability 0, threshold −6/8, decisive at once: (1
 * − 1) / 1 = 0. Clarity: equal values, none above the mean; variance 0. Regret 0. The landing hole
 * 2 is the other row's first; south's capture, two casas. */
static void a_game_by_hand(void **state)
{
    (void)state;
    static const hy_policy_spec spec = {.type = &wins_policy};
    hy_condition condition = {.rules = variant_of("holes=2 seeds=2 casa=3 relay=false claim=0"),
                              .max_plies = 10,
                              .max_laps = 100};
    const uint8_t holes[] = {0};
    hy_hole_list list = list_of(holes, 1);
    hy_quality quality;
    assert_int_equal(hy_quality_init(&quality, &condition, &spec, NULL, NULL), HY_OK);
    assert_int_equal(hy_quality_add(&quality, &list, NULL), HY_OK);
    const hy_sums *measures = quality.sums.measures;
    static const struct {
        hy_quality_measure measure;
        double y, x;
    } expected[] = {
        {HY_QUALITY_DRAMA, 0, 1},
        {HY_QUALITY_LEAD_CHANGES, 0, 1},
        {HY_QUALITY_STABILITY, 0, 1},
        {HY_QUALITY_DECISIVENESS_THRESHOLD, -0.75, 1},
        {HY_QUALITY_DECISIVENESS_PLIES, 0, 1},
        {HY_QUALITY_COMEBACK, 0, 1},
        {HY_QUALITY_NARROWNESS, 0, 1},
        {HY_QUALITY_HOLE_VARIANCE, 0, 1},
        {HY_QUALITY_FLAT, 1, 1},
        {HY_QUALITY_REGRET, 0, 1},
        {HY_QUALITY_EXACT_REGRET, 0, 0},
        {HY_QUALITY_REPETITION, 0, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const hy_sums *sums = &measures[expected[i].measure];
        if (sums->y != expected[i].y || sums->x != expected[i].x)
            fail_msg("measure %d: %g of %g", (int)expected[i].measure, sums->y, sums->x);
    }
    const hy_capture_sums *south = &quality.sums.captures[HY_SOUTH];
    assert_true(south->captures_at[2].y == 1 && south->chains_at[2].y == 1);
    assert_true(south->casas[2].y == 1 && south->chain_length.y == 1);
    assert_true(south->own_captures.y == 0 && south->own_captures.x == 1);
    assert_int_equal(quality.sums.captures[HY_NORTH].chain_share.n, 0);
    hy_quality_clean_up(&quality);
    free(list.holes);
}

/* Values 4, 0, 0 of six counters in all. Their threshold is 4/3 + 3/4 (4 − 4/3) = 10/3: one of
 * three holes is above. Variance of 4/6, 0, 0: mean 2/9, (16/81 + 4/81 + 4/81) / 3 = 8/81. Who
 * plays the last hole loses 4/6. */
static hy_status analyse_one_good(hy_policy *policy, const hy_choice *choice, hy_analysis *analysis,
                                  hy_error *error)
{
    (void)policy;
    (void)error;
    analysis->exact = choice->position->mover == HY_SOUTH;
    for (unsigned i = 0; i < choice->moves->num; i++)
        analysis->values[i] = i == 0 ? 4 : 0;
    return HY_OK;
}

static const hy_policy_type one_good_policy = {
    .name = "one", .meaning = "for tests", .choose = choose_any, .analyse = analyse_one_good};

static void clarity_by_hand(void **state)
{
    (void)state;
    static const hy_policy_spec spec = {.type = &one_good_policy};
    hy_condition condition = {.rules = variant_of("holes=3 seeds=1 casa=4 claim=0 repetition=0"),
                              .max_plies = 1,
                              .max_laps = 100};
    const uint8_t holes[] = {2};
    hy_hole_list list = list_of(holes, 1);
    hy_quality quality;
    assert_int_equal(hy_quality_init(&quality, &condition, &spec, NULL, NULL), HY_OK);
    assert_int_equal(hy_quality_add(&quality, &list, NULL), HY_OK);
    const hy_sums *measures = quality.sums.measures;
    assert_true(fabs(measures[HY_QUALITY_NARROWNESS].y - 1.0 / 3) < 1e-12);
    assert_true(fabs(measures[HY_QUALITY_HOLE_VARIANCE].y - 8.0 / 81) < 1e-12);
    assert_true(measures[HY_QUALITY_FLAT].y == 0);
    assert_true(fabs(measures[HY_QUALITY_REGRET].y - 4.0 / 6) < 1e-12);
    assert_true(fabs(measures[HY_QUALITY_EXACT_REGRET].y - 4.0 / 6) < 1e-12);
    assert_true(measures[HY_QUALITY_EXACT_SHARE].y == 1);
    assert_int_equal(quality.sums.results[HY_RESULT_NONE], 1);
    assert_int_equal(measures[HY_QUALITY_DRAMA].n, 0);
    hy_quality_clean_up(&quality);
    free(list.holes);
}

static void what_is_no_game_is_refused(void **state)
{
    (void)state;
    hy_condition condition = {
        .rules = variant_of("holes=3 seeds=2"), .max_plies = 50, .max_laps = 1000};
    static const struct {
        uint8_t holes[3];
        size_t num;
    } wrong[] = {{{3}, 1}, {{0, 0}, 2}, {{0}, 1}, {{0}, 0}, {{200}, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        hy_hole_list list = list_of(wrong[i].holes, wrong[i].num);
        hy_quality quality;
        hy_error error;
        assert_int_equal(hy_quality_init(&quality, &condition, &valued_spec, NULL, NULL), HY_OK);
        assert_int_equal(hy_quality_add(&quality, &list, &error), HY_MISMATCH);
        assert_non_null(strstr(error.text, "stored game"));
        assert_int_equal(quality.sums.games, 0);
        hy_quality_clean_up(&quality);
        free(list.holes);
    }
}

static void evaluators_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *policy, *word;
    } refused[] = {{"random", "alphabeta"},
                   {"greedy", "mcts"},
                   {"alphabeta:depth=4,time_ms=10", "limited by time"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        hy_policy_spec *spec = spec_of(refused[i].policy);
        hy_error error;
        assert_int_equal(hy_quality_check(spec, &error), HY_INVALID);
        assert_non_null(strstr(error.text, refused[i].word));
        hy_policy_spec_destroy(spec);
    }
    hy_policy_spec *spec = spec_of("mcts:iterations=10");
    assert_int_equal(hy_quality_check(spec, NULL), HY_OK);
    hy_policy_spec_destroy(spec);
}

/* Also an evaluator that draws gives the same again, in whatever order the games come. */
static void values_do_not_depend_on_the_games_before(void **state)
{
    (void)state;
    hy_condition condition = {
        .rules = variant_of("holes=3 seeds=3"), .max_plies = 30, .max_laps = 1000};
    hy_policy_spec *spec = spec_of("mcts:iterations=30");
    hy_policy *policy;
    dice d = {4};
    assert_int_equal(hy_policy_new(spec, &condition.rules, &policy, NULL), HY_OK);
    valued_game games[2] = {valued_game_play(&condition, policy, &d),
                            valued_game_play(&condition, policy, &d)};
    hy_quality_sums sums[2];
    for (unsigned turn = 0; turn < 2; turn++) {
        hy_quality quality;
        assert_int_equal(hy_quality_init(&quality, &condition, spec, NULL, NULL), HY_OK);
        for (unsigned i = 0; i < 2; i++)
            assert_int_equal(hy_quality_add(&quality, &games[i ^ turn].holes, NULL), HY_OK);
        sums[turn] = quality.sums;
        hy_quality_clean_up(&quality);
    }
    assert_same(&sums[0], &sums[1], true);
    assert_true(sums[0].measures[HY_QUALITY_REGRET].y > 0);
    valued_game_clean_up(&games[0]);
    valued_game_clean_up(&games[1]);
    hy_policy_destroy(policy);
    hy_policy_spec_destroy(spec);
}

static void it_stops_when_asked(void **state)
{
    (void)state;
    hy_condition condition = {
        .rules = variant_of("holes=3 seeds=2"), .max_plies = 1, .max_laps = 1000};
    const uint8_t holes[] = {0};
    hy_hole_list list = list_of(holes, 1);
    atomic_int stop = 0;
    hy_quality quality;
    assert_int_equal(hy_quality_init(&quality, &condition, &valued_spec, &stop, NULL), HY_OK);
    assert_int_equal(hy_quality_add(&quality, &list, NULL), HY_OK);
    atomic_store(&stop, 2);
    assert_int_equal(hy_quality_add(&quality, &list, NULL), HY_INTERRUPTED);
    assert_int_equal(quality.sums.games, 1);
    hy_quality_clean_up(&quality);
    free(list.holes);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_by_hand),
        cmocka_unit_test(clarity_by_hand),
        cmocka_unit_test(measures_agree_with_the_naive_ones),
        cmocka_unit_test(so_do_those_of_a_search),
        cmocka_unit_test(what_is_no_game_is_refused),
        cmocka_unit_test(evaluators_are_checked),
        cmocka_unit_test(values_do_not_depend_on_the_games_before),
        cmocka_unit_test(it_stops_when_asked),
    };
    return cmocka_run_group_tests_name("sim/quality", tests, NULL, NULL);
}
