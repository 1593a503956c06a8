/* Two estimates compared: their difference and their ratio. */
#ifndef HY_STATS_DIFFERENCE_H
#define HY_STATS_DIFFERENCE_H

#include "stats/estimate.h"

/* The chance of Student's variable (a normal one for INFINITY degrees) at least as far from 0; NaN
 * for NaN. */
double hy_two_sided_p(double statistic, double degrees);

/* A value Σy / Σx and how it varies, as a ratio over n games does. */
typedef struct hy_measured {
    uint64_t n;
    double value;
    double variance; /* of the value, linearised with n / (n − 1) */
} hy_measured;

/* NaN for n < 2 or Σx = 0. */
hy_measured hy_measured_ratio(const hy_ratio_sums *sums);

/* A comparison and its test. What is not defined is NaN, and the estimate unknown. */
typedef struct hy_comparison {
    hy_estimate estimate;
    double statistic; /* t: of no difference, of a ratio of 1 */
    double degrees;   /* of freedom */
    double p;         /* two-sided */
} hy_comparison;

/* a − b with Student's interval. Where the games are paired they have a covariance of the two
 * values, and the degrees are those of the smaller sample less one; else the covariance is 0 and
 * they are Satterthwaite's (Welch, Biometrika 34, 1947). Unknown where the variance of the
 * difference is not above 0. */
hy_comparison hy_difference(const hy_measured *a, const hy_measured *b, bool paired,
                            double covariance, double confidence);

/* a / b by the delta method on the logarithm; standard_error is that of the logarithm. Unknown
 * where a value is not above 0, or as hy_difference. */
hy_comparison hy_quotient(const hy_measured *a, const hy_measured *b, bool paired,
                          double covariance, double confidence);

/* a − b from the intervals of independent estimates alone (MOVER: Zou and Donner, Statistics in
 * Medicine 27, 2008; of two shares with Wilson's intervals it is Newcombe's method 10). Keeps the
 * shape of intervals that are not symmetric. Unknown where an end is NaN. */
hy_estimate hy_mover_difference(const hy_estimate *a, const hy_estimate *b);

/* The same for a / b on the logarithm, of positive values. */
hy_estimate hy_mover_quotient(const hy_estimate *a, const hy_estimate *b);

#endif
