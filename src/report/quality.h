/* The quality of a game: the measures of its evaluation, each with interval, unit and denominator.
 *
 * Cheap measures come from the sums of all stored games; the others from games played again from
 * their seeds (or taken from stored moves), each position valued by an evaluator with a fixed
 * budget (sim/quality.h, sim/course.h: definitions and sources). Games without a result take no
 * part where a winner is needed, and their number stands beside. */
#ifndef HY_REPORT_QUALITY_H
#define HY_REPORT_QUALITY_H

#include <jansson.h>
#include <stdio.h>

#include "report/measure.h"
#include "report/state_space.h"
#include "sim/quality.h"
#include "sim/summary.h"
#include "store/store.h"

/* Measures from sums over the games, in the order of their names. Where the view `v_quality` or
 * `v_complexity` has a column of the name, it is the same number.
 *
 * balance: 1 − |south's win rate − north's|, over games with a result; the interval is that of the
 * score, folded. outcome_uniformity: 1 − mean over the players of the variance (by n) of the end
 * result, which is 1, 0 or −1; that is the share of draws + (2 · score − 1)², and its interval
 * comes from those of both at half the error (conservative). endless_per_ply: endless sowings of
 * all plies. decision_factor: legal holes where there is a choice. game_tree_complexity: mean plies
 * × log10 of the branching factor, by the delta method. south_win_share is what Ludii calls
 * AdvantageP1. What is a mean per game is not known where games were cut. */
typedef enum hy_cheap_measure {
    HY_CHEAP_FIRST_PLAYER_SCORE,
    HY_CHEAP_SOUTH_WIN_SHARE,
    HY_CHEAP_BALANCE,
    HY_CHEAP_COMPLETION,
    HY_CHEAP_DRAWISHNESS,
    HY_CHEAP_TIMEOUTS,
    HY_CHEAP_UNRESOLVED_SHARE,
    HY_CHEAP_ENDLESS_PER_GAME,
    HY_CHEAP_ENDLESS_PER_PLY,
    HY_CHEAP_OUTCOME_UNIFORMITY,
    HY_CHEAP_PLIES_PER_GAME,
    HY_CHEAP_TURNS_PER_GAME,
    HY_CHEAP_LAPS_PER_GAME,
    HY_CHEAP_DECISION_PLY_SHARE,
    HY_CHEAP_BRANCHING_FACTOR,
    HY_CHEAP_DECISION_FACTOR,
    HY_CHEAP_GAME_TREE_COMPLEXITY,
    HY_CHEAP_LAPS_PER_PLY,
    HY_CHEAP_PASSES_PER_PLY,
    HY_CHEAP_LEAD_CHANGES_PER_PLY,
    HY_CHEAP_CAPTURES_PER_TURN,
    HY_CHEAP_CASAS_PER_CAPTURE,
    HY_CHEAP_CHAIN_SHARE,
    HY_CHEAP_SOUTH_CAPTURE_SHARE,
    HY_CHEAP_SOUTH_CHAIN_SHARE,
    HY_CHEAP_CLAIMED_SHARE,
    HY_NUM_CHEAP_MEASURES,
} hy_cheap_measure;

/* One condition and seating. */
typedef struct hy_condition_quality {
    uint32_t condition;
    bool swapped;
    uint64_t games;     /* stored */
    uint64_t no_result; /* of them */
    uint64_t longest_turn, longest_chain;
    hy_state_space space;
    hy_measure cheap[HY_NUM_CHEAP_MEASURES];
    const char *not_replayed; /* why there is nothing below, or NULL */
    hy_measure valued[HY_NUM_QUALITY_MEASURES];
    hy_quality_sums *replayed; /* owned; NULL: nothing */
} hy_condition_quality;

/* What is asked. */
typedef struct hy_quality_options {
    uint32_t condition; /* from 1; 0: all */
    uint64_t games;     /* to play again, per condition and seating, the lowest numbers; 0: none */
    const hy_policy_spec *evaluator;             /* has passed hy_quality_check */
    atomic_int *stop;                            /* may be NULL; not 0: HY_INTERRUPTED */
    void (*tick)(void *context, uint64_t games); /* optional: games played again so far */
    void *context;
} hy_quality_options;

/* Made by _build, released by _clean_up; the store and the evaluator outlive it. */
typedef struct hy_quality_report {
    const hy_experiment *experiment;
    const hy_policy_spec *evaluator;
    hy_condition_quality *conditions;
    size_t num_conditions;
} hy_quality_report;

/* Games that _build will play again. HY_INVALID where there is no such condition. */
HY_MUST_CHECK hy_status hy_quality_count(hy_store *store, const hy_quality_options *options,
                                         uint64_t *games, hy_error *error);

HY_MUST_CHECK hy_status hy_quality_build(hy_store *store, const hy_quality_options *options,
                                         hy_quality_report *report, hy_error *error);
void hy_quality_report_clean_up(hy_quality_report *report);

/* The measures from sums over games. */
HY_MUST_CHECK hy_status hy_quality_from_summary(const hy_rules *rules, const hy_summary *summary,
                                                hy_measure measures[HY_NUM_CHEAP_MEASURES],
                                                hy_error *error);

/* The measures from games played again. */
void hy_quality_from_sums(const hy_quality_sums *sums,
                          hy_measure measures[HY_NUM_QUALITY_MEASURES]);

void hy_quality_print(const hy_quality_report *report, FILE *out);

/* The same as JSON, which the caller releases; NULL for want of memory. */
json_t *hy_quality_json(const hy_quality_report *report);

#endif
