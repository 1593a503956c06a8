/* How many positions a variant has. */
#ifndef HY_REPORT_STATE_SPACE_H
#define HY_REPORT_STATE_SPACE_H

#include "rules/rules.h"

/* Room for the digits of any count. */
#define HY_STATE_SPACE_DIGITS 160

/* Ways in which counters can stand on the board while the game goes on, summed over the layers: n
 * counters in N = 2·holes holes stand in C(n + N − 1, N − 1) ways, and n goes down from all
 * counters by whole casas, to the last number that is neither below a casa nor within a claim. The
 * player to move is not counted (with it there are twice as many; turning the board makes them one
 * again), and whether play reaches a position is not asked: an upper bound, as usual for a state
 * space. */
typedef struct hy_state_space {
    char digits[HY_STATE_SPACE_DIGITS]; /* decimal */
    double log10;
} hy_state_space;

hy_state_space hy_state_space_of(const hy_rules *rules);

#endif
