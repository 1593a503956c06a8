#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/search.h"
#include "policy/types.h"
#include "support/dice.h"
#include "support/policies.h"
#include "support/variants.h"

#define MAX_LAPS 500

/* Plain minimax, written apart from the search: whole scores, no window, no table, no order. */
typedef struct minimax {
    const hy_rules *rules;
    const hy_search *evaluator;
    hy_position path[256]; /* since the last capture; the game's own positions first */
    unsigned num_path;
} minimax;

static int32_t lead_of(const hy_position *position, hy_player side)
{
    int32_t lead = (int32_t)position->score[HY_SOUTH] - (int32_t)position->score[HY_NORTH];
    return HY_SEARCH_UNIT * (side == HY_SOUTH ? lead : -lead);
}

static int32_t ended(const minimax *m, const hy_position *position, hy_termination termination)
{
    bool unfinished =
        termination == HY_ENDLESS || termination == HY_STUCK || termination == HY_REPETITION;
    if (unfinished && m->rules->unfinished == HY_UNFINISHED_VOID)
        return 0;
    return lead_of(position, HY_SOUTH);
}

static bool repeats(minimax *m, const hy_position *position, bool captured)
{
    unsigned times = 1;
    if (captured)
        m->num_path = 0;
    for (unsigned i = 0; i < m->num_path; i++)
        times += m->path[i].mover == position->mover &&
                 memcmp(m->path[i].board, position->board, sizeof position->board) == 0;
    m->path[m->num_path++] = *position;
    return m->rules->repetition > 0 && times >= m->rules->repetition;
}

static int32_t best_for_south(minimax *m, const hy_position *position, const hy_moves *moves,
                              unsigned turns, unsigned extra);

/* The final lead of south after a hole, with so many turns and free extra turns before it. */
static int32_t after_hole(const minimax *before, const hy_position *position, unsigned hole,
                          unsigned turns, unsigned extra)
{
    minimax m = *before;
    hy_position after = {0};
    hy_moves moves;
    hy_ply ply;
    uint32_t passes = 0;
    hy_ply_play(m.rules, position, hole, MAX_LAPS, &after, &ply);
    hy_termination termination = ply.termination;
    if (termination == HY_GOES_ON)
        termination = hy_settle(m.rules, MAX_LAPS, &after, &moves, &passes);
    if (termination == HY_GOES_ON && repeats(&m, &after, ply.captured))
        termination = HY_REPETITION;
    if (termination != HY_GOES_ON)
        return ended(&m, &after, termination);
    if (ply.again && passes == 0 && extra > 0)
        return best_for_south(&m, &after, &moves, turns, extra - 1);
    return best_for_south(&m, &after, &moves, turns - 1, extra);
}

static int32_t best_for_south(minimax *m, const hy_position *position, const hy_moves *moves,
                              unsigned turns, unsigned extra)
{
    bool south = position->mover == HY_SOUTH;
    if (turns == 0) {
        int32_t expected = hy_search_evaluate(m->evaluator, position);
        return lead_of(position, HY_SOUTH) + (south ? expected : -expected);
    }
    int32_t best = south ? -HY_SEARCH_INFINITY : HY_SEARCH_INFINITY;
    for (unsigned i = 0; i < moves->num; i++) {
        int32_t value = after_hole(m, position, moves->hole[i], turns, extra);
        if (south ? value > best : value < best)
            best = value;
    }
    return best;
}

/* A game's history for the search: the positions that the minimax has on its path at first. */
static unsigned times_on_path(const void *history, const hy_position *position)
{
    const minimax *m = history;
    unsigned times = 0;
    for (unsigned i = 0; i < m->num_path; i++)
        times += m->path[i].mover == position->mover &&
                 memcmp(m->path[i].board, position->board, sizeof position->board) == 0;
    return times;
}

typedef struct case_at {
    hy_rules rules;
    hy_position position;
    hy_moves moves;
    minimax m;
} case_at;

