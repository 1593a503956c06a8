#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/game.h"
#include "support/golden_rows.h"
#include "support/naive_game.h"
#include "support/policies.h"
#include "support/records.h"
#include "support/variants.h"

#define SEED 20261129u

static void assert_same_record(const hy_game_record *a, const hy_game_record *b, const char *what)
{
    const char *field = record_difference(a, b);
    if (field)
        fail_msg("%s: '%s' differs", what, field);
}

/* golden/games.jsonl */

static void assert_row(unsigned line, const json_t *row, hy_history *history)
{
    hy_rules rules = golden_rules(row);
    hy_position start = hy_position_start(&rules);
    uint16_t holes[1000], score[2];
    unsigned num = golden_numbers(row, "holes", holes, 1000);
    hy_game game;
    assert_int_equal(json_object_size(row), 9);
    assert_int_equal(golden_numbers(row, "score", score, 2), 2);
    assert_int_equal(hy_game_start(&game, &rules, HY_DEFAULT_MAX_LAPS, history, &start, NULL),
                     HY_OK);
    for (unsigned i = 0; i < num; i++) {
        if (hy_game_is_over(&game) || !hy_game_allows(&game, holes[i]))
            fail_msg("line %u of games.jsonl: ply %u is not allowed", line, i);
        assert_int_equal(hy_game_ply(&game, holes[i], NULL), HY_OK);
    }
    if (!hy_game_is_over(&game)) {
        assert_int_equal(num, golden_integer(row, "max_plies"));
        hy_game_truncate(&game);
    }
    const hy_game_record *record = &game.record;
    if (record->score[0] != score[0] || record->score[1] != score[1] ||
        record->plies != golden_integer(row, "plies") ||
        record->turns != golden_integer(row, "turns") ||
        record->passes != golden_integer(row, "passes") ||
        strcmp(hy_termination_words[record->termination], golden_text(row, "termination")) != 0 ||
        strcmp(hy_result_words[record->result], golden_text(row, "result")) != 0)
        fail_msg("line %u of games.jsonl ends otherwise", line);
}

static void golden_games(void **state)
{
    (void)state;
    FILE *file = golden_open("games.jsonl");
    hy_history history = {0};
    unsigned line = 0;
    for (json_t *row = golden_next(file); row; row = golden_next(file)) {
        assert_row(++line, row, &history);
        json_decref(row);
    }
    fclose(file);
    hy_history_clean_up(&history);
    assert_int_equal(line, 360);
}

/* Games against the naive ones, ply by ply */

static void assert_same_state(const hy_game *game, const naive_game *naive)
{
    const hy_position *position = hy_game_position(game);
    hy_game_record expected;
    naive_game_record(naive, &expected);
    const char *field = record_difference(&game->record, &expected);
    bool over = hy_game_is_over(game);
    if (field)
        fail_at(field, game->rules, position, 0);
    if (memcmp(position->board, naive->position.board, sizeof position->board) != 0 ||
        memcmp(position->score, naive->position.score, sizeof position->score) != 0 ||
        position->left != naive->position.left ||
        (!over && position->mover != naive->position.mover))
        fail_at("the position is another", game->rules, position, 0);
    for (unsigned hole = 0; hole < 2u * game->rules->holes; hole++) {
        bool legal = !over && naive_game_allows(naive, (hy_player)naive->position.mover, hole);
        if (hy_game_allows(game, hole) != legal)
            fail_at("legal or not", game->rules, position, hole);
    }
}

typedef struct totals {
    unsigned endings[HY_NUM_TERMINATIONS];
    unsigned games, plies, passes, chains, longest_chain, longest_turn, lead_changes;
} totals;

static void note(totals *sums, const hy_game_record *record)
{
    sums->endings[record->termination]++;
    sums->games++;
    sums->plies += record->plies;
    sums->passes += record->passes;
    sums->chains += record->chains;
    sums->lead_changes += record->lead_changes;
    if (record->longest_chain > sums->longest_chain)
        sums->longest_chain = record->longest_chain;
    if (record->longest_turn > sums->longest_turn)
        sums->longest_turn = record->longest_turn;
}

