/* Fairness and sameness are shown, not left unrefuted: two one-sided tests (TOST) that a quantity
 * lies within a stated margin (Schuirmann, J. Pharmacokinetics and Biopharmaceutics 15, 1987). */
#ifndef HY_STATS_EQUIVALENCE_H
#define HY_STATS_EQUIVALENCE_H

#include "stats/estimate.h"

/* p = max(p_lower, p_upper); equivalent at level alpha where p < alpha, which is where the interval
 * of confidence 1 − 2·alpha lies within (low, high). */
typedef struct hy_equivalence {
    bool known;
    double p_lower; /* of value <= low */
    double p_upper; /* of value >= high */
    double p;
    bool equivalent;
} hy_equivalence;

/* From an estimate that has a standard error (a mean, a score, a difference, a share): against low
 * and high, low < high, with Student's distribution of `df` degrees of freedom, or the normal one
 * for df = INFINITY. Unknown where value or error are NaN or the error is 0. */
hy_equivalence hy_equivalence_test(const hy_estimate *value, double df, double low, double high,
                                   double alpha);

/* A share against [low, high] with the exact binomial tails. Unknown for n = 0. */
hy_equivalence hy_share_equivalence(uint64_t successes, uint64_t n, double low, double high,
                                    double alpha);

#endif
