/* The positions of a game since its last capture, counted: what the rule `repetition` needs.
 * A capture takes counters off the board, so no position from before it can come again. */
#ifndef HY_SIM_HISTORY_H
#define HY_SIM_HISTORY_H

#include <stddef.h>

#include "rules/position.h"

typedef struct hy_history_entry {
    uint64_t hash;
    uint16_t board[HY_MAX_BOARD];
    uint8_t mover;
    uint8_t times; /* 0: the place is free */
} hy_history_entry;

/* The caller's storage, zeroed before first use; boards are compared in full. */
typedef struct hy_history {
    hy_history_entry *entries; /* open addressing; a power of two of them, or none */
    size_t capacity;
    size_t num;
} hy_history;

void hy_history_clean_up(hy_history *history);

/* Forgets all positions, keeps the memory. */
void hy_history_clear(hy_history *history);

/* Counts an occurrence of the position; *times says how often it has occurred (up to 255). */
HY_MUST_CHECK hy_status hy_history_add(hy_history *history, const hy_position *position,
                                       unsigned *times, hy_error *error);

/* How often the position has been counted. */
unsigned hy_history_times(const hy_history *history, const hy_position *position);

#endif