/* A random game of both; each ply is compared in everything. */
static void play_both(dice *d, const hy_rules *rules, const hy_position *start, uint64_t max_laps,
                      unsigned max_plies, hy_history *history, totals *sums)
{
    hy_game game;
    naive_game naive;
    unsigned sum = position_sum(start);
    assert_int_equal(hy_game_start(&game, rules, max_laps, history, start, NULL), HY_OK);
    naive_game_start(&naive, rules, max_laps, start);
    assert_same_state(&game, &naive);
    while (!hy_game_is_over(&game) && game.record.plies < max_plies) {
        unsigned hole = game.moves.hole[dice_below(d, game.moves.num)];
        assert_int_equal(hy_game_ply(&game, hole, NULL), HY_OK);
        naive_game_ply(&naive, hole);
        assert_same_state(&game, &naive);
        assert_int_equal(position_sum(hy_game_position(&game)), sum);
    }
    if (!hy_game_is_over(&game)) {
        hy_game_truncate(&game);
        naive.termination = HY_TRUNCATED;
        assert_same_state(&game, &naive);
    }
    note(sums, &game.record);
    naive_game_clean_up(&naive);
}

static void random_games_of_random_variants(void **state)
{
    (void)state;
    dice d = {40};
    hy_history history = {0};
    totals sums = {0};
    for (int i = 0; i < 6000; i++) {
        hy_rules rules = variant_random(&d, i % 4 ? 5 : HY_MAX_HOLES, i % 4 ? 6 : HY_MAX_SEEDS);
        hy_position start = hy_position_start(&rules);
        play_both(&d, &rules, &start, 300, 80, &history, &sums);
    }
    assert_true(sums.passes > 500 && sums.chains > 500 && sums.lead_changes > 200);
    assert_true(sums.longest_turn > 5 && sums.longest_chain > 3);
    for (int t = HY_CLAIMED; t < HY_NUM_TERMINATIONS; t++) {
        if (sums.endings[t] == 0 && t != HY_UNRESOLVED && t != HY_STUCK)
            fail_msg("no game ended as '%s'", hy_termination_words[t]);
    }
    hy_history_clean_up(&history);
}

/* Few counters and holes: passes, sweeps, repetitions and stuck players are common. */
static void random_games_of_small_boards(void **state)
{
    (void)state;
    dice d = {41};
    hy_history history = {0};
    totals sums = {0};
    for (int i = 0; i < 6000; i++) {
        hy_rules rules = variant_random(&d, 3, 6);
        if (dice_one_in(&d, 2))
            rules.repetition = (uint8_t)(2 + dice_below(&d, 3));
        hy_position start = hy_position_start(&rules);
        play_both(&d, &rules, &start, i % 10 ? 1000 : 4, 60, &history, &sums);
    }
    for (int t = HY_CLAIMED; t < HY_NUM_TERMINATIONS; t++) {
        if (sums.endings[t] == 0)
            fail_msg("no game ended as '%s'", hy_termination_words[t]);
    }
    hy_history_clean_up(&history);
}

static void recorded_games_to_their_end(void **state)
{
    (void)state;
    static const char *const presets[] = {
        "",
        "holes=12",
        "chain_capture=false en_passant=sower extra_turn=false",
        "chain_capture=false",
        "capture_side=opponent",
        "chain_capture=false en_passant=owner extra_turn=false claim=8 claim_by=starter",
    };
    dice d = {42};
    hy_history history = {0};
    for (size_t p = 0; p < sizeof presets / sizeof presets[0]; p++) {
        hy_rules rules = variant_of(presets[p]);
        hy_position start = hy_position_start(&rules);
        totals sums = {0};
        for (int i = 0; i < 40; i++)
            play_both(&d, &rules, &start, 2000, 300, &history, &sums);
        assert_true(sums.plies > 200);
    }
    hy_history_clean_up(&history);
}

/* A lead at the start is a lead, and passes, sweeps and repetitions count from the start on. */
static void games_from_any_position(void **state)
{
    (void)state;
    dice d = {43};
    hy_history history = {0};
    totals sums = {0};
    for (int i = 0; i < 3000; i++) {
        hy_rules rules = variant_random(&d, 4, 8);
        hy_position start = position_random(&d, &rules);
        if (start.left < rules.casa || start.left > 200)
            continue;
        start.score[dice_below(&d, 2)] = (uint16_t)dice_below(&d, 3 * rules.casa);
        play_both(&d, &rules, &start, 300, 40, &history, &sums);
    }
    assert_true(sums.games > 1500);
    hy_history_clean_up(&history);
}

