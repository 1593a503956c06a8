/* Ratings of policies from the games that they played against each other, on one scale.
 *
 * The scale is logistic Elo: 400 points are a factor of 10. South plays north with the difference
 * d = r_south − r_north + a, where a is the advantage of the first player, and
 *
 *     P(south wins) : P(draw) : P(north wins)  =  10^(d/800) : ν : 10^(−d/800)
 *
 * Sources: Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
 * experiments", JASA 65 (1970), for draws; Davidson and Beaver, "On extending the Bradley-Terry
 * model to incorporate within-pair order effects", Biometrics 33 (1977), for a. (With ν = 0 a score
 * s is the difference −400·log10(1/s − 1); with draws it is not quite.)
 *
 * Fitted by maximum likelihood: Newton's method, the likelihood being concave. A maximum exists
 * among policies that are connected both ways by points taken off each other (Ford, "Solution of a
 * ranking problem from binary comparisons", American Mathematical Monthly 64, 1957). Where some
 * policies won every game against all others, the ratings of the two groups are infinitely apart.
 * Then each group is fitted in itself (the limit of the likelihood: Geyer, "Likelihood inference in
 * exponential families and directions of recession", EJS 3, 2009), the group of the anchor has
 * ratings, and the others have a bound: the distance at which games as one-sided as these have a
 * log likelihood of −1.92 (half the 95 % point of chi-square), the two games of a pair counted as
 * one.
 *
 * Intervals are of the sandwich (White, "Maximum likelihood estimation of misspecified models",
 * Econometrica 50, 1982) with clusters and G / (G − 1) (Liang and Zeger, Biometrika 73, 1986), and
 * Student's t with G − 1 (Cameron and Miller, JHR 50, 2015). A cluster is a game number: it has
 * both games of a pair, and the games of other pairs with the same opening. */
#ifndef HY_STATS_RATING_H
#define HY_STATS_RATING_H

#include <stddef.h>

#include "base/status.h"
#include "stats/estimate.h"

/* Results of south, as half points. */
typedef enum hy_points {
    HY_POINTS_LOST,
    HY_POINTS_DRAWN,
    HY_POINTS_WON,
    HY_NUM_POINTS,
} hy_points;

/* A game with a result. */
typedef struct hy_rated_game {
    uint64_t cluster;      /* the game's number */
    uint32_t south, north; /* policies, from 0; they may be the same */
    uint32_t points;       /* hy_points of south */
} hy_rated_game;

typedef enum hy_rating_kind {
    HY_RATING_KNOWN,
    HY_RATING_ABOVE,   /* it won every game against those below: `low` is its bound */
    HY_RATING_BELOW,   /* it lost every game against those above: `high` is its bound */
    HY_RATING_UNKNOWN, /* no games lead to the anchor */
} hy_rating_kind;

/* The Elo of a policy. The estimate is known for HY_RATING_KNOWN only; of a bound one end is set;
 * all else is NaN. The anchor is 0 without an error. */
typedef struct hy_rating {
    hy_rating_kind kind;
    hy_estimate elo;
} hy_rating;

/* What two policies scored against each other, and what their ratings say. */
typedef struct hy_rated_pairing {
    uint32_t first, second; /* first < second */
    uint64_t games;
    uint64_t units;  /* of them that are independent: pairs, and games that are in none */
    double points;   /* of the first, 1 a win */
    double expected; /* NaN where the two have no finite distance */
    double residual; /* points − expected in its standard deviations; NaN likewise, and where
                        the pairing is too one-sided to be tested */
} hy_rated_pairing;

typedef enum hy_advantage_kind {
    HY_ADVANTAGE_KNOWN,
    HY_ADVANTAGE_CONFOUNDED, /* seats were not swapped: strength and seat cannot be told apart */
    HY_ADVANTAGE_NO_GAMES,   /* no games that say anything */
} hy_advantage_kind;

/* Made by hy_rating_fit, released by _clean_up. */
typedef struct hy_rating_table {
    size_t num_policies;
    hy_rating *ratings;
    hy_rated_pairing *pairings; /* those that were played, by first and second */
    size_t num_pairings;
    uint64_t games, clusters;
    hy_advantage_kind advantage_kind;
    hy_estimate advantage; /* of the first player, Elo */
    double draw;           /* ν; the share of draws between equals is ν / (2 + ν) */
    bool held;             /* a prior held the numbers finite: see hy_rating_fit */
    double dispersion;     /* variance of a pair's points over that of independent games */
    double chi_square;     /* of the pairings' points against the scale; NaN: not testable */
    unsigned degrees;      /* 0: not testable */
    double p;              /* NaN likewise */
    size_t num_one_sided;  /* pairings left out of the test: fewer than 5 points expected */
} hy_rating_table;

/* Rates num_policies policies; `games` are put into the order of their clusters. The order of games
 * and policies does not matter. The anchor is 0.
 *
 * Where policies are connected and yet no maximum exists (everything won by one seat, all games
 * drawn) a normal prior of standard deviation 1000 Elo on every number holds them finite, and
 * `held` says so.
 *
 * The test of the scale compares the points of every pairing with those expected by a quadratic
 * form in the residuals; its degrees of freedom are the independent cycles of pairings, so it finds
 * policies of which none is best. The variance is that of the model times `dispersion`.
 *
 * Fails for want of memory only. GSL's error handler is set meanwhile: not for two threads at once.
 */
HY_MUST_CHECK hy_status hy_rating_fit(hy_rated_game *games, size_t num_games, size_t num_policies,
                                      size_t anchor, double confidence, hy_rating_table *table,
                                      hy_error *error);
void hy_rating_clean_up(hy_rating_table *table);

#endif
