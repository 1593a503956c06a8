#include "support/slow_tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MAX_LAPS 1000000u

/* In how many ways n counters stand in k holes: C(n+k-1, k-1). */
static size_t ways(unsigned n, unsigned k)
{
    if (k == 0)
        return n == 0;
    double product = 1;
    for (unsigned i = 1; i < k; i++)
        product = product * (n + i) / i;
    return (size_t)(product + 0.5);
}

size_t slow_layer_size(const hy_rules *rules, unsigned counters)
{
    return ways(counters, 2u * rules->holes);
}

/* Boards are ordered by the counters of their first hole, then of the next, the mover's row first.
 */
static size_t rank_of(const hy_rules *rules, const hy_position *position)
{
    unsigned size = 2u * rules->holes, rest = position->left;
    unsigned first = position->mover == HY_SOUTH ? 0 : rules->holes;
    size_t rank = 0;
    for (unsigned i = 0; i + 1 < size; i++) {
        unsigned count = position->board[(first + i) % size];
        for (unsigned c = 0; c < count; c++)
            rank += ways(rest - c, size - i - 1);
        rest -= count;
    }
    return rank;
}

hy_position slow_layer_position(const hy_rules *rules, unsigned counters, size_t rank)
{
    unsigned size = 2u * rules->holes, rest = counters;
    hy_position position = {.left = (uint16_t)counters, .mover = HY_SOUTH};
    for (unsigned i = 0; i + 1 < size; i++) {
        while (rank >= ways(rest, size - i - 1)) {
            rank -= ways(rest--, size - i - 1);
            position.board[i]++;
        }
    }
    position.board[size - 1] = (uint16_t)rest;
    return position;
}

int slow_tables_value(const slow_tables *tables, const hy_position *position)
{
    return tables->layer[position->left][rank_of(tables->rules, position)];
}

static int value_by_holes(const slow_tables *tables, const hy_position *position)
{
    hy_position settled = *position, after;
    hy_moves moves, next_moves;
    hy_ply ply;
    uint32_t passes = 0;
    int best = -10000, sign = 1;
    if (position->left < tables->rules->casa)
        return 0; /* cannot occur in play */
    if (hy_settle(tables->rules, MAX_LAPS, &settled, &moves, &passes) != HY_GOES_ON)
        return (settled.score[0] - position->score[0]) - (settled.score[1] - position->score[1]);
    if (settled.mover == HY_NORTH)
        sign = -1;
    int mover = settled.mover, other = 1 - mover;
    for (unsigned i = 0; i < moves.num; i++) {
        hy_ply_play(tables->rules, &settled, moves.hole[i], MAX_LAPS, &after, &ply);
        assert_int_not_equal(ply.termination, HY_UNRESOLVED);
        hy_termination end = ply.termination;
        if (end == HY_GOES_ON)
            end = hy_settle(tables->rules, MAX_LAPS, &after, &next_moves, &passes);
        int value = (after.score[mover] - settled.score[mover]) -
                    (after.score[other] - settled.score[other]);
        if (end == HY_GOES_ON)
            value += after.mover == mover ? slow_tables_value(tables, &after)
                                          : -slow_tables_value(tables, &after);
        best = value > best ? value : best;
    }
    return sign * best;
}

static void settle_layer(slow_tables *tables, unsigned counters)
{
    size_t size = slow_layer_size(tables->rules, counters);
    bool changed = true;
    tables->layer[counters] = calloc(size, sizeof(int16_t));
    assert_non_null(tables->layer[counters]);
    while (changed) {
        changed = false;
        for (size_t i = 0; i < size; i++) {
            hy_position position = slow_layer_position(tables->rules, counters, i);
            int value = value_by_holes(tables, &position);
            changed |= value != tables->layer[counters][i];
            tables->layer[counters][i] = (int16_t)value;
        }
    }
}

void slow_tables_init(slow_tables *tables, const hy_rules *rules, unsigned max_counters)
{
    assert_true(max_counters <= SLOW_MAX_COUNTERS);
    *tables = (slow_tables){.rules = rules, .max_counters = max_counters};
    for (unsigned n = hy_rules_total(rules) % rules->casa; n <= max_counters; n += rules->casa)
        settle_layer(tables, n);
}

void slow_tables_clean_up(slow_tables *tables)
{
    for (unsigned n = 0; n <= SLOW_MAX_COUNTERS; n++)
        free(tables->layer[n]);
}

static bool has(const void *context, unsigned counters)
{
    const slow_tables *tables = context;
    return counters <= tables->max_counters && tables->layer[counters];
}

static int value(const void *context, const hy_position *position)
{
    return slow_tables_value(context, position);
}

hy_value_source slow_tables_source(const slow_tables *tables)
{
    return (hy_value_source){.context = tables, .has = has, .value = value};
}