/* South's one hole is endless and forbidden, so north takes all before the first ply. */
static void a_sweep_before_the_first_ply_is_scored(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=1 seeds=4 skip_origin=true chain_capture=false claim=1 "
                                "capture_side=opponent no_move=sweep endless=forbid");
    hy_position start = hy_position_start(&rules);
    hy_game game;
    assert_int_equal(hy_game_start(&game, &rules, 100, NULL, &start, NULL), HY_OK);
    assert_int_equal(game.record.termination, HY_SWEPT);
    assert_int_equal(game.record.result, HY_RESULT_NORTH);
    assert_int_equal(game.record.score[HY_SOUTH], 0);
    assert_int_equal(game.record.score[HY_NORTH], 8);
    assert_int_equal(game.record.plies, 0);
}

/* Two plies lead back to the start, which is its own first occurrence. */
static void the_start_is_its_own_first_occurrence(void **state)
{
    (void)state;
    hy_history history = {0};
    for (unsigned repetition = 2; repetition <= 255; repetition++) {
        hy_rules rules = variant_of("holes=1 seeds=16 casa=3 claim=0");
        rules.repetition = (uint8_t)repetition;
        hy_position start = position_of(&rules, "2 1/5 2 south");
        hy_game game;
        assert_int_equal(hy_game_start(&game, &rules, 100, &history, &start, NULL), HY_OK);
        while (!hy_game_is_over(&game))
            assert_int_equal(hy_game_ply(&game, game.moves.hole[0], NULL), HY_OK);
        assert_int_equal(game.record.termination, HY_REPETITION);
        assert_int_equal(game.record.plies, 2 * (repetition - 1));
        assert_int_equal(game.record.result, HY_RESULT_SOUTH);
        rules.unfinished = HY_UNFINISHED_VOID;
        assert_int_equal(hy_game_result(&rules, hy_game_position(&game), HY_REPETITION),
                         HY_RESULT_NONE);
    }
    hy_history_clean_up(&history);
}

/* Conditions and their tables */

static hy_condition condition_of(const char *rules, const char *first, const char *second)
{
    return (hy_condition){
        .rules = variant_of(rules),
        .first = spec_of(first),
        .second = spec_of(second),
        .max_plies = 300,
        .max_laps = 5000,
    };
}

static void condition_clean_up(hy_condition *condition)
{
    hy_policy_spec_destroy(condition->first);
    hy_policy_spec_destroy(condition->second);
}

static hy_table table_of(const hy_condition *condition, bool swapped)
{
    hy_table table;
    assert_int_equal(hy_table_init(&table, condition, swapped, NULL), HY_OK);
    return table;
}

static hy_game_record play(hy_table *table, uint64_t number, hy_hole_list *holes)
{
    hy_game_record record;
    holes->num = 0;
    assert_int_equal(hy_table_play(table, SEED, number, holes, &record, NULL), HY_OK);
    assert_true(record.number == number);
    assert_int_equal(holes->num, record.plies);
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < holes->num; i++)
        hash = (hash ^ holes->holes[i]) * 0x100000001b3u;
    assert_true(record.move_hash == hash);
    return record;
}

/* What the games before have left behind must not matter, nor the order, nor whether holes are
 * kept. */
static void game_n_is_game_n(void **state)
{
    (void)state;
    static const char *const rules[] = {"", "holes=3 seeds=2 repetition=2 claim=0", "holes=12"};
    enum { GAMES = 60 };
    for (size_t r = 0; r < 3; r++) {
        hy_condition condition = condition_of(rules[r], "epsilon:rate=0.5,policy=greedy", "random");
        hy_hole_list holes = {0};
        hy_game_record in_order[GAMES];
        hy_table table = table_of(&condition, false), other = table_of(&condition, false);
        for (uint64_t n = 0; n < GAMES; n++)
            in_order[n] = play(&table, n, &holes);
        for (uint64_t i = 0; i < 2 * GAMES; i++) {
            uint64_t n = i * 37 % GAMES;
            hy_game_record record;
            assert_int_equal(hy_table_play(&other, SEED, n, NULL, &record, NULL), HY_OK);
            assert_same_record(&record, &in_order[n], "another order");
        }
        hy_table_clean_up(&table);
        hy_table_clean_up(&other);
        free(holes.holes);
        condition_clean_up(&condition);
    }
}

