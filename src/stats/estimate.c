#include "stats/estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

static double normal_quantile(double confidence)
{
    return gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
}

hy_estimate hy_share(uint64_t successes, uint64_t n, double confidence)
{
    if (n == 0)
        return unknown;
    double z = normal_quantile(confidence), N = (double)n, p = (double)successes / N;
    double centre = (p + z * z / (2 * N)) / (1 + z * z / N);
    double half = z / (1 + z * z / N) * sqrt(p * (1 - p) / N + z * z / (4 * N * N));
    return (hy_estimate){
        .known = true,
        .value = p,
        .standard_error = sqrt(p * (1 - p) / N),
        .low = successes == 0 ? 0 : fmax(0, centre - half),
        .high = successes == n ? 1 : fmin(1, centre + half),
    };
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
    double error = sqrt(fmax(0, variance) / N), half = normal_quantile(confidence) * error;
    return (hy_estimate){
        .known = true,
        .value = score,
        .standard_error = error,
        .low = fmax(0, score - half),
        .high = fmin(1, score + half),
    };
}

hy_estimate hy_ratio(const hy_ratio_sums *sums, double confidence)
{
    if (sums->n < 2 || !(sums->x > 0))
        return unknown;
    double N = (double)sums->n, ratio = sums->y / sums->x;
    double residuals = sums->yy - 2 * ratio * sums->xy + ratio * ratio * sums->xx;
    double error = sqrt(fmax(0, residuals) * N / (N - 1)) / sums->x;
    double half = normal_quantile(confidence) * error;
    return (hy_estimate){
        .known = true,
        .value = ratio,
        .standard_error = error,
        .low = fmax(0, ratio - half),
        .high = ratio + half,
    };
}
