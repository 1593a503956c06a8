#include "rules/trace.h"

#include <string.h>

#include "rules/sowing_laps.h"

/* A sowing between two laps, with its own board. */
typedef struct walker {
    uint16_t board[HY_MAX_BOARD];
    hy_laps laps;
} walker;

static void walker_start(walker *w, const uint16_t *before, unsigned hole)
{
    memcpy(w->board, before, sizeof w->board);
    w->laps = (hy_laps){.board = w->board, .hole = hole, .hand = before[hole]};
}

static bool same_state(const walker *a, const walker *b)
{
    return a->laps.hole == b->laps.hole && memcmp(a->board, b->board, sizeof a->board) == 0;
}

/* The period of an endless sowing, by Brent's method on whole states. */
static uint64_t find_period(const hy_rules *rules, hy_player mover, const uint16_t *before,
                            unsigned hole)
{
    walker kept, ahead;
    uint64_t power = 1, period = 0;
    walker_start(&kept, before, hole);
    walker_start(&ahead, before, hole);
    do {
        if (period == power) {
            memcpy(kept.board, ahead.board, sizeof kept.board);
            kept.laps.hole = ahead.laps.hole;
            power *= 2;
            period = 0;
        }
        hy_lap_by_counters(rules, mover, &ahead.laps);
        period++;
    } while (!same_state(&kept, &ahead));
    return period;
}

/* Of two walkers, one a period ahead, the laps of the first one when they first meet. */
static uint64_t find_recurrence(const hy_rules *rules, hy_player mover, const uint16_t *before,
                                unsigned hole, uint64_t period)
{
    walker behind, ahead;
    walker_start(&behind, before, hole);
    walker_start(&ahead, before, hole);
    while (ahead.laps.laps < period)
        hy_lap_by_counters(rules, mover, &ahead.laps);
    while (!same_state(&behind, &ahead)) {
        hy_lap_by_counters(rules, mover, &ahead.laps);
        hy_lap_by_counters(rules, mover, &behind.laps);
    }
    return ahead.laps.laps;
}

/* Sows one lap and shows it. */
static bool show_lap(const hy_rules *rules, hy_player mover, walker *w, hy_lap_visitor *visit,
                     void *context, bool *last)
{
    const hy_laps before = w->laps;
    hy_lap_end end = hy_lap_by_counters(rules, mover, &w->laps);
    hy_lap lap = {
        .number = w->laps.laps,
        .origin = before.hole,
        .counters = before.hand,
        .landing = w->laps.hole,
        .landed = w->laps.hand,
        .last = end != HY_LAP_GOES_ON,
        .board = w->board,
    };
    for (int player = HY_SOUTH; player <= HY_NORTH; player++)
        lap.en_passant[player] = (uint16_t)(w->laps.en_passant[player] - before.en_passant[player]);
    if (end == HY_LAP_CASA)
        lap.casas = hy_take_casas(rules, mover, w->board, w->laps.hole);
    *last = lap.last;
    return visit(context, &lap);
}

void hy_sow_trace(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
                  hy_player mover, uint64_t max_laps, hy_lap_visitor *visit, void *context,
                  hy_trace *trace)
{
    walker w;
    bool last = false;
    *trace = (hy_trace){0};
    hy_sow(rules, before, hole, mover, max_laps, w.board, &trace->sowing);
    if (trace->sowing.ending == HY_ENDING_ENDLESS) {
        trace->period = find_period(rules, mover, before, hole);
        trace->recurrence = find_recurrence(rules, mover, before, hole, trace->period);
        max_laps = trace->recurrence;
    }
    walker_start(&w, before, hole);
    while (visit && !last && w.laps.laps < max_laps) {
        if (!show_lap(rules, mover, &w, visit, context, &last))
            return;
    }
}