/* A position of a random game, with the game's history since its last capture. */
static bool make_case(dice *d, unsigned max_holes, unsigned max_seeds, case_at *c)
{
    uint32_t passes = 0;
    c->rules = variant_random(d, max_holes, max_seeds);
    c->position = hy_position_start(&c->rules);
    c->m = (minimax){.rules = &c->rules};
    if (hy_settle(&c->rules, MAX_LAPS, &c->position, &c->moves, &passes) != HY_GOES_ON)
        return false;
    c->m.path[c->m.num_path++] = c->position;
    for (unsigned plies = dice_below(d, 40); plies > 0; plies--) {
        hy_position after = {0};
        hy_ply ply;
        unsigned hole = c->moves.hole[dice_below(d, c->moves.num)];
        hy_ply_play(&c->rules, &c->position, hole, MAX_LAPS, &after, &ply);
        if (ply.termination != HY_GOES_ON ||
            hy_settle(&c->rules, MAX_LAPS, &after, &c->moves, &passes) != HY_GOES_ON ||
            repeats(&c->m, &after, ply.captured))
            return false;
        c->position = after;
    }
    return c->moves.num > 1;
}

static void check_case(const case_at *c, hy_search *search, hy_search_table *table, unsigned depth)
{
    hy_choice choice = {
        .rules = &c->rules,
        .position = &c->position,
        .moves = &c->moves,
        .times = times_on_path,
        .history = &c->m,
    };
    *search = (hy_search){
        .rules = &c->rules,
        .max_laps = MAX_LAPS,
        .evaluation = search->evaluation,
        .table = table,
        .history_counts = true,
        .root = &choice,
    };
    minimax m = c->m;
    m.evaluator = search;
    hy_player mover = c->position.mover;
    for (unsigned i = 0; i < c->moves.num; i++) {
        hy_successor successor;
        hy_search_successor(search, &c->position, c->moves.hole[i], &successor);
        int32_t value = hy_search_ply(search, &successor, hy_horizon_of(depth), -HY_SEARCH_INFINITY,
                                      HY_SEARCH_INFINITY);
        int32_t plain = after_hole(&m, &c->position, c->moves.hole[i], depth, depth);
        int32_t won = (mover == HY_SOUTH ? plain : -plain) - lead_of(&c->position, mover);
        if (value != won) {
            char rules[HY_RULES_TEXT_SIZE], position[HY_POSITION_TEXT_SIZE];
            hy_rules_print(&c->rules, rules);
            hy_position_print(&c->rules, &c->position, position);
            fail_msg("%s: %s hole %u depth %u: %d instead of %d", rules, position, c->moves.hole[i],
                     depth, (int)value, (int)won);
        }
    }
}

/* With a table of two entries and with a large one: the same values, those of minimax. */
static void search_is_minimax(void **state)
{
    (void)state;
    static hy_search search;
    dice d = {3};
    unsigned checked = 0;
    while (checked < 3000) {
        case_at c;
        hy_search_table table;
        unsigned depth = 1 + dice_below(&d, 4);
        if (!make_case(&d, depth > 2 ? 3 : 6, 5, &c))
            continue;
        size_t bytes = dice_one_in(&d, 2) ? 1 : 1 << 20;
        assert_int_equal(hy_search_table_init(&table, bytes, NULL), HY_OK);
        search.evaluation = dice_one_in(&d, 2) ? HY_EVALUATION_CAPTURED : HY_EVALUATION_REACH;
        check_case(&c, &search, &table, depth);
        check_case(&c, &search, &table, depth); /* with what the table holds now */
        hy_search_table_clean_up(&table);
        checked++;
    }
}

