#include "stats/negative_binomial.h"

#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

#include "stats/quantile.h"

#define MAX_THETA 1e7 /* above it the score is lost in rounding; no more than Poisson by then */

/* ψ(y + theta) − ψ(theta). */
static double psi_rise(double y, double theta)
{
    double sum = 0;
    if (y > 64)
        return gsl_sf_psi(y + theta) - gsl_sf_psi(theta);
    for (int j = 0; j < (int)y; j++)
        sum += 1 / (theta + j);
    return sum;
}

/* The derivative of the log-likelihood by theta, the mean being that of the sample. */
static double score(double log_theta, const void *context)
{
    const hy_sample *counts = context;
    double theta = exp(log_theta), sum = 0;
    for (size_t k = 0; k < counts->num; k++)
        sum += (double)counts->counts[k] * psi_rise(counts->values[k], theta);
    return sum - (double)counts->n * log1p(hy_sample_mean(counts) / theta);
}

static double log_likelihood(const hy_sample *counts, double mean, double theta)
{
    double sum = 0;
    for (size_t k = 0; k < counts->num; k++) {
        double y = counts->values[k], term = y * log(mean) - mean;
        if (isfinite(theta))
            term = gsl_sf_lngamma(y + theta) - gsl_sf_lngamma(theta) - theta * log1p(mean / theta) +
                   (y > 0 ? y * log(mean / (theta + mean)) : 0);
        sum += (double)counts->counts[k] * (term - gsl_sf_lngamma(y + 1));
    }
    return sum;
}

static double likeliest_theta(const hy_sample *counts)
{
    double mean = hy_sample_mean(counts), n = (double)counts->n;
    if (hy_sample_variance(counts) * (n - 1) <= n * mean)
        return INFINITY;
    double low = log(1e-8), high = low;
    while (high < log(MAX_THETA) && score(high, counts) > 0) {
        low = high;
        high += 1;
    }
    return high < log(MAX_THETA) ? exp(hy_root(score, counts, low, high)) : INFINITY;
}

hy_status hy_negative_binomial_fit(const hy_sample *counts, hy_negative_binomial *fit,
                                   hy_error *error)
{
    for (size_t k = 0; k < counts->num; k++) {
        double y = counts->values[k];
        if (!(y >= 0 && y == floor(y) && y < 0x1p53))
            return hy_fail(error, HY_INVALID, "%g among the counts is no integer from 0 up", y);
    }
    double mean = hy_sample_mean(counts), n = (double)counts->n;
    if (counts->n < 2 || !(mean > 0)) {
        *fit = (hy_negative_binomial){NAN, NAN, NAN, NAN, NAN, NAN, NAN};
        return HY_OK;
    }
    double theta = likeliest_theta(counts);
    *fit = (hy_negative_binomial){
        .mean = mean,
        .theta = theta,
        .log_likelihood = log_likelihood(counts, mean, theta),
        .log_likelihood_poisson = log_likelihood(counts, mean, INFINITY),
        .error_poisson = sqrt(mean / n),
        .error_sample = sqrt(hy_sample_variance(counts) / n),
        .error = sqrt((mean + mean * mean / theta) / n),
    };
    return HY_OK;
}