/* The whole of a random game from the streams: one number a choice of several holes, none where
 * there is only one. */
static void assert_drawn(const hy_condition *condition, uint64_t number, const hy_hole_list *holes)
{
    hy_stream seats[2] = {hy_stream_make(SEED, number, HY_PURPOSE_SOUTH),
                          hy_stream_make(SEED, number, HY_PURPOSE_NORTH)};
    hy_stream opening = hy_stream_make(SEED, number, HY_PURPOSE_OPENING);
    hy_position start = hy_position_start(&condition->rules);
    hy_history history = {0};
    hy_game game;
    assert_int_equal(
        hy_game_start(&game, &condition->rules, condition->max_laps, &history, &start, NULL),
        HY_OK);
    for (uint32_t i = 0; i < holes->num; i++) {
        hy_stream *stream =
            i < condition->opening_plies ? &opening : &seats[hy_game_position(&game)->mover];
        unsigned choice = game.moves.num > 1 ? hy_stream_below(stream, game.moves.num) : 0;
        assert_int_equal(holes->holes[i], game.moves.hole[choice]);
        assert_int_equal(hy_game_ply(&game, holes->holes[i], NULL), HY_OK);
    }
    hy_history_clean_up(&history);
}

static void every_seat_draws_from_its_own_stream(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 1, 2, 3, UINT32_MAX, (uint64_t)1 << 32, UINT64_MAX};
    hy_hole_list holes = {0};
    for (uint32_t opening = 0; opening < 8; opening += 3) {
        hy_condition condition = condition_of("", "random", "random");
        condition.opening_plies = opening;
        hy_table table = table_of(&condition, false);
        for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
            play(&table, numbers[i], &holes);
            assert_drawn(&condition, numbers[i], &holes);
        }
        hy_table_clean_up(&table);
        condition_clean_up(&condition);
    }
    free(holes.holes);
}

/* Whether the player of that seat always took the first of the best holes. */
static bool is_greedy(const hy_condition *condition, hy_player seat, const hy_hole_list *holes)
{
    scene s = {.rules = condition->rules};
    hy_position start = hy_position_start(&s.rules);
    hy_game game;
    if (hy_game_start(&game, &s.rules, SCENE_MAX_LAPS, NULL, &start, NULL) != HY_OK)
        return false;
    for (size_t i = 0; i < holes->num; i++) {
        s.position = *hy_game_position(&game);
        unsigned best = game.moves.hole[0];
        for (unsigned m = 1; m < game.moves.num; m++) {
            if (counters_won(&s, game.moves.hole[m]) > counters_won(&s, best))
                best = game.moves.hole[m];
        }
        if (s.position.mover == seat && holes->holes[i] != best)
            return false;
        if (hy_game_ply(&game, holes->holes[i], NULL) != HY_OK)
            return false;
    }
    return true;
}

static void swapping_changes_the_seats(void **state)
{
    (void)state;
    hy_condition condition = condition_of("", "greedy:ties=first", "random");
    hy_hole_list holes = {0};
    for (int swapped = 0; swapped < 2; swapped++) {
        hy_table table = table_of(&condition, swapped == 1);
        assert_ptr_equal(table.seats[swapped]->spec, condition.first);
        assert_ptr_equal(table.seats[1 - swapped]->spec, condition.second);
        for (uint64_t n = 0; n < 50; n++) {
            play(&table, n, &holes);
            assert_true(is_greedy(&condition, swapped ? HY_NORTH : HY_SOUTH, &holes));
            assert_false(is_greedy(&condition, swapped ? HY_SOUTH : HY_NORTH, &holes));
        }
        hy_table_clean_up(&table);
    }
    free(holes.holes);
    condition_clean_up(&condition);
}

