/* One sowing: what happens from picking up a hole until the hand stays empty.
 *
 * Two engines give one meaning. The reference sows counter by counter and handles every field; the
 * fast one adds a whole lap at once and handles what hy_sow_fast_handles says. hy_sow chooses. */
#ifndef HY_RULES_SOWING_H
#define HY_RULES_SOWING_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/position.h"

typedef enum hy_ending {
    HY_ENDING_EMPTY,      /* the final counter fell into an empty hole */
    HY_ENDING_CAPTURE,    /* it made a casa that it captured */
    HY_ENDING_OCCUPIED,   /* it fell into an occupied hole, and the variant knows no relay */
    HY_ENDING_ENDLESS,    /* the same board with the same hole to pick up occurred twice */
    HY_ENDING_UNRESOLVED, /* it lasts for more laps than allowed and nothing recurred within them */
} hy_ending;

extern const char *const hy_ending_words[];

#define HY_DEFAULT_MAX_LAPS 10000000u
#define HY_LIMIT_MAX_LAPS 1000000000000u

/* What a sowing did. An endless or unresolved one did nothing: its numbers are 0. */
typedef struct hy_sowing {
    hy_ending ending;
    uint16_t casas;         /* taken by the final counter: the landing hole and its chain */
    uint16_t en_passant[2]; /* casas taken in mid-sowing, by south and by north */
    uint64_t laps;
    uint64_t counters; /* dropped */
} hy_sowing;

/* Sows `hole` (not empty) of `before` for `mover`, leaving the board in `after`, another array; an
 * endless or unresolved sowing leaves it as before. Whether a sowing is endless does not depend on
 * the engine: it is when the first recurrence comes within the first `max_laps` laps (1 …
 * HY_LIMIT_MAX_LAPS); it is unresolved when it neither recurs nor ends within them. */
void hy_sow(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
            hy_player mover, uint64_t max_laps, uint16_t after[HY_MAX_BOARD], hy_sowing *sowing);

/* The two engines, for tests and benchmarks; as hy_sow. */
void hy_sow_reference(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
                      hy_player mover, uint64_t max_laps, uint16_t after[HY_MAX_BOARD],
                      hy_sowing *sowing);
static inline bool hy_sow_fast_handles(const hy_rules *rules)
{
    return !rules->skip_origin && rules->en_passant == HY_EN_PASSANT_NONE;
}
void hy_sow_fast(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
                 hy_player mover, uint64_t max_laps, uint16_t after[HY_MAX_BOARD],
                 hy_sowing *sowing);

#endif
