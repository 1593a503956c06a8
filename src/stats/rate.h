/* Counts of events: per exposure, compared, and how they are spread over games. */
#ifndef HY_STATS_RATE_H
#define HY_STATS_RATE_H

#include "stats/estimate.h"
#include "stats/two_shares.h"

/* Events per exposure with the exact Poisson interval (Garwood, Biometrika 28, 1936): gamma
 * quantiles by bisection, for any number of events (see hy_gamma_quantile). Right only where events
 * are independent; chains of one game are not: hy_ratio. Unknown for exposure <= 0. */
hy_estimate hy_rate(uint64_t events, double exposure, double confidence);

/* The ratio of the rates x1/t1 and x2/t2 with the interval and the two-sided p of the exact test
 * given x1 + x2 (binomial; Przyborowski, Wilenski, Biometrika 31, 1940), as R's poisson.test. The
 * ratio and its high end may be infinite. Unknown for x1 + x2 = 0. */
typedef struct hy_rate_comparison {
    hy_estimate ratio;
    double p;
} hy_rate_comparison;
hy_rate_comparison hy_rate_ratio(uint64_t x1, double t1, uint64_t x2, double t2, double confidence);

/* Standard errors of the ratio Σy / Σx under several views of the same counts; hy_ratio's is
 * `clustered`. NaN as hy_ratio is unknown. */
typedef struct hy_ratio_errors {
    double binomial;    /* √(r(1 − r)/Σx): as if each of x were an independent trial */
    double poisson;     /* √Σy / Σx: as if events came independently */
    double clustered_0; /* linearised, games independent, divided by n (CR0, HC0) */
    double clustered;   /* the same times √(n/(n − 1)) */
    double log_poisson; /* of log r: 1/√Σy */
    double log_robust;  /* of log r: clustered_0 / r (HC0 of the Poisson regression with offset) */
} hy_ratio_errors;
hy_ratio_errors hy_ratio_errors_of(const hy_ratio_sums *sums);

/* Is a count per game as spread as a Poisson variable? Index: variance (n − 1) over mean; the test:
 * Σ(y − ȳ)²/ȳ against chi-square with n − 1 degrees of freedom (Fisher), in both directions. NaN
 * for n < 2 or no events. */
typedef struct hy_dispersion {
    double index;
    double chi_square;
    double p_upper; /* of so much spread or more */
    double p_lower; /* of so little or less */
} hy_dispersion;
hy_dispersion hy_dispersion_of(uint64_t n, double sum, double sum_squares);

#endif
