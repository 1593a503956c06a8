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

/* Wilson's interval of a share seen in what is worth n independent trials, with the quantile of the
 * normal or of Student's distribution given. n > 0 need not be whole. */
hy_estimate hy_wilson(double share, double n, double quantile);

/* A mean of n values from their sum and sum of squares, with Student's t interval. The standard
 * deviation, unless NULL, is that with n − 1. Unknown for n < 2. */
hy_estimate hy_mean(uint64_t n, double sum, double sum_squares, double confidence,
                    double *standard_deviation);

/* The score p of a player: wins 1, draws 1/2, losses 0; with the trinomial variance σ² (1/n) in the
 * standard error. The interval is Wilson's for as many games without draws as have this error,
 * n·p(1 − p)/σ²: near 0 and 1 the normal interval p ± zσ/√n holds far too seldom (Brown, Cai,
 * DasGupta, Statistical Science 16, 2001, for shares; the effective size after Kish, Survey
 * Sampling, 1965, 8.2). By simulation 95 % intervals hold with 92 to 100 %, the normal ones with 86
 * % for 18 wins, a draw and a loss. Where all games ended alike the variance is 0 and says nothing:
 * then what Wilson's interval leaves to other results is taken to be all won or all lost. Unknown
 * for no games. */
hy_estimate hy_score(uint64_t wins, uint64_t draws, uint64_t losses, double confidence);

/* Sums over n clusters (games) of x, y and their products. */
typedef struct hy_ratio_sums {
    uint64_t n;
    double x, y;
    double xx, yy, xy;
} hy_ratio_sums;

/* The ratio r = Σy / Σx, both >= 0, where the pairs (x, y) are independent from game to game but
 * the things counted within a game are not: linearised standard error with n / (n − 1) (Cochran,
 * Sampling Techniques, 3rd ed. 1977, 6.3). The interval holds all ratios ρ with |r − ρ| <=
 * t·√(ρ·error²/r), Student's t with n − 1: the score interval of a rate whose variance grows with
 * it, which is close to r ± t·error for many events, lies above 0 and holds for few. No events do
 * not show how they are clustered: then error²/r is taken to be that of independent events a design
 * effect of 2 wider, at most as many as if all of a game were alike (Σx²/Σx); y has to count
 * something. No width where all games have the same ratio. Unknown for Σx = 0 or n < 2. */
hy_estimate hy_ratio(const hy_ratio_sums *sums, double confidence);

/* The same where y of x things are counted (y <= x in every game; parts of things may be counted):
 * Wilson's interval for as many independent things as have this standard error, r(1 − r)/error²,
 * with Student's t (Korn, Graubard, Survey Methodology 24, 1998). Where it is none of them, all, or
 * the same share in every game, the error says nothing (NaN), and the things are taken to be worth
 * Σx/design effect as in hy_ratio. By simulation (10 to 200 games, 0.3 to 20 events, of which a
 * game has 1 to 3) 95 % intervals hold with 91 to 98 %. */
hy_estimate hy_clustered_share(const hy_ratio_sums *sums, double confidence);

#endif
