#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solve/folder.h"
#include "support/policies.h"
#include "support/variants.h"

#define MAX_PLIES 3000u

static char folder[] = "/tmp/hoyito-exact-XXXXXX";

/* Tables of a variant in the test's folder, made anew. */
static hy_endgame *make_tables(const hy_rules *rules, unsigned max_counters)
{
    hy_endgame *endgame;
    char command[64];
    snprintf(command, sizeof command, "rm -f %s/*.hyt", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(hy_solve_folder(rules, max_counters, folder, NULL, NULL), HY_OK);
    assert_int_equal(hy_endgame_open(folder, rules, &endgame, NULL), HY_OK);
    return endgame;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* Counters spread over a random part of the board. */
static hy_position position_with(dice *d, const hy_rules *rules, unsigned counters)
{
    hy_position position = {.left = (uint16_t)counters, .mover = (uint8_t)dice_below(d, 2)};
    unsigned size = 2u * rules->holes, first = dice_below(d, size), span = 1 + dice_below(d, size);
    for (unsigned n = 0; n < counters; n++)
        position.board[(first + dice_below(d, span)) % size]++;
    return position;
}

static int lead(const hy_position *position)
{
    return position->score[HY_SOUTH] - position->score[HY_NORTH];
}

/* What south has won, and what is still to be had. */
static int prospect(const hy_endgame *endgame, const hy_position *position)
{
    int value = hy_endgame_value(endgame, position->board, position->mover);
    return lead(position) + (position->mover == HY_SOUTH ? value : -value);
}

typedef struct bout {
    const hy_endgame *endgame;
    hy_policy *exact, *other;
    hy_stream stream;
} bout;

/* South plays by the tables and keeps what is to be had, to the end. A game that is not over after
 * so many plies is one that leaves nothing more for south. (Most players are without chance, so
 * that what goes round once goes round for ever.) */
static void play(bout *b, const hy_rules *rules, hy_position position)
{
    hy_moves moves;
    uint32_t passes = 0;
    hy_termination end = hy_settle(rules, HY_DEFAULT_MAX_LAPS, &position, &moves, &passes);
    int kept = prospect(b->endgame, &position);
    hy_policy_new_game(b->exact);
    hy_policy_new_game(b->other);
    for (unsigned plies = 0; end == HY_GOES_ON && plies < MAX_PLIES; plies++) {
        hy_choice choice = {.rules = rules,
                            .position = &position,
                            .moves = &moves,
                            .max_laps = HY_DEFAULT_MAX_LAPS,
                            .stream = &b->stream};
        hy_policy *chooser = position.mover == HY_SOUTH ? b->exact : b->other;
        unsigned hole = moves.num > 1 ? hy_policy_choose(chooser, &choice) : moves.hole[0];
        hy_position after;
        hy_ply ply;
        memset(&after, 0, sizeof after);
        hy_ply_play(rules, &position, hole, HY_DEFAULT_MAX_LAPS, &after, &ply);
        end = ply.termination;
        if (end == HY_GOES_ON)
            end = hy_settle(rules, HY_DEFAULT_MAX_LAPS, &after, &moves, &passes);
        position = after;
        int now = end == HY_GOES_ON ? prospect(b->endgame, &position) : lead(&position);
        if (now < kept)
            fail_at("value was lost", rules, &position, hole);
        kept = now;
    }
    if (lead(&position) < kept)
        fail_at("a win was never taken", rules, &position, 0);
}

static void play_against(const hy_rules *rules, unsigned max_counters, unsigned num_games)
{
    static const char *const others[] = {"random", "greedy:ties=first",
                                         "alphabeta:depth=2,ties=first", "exact"};
    char text[128];
    dice d = {max_counters};
    hy_endgame *endgame = make_tables(rules, max_counters);
    snprintf(text, sizeof text, "exact:tables=%s,depth=2,ties=first", folder);
    for (size_t i = 0; i < 4; i++) {
        player exact = player_of(text, rules);
        player other = player_of(i == 3 ? text : others[i], rules);
        bout b = {endgame, exact.policy, other.policy, hy_stream_make(1, i, HY_PURPOSE_SOUTH)};
        for (unsigned n = 0; n < num_games / 4; n++)
            play(&b, rules,
                 position_with(&d, rules, max_counters - rules->casa * dice_below(&d, 2)));
        player_clean_up(&exact);
        player_clean_up(&other);
    }
    hy_endgame_destroy(endgame);
}

static void no_value_is_lost_against_anybody(void **state)
{
    static const struct {
        const char *rules;
        unsigned counters, games;
    } cases[] = {
        {"holes=6", 12, 4000},
        {"holes=3 seeds=2", 20, 2000},
        {"holes=3 seeds=2 relay=false", 12, 2000},
        {"holes=3 seeds=2 capture_side=opponent no_move=sweep", 12, 1000},
        {"holes=4 seeds=2 chain_capture=false en_passant=owner extra_turn=false", 12, 600},
        {"holes=3 seeds=3 endless=forbid claim=0", 14, 400},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_rules rules = variant_of(cases[i].rules);
        play_against(&rules, cases[i].counters, cases[i].games);
    }
}

/* Where the search above the tables sees the end of all lines it knows the value as tables do. */
static void the_search_above_ends_in_the_tables(void **state)
{
    hy_rules rules = variant_of("holes=3 seeds=2");
    hy_endgame *whole, *small;
    dice d = {9};
    unsigned num_exact = 0;
    char text[128];
    (void)state;
    small = make_tables(&rules, 8);
    assert_int_equal(hy_endgame_solve(&rules, 12, NULL, &whole, NULL), HY_OK);
    snprintf(text, sizeof text, "exact:tables=%s,depth=6", folder);
    player p = player_of(text, &rules);
    for (unsigned n = 0; n < 300; n++) {
        hy_position position = position_with(&d, &rules, 12);
        hy_stream stream = hy_stream_make(1, n, HY_PURPOSE_SOUTH);
        hy_moves moves;
        hy_analysis analysis;
        int values[HY_MAX_HOLES];
        hy_legal_moves(&rules, &position, HY_DEFAULT_MAX_LAPS, &moves);
        if (moves.num < 2)
            continue;
        hy_choice choice = {.rules = &rules,
                            .position = &position,
                            .moves = &moves,
                            .max_laps = HY_DEFAULT_MAX_LAPS,
                            .stream = &stream};
        assert_int_equal(p.policy->type->analyse(p.policy, &choice, &analysis, NULL), HY_OK);
        if (!analysis.exact)
            continue;
        num_exact++;
        hy_endgame_holes(whole, &position, &moves, values);
        for (unsigned i = 0; i < moves.num; i++)
            assert_int_equal((int)analysis.values[i], values[i]);
    }
    assert_true(num_exact > 30);
    player_clean_up(&p);
    hy_endgame_destroy(small);
    hy_endgame_destroy(whole);
}

static void what_has_no_tables_is_refused(void **state)
{
    hy_rules rules = variant_of("holes=3 seeds=2"), other = variant_of("holes=3 seeds=2 casa=3");
    hy_policy *policy;
    hy_error error = {0};
    char text[128];
    (void)state;
    hy_endgame_destroy(make_tables(&rules, 8));
    snprintf(text, sizeof text, "exact:tables=%s", folder);
    hy_policy_spec *spec = spec_of(text);
    assert_int_equal(hy_policy_new(spec, &other, &policy, &error), HY_MISMATCH);
    rules.repetition = 3;
    assert_int_equal(hy_policy_new(spec, &rules, &policy, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "repetition"));
    hy_policy_spec_destroy(spec);
    spec = spec_of("exact:tables=/nowhere");
    rules.repetition = 0;
    assert_int_equal(hy_policy_new(spec, &rules, &policy, &error), HY_STORAGE);
    hy_policy_spec_destroy(spec);
    assert_int_equal(hy_policy_spec_parse("exact", &spec, &error), HY_INVALID);
    assert_int_equal(hy_policy_spec_parse("exact:tables=", &spec, &error), HY_INVALID);
    assert_int_equal(hy_policy_spec_parse("exact:tables=a(b)", &spec, &error), HY_INVALID);
    assert_int_equal(hy_policy_spec_parse("exact:tables=caf\xc3\xa9", &spec, &error), HY_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_value_is_lost_against_anybody),
        cmocka_unit_test(the_search_above_ends_in_the_tables),
        cmocka_unit_test(what_has_no_tables_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