/* A pair starts with the same opening, whoever plays on. */
static void the_opening_is_the_same_for_all(void **state)
{
    (void)state;
    hy_condition conditions[] = {condition_of("", "greedy:ties=first", "random"),
                                 condition_of("", "random", "random")};
    hy_hole_list holes = {0}, other = {0};
    unsigned differ = 0;
    for (uint64_t n = 0; n < 100; n++) {
        for (int c = 0; c < 2; c++) {
            conditions[c].opening_plies = 6;
            hy_table one = table_of(&conditions[0], false), two = table_of(&conditions[c], c == 0);
            play(&one, n, &holes);
            play(&two, n, &other);
            for (size_t i = 0; i < 6 && i < holes.num && i < other.num; i++)
                assert_int_equal(holes.holes[i], other.holes[i]);
            size_t least = holes.num < other.num ? holes.num : other.num;
            differ += memcmp(holes.holes, other.holes, least) != 0;
            hy_table_clean_up(&one);
            hy_table_clean_up(&two);
        }
    }
    assert_true(differ > 190);
    free(holes.holes);
    free(other.holes);
    condition_clean_up(&conditions[0]);
    condition_clean_up(&conditions[1]);
}

/* A game that is over after exactly max_plies plies is not truncated. */
static void truncation_is_after_max_plies(void **state)
{
    (void)state;
    hy_condition condition = condition_of("", "random", "random");
    hy_hole_list holes = {0}, cut = {0};
    for (uint64_t n = 0; n < 40; n++) {
        condition.max_plies = 2000;
        hy_table table = table_of(&condition, false);
        hy_game_record whole = play(&table, n, &holes);
        assert_int_not_equal(whole.termination, HY_TRUNCATED);
        condition.max_plies = whole.plies;
        hy_game_record just = play(&table, n, &cut);
        assert_same_record(&just, &whole, "just enough plies");
        condition.max_plies = whole.plies - 1;
        hy_game_record record = play(&table, n, &cut);
        assert_int_equal(record.termination, HY_TRUNCATED);
        assert_int_equal(record.result, HY_RESULT_NONE);
        assert_int_equal(record.plies, whole.plies - 1);
        assert_memory_equal(cut.holes, holes.holes, whole.plies - 1);
        hy_table_clean_up(&table);
    }
    free(holes.holes);
    free(cut.holes);
    condition_clean_up(&condition);
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

static void games_are_not_repeated(void **state)
{
    (void)state;
    enum { GAMES = 1000 };
    hy_condition random = condition_of("", "random", "random");
    hy_condition fixed = condition_of("", "greedy:ties=first", "greedy:ties=first");
    hy_hole_list holes = {0};
    uint64_t hashes[GAMES], only;
    hy_table table = table_of(&random, false), same = table_of(&fixed, false);
    for (uint64_t n = 0; n < GAMES; n++)
        hashes[n] = play(&table, n, &holes).move_hash;
    qsort(hashes, GAMES, sizeof hashes[0], compare_hashes);
    for (int i = 1; i < GAMES; i++)
        assert_true(hashes[i] != hashes[i - 1]);
    only = play(&same, 0, &holes).move_hash;
    for (uint64_t n = 1; n < 20; n++)
        assert_true(play(&same, n, &holes).move_hash == only);
    hy_table_clean_up(&table);
    hy_table_clean_up(&same);
    free(holes.holes);
    condition_clean_up(&random);
    condition_clean_up(&fixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_games),
        cmocka_unit_test(random_games_of_random_variants),
        cmocka_unit_test(random_games_of_small_boards),
        cmocka_unit_test(recorded_games_to_their_end),
        cmocka_unit_test(games_from_any_position),
        cmocka_unit_test(a_sweep_before_the_first_ply_is_scored),
        cmocka_unit_test(the_start_is_its_own_first_occurrence),
        cmocka_unit_test(game_n_is_game_n),
        cmocka_unit_test(every_seat_draws_from_its_own_stream),
        cmocka_unit_test(swapping_changes_the_seats),
        cmocka_unit_test(the_opening_is_the_same_for_all),
        cmocka_unit_test(truncation_is_after_max_plies),
        cmocka_unit_test(games_are_not_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
