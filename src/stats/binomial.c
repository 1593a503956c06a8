#include <math.h>

#include "stats/beta.h"
#include "stats/quantile.h"

double hy_binomial_pmf(uint64_t k, uint64_t n, double p)
{
    double K = (double)k, N = (double)n, q = 1 - p;
    if (k > n || !(p >= 0 && p <= 1))
        return k > n ? 0 : NAN;
    if (p == 0 || p == 1)
        return k == (p == 0 ? 0 : n);
    if (k == 0)
        return exp(N * log1p(-p));
    if (k == n)
        return exp(N * log(p));
    double exponent = hy_stirling_error(N) - hy_stirling_error(K) - hy_stirling_error(N - K) -
                      hy_deviance(K, N * p) - hy_deviance(N - K, N * q);
    return exp(exponent + 0.5 * log(N / (2 * M_PI * K * (N - K))));
}

/* Sum of the probabilities of k, k − 1, … 0, which fall: k is at most the mode. */
static double sum_down(uint64_t k, uint64_t n, double p)
{
    double ratio = (1 - p) / p, term = 1, sum = 1;
    for (uint64_t i = k; i > 0 && term > 1e-18 * sum; i--) {
        term *= (double)i / (double)(n - i + 1) * ratio;
        sum += term;
    }
    return fmin(1, hy_binomial_pmf(k, n, p) * sum);
}

double hy_binomial_lower(uint64_t k, uint64_t n, double p)
{
    if (k >= n)
        return 1;
    if (!(p > 0 && p < 1))
        return p == 0 ? 1 : p == 1 ? 0 : NAN;
    if ((double)k <= ((double)n + 1) * p - 1)
        return sum_down(k, n, p);
    return 1 - sum_down(n - k - 1, n, 1 - p);
}

double hy_binomial_upper(uint64_t k, uint64_t n, double p)
{
    if (k == 0)
        return 1;
    return k > n ? 0 : hy_binomial_lower(n - k, n, 1 - p);
}
