/* What is read off a curve of survival: quantiles and restricted means. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stats/quantile.h"
#include "stats/survival.h"

#define SAME 1e-9 /* a share of survival is reached exactly: rounding of a long product */

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

/* --- quantiles --- */

typedef enum curve { CURVE_LOW, CURVE_SURVIVAL, CURVE_HIGH } curve;

static double height(const hy_survival_point *point, curve which)
{
    switch (which) {
    case CURVE_LOW:
        return point->low;
    case CURVE_SURVIVAL:
        return point->survival;
    case CURVE_HIGH:
        return point->high;
    }
    return NAN;
}

/* Where a falling step function gets to `share`: the middle of its step at just that height. NaN:
 * nowhere. A step without an end lasts to the last time. */
static double reach(const hy_survival *survival, curve which, double share)
{
    double begin = NAN;
    for (size_t i = 0; i < survival->num_points; i++) {
        const hy_survival_point *point = &survival->points[i];
        double level = height(point, which);
        if (isnan(level))
            continue;
        if (level <= share + SAME && isnan(begin))
            begin = point->time;
        if (level < share - SAME)
            return (begin + point->time) / 2;
    }
    const hy_survival_point *last = &survival->points[survival->num_points - 1];
    return isnan(height(last, which)) ? NAN : (begin + last->time) / 2;
}

hy_estimate hy_survival_quantile(const hy_survival *survival, double p)
{
    if (survival->num_points == 0 || !(p > 0 && p < 1))
        return unknown;
    hy_estimate quantile = {
        .value = reach(survival, CURVE_SURVIVAL, 1 - p),
        .standard_error = NAN,
        .low = reach(survival, CURVE_LOW, 1 - p),
        .high = reach(survival, CURVE_HIGH, 1 - p),
    };
    quantile.known = !isnan(quantile.value);
    return quantile;
}

/* --- restricted means --- */

hy_estimate hy_restricted_mean(const hy_survival *survival, double tau)
{
    size_t num = survival->num_points;
    if (num == 0 || !(tau > 0) || !isfinite(tau))
        return unknown;
    if (tau > survival->points[num - 1].time && survival->points[num - 1].survival > 0)
        return unknown;
    double area = 0, variance = 0, right = tau; /* area: from the point to tau */
    for (size_t i = num; i-- > 0;) {
        const hy_survival_point *point = &survival->points[i];
        if (point->time >= tau)
            continue;
        area += point->survival * (right - point->time);
        right = point->time;
        double n = (double)point->num_risk, d = (double)point->num_event;
        variance += d < n ? area * area * d / (n * (n - d)) : 0;
    }
    area += right;
    double error = sqrt(variance);
    double z = hy_two_sided_z(survival->confidence);
    return (hy_estimate){
        .known = true,
        .value = area,
        .standard_error = error,
        .low = fmax(0, area - z * error),
        .high = fmin(tau, area + z * error),
    };
}

static hy_contrast contrast(double value, double error, double confidence)
{
    bool spread = error > 0;
    double half = hy_two_sided_z(confidence) * error;
    return (hy_contrast){
        .estimate = {.known = true,
                     .value = value,
                     .standard_error = error,
                     .low = value - half,
                     .high = value + half},
        .z = spread ? value / error : NAN,
        .p = spread ? 2 * gsl_cdf_ugaussian_Q(fabs(value) / error) : NAN,
    };
}

static const hy_contrast no_contrast = {
    .estimate = {.known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN},
    .z = NAN,
    .p = NAN,
};

hy_contrast hy_restricted_mean_difference(const hy_survival *first, const hy_survival *second,
                                          double tau, double confidence)
{
    hy_estimate a = hy_restricted_mean(first, tau), b = hy_restricted_mean(second, tau);
    if (!a.known || !b.known || !(confidence > 0 && confidence < 1))
        return no_contrast;
    return contrast(a.value - b.value, hypot(a.standard_error, b.standard_error), confidence);
}

hy_contrast hy_restricted_mean_ratio(const hy_survival *first, const hy_survival *second,
                                     double tau, double confidence)
{
    hy_estimate a = hy_restricted_mean(first, tau), b = hy_restricted_mean(second, tau);
    if (!a.known || !b.known || !(a.value > 0 && b.value > 0) ||
        !(confidence > 0 && confidence < 1))
        return no_contrast;
    double error = hypot(a.standard_error / a.value, b.standard_error / b.value);
    hy_contrast ratio = contrast(log(a.value / b.value), error, confidence);
    ratio.estimate.value = a.value / b.value;
    ratio.estimate.low = exp(ratio.estimate.low);
    ratio.estimate.high = exp(ratio.estimate.high);
    return ratio;
}
