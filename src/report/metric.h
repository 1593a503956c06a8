/* What can be asked of the games of a condition and seating, as one table of metrics.
 *
 * Every metric that is a mean, a share, a score or a ratio is Σy / Σx over the games: a mean has
 * x = 1, a score has x = 1 where the game has a result. Its value then varies as the mean of the
 * games' influences (y − (Σy/Σx)·x) / x̄ does, and so errors are clustered by game, and games of the
 * same number can be paired, whatever the metric. The others take lengths as survival data. */
#ifndef HY_REPORT_METRIC_H
#define HY_REPORT_METRIC_H

#include "sim/summary.h"
#include "stats/estimate.h"

typedef enum hy_metric_kind {
    HY_METRIC_SCORE,       /* of south: 1, 1/2, 0; over games with a result */
    HY_METRIC_RESULT,      /* share of all games with the result `y` */
    HY_METRIC_TERMINATION, /* share of all games that ended in the way `y` */
    HY_METRIC_MEAN,        /* quantity `y` a game; not where games were cut */
    HY_METRIC_RATIO,       /* quantity `y` per `x` */
    HY_METRIC_RESTRICTED,  /* plies a game up to a common number of plies, the horizon */
    HY_METRIC_MEDIAN,      /* of the plies, by Kaplan and Meier */
    HY_METRIC_HAZARD,      /* rate of ending, at any length, as a ratio: Cox's regression */
} hy_metric_kind;

typedef struct hy_metric {
    const char *word;
    hy_metric_kind kind;
    uint8_t y, x;
    const char *unit;
    const char *denominator; /* over what it is taken */
    const char *meaning;
    const char *instead; /* what to ask for where games were cut; NULL: nothing is better */
} hy_metric;

extern const hy_metric hy_metrics[];
extern const size_t hy_num_metrics;

/* The metric of that word, or NULL. */
const hy_metric *hy_metric_find(const char *word);

/* HY_INVALID with the words there are, and the nearest. */
HY_MUST_CHECK hy_status hy_metric_parse(const char *word, const hy_metric **metric,
                                        hy_error *error);

/* Games whose length is only a lower bound. */
uint64_t hy_num_censored(const hy_summary *summary);

/* Whether it is Σy / Σx over games, so that there are sums and influences. `horizon` is the number
 * of plies for HY_METRIC_RESTRICTED, which is such a ratio where no game was cut before it. */
bool hy_metric_is_ratio(const hy_metric *metric, const hy_summary *summary, double horizon);

/* Sums of y and x for hy_ratio. Only for metrics that are ratios. */
hy_ratio_sums hy_metric_sums(const hy_metric *metric, const hy_summary *summary, double horizon);

/* y and x of one game. Only for metrics that are ratios. */
void hy_metric_of_game(const hy_metric *metric, const hy_game_record *record, double horizon,
                       double *y, double *x);

/* The value with the interval that fits its kind: hy_score, hy_share, hy_mean, hy_ratio. Only for
 * metrics that are ratios. */
hy_estimate hy_metric_value(const hy_metric *metric, const hy_summary *summary, double horizon,
                            double confidence);

#endif
