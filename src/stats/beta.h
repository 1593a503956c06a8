/* The beta distribution function, and the parts of Loader's expansion. Private to src/stats. */
#ifndef HY_STATS_BETA_H
#define HY_STATS_BETA_H

/* What Stirling's formula √(2πn)·(n/e)^n lacks of log Γ(n + 1), n >= 0. */
double hy_stirling_error(double n);

/* x·log(x/mean) + mean − x, also where both are nearly equal. */
double hy_deviance(double x, double mean);

/* P(X <= x) and P(X > x) of a beta variable, a, b > 0, 0 < x < 1, the smaller with full relative
 * precision. Continued fraction of Didonato and Morris (ACM TOMS 18, 1992, equation 9), whose
 * number of steps grows with the square root of a + b. */
void hy_beta_tails(double x, double a, double b, double *lower, double *upper);

#endif
