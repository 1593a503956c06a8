/* Results of small variants by exhaustion, for tests: every position that can be reached, and
 * bounds on south's result narrowed until nothing changes. Where play can go on for ever, they stay
 * apart. */
#ifndef HY_SUPPORT_EXHAUSTIVE_H
#define HY_SUPPORT_EXHAUSTIVE_H

#include <stddef.h>

#include "rules/ply.h"

/* South's result at the least and at the most: 0 lost, 1 drawn or none, 2 won. */
typedef struct exhaustive_value {
    uint8_t low, high;
} exhaustive_value;

/* What a ply leads to, passes settled. */
typedef struct exhaustive_state {
    hy_position position;
    hy_termination termination;
    bool over; /* or decided, where every end has a result */
    exhaustive_value value;
} exhaustive_state;

/* A position, its value, and the positions that follow (as places in the list, or a value). */
typedef struct exhaustive_entry exhaustive_entry;

typedef struct exhaustive {
    const hy_rules *rules;
    exhaustive_entry *entries;
    size_t num, capacity;
} exhaustive;

/* Whether one player leads by more than there is left, and no end is without a result. */
bool exhaustive_is_decided(const hy_rules *rules, const hy_position *position);

void exhaustive_play(const hy_rules *rules, const hy_position *position, unsigned hole,
                     exhaustive_state *after);

/* All that can be reached from a settled position; the rules have no `repetition`. */
void exhaustive_init(exhaustive *all, const hy_rules *rules, const hy_position *position);
void exhaustive_clean_up(exhaustive *all);

/* The value of a position among them. */
exhaustive_value exhaustive_find(const exhaustive *all, const hy_position *position);

#endif
