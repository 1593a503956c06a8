/* Solving one layer, or all of them. Private to src/solve, to its
 * tests and to `hoyito bench`. */
#ifndef HY_SOLVE_SOLVE_H
#define HY_SOLVE_SOLVE_H

#include "solve/tables.h"

/* How a layer can be solved; the values are the same. */
typedef enum hy_method {
    HY_METHOD_BEST,    /* what is fastest */
    HY_METHOD_GENERAL, /* retrograde, by the engine for any rules */
    HY_METHOD_ITERATE,
} hy_method;

/* Solves the smallest layer that is not there, and adds it. `options` may be NULL. */
HY_MUST_CHECK hy_status hy_endgame_solve_layer(hy_endgame *endgame, hy_method method,
                                               const hy_solve_options *options, hy_error *error);

/* Bytes that solving takes at once, tables in memory included; the stacks of positions not told yet
 * are not known beforehand and come to it. */
uint64_t hy_solve_memory(const hy_endgame *endgame);

/* Refuses tables that are too large for `max_memory` (unless 0) or for any machine. */
HY_MUST_CHECK hy_status hy_solve_check_size(const hy_endgame *endgame, uint64_t max_memory,
                                            hy_error *error);

#endif
