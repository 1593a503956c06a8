/* What both engines share: following a sowing lap by lap, and finding out that it never ends.
 * Private to src/rules. Everything is inline, so that each engine gets its own copy around its lap.
 *
 * Endless sowings are found by Brent's method ("An improved Monte Carlo factorization algorithm",
 * BIT 20, 1980): the state is compared with one kept from an earlier lap, and the kept one is
 * renewed at doubling distances. A board that comes back turned proves as much as one that comes
 * back as it was, and comes sooner. Most sowings are short, so the first laps go unchecked; after
 * them an endless one has as a rule come upon its cycle (rules/prover.h), so the state from then is
 * looked for as well, which finds the cycle in its own length. */
#ifndef HY_RULES_SOWING_LAPS_H
#define HY_RULES_SOWING_LAPS_H

#include <string.h>

#include "rules/sowing.h"

#define HY_INLINE static inline __attribute__((always_inline))
#define HY_UNCHECKED_LAPS 64u

typedef enum hy_lap_end {
    HY_LAP_GOES_ON,
    HY_LAP_EMPTY,
    HY_LAP_CASA,
    HY_LAP_OCCUPIED,
} hy_lap_end;

/* A sowing between two laps. */
typedef struct hy_laps {
    uint16_t *board;
    unsigned hole; /* to pick up next; after the last lap, where its final counter fell */
    unsigned hand; /* the counters in that hole */
    uint16_t en_passant[2];
    uint64_t laps;
    uint64_t counters;
} hy_laps;

/* Picks up the hole and distributes it. */
typedef hy_lap_end hy_lap_function(const hy_rules *rules, hy_player mover, hy_laps *state);

/* The reference's lap, counter by counter. */
hy_lap_function hy_lap_by_counters;

HY_INLINE bool hy_may_capture(const hy_rules *rules, hy_player mover, unsigned hole)
{
    switch ((hy_side)rules->capture_side) {
    case HY_SIDE_ANY:
        return true;
    case HY_SIDE_OPPONENT:
        return hy_owner(rules, hole) != mover;
    case HY_SIDE_OWN:
        return hy_owner(rules, hole) == mover;
    }
    return false;
}

/* What follows from a final counter that makes `landing` hold `count`. */
HY_INLINE hy_lap_end hy_lap_end_at(const hy_rules *rules, hy_player mover, unsigned landing,
                                   unsigned count)
{
    if (count == 1)
        return HY_LAP_EMPTY;
    if (count == rules->casa && rules->final_capture && hy_may_capture(rules, mover, landing))
        return HY_LAP_CASA;
    return rules->relay ? HY_LAP_GOES_ON : HY_LAP_OCCUPIED;
}

/* Takes the casa at `landing` and the chain before it; returns the number of casas. */
HY_INLINE uint16_t hy_take_casas(const hy_rules *rules, hy_player mover, uint16_t *board,
                                 unsigned landing)
{
    unsigned size = 2u * rules->holes, hole = landing;
    uint16_t casas = 0;
    do {
        board[hole] = 0;
        casas++;
        hole = hole > 0 ? hole - 1 : size - 1;
    } while (rules->chain_capture && board[hole] == rules->casa &&
             hy_may_capture(rules, mover, hole));
    return casas;
}

/* A state kept for comparison: the board from the hole that is to be picked up on. */
typedef struct hy_lap_mark {
    uint16_t board[HY_MAX_BOARD];
    unsigned hole;
    uint64_t laps;
} hy_lap_mark;

HY_INLINE void hy_mark_set(const hy_rules *rules, hy_lap_mark *mark, const hy_laps *state)
{
    unsigned size = 2u * rules->holes;
    for (unsigned i = 0; i < size; i++)
        mark->board[i] = state->board[(state->hole + i) % size];
    mark->hole = state->hole;
    mark->laps = state->laps;
}

/* Whether the state is the kept one, or (where that makes no difference to how a sowing goes on,
 * because it captures in any hole) the kept one turned by some holes. */
HY_INLINE bool hy_mark_meets(const hy_rules *rules, const hy_lap_mark *mark, const hy_laps *state)
{
    unsigned size = 2u * rules->holes, hole = state->hole;
    if (mark->hole != hole && rules->capture_side != HY_SIDE_ANY)
        return false;
    for (unsigned i = 0; i < size; i++) {
        if (mark->board[i] != state->board[hole])
            return false;
        hole = hole + 1 < size ? hole + 1 : 0;
    }
    return true;
}

