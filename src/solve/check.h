/* Checking tables, with nothing of what made them but the numbering of positions: plies are played
 * by the rules' own engine, forward.
 *
 * Every position has to satisfy the defining equation: its value is the best over its plies. That
 * alone proves nothing, for values may support each other in a circle. So it is also shown that
 * every value other than 0 comes about: positions are marked as proved, a win when a ply that
 * attains its value leaves the layer or leads to a proved loss, a loss when every ply leads to a
 * proved win or to a greater one, until nothing more can be marked. What then is unmarked rests on
 * a circle. Upper bounds need no proof beyond the equation: the side that holds them may play for
 * ever, which is worth 0. */
#ifndef HY_SOLVE_CHECK_H
#define HY_SOLVE_CHECK_H

#include "solve/endgame.h"

typedef struct hy_check_result {
    uint64_t positions; /* checked */
    unsigned sweeps;    /* at the most, of one layer */
} hy_check_result;

/* Checks all layers. HY_FAILED: a value is wrong; the error names the position, its value, and what
 * is wrong with it. Of `options` (may be NULL) threads, laps, stop and progress count. */
HY_MUST_CHECK hy_status hy_endgame_check(const hy_endgame *endgame, const hy_solve_options *options,
                                         hy_check_result *result, hy_error *error);

#endif
