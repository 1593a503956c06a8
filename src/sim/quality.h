/* Measures of a game's quality that need its positions: games played again ply by ply, each
 * position valued by a policy that can analyse.
 *
 * What a policy says of a position must not depend on the machine's speed; a search with a fixed
 * budget does not, a table of exact values does not, a search limited by time does. A policy is
 * only asked where there is a choice; with one legal hole a position is worth what the next one
 * is. */
#ifndef HY_SIM_QUALITY_H
#define HY_SIM_QUALITY_H

#include <stdatomic.h>

#include "sim/captures.h"
#include "sim/course.h"
#include "sim/game.h"

/* Each is a share y of x, summed over the games; see course.h for the first ones. A decision is a
 * ply with more than one legal hole; the values of its holes are those of e to the mover. */
typedef enum hy_quality_measure {
    HY_QUALITY_DRAMA,
    HY_QUALITY_LEAD_CHANGES,
    HY_QUALITY_STABILITY,
    HY_QUALITY_DECISIVENESS_THRESHOLD,
    HY_QUALITY_DECISIVENESS_PLIES,
    HY_QUALITY_COMEBACK,
    HY_QUALITY_COMEBACK_BY_SCORE,
    HY_QUALITY_NARROWNESS,    /* share of the legal holes whose value is above
                                 mean + 3/4 (max − mean), summed; of decisions */
    HY_QUALITY_HOLE_VARIANCE, /* variance of the values of the legal holes; likewise */
    HY_QUALITY_FLAT,          /* decisions whose holes are all worth the same (none of them is
                                 above the mean then); of decisions */
    HY_QUALITY_REGRET,        /* e lost by the holes played, by the evaluator; of decisions */
    HY_QUALITY_EXACT_REGRET,  /* the same where the evaluator's values are exact … */
    HY_QUALITY_EXACT_SHARE,   /* … and how many of the decisions that is */
    HY_QUALITY_REPETITION,    /* positions that were there before in the game; of the positions in
                                 which a ply was played (without it, 1 − distinct / positions) */
    HY_QUALITY_BOARD_REPETITION, /* the same, whoever is to move */
    HY_NUM_QUALITY_MEASURES,
} hy_quality_measure;

/* What the games said so far. */
typedef struct hy_quality_sums {
    uint64_t games;
    uint64_t plies;
    uint64_t nodes; /* plies that the evaluator searched */
    uint64_t results[HY_NUM_RESULTS];
    hy_sums measures[HY_NUM_QUALITY_MEASURES];
    hy_capture_sums captures[HY_NUM_MOVERS];
} hy_quality_sums;

/* Who values the games of a condition; the caller's storage, made by _init, released by _clean_up.
 */
typedef struct hy_quality {
    const hy_condition *condition;
    hy_policy *evaluator; /* owned */
    atomic_int *stop;     /* may be NULL; not 0: give up */
    hy_history history, positions, boards;
    double *value; /* by ply, as in hy_course; NaN: that of the next one */
    int *lead;
    size_t value_capacity, lead_capacity;
    hy_quality_sums sums;
} hy_quality;

/* Whether the policy can value positions, and the same on every machine; errors name those that
 * can. */
HY_MUST_CHECK hy_status hy_quality_check(const hy_policy_spec *evaluator, hy_error *error);

/* `condition` and `evaluator` (which has passed hy_quality_check) outlive it. */
HY_MUST_CHECK hy_status hy_quality_init(hy_quality *quality, const hy_condition *condition,
                                        const hy_policy_spec *evaluator, atomic_int *stop,
                                        hy_error *error);
void hy_quality_clean_up(hy_quality *quality);

/* Adds a game by the holes played. HY_MISMATCH where they are no game of the condition,
 * HY_INTERRUPTED where it was stopped; nothing of the game is added then. */
HY_MUST_CHECK hy_status hy_quality_add(hy_quality *quality, const hy_hole_list *holes,
                                       hy_error *error);

#endif
