#include "stats/rate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stats/quantile.h"
#include "stats/share.h"

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

hy_estimate hy_rate(uint64_t events, double exposure, double confidence)
{
    if (!(exposure > 0))
        return unknown;
    double tail = (1 - confidence) / 2, x = (double)events;
    return (hy_estimate){
        .known = true,
        .value = x / exposure,
        .standard_error = sqrt(x) / exposure,
        .low = events == 0 ? 0 : hy_gamma_quantile(tail, x) / exposure,
        .high = hy_gamma_upper_quantile(tail, x + 1) / exposure,
    };
}

hy_rate_comparison hy_rate_ratio(uint64_t x1, double t1, uint64_t x2, double t2, double confidence)
{
    uint64_t events = x1 + x2;
    if (events == 0 || !(t1 > 0) || !(t2 > 0))
        return (hy_rate_comparison){unknown, NAN};
    hy_estimate share = hy_share_exact(x1, events, confidence);
    double odds = t2 / t1;
    return (hy_rate_comparison){
        .ratio =
            {
                .known = true,
                .value = (double)x1 / (double)x2 * odds,
                .standard_error = NAN,
                .low = share.low / (1 - share.low) * odds,
                .high = share.high / (1 - share.high) * odds,
            },
        .p = hy_binomial_test(x1, events, t1 / (t1 + t2)),
    };
}

hy_ratio_errors hy_ratio_errors_of(const hy_ratio_sums *sums)
{
    hy_estimate ratio = hy_ratio(sums, 0.95);
    double n = (double)sums->n, r = ratio.value, x = sums->x, y = sums->y;
    double less = sqrt((n - 1) / n) * ratio.standard_error;
    if (!ratio.known)
        return (hy_ratio_errors){NAN, NAN, NAN, NAN, NAN, NAN};
    return (hy_ratio_errors){
        .binomial = r <= 1 ? sqrt(r * (1 - r) / x) : NAN,
        .poisson = sqrt(y) / x,
        .clustered_0 = less,
        .clustered = ratio.standard_error,
        .log_poisson = 1 / sqrt(y),
        .log_robust = less / r,
    };
}

hy_dispersion hy_dispersion_of(uint64_t n, double sum, double sum_squares)
{
    if (n < 2 || !(sum > 0))
        return (hy_dispersion){NAN, NAN, NAN, NAN};
    double mean = sum / (double)n, df = (double)(n - 1);
    double chi_square = fmax(0, sum_squares - sum * mean) / mean;
    return (hy_dispersion){
        .index = chi_square / df,
        .chi_square = chi_square,
        .p_upper = gsl_cdf_chisq_Q(chi_square, df),
        .p_lower = gsl_cdf_chisq_P(chi_square, df),
    };
}
