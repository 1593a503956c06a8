/* One share: intervals beside Wilson's (hy_share in estimate.h), and its exact test. For all of
 * them successes <= n; n = 0 is unknown or NaN. Low is exactly 0 for no successes and high exactly
 * 1 for n, save for Jeffreys' interval, which never reaches the ends. */
#ifndef HY_STATS_SHARE_H
#define HY_STATS_SHARE_H

#include "stats/estimate.h"

/* Wilson's interval with Yates' correction of min(1/2, |successes − n/2|), as R's prop.test has it
 * (so that at n/2 it is Wilson's). */
hy_estimate hy_share_corrected(uint64_t successes, uint64_t n, double confidence);

/* Clopper and Pearson's exact interval (Biometrika 26, 1934): beta quantiles by bisection. */
hy_estimate hy_share_exact(uint64_t successes, uint64_t n, double confidence);

/* The equal-tailed credible interval under Jeffreys' prior Beta(1/2, 1/2) (Brown, Cai, DasGupta,
 * Statistical Science 16, 2001). */
hy_estimate hy_share_jeffreys(uint64_t successes, uint64_t n, double confidence);

/* Two-sided p of the exact binomial test of share = `share`: the sum over all outcomes that are not
 * likelier than the one seen (with a relative slack of 1e-7), as R's binom.test. */
double hy_binomial_test(uint64_t successes, uint64_t n, double share);

#endif
