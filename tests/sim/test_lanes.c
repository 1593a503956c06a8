#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/game.h"
#include "support/dice.h"
#include "support/records.h"
#include "support/variants.h"

#define SEED 20261130u
#define MAX_GAMES 400

/* Games of a condition, played in lanes and compared with those played ply by ply. */
typedef struct games {
    hy_table table;
    hy_hole_list holes[MAX_GAMES];
    hy_game_record records[MAX_GAMES]; /* ply by ply */
    bool taken[MAX_GAMES];
    uint64_t next, num, num_taken;
    uint64_t fail_after, stop_after; /* games taken; 0: never */
    unsigned terminations[HY_NUM_TERMINATIONS];
    bool keep_holes;
} games;

static bool next(void *context, uint64_t *number)
{
    games *g = context;
    if (g->next == g->num)
        return false;
    *number = g->next++;
    return true;
}

static hy_status take(void *context, const hy_game_record *record, const hy_hole_list *holes,
                      hy_error *error)
{
    games *g = context;
    assert_true(record->number < g->num && !g->taken[record->number]);
    g->taken[record->number] = true;
    g->num_taken++;
    const hy_hole_list *expected = &g->holes[record->number];
    const char *field = record_difference(record, &g->records[record->number]);
    if (!field && g->keep_holes &&
        (holes->num != expected->num ||
         (holes->num > 0 && memcmp(holes->holes, expected->holes, holes->num) != 0)))
        field = "holes";
    if (field) {
        char text[HY_CONDITION_TEXT_SIZE];
        hy_condition_print(g->table.condition, text);
        fail_msg("%s of game %u under %s", field, (unsigned)record->number, text);
    }
    assert_true(g->keep_holes || !holes);
    g->terminations[record->termination]++;
    if (g->num_taken == g->fail_after)
        return hy_fail(error, HY_STORAGE, "the disk is full");
    return HY_OK;
}

static hy_status play(void *context, uint64_t number, hy_hole_list *holes, hy_game_record *record,
                      hy_error *error)
{
    games *g = context;
    return hy_table_play_by_plies(&g->table, SEED, number, holes, record, error);
}

static bool stopped(void *context)
{
    const games *g = context;
    return g->stop_after > 0 && g->num_taken >= g->stop_after;
}

static games *games_new(const hy_condition *condition, uint64_t num)
{
    games *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->num = num;
    assert_int_equal(hy_table_init(&g->table, condition, false, NULL), HY_OK);
    for (uint64_t i = 0; i < num; i++)
        assert_int_equal(
            hy_table_play_by_plies(&g->table, SEED, i, &g->holes[i], &g->records[i], NULL), HY_OK);
    return g;
}

static void games_destroy(games *g)
{
    for (uint64_t i = 0; i < g->num; i++)
        free(g->holes[i].holes);
    hy_table_clean_up(&g->table);
    free(g);
}

/* Plays all on one path. */
static hy_status run(games *g, const hy_lanes_path *path, hy_error *error)
{
    hy_playout_terms terms;
    assert_true(hy_condition_has_lanes(g->table.condition, &terms));
    hy_lanes_job job = {
        .terms = &terms,
        .seed = SEED,
        .keep_holes = g->keep_holes,
        .client = {.context = g, .next = next, .take = take, .play = play, .stopped = stopped},
    };
    g->next = 0;
    g->num_taken = 0;
    memset(g->taken, 0, sizeof g->taken);
    return path->play(&job, error);
}

static void run_on_all_paths(const hy_condition *condition, uint64_t num, bool keep_holes,
                             unsigned *terminations)
{
    hy_lanes_path paths[HY_MAX_LANES_PATHS];
    games *g = games_new(condition, num);
    g->keep_holes = keep_holes;
    hy_lanes_paths(&condition->rules, paths);
    assert_non_null(paths[0].name);
    for (unsigned i = 0; paths[i].name; i++) {
        assert_int_equal(run(g, &paths[i], NULL), HY_OK);
        assert_int_equal(g->num_taken, num);
    }
    for (unsigned i = 0; i < HY_NUM_TERMINATIONS; i++)
        terminations[i] += g->terminations[i];
    games_destroy(g);
}

static hy_condition condition_of(hy_rules rules, dice *d)
{
    hy_condition condition = {
        .rules = rules,
        .opening_plies = dice_one_in(d, 3) ? dice_below(d, 256) : 0,
        .max_plies = dice_one_in(d, 4) ? 1 + dice_below(d, 300) : 700,
        .max_laps = HY_LANES_MIN_LAPS + 1 + dice_below(d, dice_one_in(d, 2) ? 30000 : 300),
    };
    assert_int_equal(hy_policy_spec_parse("random", &condition.first, NULL), HY_OK);
    assert_int_equal(hy_policy_spec_parse("random", &condition.second, NULL), HY_OK);
    return condition;
}

static void drop_condition(hy_condition *condition)
{
    hy_policy_spec_destroy(condition->first);
    hy_policy_spec_destroy(condition->second);
}