/* The window tells what it should: exact inside, bounds outside. */
static void windows_bound_the_value(void **state)
{
    (void)state;
    static hy_search search;
    dice d = {11};
    for (unsigned checked = 0; checked < 500;) {
        case_at c;
        hy_search_table table;
        if (!make_case(&d, 3, 4, &c) || c.rules.repetition > 0)
            continue;
        checked++;
        assert_int_equal(hy_search_table_init(&table, 1 << 16, NULL), HY_OK);
        search = (hy_search){.rules = &c.rules, .max_laps = MAX_LAPS, .table = &table};
        int32_t value = hy_search_value(&search, &c.position, &c.moves, hy_horizon_of(3),
                                        -HY_SEARCH_INFINITY, HY_SEARCH_INFINITY);
        for (unsigned i = 0; i < 8; i++) {
            int32_t alpha = (int32_t)dice_below(&d, 800) - 400,
                    beta = alpha + 1 + (int32_t)dice_below(&d, 100);
            if (i % 2 == 0)
                hy_search_table_forget(&table);
            int32_t found =
                hy_search_value(&search, &c.position, &c.moves, hy_horizon_of(3), alpha, beta);
            if (value <= alpha)
                assert_true(found <= alpha && found >= value);
            else if (value >= beta)
                assert_true(found >= beta && found <= value);
            else
                assert_int_equal(found, value);
        }
        hy_search_table_clean_up(&table);
    }
}

/* All holes of a case at a depth, with a sower or without. */
static void search_case(const case_at *c, const hy_rows_sower *sower, hy_search_table *table,
                        unsigned depth, hy_search *search, int32_t values[HY_MAX_HOLES])
{
    uint64_t max_nodes = search->max_nodes;
    hy_evaluation evaluation = search->evaluation;
    hy_choice choice = {.rules = &c->rules,
                        .position = &c->position,
                        .moves = &c->moves,
                        .times = times_on_path,
                        .history = &c->m};
    *search = (hy_search){.rules = &c->rules,
                          .max_laps = MAX_LAPS,
                          .evaluation = evaluation,
                          .table = table,
                          .sower = sower,
                          .history_counts = true,
                          .root = &choice,
                          .max_nodes = max_nodes};
    for (unsigned i = 0; i < c->moves.num; i++) {
        hy_successor successor;
        hy_search_successor(search, &c->position, c->moves.hole[i], &successor);
        values[i] = hy_search_ply(search, &successor, hy_horizon_of(depth), -HY_SEARCH_INFINITY,
                                  HY_SEARCH_INFINITY);
    }
}

/* The same nodes are searched on a board in rows, in the same order, so values, counts and what the
 * table then holds are equal, also where a small table forgets and a limit of nodes stops. */
static void rows_search_the_same_nodes(void **state)
{
    (void)state;
    static hy_search in_rows, general;
    static hy_rows_sower sower;
    dice d = {17};
    unsigned repeating = 0;
    for (unsigned checked = 0; checked < 1500;) {
        case_at c;
        hy_search_table tables[2];
        int32_t values[2][HY_MAX_HOLES] = {{0}};
        if (!make_case(&d, 10, 12, &c) || !hy_search_handles_rows(&c.rules))
            continue;
        size_t bytes = dice_one_in(&d, 2) ? 1 << 10 : 1 << 16;
        unsigned depth = 1 + dice_below(&d, 5);
        hy_rows_sower_init(&sower, &c.rules);
        in_rows.max_nodes = general.max_nodes = dice_one_in(&d, 3) ? 1 + dice_below(&d, 500) : 0;
        in_rows.evaluation = general.evaluation = (hy_evaluation)dice_below(&d, 2);
        for (unsigned i = 0; i < 2; i++)
            assert_int_equal(hy_search_table_init(&tables[i], bytes, NULL), HY_OK);
        search_case(&c, &sower, &tables[0], depth, &in_rows, values[0]);
        search_case(&c, NULL, &tables[1], depth, &general, values[1]);
        if (in_rows.nodes != general.nodes ||
            (!general.stopped && memcmp(values[0], values[1], sizeof values[0]) != 0))
            fail_at("the search in rows differs", &c.rules, &c.position, depth);
        assert_int_equal(in_rows.stopped, general.stopped);
        assert_memory_equal(in_rows.cutoffs, general.cutoffs, sizeof general.cutoffs);
        for (size_t i = 0; i <= tables[0].mask; i++) {
            const hy_search_entry *a = &tables[0].entries[i], *b = &tables[1].entries[i];
            assert_true(a->key.low == b->key.low && a->key.high == b->key.high &&
                        a->value == b->value && a->hole == b->hole && a->bound == b->bound &&
                        a->complete == b->complete);
        }
        hy_search_table_clean_up(&tables[0]);
        hy_search_table_clean_up(&tables[1]);
        repeating += c.rules.repetition > 0;
        checked++;
    }
    assert_true(repeating > 200);
}

