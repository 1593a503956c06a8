#include "report/measure.h"

#include <math.h>

#include "report/json_values.h"
#include "report/report.h"

const char *const hy_measure_methods[] = {
    [HY_MEASURE_MEAN] = "t",
    [HY_MEASURE_GAME_SHARE] = "wilson",
    [HY_MEASURE_RATIO] = HY_RATIO_METHOD,
    [HY_MEASURE_SHARE] = HY_SHARE_METHOD,
};

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
        return hy_clustered_share(&ratio, HY_CONFIDENCE);
    }
    return hy_share(0, 0, HY_CONFIDENCE);
}

void hy_measure_limit(hy_measure *measure)
{
    hy_estimate *estimate = &measure->estimate;
    if (!estimate->known)
        return;
    estimate->low = fmin(estimate->value, fmax(measure->least, estimate->low));
    if (measure->most > 0)
        estimate->high = fmax(estimate->value, fmin(measure->most, estimate->high));
}

void hy_measure_fill(hy_measure *measure, hy_measure_kind kind, const hy_sums *sums)
{
    double scale = kind == HY_MEASURE_SHARE && measure->most > 0 ? measure->most : 1;
    hy_sums scaled = *sums;
    scaled.y /= scale;
    scaled.xy /= scale;
    scaled.yy /= scale * scale;
    measure->estimate = hy_measure_estimate(kind, &scaled);
    measure->estimate.value *= scale;
    measure->estimate.standard_error *= scale;
    measure->estimate.low *= scale;
    measure->estimate.high *= scale;
    hy_measure_limit(measure);
    measure->method = hy_measure_methods[kind];
    measure->of = sums->x;
    measure->games = sums->n;
    measure->reason = NULL;
    measure->error_reason = HY_ERROR_OF_SHARE;
    if (!measure->estimate.known)
        measure->reason = sums->x > 0 ? "fewer than two games" : "the denominator is 0";
}
