/* Endgame tables for tests. */
#ifndef HY_TESTS_SOLVE_LAYERS_H
#define HY_TESTS_SOLVE_LAYERS_H

#include "solve/solve.h"
#include "support/variants.h"

/* A random variant whose positions have values; on boards of at most 2·max_holes holes. */
hy_rules decomposing_random(dice *d, unsigned max_holes);

/* All layers of at most max_positions positions each and max_counters counters, by one method; the
 * test fails where it does. */
hy_endgame *tables_of(const hy_rules *rules, unsigned max_counters, uint64_t max_positions,
                      hy_method method);

/* The test fails where any value differs. */
void assert_same_tables(const hy_endgame *a, const hy_endgame *b);

#endif
