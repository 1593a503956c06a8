#include "stats/estimate.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

static double normal_quantile(double confidence)
{
    return gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
}

hy_estimate hy_wilson(double share, double n, double quantile)
{
    double zz = quantile * quantile, centre = (share + zz / (2 * n)) / (1 + zz / n);
    double half = quantile / (1 + zz / n) * sqrt(share * (1 - share) / n + zz / (4 * n * n));
    return (hy_estimate){
        .known = true,
        .value = share,
        .standard_error = sqrt(share * (1 - share) / n),
        .low = share <= 0 ? 0 : fmin(share, fmax(0, centre - half)),
        .high = share >= 1 ? 1 : fmax(share, fmin(1, centre + half)),
    };
}

hy_estimate hy_share(uint64_t successes, uint64_t n, double confidence)
{
    if (n == 0)
        return unknown;
    return hy_wilson((double)successes / (double)n, (double)n, normal_quantile(confidence));
}

hy_estimate hy_mean(uint64_t n, double sum, double sum_squares, double confidence,
                    double *standard_deviation)
{
    if (standard_deviation)
        *standard_deviation = NAN;
    if (n < 2)
        return unknown;
    double N = (double)n, mean = sum / N;
    double variance = fmax(0, (sum_squares - sum * mean) / (N - 1));
    double error = sqrt(variance / N);
    double t = gsl_cdf_tdist_Qinv((1 - confidence) / 2, N - 1);
    if (standard_deviation)
        *standard_deviation = sqrt(variance);
    return (hy_estimate){
        .known = true,
        .value = mean,
        .standard_error = error,
        .low = mean - t * error,
        .high = mean + t * error,
    };
}

hy_estimate hy_score(uint64_t wins, uint64_t draws, uint64_t losses, double confidence)
{
    uint64_t n = wins + draws + losses;
    if (n == 0)
        return unknown;
    double N = (double)n, score = ((double)wins + 0.5 * (double)draws) / N;
    double variance = ((double)wins + 0.25 * (double)draws) / N - score * score;
    if (wins == n || draws == n || losses == n) {
        double alike = hy_share(n, n, confidence).low;
        return (hy_estimate){
            .known = true,
            .value = score,
            .standard_error = NAN,
            .low = score * alike,
            .high = score * alike + (1 - alike),
        };
    }
    double error = sqrt(fmax(0, variance) / N);
    double as_many = variance > 0 ? score * (1 - score) / (error * error) : N;
    hy_estimate estimate = hy_wilson(score, as_many, normal_quantile(confidence));
    estimate.standard_error = error;
    return estimate;
}

/* 0 where all games have the same ratio: what rounding leaves of the residuals is nothing. */
static double ratio_error(const hy_ratio_sums *sums)
{
    double N = (double)sums->n, ratio = sums->y / sums->x;
    double residuals = sums->yy - 2 * ratio * sums->xy + ratio * ratio * sums->xx;
    if (residuals <= 16 * DBL_EPSILON * sums->yy)
        return 0;
    return sqrt(residuals * N / (N - 1)) / sums->x;
}

/* Games without events do not show how these would be clustered. */
static double assumed_design_effect(const hy_ratio_sums *sums)
{
    return fmax(1, fmin(2, sums->xx / sums->x));
}

static double t_quantile(const hy_ratio_sums *sums, double confidence)
{
    return gsl_cdf_tdist_Qinv((1 - confidence) / 2, (double)sums->n - 1);
}

hy_estimate hy_ratio(const hy_ratio_sums *sums, double confidence)
{
    if (sums->n < 2 || !(sums->x > 0))
        return unknown;
    double ratio = sums->y / sums->x, error = ratio_error(sums);
    double unit = ratio > 0 ? error * error / ratio : assumed_design_effect(sums) / sums->x;
    double t = t_quantile(sums, confidence), shift = t * t * unit / 2;
    double half = t * sqrt(ratio * unit + t * t * unit * unit / 4);
    return (hy_estimate){
        .known = true,
        .value = ratio,
        .standard_error = error,
        .low = ratio > 0 ? fmax(0, ratio + shift - half) : 0,
        .high = ratio + shift + half,
    };
}

hy_estimate hy_clustered_share(const hy_ratio_sums *sums, double confidence)
{
    if (sums->n < 2 || !(sums->x > 0))
        return unknown;
    double share = sums->y / sums->x, error = ratio_error(sums);
    bool alike = !(share > 0 && share < 1 && error > 0);
    double as_many =
        alike ? sums->x / assumed_design_effect(sums) : share * (1 - share) / (error * error);
    hy_estimate estimate = hy_wilson(share, as_many, t_quantile(sums, confidence));
    estimate.standard_error = alike ? NAN : error;
    return estimate;
}
