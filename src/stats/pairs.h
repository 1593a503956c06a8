/* Results of one policy against another, in points of the first of them: from single games, or from
 * pairs (two games of the same number with the seats swapped), which are then the unit. */
#ifndef HY_STATS_PAIRS_H
#define HY_STATS_PAIRS_H

#include "stats/estimate.h"

/* The results of a pair: 0, 1/2, 1, 3/2 or 2 points in its two games. */
typedef enum hy_pair_class {
    HY_PAIR_LL,
    HY_PAIR_LD,
    HY_PAIR_EVEN, /* WL or DD */
    HY_PAIR_WD,
    HY_PAIR_WW,
    HY_NUM_PAIR_CLASSES,
} hy_pair_class;

/* Pairs by their result. */
typedef struct hy_pair_counts {
    uint64_t num[HY_NUM_PAIR_CLASSES];
} hy_pair_counts;

/* A score and what follows from it. Numbers that are not defined (an Elo of the score 0 or 1,
 * anything that divides by a variance of 0) are NaN. */
typedef struct hy_strength {
    uint64_t n;             /* observations: games or pairs */
    double score;           /* points a game, 0 … 1 */
    double variance;        /* of an observation's score (divided by n, not n − 1) */
    double standard_error;  /* of the score */
    double low, high;       /* normal interval of the score, not cut at 0 and 1 */
    double elo;             /* −400·log10(1/score − 1) */
    double elo_low;         /* of `low` */
    double elo_high;        /* of `high` */
    double elo_half;        /* (elo_high − elo_low) / 2 */
    double los;             /* likelihood of superiority: Φ((score − 1/2) / standard_error) */
    double normalized;      /* normalised Elo: the score's distance from 1/2 in standard
                               deviations of a game, times 800/ln 10 */
    double normalized_half; /* half the width of its interval */
} hy_strength;

/* The Elo difference on the logistic scale at which a score is expected; NaN outside of (0, 1). */
double hy_elo(double score);

/* From single games, with the trinomial variance. Formulas as fastchess (elo_wdl.cpp); n = 0: all
 * numbers are NaN. */
hy_strength hy_strength_of_games(uint64_t wins, uint64_t draws, uint64_t losses, double confidence);

/* From pairs, with the pentanomial variance: that of pairs, whose two games share their opening and
 * are not independent. Formulas as fastchess (elo_pentanomial.cpp). */
hy_strength hy_strength_of_pairs(const hy_pair_counts *counts, double confidence);

/* Points a game from pairs, to be shown: with the standard error of hy_strength_of_pairs, and
 * Wilson's interval for as many games as have it, as hy_score. Where all pairs ended alike the
 * variance is 0 and says nothing: then what Wilson's interval leaves to other results is taken to
 * be all won or all lost. Unknown for no pairs. */
hy_estimate hy_pair_score(const hy_pair_counts *counts, double confidence);

#endif
