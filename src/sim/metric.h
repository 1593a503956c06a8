/* Metrics that a number of games can be chosen for: each is Σy / Σx over games. */
#ifndef HY_SIM_METRIC_H
#define HY_SIM_METRIC_H

#include <stdbool.h>
#include <stdint.h>

struct hy_summary;

typedef enum hy_metric {
    HY_METRIC_FIRST_PLAYER_SCORE, /* south's points a game, over the games with a result */
    HY_METRIC_DRAWS,              /* share of all games */
    HY_METRIC_ENDLESS,            /* share of all games: ended by an endless sowing */
    HY_METRIC_CHAINS,             /* share of the captures, clustered by game */
    HY_METRIC_CAPTURES,           /* a game */
    HY_METRIC_PLIES,              /* a game; not defined where games were cut */
    HY_NUM_METRICS,
} hy_metric;

extern const char *const hy_metric_words[HY_NUM_METRICS];

/* What a metric is, for messages: "first-player score". */
extern const char *const hy_metric_names[HY_NUM_METRICS];

/* Sums over games; for all metrics but chains, x is 1 a game. */
typedef struct hy_metric_sums {
    uint64_t n; /* games that count */
    uint64_t x, y;
    uint64_t xx, xy, yy;
    uint64_t cut; /* games without an end: truncated or unresolved */
} hy_metric_sums;

/* y counts units of 1/scale: 2 for the score (half points), else 1. */
unsigned hy_metric_scale(hy_metric metric);

/* Whether a game's value lies within [0, 1], so that an interval can hold at all looks together. */
bool hy_metric_is_bounded(hy_metric metric);

hy_metric_sums hy_metric_sum(hy_metric metric, const struct hy_summary *summary);

void hy_metric_add(hy_metric_sums *sums, const hy_metric_sums *others);

/* sums − others, where `others` are part of them; false: they are not. */
bool hy_metric_subtract(hy_metric_sums *sums, const hy_metric_sums *others);

bool hy_metric_same(const hy_metric_sums *a, const hy_metric_sums *b);

#endif