/* What was chosen before with the same policy does not matter, nor does the size of the table. */
static void choices_do_not_depend_on_what_was_before(void **state)
{
    (void)state;
    dice d = {5};
    for (unsigned i = 0; i < 100; i++) {
        scene s = scene_random(&d);
        player fresh = player_of("alphabeta:depth=2", &s.rules);
        player used = player_of("alphabeta:depth=2,table=1", &s.rules);
        hy_stream stream = hy_stream_make(i, 0, HY_PURPOSE_SOUTH), again = stream, other = stream;
        choose_in(&used, &s, &other);
        choose_in(&used, &s, &other);
        hy_policy_new_game(used.policy);
        assert_int_equal(choose_in(&used, &s, &stream), choose_in(&fresh, &s, &again));
        assert_memory_equal(&stream, &again, sizeof stream);
        player_clean_up(&fresh);
        player_clean_up(&used);
    }
}

static void node_budget_is_kept(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_position position = hy_position_start(&rules);
    hy_moves moves;
    hy_legal_moves(&rules, &position, MAX_LAPS, &moves);
    hy_choice choice = {
        .rules = &rules, .position = &position, .moves = &moves, .max_laps = MAX_LAPS};
    player p = player_of("alphabeta:depth=64,nodes=20000", &rules);
    hy_analysis analysis, once_more;
    assert_int_equal(p.policy->type->analyse(p.policy, &choice, &analysis, NULL), HY_OK);
    assert_true(analysis.nodes >= 10000 && analysis.nodes <= 20100);
    assert_true(analysis.depth > 2 && analysis.depth < 64);
    hy_policy_new_game(p.policy);
    assert_int_equal(p.policy->type->analyse(p.policy, &choice, &once_more, NULL), HY_OK);
    assert_memory_equal(&analysis, &once_more, sizeof analysis);
    player_clean_up(&p);
}

/* On 2×2 with four counters the search reaches the end: south loses by 16 (golden/exact.json). */
static void small_game_is_solved(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    rules.holes = 2;
    hy_position position = hy_position_start(&rules);
    hy_moves moves;
    hy_legal_moves(&rules, &position, 100000, &moves);
    hy_choice choice = {
        .rules = &rules, .position = &position, .moves = &moves, .max_laps = 100000};
    player p = player_of("alphabeta:depth=30", &rules);
    hy_analysis analysis;
    assert_int_equal(p.policy->type->analyse(p.policy, &choice, &analysis, NULL), HY_OK);
    double best = analysis.values[0];
    for (unsigned i = 1; i < moves.num; i++)
        best = analysis.values[i] > best ? analysis.values[i] : best;
    assert_true(analysis.exact);
    assert_int_equal((int)best, -16);
    player_clean_up(&p);
}

static void time_makes_a_policy_irreproducible(void **state)
{
    (void)state;
    hy_policy_spec *timed = spec_of("epsilon:rate=0.5,policy=(alphabeta:time_ms=5)");
    hy_policy_spec *counted = spec_of("epsilon:rate=0.5,policy=(alphabeta:nodes=5)");
    assert_false(hy_policy_spec_is_reproducible(timed));
    assert_true(hy_policy_spec_is_reproducible(counted));
    hy_policy_spec_destroy(timed);
    hy_policy_spec_destroy(counted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_is_minimax),
        cmocka_unit_test(windows_bound_the_value),
        cmocka_unit_test(rows_search_the_same_nodes),
        cmocka_unit_test(choices_do_not_depend_on_what_was_before),
        cmocka_unit_test(node_budget_is_kept),
        cmocka_unit_test(small_game_is_solved),
        cmocka_unit_test(time_makes_a_policy_irreproducible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
