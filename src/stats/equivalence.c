#include "stats/equivalence.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stats/quantile.h"

static const hy_equivalence unknown = {
    .known = false, .p_lower = NAN, .p_upper = NAN, .p = NAN, .equivalent = false};

static hy_equivalence decide(double p_lower, double p_upper, double alpha)
{
    double p = fmax(p_lower, p_upper);
    return (hy_equivalence){true, p_lower, p_upper, p, p < alpha};
}

static double upper_tail(double t, double df)
{
    return isinf(df) ? gsl_cdf_ugaussian_Q(t) : gsl_cdf_tdist_Q(t, df);
}

hy_equivalence hy_equivalence_test(const hy_estimate *value, double df, double low, double high,
                                   double alpha)
{
    double error = value->standard_error;
    if (!value->known || !(error > 0) || !(df > 0) || !(low < high))
        return unknown;
    return decide(upper_tail((value->value - low) / error, df),
                  upper_tail((high - value->value) / error, df), alpha);
}

hy_equivalence hy_share_equivalence(uint64_t successes, uint64_t n, double low, double high,
                                    double alpha)
{
    if (n == 0 || successes > n || !(low < high))
        return unknown;
    double p_lower = low < 0 ? 0 : hy_binomial_upper(successes, n, fmin(low, 1));
    double p_upper = high > 1 ? 0 : hy_binomial_lower(successes, n, fmax(high, 0));
    return decide(p_lower, p_upper, alpha);
}
