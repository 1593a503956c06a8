/* Estimates with their uncertainty. Every function returns numbers; formatting is for others. */
#ifndef HY_STATS_ESTIMATE_H
#define HY_STATS_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/* A number with the ends of its interval at the confidence asked for. What cannot be estimated has
 * `known` false, and its numbers are NaN. */
typedef struct hy_estimate {
    bool known;
    double value;
    double standard_error; /* NaN where the method has none */
    double low, high;
} hy_estimate;

/* A share: successes / n with Wilson's score interval (Wilson, JASA 22, 1927; without continuity
 * correction). Within [0, 1] always, and it reaches 0 and 1 only with 0 or n successes. Unknown for
 * n = 0. */
hy_estimate hy_share(uint64_t successes, uint64_t n, double confidence);

/* A mean of n values from their sum and sum of squares, with Student's t interval. The standard
 * deviation, unless NULL, is that with n − 1. Unknown for n < 2. */
hy_estimate hy_mean(uint64_t n, double sum, double sum_squares, double confidence,
                    double *standard_deviation);

/* The score of a player: wins 1, draws 1/2, losses 0; with the trinomial variance (1/n) and the
 * normal interval, cut at 0 and 1. Where all games ended alike the variance is 0 and says nothing:
 * then what Wilson's interval leaves to other results is taken to be all won or all lost. Unknown
 * for no games. */
hy_estimate hy_score(uint64_t wins, uint64_t draws, uint64_t losses, double confidence);

/* Sums over n clusters (games) of x, y and their products. */
typedef struct hy_ratio_sums {
    uint64_t n;
    double x, y;
    double xx, yy, xy;
} hy_ratio_sums;

/* The ratio Σy / Σx where the pairs (x, y) are independent from game to game but the things counted
 * within a game are not: linearised standard error with n / (n − 1) (Cochran, Sampling Techniques,
 * 3rd ed. 1977, 6.3) and normal interval, cut at 0. Unknown for Σx = 0 or n < 2. */
hy_estimate hy_ratio(const hy_ratio_sums *sums, double confidence);

#endif
