#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "solve/exact.h"
#include "support/variants.h"

/* Perfect play by another way: every position with its score, and bounds on the difference at the
 * end by looking ever further ahead (who would gain is held to have lost out at the horizon), layer
 * by layer of counters. A difference is right where one player can force it in so many plies;
 * where neither can, play goes on for ever. */

#define MAX_STATES 3000u
#define MAX_LAPS 100000u
#define FAR 10000

typedef struct state {
    hy_position position; /* settled */
    int low, high;        /* of the difference at the end */
    unsigned num_children;
    int child[HY_MAX_HOLES]; /* -1: over */
    int end[HY_MAX_HOLES];   /* … with this difference */
} state;

typedef struct slow {
    const hy_rules *rules;
    state *states;
    unsigned num;
} slow;

static int lead_of(const hy_position *position)
{
    return (int)position->score[HY_SOUTH] - (int)position->score[HY_NORTH];
}

static int end_of(const hy_rules *rules, const hy_position *position, hy_termination termination)
{
    bool none = hy_game_result(rules, position, termination) == HY_RESULT_NONE;
    return none ? 0 : lead_of(position);
}

static int find_or_add(slow *all, const hy_position *position)
{
    for (unsigned i = 0; i < all->num; i++) {
        if (hy_positions_are_equal(&all->states[i].position, position))
            return (int)i;
    }
    if (all->num == MAX_STATES)
        return -1;
    all->states[all->num] = (state){.position = *position, .low = -FAR, .high = FAR};
    return (int)all->num++;
}

/* False where there are too many states. */
static bool expand(slow *all, unsigned index)
{
    hy_moves moves;
    hy_legal_moves(all->rules, &all->states[index].position, MAX_LAPS, &moves);
    for (unsigned i = 0; i < moves.num; i++) {
        hy_position after;
        hy_ply ply;
        hy_moves next;
        uint32_t passes = 0;
        memset(&after, 0, sizeof after);
        hy_ply_play(all->rules, &all->states[index].position, moves.hole[i], MAX_LAPS, &after,
                    &ply);
        if (ply.termination == HY_GOES_ON)
            ply.termination = hy_settle(all->rules, MAX_LAPS, &after, &next, &passes);
        int child = -1;
        if (ply.termination == HY_GOES_ON && (child = find_or_add(all, &after)) < 0)
            return false;
        all->states[index].child[i] = child;
        all->states[index].end[i] = end_of(all->rules, &after, ply.termination);
    }
    all->states[index].num_children = moves.num;
    return true;
}

static bool narrow(const slow *all, state *s)
{
    bool south = s->position.mover == HY_SOUTH;
    int low = south ? -FAR : FAR, high = low;
    for (unsigned i = 0; i < s->num_children; i++) {
        const state *child = s->child[i] < 0 ? NULL : &all->states[s->child[i]];
        int l = child ? child->low : s->end[i], h = child ? child->high : s->end[i];
        low = south ? (l > low ? l : low) : (l < low ? l : low);
        high = south ? (h > high ? h : high) : (h < high ? h : high);
    }
    bool changed = low != s->low || high != s->high;
    s->low = low;
    s->high = high;
    return changed;
}

static void settle_layer(slow *all, unsigned left)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned i = 0; i < all->num; i++) {
            if (all->states[i].position.left == left)
                changed |= narrow(all, &all->states[i]);
        }
    }
    for (unsigned i = 0; i < all->num; i++) {
        state *s = &all->states[i];
        bool is_void = all->rules->unfinished == HY_UNFINISHED_VOID;
        int for_ever = is_void ? 0 : lead_of(&s->position);
        if (s->position.left == left && s->low <= for_ever && s->high >= for_ever)
            s->low = s->high = for_ever;
        else if (s->position.left == left)
            s->low = s->high = s->low > for_ever ? s->low : s->high;
    }
}

/* False where the variant is too large. */
static bool slow_value(const hy_rules *rules, int *value)
{
    slow all = {.rules = rules, .states = calloc(MAX_STATES, sizeof(state))};
    hy_position start = hy_position_start(rules);
    hy_moves moves;
    uint32_t passes = 0;
    bool fits = true;
    assert_non_null(all.states);
    hy_termination termination = hy_settle(rules, MAX_LAPS, &start, &moves, &passes);
    if (termination == HY_GOES_ON) {
        find_or_add(&all, &start);
        for (unsigned i = 0; fits && i < all.num; i++)
            fits = expand(&all, i);
        for (unsigned left = 0; fits && left <= hy_rules_total(rules); left++)
            settle_layer(&all, left);
        *value = all.states[0].low;
    } else {
        *value = end_of(rules, &start, termination);
    }
    free(all.states);
    return fits;
}

