/* How many games? Answers are real numbers, to be rounded up; NaN for arguments that allow none. */
#ifndef HY_STATS_PLAN_H
#define HY_STATS_PLAN_H

#include <stdint.h>

/* Observations for a normal interval of half-width `half`: of a mean (a score, a ratio) whose
 * single observation has the standard deviation `deviation` in a pilot: (z·deviation/half)². */
double hy_plan_mean_width(double deviation, double half, double confidence);

/* The same for a share: deviation √(share(1 − share)). */
double hy_plan_share_width(double share, double half, double confidence);

/* Poisson events for a half-width of `relative` times the rate: (z/relative)². Over-dispersed
 * counts (hy_dispersion_of) need their index times as many. */
double hy_plan_rate_events(double relative, double confidence);

/* Observations in each of two groups for the power `power` of a two-sided test at level `alpha`:
 * shares p1 and p2 by the pooled test (as R's power.prop.test), the same by Cohen's h (as R's
 * pwr.2p.test, both tails counted), means that differ by `difference` with deviations sd1 and sd2
 * (normal). */
double hy_plan_two_shares(double p1, double p2, double alpha, double power);
double hy_plan_effect_h(double h, double alpha, double power);
double hy_plan_two_means(double difference, double sd1, double sd2, double alpha, double power);

/* Finished games (events) in both groups together for the log-rank test to find a hazard ratio,
 * with the share `allocation` of games in the first group: (z + z)² / (allocation(1 − allocation)
 * log²) (Schoenfeld, Biometrics 39, 1983). */
double hy_plan_logrank_events(double hazard_ratio, double allocation, double alpha, double power);

/* What has happened in none of n games is rarer than this with the confidence given (one-sided):
 * 1 − (1 − confidence)^(1/n), about 3/n for 95 % (the rule of three). */
double hy_plan_never_seen(uint64_t n, double confidence);

#endif
