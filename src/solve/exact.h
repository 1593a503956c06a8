/* A small variant completely: random play and perfect play from the start, exactly.
 *
 * Any rules. With `repetition`, a position counts together with what has occurred before it, which
 * fits for the smallest boards only; with `unfinished: void`, perfect play takes the score into the
 * position, and play without a result (also play that never ends) is worth 0, as a draw is. */
#ifndef HY_SOLVE_EXACT_H
#define HY_SOLVE_EXACT_H

#include "solve/exact_play.h"
#include "solve/markov.h"

#define HY_EXACT_DEFAULT_MEMORY ((uint64_t)2 << 30)
#define HY_EXACT_DEFAULT_MASS 0.999
#define HY_EXACT_DEFAULT_MAX_PLIES 10000u

/* Called as the solution gets on, with a line of text. */
typedef void hy_exact_talk(const char *text);

typedef struct hy_exact_terms {
    uint64_t memory;     /* limit, in bytes */
    uint64_t max_laps;   /* of a sowing that neither ends nor recurs */
    double mass;         /* of the distribution of lengths, as a share of the games that end */
    uint64_t max_plies;  /* for which lengths are followed at most */
    hy_exact_talk *talk; /* may be NULL */
} hy_exact_terms;

typedef struct hy_exact {
    uint64_t positions;         /* boards with a player to move, before passes are settled */
    uint64_t plies;             /* legal plies from them */
    uint64_t history_positions; /* with `repetition`: positions with what has occurred; else 0 */
    uint64_t score_positions; /* with `unfinished: void`: of perfect play, with the score; else 0 */
    hy_markov random;
    hy_lengths lengths;
    int value; /* of the start to south under perfect play, in counters of difference */
    hy_line line;
    uint64_t peak; /* bytes of the memory limit that were used at most */
} hy_exact;

/* HY_FAILED, with figures, where it does not fit. Released with hy_exact_clean_up, also after an
 * error. */
HY_MUST_CHECK hy_status hy_exact_solve(hy_exact *exact, const hy_rules *rules,
                                       const hy_exact_terms *terms, hy_error *error);
void hy_exact_clean_up(hy_exact *exact);

#endif