/* The line is legal play, and its end is what it was said to be worth. */
static void assert_line(const hy_rules *rules, const hy_exact *exact)
{
    hy_position position = hy_position_start(rules), after;
    hy_termination termination = HY_GOES_ON;
    for (unsigned i = 0; i <= exact->line.num; i++) {
        hy_moves moves;
        hy_ply ply;
        uint32_t passes = 0;
        bool legal = false;
        if (termination == HY_GOES_ON)
            termination = hy_settle(rules, MAX_LAPS, &position, &moves, &passes);
        if (i == exact->line.num)
            break;
        assert_int_equal(termination, HY_GOES_ON);
        for (unsigned k = 0; k < moves.num; k++)
            legal |= moves.hole[k] == exact->line.hole[i];
        assert_true(legal);
        hy_ply_play(rules, &position, exact->line.hole[i], MAX_LAPS, &after, &ply);
        position = after;
        termination = ply.termination;
    }
    assert_int_equal(termination, exact->line.termination);
    bool is_void = rules->unfinished == HY_UNFINISHED_VOID;
    if (termination != HY_GOES_ON)
        assert_int_equal(end_of(rules, &position, termination), exact->value);
    else if (exact->line.repeats)
        assert_int_equal(is_void ? 0 : lead_of(&position), exact->value);
}

static void values_are_those_of_looking_ahead(void **unused)
{
    (void)unused;
    dice d = {77};
    unsigned num = 0, num_void = 0, num_round = 0, num_large = 0;
    const hy_exact_terms terms = {.memory = 16u << 20, .max_laps = MAX_LAPS, .mass = 0};
    while (num < 200) {
        hy_rules rules = variant_random(&d, 3, 4);
        int value;
        hy_exact exact;
        rules.repetition = 0;
        if (!slow_value(&rules, &value))
            continue;
        assert_int_equal(hy_exact_solve(&exact, &rules, &terms, NULL), HY_OK);
        if (exact.value != value) {
            hy_position start = hy_position_start(&rules);
            print_message("value %d, by looking ahead %d\n", exact.value, value);
            fail_at("values differ", &rules, &start, 0);
        }
        assert_line(&rules, &exact);
        num++;
        num_void += exact.score_positions > 20;
        num_round += exact.line.repeats;
        num_large += exact.positions > 100;
        hy_exact_clean_up(&exact);
    }
    assert_true(num_void > 20);
    assert_true(num_round > 20);
    assert_true(num_large > 30);
}

/* A changed value or a changed order is noticed. */
static void a_wrong_value_is_found(void **unused)
{
    (void)unused;
    hy_rules rules = variant_of("holes=3 seeds=2");
    hy_budget budget = {.limit = 64u << 20};
    hy_graph graph;
    hy_blocks blocks;
    hy_values values;
    dice d = {5};
    unsigned num_ranks = 0;
    assert_int_equal(hy_graph_init(&graph, &rules, MAX_LAPS, &budget, NULL), HY_OK);
    assert_int_equal(hy_blocks_init(&blocks, &graph, NULL), HY_OK);
    assert_int_equal(hy_values_init(&values, &graph, &blocks, NULL), HY_OK);
    assert_int_equal(hy_values_num_faults(&values, &graph, &blocks), 0);
    for (unsigned i = 0; i < 200; i++) {
        uint32_t node = (uint32_t)dice_below(&d, graph.num_nodes);
        values.value[node] = (int16_t)(values.value[node] + 4);
        assert_true(hy_values_num_faults(&values, &graph, &blocks) > 0);
        values.value[node] = (int16_t)(values.value[node] - 4);
    }
    for (uint32_t node = 0; node < graph.num_nodes && num_ranks < 200; node++) {
        uint32_t rank = values.rank[node];
        if (rank < 2)
            continue;
        values.rank[node] = 0; /* as if it could go on for ever */
        num_ranks += hy_values_num_faults(&values, &graph, &blocks) > 0;
        values.rank[node] = rank;
    }
    assert_true(num_ranks > 100);
    hy_values_clean_up(&values);
    hy_blocks_clean_up(&blocks);
    hy_graph_clean_up(&graph);
    assert_int_equal(budget.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_looking_ahead),
        cmocka_unit_test(a_wrong_value_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
