/* Lifetimes put into order. Internal to stats. */
#ifndef HY_STATS_LIFETIME_ORDER_H
#define HY_STATS_LIFETIME_ORDER_H

#include <stdbool.h>

#include "stats/lifetime.h"

/* A copy, by stratum (or all in stratum 0) and time, without rows of no games; released with
 * free(). Checked before. */
HY_MUST_CHECK hy_status hy_lifetimes_order(const hy_lifetime *lifetimes, size_t num, bool strata,
                                           hy_lifetime **ordered, size_t *num_ordered,
                                           uint64_t *games, hy_error *error);

/* The end of the run of rows from `first` on that have its stratum, or its stratum and time. */
size_t hy_stratum_end(const hy_lifetime *ordered, size_t num, size_t first);
size_t hy_time_end(const hy_lifetime *ordered, size_t num, size_t first);

#endif
