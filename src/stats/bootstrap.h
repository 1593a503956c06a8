/* The bootstrap of a ratio Σy / Σx over games (clusters): games are drawn with replacement, whole
 * (Efron, Tibshirani, An Introduction to the Bootstrap, 1993). Quantiles are those of the inverse
 * distribution function (type 1). */
#ifndef HY_STATS_BOOTSTRAP_H
#define HY_STATS_BOOTSTRAP_H

#include <stddef.h>

#include "base/status.h"
#include "stats/estimate.h"

/* Percentile and BCa intervals (Efron, JASA 82, 1987): z0 from the share of resamples below the
 * estimate plus half of those equal to it, the acceleration from the jackknife. Resamples without
 * any x are left out. What cannot be computed is NaN. */
typedef struct hy_bootstrap {
    double value;       /* Σy / Σx */
    uint64_t resamples; /* enumerated, or drawn and used */
    double mean;
    double deviation; /* with 1/N: the bootstrap standard error */
    double percentile_low, percentile_high;
    double share_less, share_equal; /* of resamples, against the value */
    double z0, acceleration;
    double alpha_low, alpha_high; /* the levels that BCa looks up */
    double bca_low, bca_high;
    uint64_t distinct; /* values */
} hy_bootstrap;

/* All n^n resamples, for n <= 7 (HY_INVALID above; HY_NO_MEMORY). */
HY_MUST_CHECK hy_status hy_bootstrap_exact(const double *y, const double *x, size_t n,
                                           double confidence, hy_bootstrap *result,
                                           hy_error *error);

/* `resamples` draws; resample r takes its games from the stream of `seed` and number r, so that the
 * result is the same everywhere. `n` is below 2^32. */
HY_MUST_CHECK hy_status hy_bootstrap_ratio(const double *y, const double *x, size_t n,
                                           double confidence, uint64_t seed, uint64_t resamples,
                                           hy_bootstrap *result, hy_error *error);

#endif
