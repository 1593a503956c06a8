/* A second meaning of a sowing, written from the text of the rules: slow, plain, keeping every
 * state, and sharing nothing with the engines. */
#ifndef HY_SUPPORT_NAIVE_H
#define HY_SUPPORT_NAIVE_H

#include "rules/sowing.h"

typedef struct naive_sowing {
    hy_ending ending;
    unsigned casas;
    unsigned en_passant[2];
    uint64_t laps;
    uint64_t counters;
    uint16_t after[HY_MAX_BOARD];
    uint64_t recurrence; /* of an endless one: index of the first state that was there before */
    uint64_t period;     /* of an endless one */
} naive_sowing;

/* As hy_sow. State 0 is the start; state i the one after i laps. */
void naive_sow(const hy_rules *rules, const uint16_t *before, unsigned hole, hy_player mover,
               uint64_t max_laps, naive_sowing *sowing);

/* Whether the engine's answer is this one. */
bool naive_agrees(const naive_sowing *naive, const hy_sowing *sowing,
                  const uint16_t after[HY_MAX_BOARD]);

#endif
