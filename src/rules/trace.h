/* A sowing told lap by lap, for people. It follows the reference engine, and says of an endless
 * sowing what no engine needs to know: when its state comes back, and how often. */
#ifndef HY_RULES_TRACE_H
#define HY_RULES_TRACE_H

#include "rules/sowing.h"

/* One lap that has just been sown; valid during the visit. */
typedef struct hy_lap {
    uint64_t number;        /* from 1 */
    unsigned origin;        /* the hole picked up */
    unsigned counters;      /* that were in it */
    unsigned landing;       /* where the final counter fell */
    unsigned landed;        /* counters there then, the final one included */
    uint16_t en_passant[2]; /* casas taken in mid-sowing in this lap, by south and by north */
    bool last;              /* the sowing ends with this lap, as hy_trace says */
    uint16_t casas;         /* of the last lap: taken by the final counter, at `landing` and in the
                               holes directly before it */
    const uint16_t *board;  /* afterwards, without what was taken */
} hy_lap;

/* Looks at a lap; false: no more laps are wanted. */
typedef bool hy_lap_visitor(void *context, const hy_lap *lap);

/* What hy_sow says of the sowing; of an endless one also when its state (board and hole to pick up)
 * first is one that was there before, and how many laps ago it was. */
typedef struct hy_trace {
    hy_sowing sowing;
    uint64_t recurrence; /* laps until then */
    uint64_t period;     /* laps */
} hy_trace;

/* Sows `hole` as hy_sow does, and shows the laps in their order to `visit` (unless NULL): all laps
 * of a sowing that ends; of an endless one those up to the recurrence; of an unresolved one
 * `max_laps` of them. *trace is set before the first visit. */
void hy_sow_trace(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
                  hy_player mover, uint64_t max_laps, hy_lap_visitor *visit, void *context,
                  hy_trace *trace);

#endif
