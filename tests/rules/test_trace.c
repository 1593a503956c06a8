#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "rules/trace.h"
#include "support/naive.h"
#include "support/variants.h"

#define MAX_LAPS 3000

/* What is gathered from the laps of a sowing, each of which has to follow from the one before. */
typedef struct gathered {
    const hy_rules *rules;
    uint16_t board[HY_MAX_BOARD]; /* after the lap before */
    unsigned hole;                /* to pick up next */
    uint64_t laps;
    uint64_t counters;
    unsigned taken; /* casas */
    unsigned en_passant[2];
    uint16_t casas;
    unsigned landed;
    bool last;
    bool sound;
    uint64_t wanted; /* laps to look at */
} gathered;

static gathered gathered_start(const hy_rules *rules, const hy_position *position, unsigned hole)
{
    gathered g = {.rules = rules, .hole = hole, .sound = true, .wanted = UINT64_MAX};
    memcpy(g.board, position->board, sizeof g.board);
    return g;
}

static unsigned sum(const uint16_t *board)
{
    unsigned counters = 0;
    for (unsigned i = 0; i < HY_MAX_BOARD; i++)
        counters += board[i];
    return counters;
}

static bool gather(void *context, const hy_lap *lap)
{
    gathered *g = context;
    unsigned taken = (unsigned)lap->casas + lap->en_passant[HY_SOUTH] + lap->en_passant[HY_NORTH];
    g->laps++;
    g->sound = g->sound && !g->last && lap->number == g->laps && lap->origin == g->hole &&
               lap->counters == g->board[g->hole] && (lap->last || lap->casas == 0) &&
               (lap->casas > 0 || lap->board[lap->landing] == lap->landed) &&
               sum(lap->board) + taken * g->rules->casa == sum(g->board);
    for (unsigned i = 0; i < lap->casas; i++) {
        unsigned size = 2u * g->rules->holes;
        g->sound = g->sound && lap->board[(lap->landing + size - i) % size] == 0;
    }
    memcpy(g->board, lap->board, sizeof g->board);
    g->hole = lap->landing;
    g->landed = lap->landed;
    g->counters += lap->counters;
    g->en_passant[HY_SOUTH] += lap->en_passant[HY_SOUTH];
    g->en_passant[HY_NORTH] += lap->en_passant[HY_NORTH];
    g->casas = lap->casas;
    g->last = lap->last;
    return g->laps < g->wanted;
}

/* Whether the ending is the one that the final counter calls for. */
static bool ending_fits(const gathered *g, hy_ending ending)
{
    switch (ending) {
    case HY_ENDING_EMPTY:
        return g->landed == 1 && g->casas == 0;
    case HY_ENDING_CAPTURE:
        return g->landed == g->rules->casa && g->casas > 0;
    case HY_ENDING_OCCUPIED:
        return g->landed > 1 && g->casas == 0;
    case HY_ENDING_ENDLESS:
    case HY_ENDING_UNRESOLVED:
        break;
    }
    return false;
}

static bool agrees(const gathered *g, const hy_sowing *sowing, const uint16_t *after)
{
    return g->sound && g->last && g->laps == sowing->laps && g->counters == sowing->counters &&
           g->casas == sowing->casas && g->en_passant[HY_SOUTH] == sowing->en_passant[HY_SOUTH] &&
           g->en_passant[HY_NORTH] == sowing->en_passant[HY_NORTH] &&
           memcmp(g->board, after, sizeof g->board) == 0 && ending_fits(g, sowing->ending);
}

static bool same_sowing(const hy_sowing *a, const hy_sowing *b)
{
    return a->ending == b->ending && a->casas == b->casas && a->laps == b->laps &&
           a->counters == b->counters && a->en_passant[HY_SOUTH] == b->en_passant[HY_SOUTH] &&
           a->en_passant[HY_NORTH] == b->en_passant[HY_NORTH];
}

