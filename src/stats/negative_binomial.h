/* Counts that vary more than a Poisson variable: mean mu, variance mu + mu²/theta. */
#ifndef HY_STATS_NEGATIVE_BINOMIAL_H
#define HY_STATS_NEGATIVE_BINOMIAL_H

#include "stats/sample.h"

/* Maximum likelihood (Lawless, Canadian Journal of Statistics 15, 1987). Where the counts vary no
 * more than their mean (n·mean >= Σ(y − mean)²), the likelihood rises to the Poisson limit: theta
 * is infinite, log_likelihood that of Poisson. */
typedef struct hy_negative_binomial {
    double mean;
    double theta;
    double log_likelihood;
    double log_likelihood_poisson;
    double error_poisson; /* of the mean, as if Poisson */
    double error_sample;  /* of the mean, from the sample's variance: holds for any spread */
    double error;         /* of the mean, from this model: √((mu + mu²/theta)/n) */
} hy_negative_binomial;

/* `counts` holds integers >= 0 (HY_INVALID otherwise). Fewer than two, or all 0: NaN. */
HY_MUST_CHECK hy_status hy_negative_binomial_fit(const hy_sample *counts, hy_negative_binomial *fit,
                                                 hy_error *error);

#endif
