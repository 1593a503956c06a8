/* Two samples in one order, and what ranks of samples without ties can be. Private to src/stats. */
#ifndef HY_STATS_RANKS_H
#define HY_STATS_RANKS_H

#include "stats/sample.h"

/* A value of two samples: how many of each are at it, and below it. Begins as all zeros. */
typedef struct hy_ranks {
    size_t i, j;
    double at_x, at_y;
    double below_x, below_y;
} hy_ranks;

/* Goes to the next distinct value; false after the last. */
bool hy_ranks_next(const hy_sample *x, const hy_sample *y, hy_ranks *at);

/* Both samples are below 50 and without ties. */
bool hy_ranks_are_exact(const hy_sample *x, const hy_sample *y);

/* In how many orders of m x's and n y's does U have the value u, u = 0 … m·n: an array for the
 * caller to free. HY_NO_MEMORY. */
HY_MUST_CHECK hy_status hy_ranks_distribution(size_t m, size_t n, double **ways, hy_error *error);

#endif