static hy_ending assert_trace(const hy_rules *rules, const hy_position *position, unsigned hole)
{
    hy_player mover = (hy_player)position->mover;
    gathered g = gathered_start(rules, position, hole);
    uint16_t after[HY_MAX_BOARD];
    hy_sowing sowing;
    hy_trace trace;
    naive_sowing naive;
    hy_sow_reference(rules, position->board, hole, mover, MAX_LAPS, after, &sowing);
    hy_sow_trace(rules, position->board, hole, mover, MAX_LAPS, gather, &g, &trace);
    if (!same_sowing(&sowing, &trace.sowing))
        fail_at("the trace says another sowing", rules, position, hole);
    if (sowing.ending == HY_ENDING_ENDLESS) {
        naive_sow(rules, position->board, hole, mover, MAX_LAPS, &naive);
        if (!g.sound || g.last || g.laps != naive.recurrence ||
            trace.recurrence != naive.recurrence || trace.period != naive.period)
            fail_at("trace of an endless sowing", rules, position, hole);
    } else if (trace.recurrence != 0 || trace.period != 0) {
        fail_at("a period of what does not recur", rules, position, hole);
    } else if (sowing.ending == HY_ENDING_UNRESOLVED) {
        if (!g.sound || g.last || g.laps != MAX_LAPS)
            fail_at("trace of an unresolved sowing", rules, position, hole);
    } else if (!agrees(&g, &sowing, after)) {
        fail_at("trace of a sowing", rules, position, hole);
    }
    return sowing.ending;
}

/* The laps of any sowing of any variant add up to what the reference engine says. */
static void laps_add_up_to_the_reference(void **state)
{
    (void)state;
    dice d = {71};
    unsigned num[HY_ENDING_UNRESOLVED + 1] = {0};
    for (int i = 0; i < 60000; i++) {
        hy_rules rules = variant_random(&d, dice_one_in(&d, 10) ? HY_MAX_HOLES : 6, 16);
        hy_position position = position_random(&d, &rules);
        unsigned hole;
        if (hole_random(&d, &rules, &position, &hole))
            num[assert_trace(&rules, &position, hole)]++;
    }
    for (int ending = 0; ending <= HY_ENDING_UNRESOLVED; ending++)
        assert_true(num[ending] > 10);
}

static void a_visitor_stops_the_trace(void **state)
{
    (void)state;
    dice d = {72};
    unsigned num = 0;
    for (int i = 0; i < 2000; i++) {
        hy_rules rules = variant_random(&d, 6, 8);
        hy_position position = position_random(&d, &rules);
        unsigned hole;
        hy_trace whole, stopped;
        if (!hole_random(&d, &rules, &position, &hole))
            continue;
        gathered g = gathered_start(&rules, &position, hole);
        g.wanted = 2;
        hy_player mover = (hy_player)position.mover;
        hy_sow_trace(&rules, position.board, hole, mover, MAX_LAPS, NULL, NULL, &whole);
        hy_sow_trace(&rules, position.board, hole, mover, MAX_LAPS, gather, &g, &stopped);
        assert_true(g.laps <= 2);
        assert_true(same_sowing(&whole.sowing, &stopped.sowing));
        assert_int_equal(whole.period, stopped.period);
        num += whole.sowing.laps > 2 && g.laps == 2 && !g.last;
    }
    assert_true(num > 100);
}

/* The examples on the page of rules. */
static void the_documented_period_is_83070(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_position position = position_of(&rules, "13 0 4 1 2 1 0 10 1 0 7 1/0 0 south");
    hy_trace trace;
    hy_sow_trace(&rules, position.board, 0, HY_SOUTH, HY_DEFAULT_MAX_LAPS, NULL, NULL, &trace);
    assert_int_equal(trace.sowing.ending, HY_ENDING_ENDLESS);
    assert_int_equal(trace.period, 83070);
    assert_true(trace.recurrence >= 83070);
}

/* Hole 4 of the start, sown by hand. */
static void the_first_laps_of_the_start(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_position position = hy_position_start(&rules);
    gathered g = gathered_start(&rules, &position, 4);
    static const uint16_t want[] = {4, 4, 4, 4, 0, 5, 5, 5, 5, 4, 4, 4};
    hy_trace trace;
    g.wanted = 1;
    hy_sow_trace(&rules, position.board, 4, HY_SOUTH, MAX_LAPS, gather, &g, &trace);
    assert_memory_equal(want, g.board, sizeof want);
    assert_int_equal(g.hole, 8);
    assert_int_equal(g.landed, 5);
    assert_false(g.last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laps_add_up_to_the_reference),
        cmocka_unit_test(a_visitor_stops_the_trace),
        cmocka_unit_test(the_documented_period_is_83070),
        cmocka_unit_test(the_first_laps_of_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
