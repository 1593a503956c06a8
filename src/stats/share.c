#include "stats/share.h"

#include <math.h>

#include "stats/quantile.h"

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

static hy_estimate estimate_of(uint64_t successes, uint64_t n, double low, double high)
{
    double N = (double)n, p = (double)successes / N;
    return (hy_estimate){
        .known = true,
        .value = p,
        .standard_error = sqrt(p * (1 - p) / N),
        .low = low,
        .high = high,
    };
}

/* Wilson's end for p moved away from 1/2 by the correction. */
static double corrected_end(double p, double n, double z, double side)
{
    double root = sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    return (p + z * z / (2 * n) + side * z * root) / (1 + z * z / n);
}

hy_estimate hy_share_corrected(uint64_t successes, uint64_t n, double confidence)
{
    if (n == 0 || successes > n)
        return unknown;
    double z = hy_two_sided_z(confidence), N = (double)n, x = (double)successes;
    double correction = fmin(0.5, fabs(x - N / 2)) / N, p = x / N;
    double low = successes == 0 ? 0 : fmax(0, corrected_end(p - correction, N, z, -1));
    double high = successes == n ? 1 : fmin(1, corrected_end(p + correction, N, z, 1));
    return estimate_of(successes, n, low, high);
}

hy_estimate hy_share_exact(uint64_t successes, uint64_t n, double confidence)
{
    if (n == 0 || successes > n)
        return unknown;
    double tail = (1 - confidence) / 2, x = (double)successes, rest = (double)(n - successes);
    double low = successes == 0 ? 0 : hy_beta_quantile(tail, x, rest + 1);
    double high = successes == n ? 1 : hy_beta_upper_quantile(tail, x + 1, rest);
    return estimate_of(successes, n, low, high);
}

hy_estimate hy_share_jeffreys(uint64_t successes, uint64_t n, double confidence)
{
    if (n == 0 || successes > n)
        return unknown;
    double tail = (1 - confidence) / 2;
    double a = (double)successes + 0.5, b = (double)(n - successes) + 0.5;
    return estimate_of(successes, n, hy_beta_quantile(tail, a, b),
                       hy_beta_upper_quantile(tail, a, b));
}

/* The first k >= from, or n + 1, whose probability is at most `limit`, where they fall from `from`.
 */
static uint64_t first_unlikely(uint64_t from, uint64_t n, double share, double limit)
{
    uint64_t low = from, high = n + 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (hy_binomial_pmf(middle, n, share) <= limit)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double hy_binomial_test(uint64_t successes, uint64_t n, double share)
{
    if (n == 0 || successes > n || !(share >= 0 && share <= 1))
        return NAN;
    double mean = (double)n * share, x = (double)successes;
    if (x == mean)
        return 1;
    if (share == 0 || share == 1)
        return 0;
    if (x > mean)
        return hy_binomial_test(n - successes, n, 1 - share);
    double limit = hy_binomial_pmf(successes, n, share) * (1 + 1e-7);
    uint64_t other = first_unlikely((uint64_t)ceil(mean), n, share, limit);
    double p = hy_binomial_lower(successes, n, share);
    if (other <= n)
        p += hy_binomial_upper(other, n, share);
    return fmin(1, p);
}
