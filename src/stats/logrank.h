/* Whether groups of games last equally long: the log-rank test and its family.
 *
 * Sources: Mantel, Cancer Chemotherapy Reports 50 (1966); Peto and Peto, JRSS A 135 (1972);
 * Harrington and Fleming, Biometrika 69 (1982), whose weights S(t−)^rho with Kaplan and Meier's
 * curve of all groups (of a stratum) are those of R's survdiff. */
#ifndef HY_STATS_LOGRANK_H
#define HY_STATS_LOGRANK_H

#include "stats/fit.h"
#include "stats/lifetime.h"

/* Made by hy_logrank_fit, released by _clean_up. */
typedef struct hy_logrank {
    size_t num_groups;
    uint64_t *num_games; /* [group] */
    double *observed;    /* [group]: events, each with its weight S^rho */
    double *expected;    /* [group]: likewise, if all groups were alike */
    double *variance;    /* [group][group]: covariance of observed − expected */
    hy_chi_square test;  /* degrees: groups that can be compared, less one */
} hy_logrank;

/* Tests the groups 0 to num_groups − 1 against each other, within strata. rho = 0 is the log-rank
 * test, rho = 1 Peto's, which looks at early differences more. An empty group is left out of the
 * test. Fails for a group out of range, a rho that is negative or not finite, what
 * hy_lifetimes_check refuses, and want of memory. */
HY_MUST_CHECK hy_status hy_logrank_fit(const hy_lifetime *lifetimes, size_t num, size_t num_groups,
                                       double rho, hy_logrank *logrank, hy_error *error);
void hy_logrank_clean_up(hy_logrank *logrank);

#endif
