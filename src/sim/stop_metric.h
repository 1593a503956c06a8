/* Metrics that a number of games can be chosen for: each is Σy / Σx over games. */
#ifndef HY_SIM_STOP_METRIC_H
#define HY_SIM_STOP_METRIC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/wide.h"

struct hy_summary;

typedef enum hy_stop_metric {
    HY_STOP_METRIC_FIRST_PLAYER_SCORE, /* south's points a game, over the games with a result */
    HY_STOP_METRIC_DRAWS,              /* share of all games */
    HY_STOP_METRIC_ENDLESS,            /* share of all games: ended by an endless sowing */
    HY_STOP_METRIC_CHAINS,             /* share of the captures, clustered by game */
    HY_STOP_METRIC_CAPTURES,           /* a game; not defined where games were cut */
    HY_STOP_METRIC_PLIES,              /* the same */
    HY_NUM_STOP_METRICS,
} hy_stop_metric;

extern const char *const hy_stop_metric_words[HY_NUM_STOP_METRICS];

/* What a metric is, for messages: "first-player score". */
extern const char *const hy_stop_metric_names[HY_NUM_STOP_METRICS];

/* Sums over games; for all metrics but chains, x is 1 a game. */
typedef struct hy_stop_metric_sums {
    uint64_t n; /* games that count */
    uint64_t x, y;
    hy_wide xx, xy, yy;
    uint64_t cut; /* games without an end: truncated or unresolved */
} hy_stop_metric_sums;

/* y counts units of 1/scale: 2 for the score (half points), else 1. */
unsigned hy_stop_metric_scale(hy_stop_metric metric);

/* Whether a game's value lies within [0, 1], so that an interval can hold at all looks together. */
bool hy_stop_metric_is_bounded(hy_stop_metric metric);

/* Whether it is a mean over whole games, which cut games make a lower bound. */
bool hy_stop_metric_needs_ends(hy_stop_metric metric);

hy_stop_metric_sums hy_stop_metric_sum(hy_stop_metric metric, const struct hy_summary *summary);

void hy_stop_metric_add(hy_stop_metric_sums *sums, const hy_stop_metric_sums *others);

/* sums − others, where `others` are part of them; false: they are not. */
bool hy_stop_metric_subtract(hy_stop_metric_sums *sums, const hy_stop_metric_sums *others);

bool hy_stop_metric_same(const hy_stop_metric_sums *a, const hy_stop_metric_sums *b);

#endif