static inline unsigned hy_common_divisor(unsigned a, unsigned b)
{
    while (b > 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* After how many laps a state that meets the mark returns to it in full: a board that comes back
 * turned by d of N holes has to come back N / gcd(N, d) times. */
HY_INLINE uint64_t hy_mark_period(const hy_rules *rules, const hy_lap_mark *mark,
                                  const hy_laps *state)
{
    unsigned size = 2u * rules->holes, turn = (state->hole + size - mark->hole) % size;
    return (state->laps - mark->laps) * (size / hy_common_divisor(size, turn));
}

/* Whether a sowing from `before` that recurs with the given period recurs first within `max_laps`
 * laps: two walkers, one a period ahead, meet where the cycle begins. */
HY_INLINE bool hy_recurs_within(hy_lap_function lap, const hy_rules *rules, hy_player mover,
                                const uint16_t *before, unsigned hole, uint64_t period,
                                uint64_t max_laps)
{
    uint16_t ahead_board[HY_MAX_BOARD], behind_board[HY_MAX_BOARD];
    hy_laps ahead = {.board = ahead_board, .hole = hole, .hand = before[hole]};
    hy_laps behind = {.board = behind_board, .hole = hole, .hand = before[hole]};
    memcpy(ahead_board, before, sizeof ahead_board);
    memcpy(behind_board, before, sizeof behind_board);
    while (ahead.laps < period && ahead.laps <= max_laps)
        lap(rules, mover, &ahead);
    while (ahead.laps <= max_laps) {
        if (ahead.hole == behind.hole && memcmp(ahead_board, behind_board, sizeof ahead_board) == 0)
            return true;
        lap(rules, mover, &ahead);
        lap(rules, mover, &behind);
    }
    return false;
}

HY_INLINE hy_ending hy_ending_of(hy_lap_end end)
{
    switch (end) {
    case HY_LAP_EMPTY:
        return HY_ENDING_EMPTY;
    case HY_LAP_CASA:
        return HY_ENDING_CAPTURE;
    case HY_LAP_OCCUPIED:
        return HY_ENDING_OCCUPIED;
    case HY_LAP_GOES_ON:
        break;
    }
    return HY_ENDING_UNRESOLVED;
}

/* When a state that is kept at `laps` is to be renewed. */
HY_INLINE uint64_t hy_next_mark(uint64_t laps, uint64_t max_laps)
{
    if (laps >= max_laps)
        return 2 * max_laps;
    return 2 * laps < max_laps ? 2 * laps : max_laps;
}

/* Follows a sowing that has already lasted for some laps. To tell whether a recurrence lies within
 * `max_laps` it has to look further: the state after `max_laps` is kept for as many laps again. */
HY_INLINE hy_ending hy_follow(hy_lap_function lap, const hy_rules *rules, hy_player mover,
                              const uint16_t *before, unsigned hole, uint64_t max_laps,
                              hy_laps *state)
{
    const hy_rules local = *rules;
    hy_laps walker = *state; /* copies, so that they can stay in registers */
    hy_lap_mark start, mark;
    hy_mark_set(&local, &start, &walker);
    while (walker.laps < 2 * max_laps) {
        uint64_t next = hy_next_mark(walker.laps, max_laps);
        hy_lap_end end;
        const hy_lap_mark *met = NULL;
        hy_mark_set(&local, &mark, &walker);
        do {
            end = lap(&local, mover, &walker);
            if (hy_mark_meets(&local, &start, &walker))
                met = &start;
            else if (hy_mark_meets(&local, &mark, &walker))
                met = &mark;
        } while (end == HY_LAP_GOES_ON && !met && walker.laps < next);
        *state = walker;
        if (end != HY_LAP_GOES_ON)
            return walker.laps <= max_laps ? hy_ending_of(end) : HY_ENDING_UNRESOLVED;
        if (met) {
            uint64_t period = hy_mark_period(&local, met, &walker);
            bool within = met->laps + period <= max_laps ||
                          hy_recurs_within(lap, rules, mover, before, hole, period, max_laps);
            return within ? HY_ENDING_ENDLESS : HY_ENDING_UNRESOLVED;
        }
    }
    return HY_ENDING_UNRESOLVED;
}

/* A whole sowing by the given lap. `long_sowing` is the engine's own hy_follow, out of line. */
HY_INLINE void hy_sow_by(hy_lap_function lap,
                         hy_ending (*long_sowing)(const hy_rules *, hy_player, const uint16_t *,
                                                  unsigned, uint64_t, hy_laps *),
                         const hy_rules *rules, const uint16_t *before, unsigned hole,
                         hy_player mover, uint64_t max_laps, uint16_t *after, hy_sowing *sowing)
{
    const hy_rules local = *rules; /* so that no store to a board can change it */
    hy_laps state = {.board = after, .hole = hole, .hand = before[hole]};
    uint64_t unchecked = max_laps < HY_UNCHECKED_LAPS ? max_laps : HY_UNCHECKED_LAPS;
    hy_lap_end end;
    memcpy(after, before, HY_MAX_BOARD * sizeof after[0]);
    do
        end = lap(&local, mover, &state);
    while (end == HY_LAP_GOES_ON && state.laps < unchecked);
    hy_ending ending = hy_ending_of(end);
    if (end == HY_LAP_GOES_ON) {
        hy_laps rest = state; /* a copy, so that `state` itself can stay in registers */
        ending = long_sowing(rules, mover, before, hole, max_laps, &rest);
        state = rest;
    }
    *sowing = (hy_sowing){.ending = ending};
    if (ending == HY_ENDING_ENDLESS || ending == HY_ENDING_UNRESOLVED) {
        memcpy(after, before, HY_MAX_BOARD * sizeof after[0]);
        return;
    }
    sowing->laps = state.laps;
    sowing->counters = state.counters;
    sowing->en_passant[HY_SOUTH] = state.en_passant[HY_SOUTH];
    sowing->en_passant[HY_NORTH] = state.en_passant[HY_NORTH];
    if (ending == HY_ENDING_CAPTURE)
        sowing->casas = hy_take_casas(rules, mover, after, state.hole);
}

#endif