/* Any rules that lanes handle. */
static hy_rules laned_rules(dice *d)
{
    for (;;) {
        hy_rules rules = variant_random(d, dice_one_in(d, 3) ? HY_MAX_HOLES : 8, HY_MAX_SEEDS);
        rules.repetition = 0;
        rules.endless = HY_ENDLESS_ANNUL;
        if (dice_one_in(d, 2))
            rules.seeds = (uint8_t)(1 + dice_below(d, 6));
        hy_playout_terms terms = {.rules = &rules, .max_laps = HY_DEFAULT_MAX_LAPS};
        if (hy_rules_check(&rules, NULL, NULL) == HY_OK && hy_lanes_handle(&terms))
            return rules;
    }
}

static void lanes_play_the_same_games(void **state)
{
    (void)state;
    dice d = {SEED};
    unsigned terminations[HY_NUM_TERMINATIONS] = {0};
    for (unsigned i = 0; i < 500; i++) {
        hy_condition condition = condition_of(laned_rules(&d), &d);
        run_on_all_paths(&condition, 1 + dice_below(&d, 120), dice_one_in(&d, 2), terminations);
        drop_condition(&condition);
    }
    for (hy_termination t = HY_CLAIMED; t < HY_NUM_TERMINATIONS; t++) {
        if (t != HY_STUCK && t != HY_REPETITION)
            assert_true(terminations[t] > 100);
    }
}

/* Where vectors, counts or the commonest sizes change, and totals about 255 counters. */
static void lanes_agree_at_the_seams(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "holes=6",
        "holes=6 seeds=6",
        "holes=6 seeds=21",
        "holes=12",
        "holes=12 seeds=10",
        "holes=1 seeds=32 casa=2",
        "holes=8 seeds=15",
        "holes=9 seeds=14",
        "holes=15 seeds=8",
        "holes=16 seeds=7",
        "holes=17 seeds=7",
        "holes=31 seeds=4",
        "holes=32 seeds=3",
        "holes=8 seeds=16",
        "holes=32 seeds=4",
        "holes=12 seeds=12",
        "holes=12 seeds=12 en_passant=sower skip_origin=true",
        "holes=20 seeds=7 en_passant=owner capture_side=own",
        "holes=1 seeds=127 casa=2",
        "holes=6 en_passant=sower chain_capture=false extra_turn=false",
        "holes=6 en_passant=owner chain_capture=false extra_turn=false claim=8 claim_by=starter",
        "holes=6 skip_origin=true seeds=10",
        "holes=6 skip_origin=true seeds=10 en_passant=owner",
        "holes=6 capture_side=own en_passant=sower seeds=8",
        "holes=6 relay=false seeds=14",
        "holes=7 capture_side=opponent no_move=sweep",
    };
    dice d = {5};
    unsigned terminations[HY_NUM_TERMINATIONS] = {0};
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        hy_rules rules;
        if (hy_rules_parse(variants[i], &rules, NULL) != HY_OK)
            continue;
        hy_condition condition = condition_of(rules, &d);
        condition.max_plies = 2000;
        run_on_all_paths(&condition, 300, true, terminations);
        drop_condition(&condition);
    }
}

static void a_failure_ends_it(void **state)
{
    (void)state;
    dice d = {1};
    hy_condition condition = condition_of(hy_rules_default(), &d);
    hy_lanes_path paths[HY_MAX_LANES_PATHS];
    games *g = games_new(&condition, MAX_GAMES);
    hy_lanes_paths(&condition.rules, paths);
    for (unsigned i = 0; paths[i].name; i++) {
        hy_error error = {0};
        g->fail_after = 50;
        assert_int_equal(run(g, &paths[i], &error), HY_STORAGE);
        assert_string_equal(error.text, "the disk is full");
        assert_int_equal(g->num_taken, 50);
        g->fail_after = 0;
        g->stop_after = 60;
        assert_int_equal(run(g, &paths[i], &error), HY_OK);
        assert_true(g->num_taken >= 60 && g->num_taken < MAX_GAMES);
        g->stop_after = 0;
    }
    games_destroy(g);
    drop_condition(&condition);
}

static void what_they_cannot_is_refused(void **state)
{
    (void)state;
    static const char *const variants[] = {"repetition=2", "endless=forbid"};
    hy_rules rules = hy_rules_default();
    hy_playout_terms terms = {.rules = &rules, .max_laps = HY_DEFAULT_MAX_LAPS};
    assert_true(hy_lanes_handle(&terms));
    terms.max_laps = HY_LANES_MIN_LAPS;
    assert_false(hy_lanes_handle(&terms));
    terms.max_laps++;
    terms.opening_plies = 256;
    assert_false(hy_lanes_handle(&terms));
    terms.opening_plies = 255;
    assert_true(hy_lanes_handle(&terms));
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        rules = variant_of(variants[i]);
        assert_false(hy_lanes_handle(&terms));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_play_the_same_games),
        cmocka_unit_test(lanes_agree_at_the_seams),
        cmocka_unit_test(a_failure_ends_it),
        cmocka_unit_test(what_they_cannot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
