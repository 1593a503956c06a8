#include "stats/survival.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/lifetime_order.h"
#include "stats/quantile.h"

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

/* The ends at a point whose survival and errors are set. */
static void set_band(hy_survival_point *point, hy_band band, double z)
{
    double s = point->survival, half = z * point->log_error;
    point->low = NAN;
    point->high = NAN;
    if (!(s > 0))
        return;
    switch (band) {
    case HY_BAND_LOG_LOG:
        if (s < 1) {
            double centre = log(-log(s)), width = half / -log(s);
            point->low = exp(-exp(centre + width));
            point->high = exp(-exp(centre - width));
        }
        return;
    case HY_BAND_LOG:
        point->low = s * exp(-half);
        point->high = fmin(1, s * exp(half));
        return;
    case HY_BAND_PLAIN:
        point->low = fmax(0, s - half * s);
        point->high = fmin(1, s + half * s);
        return;
    }
}

/* One point for each distinct time of the rows. */
static void fill(const hy_lifetime *rows, size_t num, double z, hy_survival *survival)
{
    uint64_t risk = survival->num_games;
    double s = 1, greenwood = 0, hazard = 0;
    for (size_t first = 0, end; first < num; first = end) {
        hy_survival_point *point = &survival->points[survival->num_points++];
        end = hy_time_end(rows, num, first);
        point->time = rows[first].time;
        point->num_risk = risk;
        for (size_t i = first; i < end; i++)
            *(rows[i].event ? &point->num_event : &point->num_censor) += rows[i].weight;
        double n = (double)risk, d = (double)point->num_event;
        s *= (n - d) / n;
        hazard += d / n;
        greenwood += point->num_event > 0 ? d / (n * (n - d)) : 0;
        point->survival = s;
        point->hazard = hazard;
        point->log_error = sqrt(greenwood);
        point->standard_error = s > 0 ? s * point->log_error : NAN;
        set_band(point, survival->band, z);
        survival->num_events += point->num_event;
        risk -= point->num_event + point->num_censor;
    }
}

hy_status hy_survival_fit(const hy_lifetime *lifetimes, size_t num, hy_band band, double confidence,
                          hy_survival *survival, hy_error *error)
{
    hy_lifetime *rows = NULL;
    size_t num_rows = 0, times = 0;
    *survival = (hy_survival){.band = band, .confidence = confidence};
    hy_status status = hy_confidence_check(confidence, error);
    if (status == HY_OK)
        status = hy_lifetimes_order(lifetimes, num, false, &rows, &num_rows, &survival->num_games,
                                    error);
    if (status != HY_OK)
        return status;
    for (size_t i = 0; i < num_rows; i = hy_time_end(rows, num_rows, i))
        times++;
    survival->points = hy_new_array(times, sizeof survival->points[0]);
    if (survival->points)
        fill(rows, num_rows, hy_two_sided_z(confidence), survival);
    else
        status = hy_fail_memory(error);
    free(rows);
    return status;
}

void hy_survival_clean_up(hy_survival *survival)
{
    free(survival->points);
    *survival = (hy_survival){0};
}

hy_estimate hy_survival_at(const hy_survival *survival, double time)
{
    size_t low = 0, high = survival->num_points; /* points up to `time` */
    if (high == 0 || !(time >= 0))
        return unknown;
    const hy_survival_point *last = &survival->points[high - 1];
    if (time > last->time && last->survival > 0)
        return unknown;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (survival->points[middle].time <= time)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return (hy_estimate){.known = true, .value = 1, .low = NAN, .high = NAN};
    const hy_survival_point *point = &survival->points[low - 1];
    return (hy_estimate){
        .known = true,
        .value = point->survival,
        .standard_error = point->standard_error,
        .low = point->low,
        .high = point->high,
    };
}
