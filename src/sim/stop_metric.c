#include "sim/stop_metric.h"

#include "sim/summary.h"

const char *const hy_stop_metric_words[HY_NUM_STOP_METRICS] = {
    "first_player_score", "draw_share", "endless_share", "chains_per_capture", "captures", "plies",
};

const char *const hy_stop_metric_names[HY_NUM_STOP_METRICS] = {
    "first-player score", "share of draws",    "share of endless games",
    "share of chains",    "captures per game", "mean length",
};

unsigned hy_stop_metric_scale(hy_stop_metric metric)
{
    return metric == HY_STOP_METRIC_FIRST_PLAYER_SCORE ? 2 : 1;
}

bool hy_stop_metric_is_bounded(hy_stop_metric metric)
{
    switch (metric) {
    case HY_STOP_METRIC_FIRST_PLAYER_SCORE:
    case HY_STOP_METRIC_DRAWS:
    case HY_STOP_METRIC_ENDLESS:
        return true;
    case HY_STOP_METRIC_CHAINS:
    case HY_STOP_METRIC_CAPTURES:
    case HY_STOP_METRIC_PLIES:
    case HY_NUM_STOP_METRICS:
        break;
    }
    return false;
}

bool hy_stop_metric_needs_ends(hy_stop_metric metric)
{
    return metric == HY_STOP_METRIC_CAPTURES || metric == HY_STOP_METRIC_PLIES;
}

/* Of games that each count y or do not. */
static void count(hy_stop_metric_sums *sums, uint64_t y)
{
    sums->y = y;
    sums->yy = y;
}

static void measure(hy_stop_metric_sums *sums, const hy_summary *summary, hy_quantity quantity,
                    hy_product square)
{
    sums->y = summary->sums[quantity];
    sums->yy = hy_summary_product(summary, square);
}

hy_stop_metric_sums hy_stop_metric_sum(hy_stop_metric metric, const hy_summary *summary)
{
    const uint64_t *results = summary->results, *ended = summary->terminations;
    hy_stop_metric_sums sums = {.n = summary->games,
                                .cut = ended[HY_TRUNCATED] + ended[HY_UNRESOLVED]};
    switch (metric) {
    case HY_STOP_METRIC_FIRST_PLAYER_SCORE:
        sums.n -= results[HY_RESULT_NONE];
        sums.y = 2 * results[HY_RESULT_SOUTH] + results[HY_RESULT_DRAW];
        sums.yy = 4 * results[HY_RESULT_SOUTH] + results[HY_RESULT_DRAW];
        break;
    case HY_STOP_METRIC_DRAWS:
        count(&sums, results[HY_RESULT_DRAW]);
        break;
    case HY_STOP_METRIC_ENDLESS:
        count(&sums, ended[HY_ENDLESS]);
        break;
    case HY_STOP_METRIC_CHAINS:
        measure(&sums, summary, HY_QUANTITY_CHAINS, HY_PRODUCT_CHAINS_CHAINS);
        sums.x = summary->sums[HY_QUANTITY_CAPTURES];
        sums.xx = hy_summary_product(summary, HY_PRODUCT_CAPTURES_CAPTURES);
        sums.xy = hy_summary_product(summary, HY_PRODUCT_CHAINS_CAPTURES);
        return sums;
    case HY_STOP_METRIC_CAPTURES:
        measure(&sums, summary, HY_QUANTITY_CAPTURES, HY_PRODUCT_CAPTURES_CAPTURES);
        break;
    case HY_STOP_METRIC_PLIES:
        measure(&sums, summary, HY_QUANTITY_PLIES, HY_PRODUCT_PLIES_PLIES);
        break;
    case HY_NUM_STOP_METRICS:
        break;
    }
    sums.x = sums.n;
    sums.xx = sums.n;
    sums.xy = sums.y;
    return sums;
}

void hy_stop_metric_add(hy_stop_metric_sums *sums, const hy_stop_metric_sums *others)
{
    sums->n += others->n;
    sums->x += others->x;
    sums->y += others->y;
    sums->xx += others->xx;
    sums->xy += others->xy;
    sums->yy += others->yy;
    sums->cut += others->cut;
}

bool hy_stop_metric_subtract(hy_stop_metric_sums *sums, const hy_stop_metric_sums *others)
{
    return !(__builtin_sub_overflow(sums->n, others->n, &sums->n) ||
             __builtin_sub_overflow(sums->x, others->x, &sums->x) ||
             __builtin_sub_overflow(sums->y, others->y, &sums->y) ||
             __builtin_sub_overflow(sums->xx, others->xx, &sums->xx) ||
             __builtin_sub_overflow(sums->xy, others->xy, &sums->xy) ||
             __builtin_sub_overflow(sums->yy, others->yy, &sums->yy) ||
             __builtin_sub_overflow(sums->cut, others->cut, &sums->cut));
}

bool hy_stop_metric_same(const hy_stop_metric_sums *a, const hy_stop_metric_sums *b)
{
    return a->n == b->n && a->x == b->x && a->y == b->y && a->xx == b->xx && a->xy == b->xy &&
           a->yy == b->yy && a->cut == b->cut;
}
