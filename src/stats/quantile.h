/* Quantiles and tails of the distributions that the intervals rest on. GSL 2.7.1 inverts the beta
 * and the gamma distribution wrongly over wide ranges (NaN, or a wrong number without an error), so
 * its cdfs are inverted here by bisection. Arguments out of range give NaN. */
#ifndef HY_STATS_QUANTILE_H
#define HY_STATS_QUANTILE_H

#include <stdint.h>

/* The z with P(−z < Z < z) = confidence, 0 < confidence < 1, of a standard normal Z. */
double hy_two_sided_z(double confidence);

/* The t with P(−t < T < t) = confidence of Student's distribution with `df` > 0 degrees of freedom;
 * GSL's inverse, made exact to rounding by Newton's steps. */
double hy_two_sided_t(double confidence, double df);

/* The x with P(X <= x) = p, or P(X > x) = p, of a beta variable, a, b > 0: by bisection on a cdf of
 * our own, because also GSL's cdf fails (NaN at a = b = 5e7). Relative error below 1e-10. Time
 * grows with the square root of a + b: 0.02 s for both ends at 1e12, measured. */
double hy_beta_quantile(double p, double a, double b);
double hy_beta_upper_quantile(double p, double a, double b);

/* The same of a gamma variable of scale 1. From shape 100,000 on the cdf is Temme's uniform
 * expansion (SIAM J. Math. Anal. 10, 1979; DLMF 8.12), because GSL's loses digits there (4e-6 at
 * 1.9e7); relative error below 1e-10 for all shapes. */
double hy_gamma_quantile(double p, double shape);
double hy_gamma_upper_quantile(double p, double shape);

/* P(X = k) of a binomial variable by Loader's saddle point expansion (Fast and accurate computation
 * of binomial probabilities, 2000), full precision also far out. */
double hy_binomial_pmf(uint64_t k, uint64_t n, double p);

/* P(X <= k) and P(X >= k), summed from the largest term outwards, full relative precision also in
 * the far tails. Time grows with the square root of n. */
double hy_binomial_lower(uint64_t k, uint64_t n, double p);
double hy_binomial_upper(uint64_t k, uint64_t n, double p);

/* A continuous function with a change of sign in [low, high]: a point where it is 0, by bisection
 * down to neighbouring numbers. NaN where the signs at the ends are equal. */
typedef double hy_function(double x, const void *context);
double hy_root(hy_function *function, const void *context, double low, double high);

#endif
