/* The answers: per condition and seating, what the stored games say. */
#ifndef HY_REPORT_REPORT_H
#define HY_REPORT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "sequential/rule.h"
#include "stats/estimate.h"
#include "store/store.h"

#define HY_CONFIDENCE 0.95

/* What JSON says of the intervals of hy_score, hy_pair_score, hy_ratio and hy_clustered_share. */
#define HY_SCORE_METHOD "wilson, games worth as many by the trinomial variance"
#define HY_PAIR_SCORE_METHOD "wilson, games worth as many by the pentanomial variance"
#define HY_RATIO_METHOD "score interval, linearised error clustered by game"
#define HY_SHARE_METHOD "wilson, things worth as many by the error clustered by game"

/* Quantiles of the length that are given: 0.1, 0.25, 0.5, 0.75, 0.9. */
#define HY_NUM_QUANTILES 5
extern const double hy_quantiles[HY_NUM_QUANTILES];

/* The length of the games in plies. Games that were truncated or unresolved are censored: their
 * length is a lower bound, a mean over them is biased and not given, and a quantile is given only
 * where it lies below every censored length. */
typedef struct hy_length_report {
    uint64_t num_censored;
    hy_estimate mean; /* known only where nothing was censored */
    double standard_deviation;
    hy_estimate median; /* by Kaplan and Meier, with the log-log interval; ends may be NaN */
    bool quantile_known[HY_NUM_QUANTILES];
    uint64_t quantile[HY_NUM_QUANTILES]; /* the smallest length with that share at or below it */
    uint64_t longest;
} hy_length_report;

/* One condition and seating. Shares are of all games; the score is over the games with a result. */
typedef struct hy_condition_report {
    uint32_t condition;
    bool swapped;
    uint64_t games;
    uint64_t terminations[HY_NUM_TERMINATIONS];
    uint64_t results[HY_NUM_RESULTS];
    hy_estimate shares[HY_NUM_RESULTS];
    uint64_t scored; /* games with a result */
    hy_estimate first_player_score;
    hy_length_report length;
    hy_estimate captures; /* a game; known only where no game was cut */
    hy_estimate casas;    /* the same */
    hy_estimate captures_per_ply;
    hy_estimate chains; /* share of the captures; clustered by game */
    uint64_t num_captures;
    uint64_t num_chains;
    uint64_t longest_chain;
    hy_distinct distinct;
} hy_condition_report;

/* Made by _build, released by _clean_up; the store outlives it. */
typedef struct hy_report {
    const hy_experiment *experiment;
    hy_condition_report *conditions;
    size_t num_conditions;
    uint64_t games;
    uint64_t asked; /* games that are wanted by now; of ended conditions, those played */
    hy_rule *rules; /* [condition of the experiment]: its stop rule at its last look, or NULL */
    bool censored;  /* anywhere */
} hy_report;

HY_MUST_CHECK hy_status hy_report_build(hy_store *store, hy_report *report, hy_error *error);
void hy_report_clean_up(hy_report *report);

/* Whether most of a condition's games are one another once more, so that intervals may be too
 * narrow. */
bool hy_games_repeat(const hy_condition_report *row);

/* What distinguishes the condition, for people: "2×6, 4 counters a hole, chain_capture=false". */
#define HY_LABEL_SIZE 512
void hy_variant_label(const hy_rules *rules, char label[HY_LABEL_SIZE]);

/* All fields of the rules as a JSON object, which the caller releases. */
json_t *hy_rules_json(const hy_rules *rules);

void hy_report_print(const hy_report *report, FILE *out);

/* The same as JSON, which the caller releases; NULL for want of memory. Unknown numbers are null,
 * with the reason beside them. */
json_t *hy_report_json(const hy_report *report);

#endif
