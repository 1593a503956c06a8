/* The plain way to the values of a layer: iteration forward from 0, in place, until nothing
 * changes. Started from 0 (and not from anything else) it ends with the same values as retrograde
 * analysis. The slow twin that tests hold the other against; and it has no limit to values and
 * plies. */
#ifndef HY_SOLVE_ITERATE_H
#define HY_SOLVE_ITERATE_H

#include "solve/tables.h"

/* Values (in units) of a layer whose smaller ones are there. `stop` may be NULL. */
HY_MUST_CHECK hy_status hy_layer_iterate(const hy_endgame *endgame, unsigned counters,
                                         uint64_t max_laps, const atomic_int *stop, int8_t *values,
                                         hy_error *error);

/* The same from other values than 0: ends with values that satisfy the defining equation, if it
 * ends (within `max_sweeps`; HY_FAILED), and may be wrong. For tests. */
HY_MUST_CHECK hy_status hy_layer_iterate_from(const hy_endgame *endgame, unsigned counters,
                                              uint64_t max_laps, unsigned max_sweeps,
                                              const atomic_int *stop, int8_t *values,
                                              hy_error *error);

#endif
