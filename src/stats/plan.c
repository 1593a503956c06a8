#include "stats/plan.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

#include "stats/quantile.h"

static double square(double x)
{
    return x * x;
}

static bool is_share(double p)
{
    return p > 0 && p < 1;
}

double hy_plan_mean_width(double deviation, double half, double confidence)
{
    return deviation >= 0 && half > 0 ? square(hy_two_sided_z(confidence) * deviation / half) : NAN;
}

double hy_plan_share_width(double share, double half, double confidence)
{
    return share >= 0 && share <= 1
               ? hy_plan_mean_width(sqrt(share * (1 - share)), half, confidence)
               : NAN;
}

double hy_plan_rate_events(double relative, double confidence)
{
    return relative > 0 ? square(hy_two_sided_z(confidence) / relative) : NAN;
}

/* The z that a statistic has to reach at a two-sided level, and that it does with the power. */
static double z_of_level(double alpha)
{
    return hy_two_sided_z(1 - alpha);
}

static double z_of_power(double power)
{
    return is_share(power) ? gsl_cdf_ugaussian_Pinv(power) : NAN;
}

double hy_plan_two_shares(double p1, double p2, double alpha, double power)
{
    if (!(p1 >= 0 && p1 <= 1 && p2 >= 0 && p2 <= 1) || p1 == p2)
        return NAN;
    double pooled = sqrt((p1 + p2) * (1 - (p1 + p2) / 2));
    double apart = sqrt(p1 * (1 - p1) + p2 * (1 - p2));
    return square((z_of_level(alpha) * pooled + z_of_power(power) * apart) / (p1 - p2));
}

typedef struct h_plan {
    double h, z, power;
} h_plan;

static double power_miss(double n, const void *context)
{
    const h_plan *plan = context;
    double away = plan->h * sqrt(n / 2);
    return gsl_cdf_ugaussian_Q(plan->z - away) + gsl_cdf_ugaussian_Q(plan->z + away) - plan->power;
}

double hy_plan_effect_h(double h, double alpha, double power)
{
    h_plan plan = {fabs(h), z_of_level(alpha), power};
    double most = 2 * square((plan.z + fabs(z_of_power(power)) + 1) / plan.h);
    if (!(plan.h > 0) || !is_share(alpha) || !(power > alpha && power < 1))
        return NAN;
    return hy_root(power_miss, &plan, 0, most);
}

double hy_plan_two_means(double difference, double sd1, double sd2, double alpha, double power)
{
    if (difference == 0 || !(sd1 >= 0) || !(sd2 >= 0))
        return NAN;
    double z = z_of_level(alpha) + z_of_power(power);
    return (sd1 * sd1 + sd2 * sd2) * square(z / difference);
}

double hy_plan_logrank_events(double hazard_ratio, double allocation, double alpha, double power)
{
    if (!(hazard_ratio > 0) || hazard_ratio == 1 || !is_share(allocation))
        return NAN;
    double z = (z_of_level(alpha) + z_of_power(power)) / log(hazard_ratio);
    return z * z / (allocation * (1 - allocation));
}

double hy_plan_never_seen(uint64_t n, double confidence)
{
    return n > 0 && is_share(confidence) ? -expm1(log1p(-confidence) / (double)n) : NAN;
}
