/* How long games last where some were cut: Kaplan and Meier's curve, its quantiles, and means up
 * to a common time.
 *
 * Sources: Kaplan and Meier, JASA 53 (1958); Greenwood's variance (Reports on Public Health and
 * Medical Subjects 33, 1926); Nelson's and Aalen's cumulative hazard; Kalbfleisch and Prentice, The
 * Statistical Analysis of Failure Time Data (2nd ed. 2002), 1.4, for the intervals; Brookmeyer and
 * Crowley, Biometrics 38 (1982), for those of quantiles; Irwin, Journal of Hygiene 47 (1949), and
 * Royston and Parmar, BMC Medical Research Methodology 13:152 (2013), for restricted means. All
 * numbers are those of R's survfit, quantile.survfit and print(survfit, rmean=).
 *
 * Groups, strata and causes are ignored: give the games of one group. The order of rows does not
 * matter, and a row of weight w is the same as w rows. Functions keep no state. */
#ifndef HY_STATS_SURVIVAL_H
#define HY_STATS_SURVIVAL_H

#include "stats/estimate.h"
#include "stats/fit.h"
#include "stats/lifetime.h"

/* The scale on which an interval of survival is symmetric. */
typedef enum hy_band {
    HY_BAND_LOG_LOG, /* ln(−ln S): within (0, 1) always; the one to take */
    HY_BAND_LOG,     /* ln S, cut at 1: R's own choice */
    HY_BAND_PLAIN,   /* S, cut at 0 and 1 */
} hy_band;

/* A time at which games ended or were cut. With no game left, log_error is infinite, and
 * standard_error, low and high are NaN; the log-log interval has none either while S is 1. */
typedef struct hy_survival_point {
    double time;
    uint64_t num_risk; /* going on just before */
    uint64_t num_event, num_censor;
    double survival;       /* of being longer than `time` */
    double standard_error; /* Greenwood's */
    double log_error;      /* of ln S: survfit's std.err */
    double hazard;         /* Nelson's and Aalen's, cumulative */
    double low, high;
} hy_survival_point;

/* Made by hy_survival_fit, released by _clean_up. */
typedef struct hy_survival {
    hy_survival_point *points; /* by time */
    size_t num_points;
    uint64_t num_games, num_events;
    hy_band band;
    double confidence;
} hy_survival;

/* Fails for what hy_lifetimes_check refuses, a confidence not in (0, 1), and want of memory. No
 * games are no failure: the curve has no points, and nothing follows from it. */
HY_MUST_CHECK hy_status hy_survival_fit(const hy_lifetime *lifetimes, size_t num, hy_band band,
                                        double confidence, hy_survival *survival, hy_error *error);
void hy_survival_clean_up(hy_survival *survival);

/* Survival at a time: 1 before the first point; unknown after the last one, unless all have ended
 * there. */
hy_estimate hy_survival_at(const hy_survival *survival, double time);

/* The time by which the share p of games has ended (p = 0.5: the median): the first with
 * S < 1 − p, or, where S is 1 − p exactly, the middle of that flat stretch. The ends are where the
 * ends of the curve's intervals get there. What is not reached is NaN, each of the three by
 * itself: `known` speaks of the value, and the low end may be a number where that is none. */
hy_estimate hy_survival_quantile(const hy_survival *survival, double p);

/* The mean of the length cut at tau: the area under the curve up to there, with the variance
 * Σ (area from t to tau)² d / (n (n − d)), and normal interval. Unknown where the last game was cut
 * before tau: the curve says nothing about what comes then. */
hy_estimate hy_restricted_mean(const hy_survival *survival, double tau);

/* Two means compared. */
typedef struct hy_contrast {
    hy_estimate estimate;
    double z; /* of the hypothesis of no difference (ratio 1) */
    double p; /* two-sided */
} hy_contrast;

/* first − second, of independent games, up to a common tau. Without any spread z and p are NaN. */
hy_contrast hy_restricted_mean_difference(const hy_survival *first, const hy_survival *second,
                                          double tau, double confidence);

/* first / second: the delta method on the logarithm. `standard_error` is that of the logarithm.
 * Unknown where a mean is 0. */
hy_contrast hy_restricted_mean_ratio(const hy_survival *first, const hy_survival *second,
                                     double tau, double confidence);

#endif
