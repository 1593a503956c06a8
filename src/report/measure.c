#include "report/measure.h"

#include <math.h>

#include "report/report.h"

const char *const hy_measure_methods[] = {
    [HY_MEASURE_MEAN] = "t",
    [HY_MEASURE_GAME_SHARE] = "wilson",
    [HY_MEASURE_RATIO] = "ratio, linearised, clustered by game",
    [HY_MEASURE_SHARE] = "ratio, linearised, clustered by game",
};

/* Where all things are of one kind the residuals are 0 and say nothing. The games that have things
 * are at most as many as the things. */
static hy_estimate share_of_things(const hy_ratio_sums *sums)
{
    hy_estimate share = hy_ratio(sums, HY_CONFIDENCE);
    if (!share.known)
        return share;
    if (sums->y > 0 && sums->y < sums->x) {
        share.high = fmin(1, share.high);
        return share;
    }
    uint64_t games = sums->x < (double)sums->n ? (uint64_t)sums->x : sums->n;
    double alike = hy_share(games, games, HY_CONFIDENCE).low;
    share.standard_error = NAN;
    share.low = share.value * alike;
    share.high = share.low + (1 - alike);
    return share;
}

hy_estimate hy_measure_estimate(hy_measure_kind kind, const hy_sums *sums)
{
    hy_ratio_sums ratio = {
        .n = sums->n, .x = sums->x, .y = sums->y, .xx = sums->xx, .yy = sums->yy, .xy = sums->xy};
    switch (kind) {
    case HY_MEASURE_MEAN:
        return hy_mean(sums->n, sums->y, sums->yy, HY_CONFIDENCE, NULL);
    case HY_MEASURE_GAME_SHARE:
        return hy_share((uint64_t)sums->y, sums->n, HY_CONFIDENCE);
    case HY_MEASURE_RATIO:
        return hy_ratio(&ratio, HY_CONFIDENCE);
    case HY_MEASURE_SHARE:
        return share_of_things(&ratio);
    }
    return hy_share(0, 0, HY_CONFIDENCE);
}

void hy_measure_fill(hy_measure *measure, hy_measure_kind kind, const hy_sums *sums)
{
    measure->estimate = hy_measure_estimate(kind, sums);
    measure->method = hy_measure_methods[kind];
    measure->of = sums->x;
    measure->games = sums->n;
    measure->reason = NULL;
    if (!measure->estimate.known)
        measure->reason = sums->x > 0 ? "fewer than two games" : "the denominator is 0";
}
