#include "stats/quantile.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_log.h>
#include <math.h>
#include <stdbool.h>

#include "stats/beta.h"

double hy_two_sided_z(double confidence)
{
    return confidence > 0 && confidence < 1 ? gsl_cdf_ugaussian_Qinv((1 - confidence) / 2) : NAN;
}

double hy_two_sided_t(double confidence, double df)
{
    if (!(confidence > 0 && confidence < 1 && df > 0))
        return NAN;
    double tail = (1 - confidence) / 2, t = gsl_cdf_tdist_Qinv(tail, df);
    for (int i = 0; i < 3; i++) {
        double step = (gsl_cdf_tdist_Q(t, df) - tail) / gsl_ran_tdist_pdf(t, df);
        if (!isfinite(step) || fabs(step) > 0.01 * t)
            break;
        t += step;
    }
    return t;
}

double hy_root(hy_function *function, const void *context, double low, double high)
{
    if (low > high)
        return hy_root(function, context, high, low);
    double at_low = function(low, context), at_high = function(high, context);
    if (at_low == 0)
        return low;
    if (at_high == 0)
        return high;
    if (isnan(at_low) || isnan(at_high) || signbit(at_low) == signbit(at_high))
        return NAN;
    for (int i = 0; i < 2000; i++) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high)
            break;
        double value = function(middle, context);
        if (value == 0)
            return middle;
        if (signbit(value) == signbit(at_low))
            low = middle;
        else
            high = middle;
    }
    return low + (high - low) / 2;
}

/* A tail that is to be met: by the lower or by the upper one. */
typedef struct tail {
    double p, a, b;
    bool upper;
} tail;

static double beta_miss(double x, const void *context)
{
    const tail *t = context;
    double lower = x > 0, upper;
    if (x > 0 && x < 1)
        hy_beta_tails(x, t->a, t->b, &lower, &upper);
    else
        upper = 1 - lower;
    return t->upper ? t->p - upper : lower - t->p;
}

/* Bisection on a scale on which also tiny quantiles have all their digits: first the power of two,
 * then within it. */
static double positive_root(hy_function *function, const tail *t, double high)
{
    double low = high;
    while (low > 1e-300 && function(low, t) >= 0) {
        high = low;
        low /= 2;
    }
    return low > 1e-300 ? hy_root(function, t, low, high) : 0;
}

static double beta_quantile(const tail *t)
{
    if (!(t->a > 0 && t->b > 0 && t->p >= 0 && t->p <= 1))
        return NAN;
    if (t->p == 0 || t->p == 1)
        return (t->p == 0) == t->upper;
    return positive_root(beta_miss, t, 1);
}

double hy_beta_quantile(double p, double a, double b)
{
    const tail t = {.p = p, .a = a, .b = b};
    return beta_quantile(&t);
}

double hy_beta_upper_quantile(double p, double a, double b)
{
    const tail t = {.p = p, .a = a, .b = b, .upper = true};
    return beta_quantile(&t);
}

/* The tails of a gamma variable of large shape a: erfc/2 and the first terms of the correction
 * e^(−aη²/2)/√(2πa) · Σ c_k(η)/a^k, with c_k as power series in η (Temme). */
static double gamma_tail_uniform(double x, double a, bool upper)
{
    static const double c0[] = {-1. / 3,   1. / 12,        -2. / 135,  1. / 864,
                                1. / 2835, -139. / 777600, 1. / 25515, -571. / 261273600};
    static const double c1[] = {-1. / 540, -1. / 288, 1. / 378, -77. / 77760};
    double mu = x / a - 1;
    double eta = copysign(sqrt(-2 * gsl_sf_log_1plusx_mx(mu)), mu);
    double sum0 = 0, sum1 = 0;
    for (int i = 7; i >= 0; i--)
        sum0 = sum0 * eta + c0[i];
    for (int i = 3; i >= 0; i--)
        sum1 = sum1 * eta + c1[i];
    double rest = exp(-a * eta * eta / 2) / sqrt(2 * M_PI * a) * (sum0 + sum1 / a);
    double side = eta * sqrt(a / 2);
    return upper ? erfc(side) / 2 + rest : erfc(-side) / 2 - rest;
}

#define UNIFORM_SHAPE 1e5

static double gamma_miss(double x, const void *context)
{
    const tail *t = context;
    bool uniform = t->a >= UNIFORM_SHAPE && fabs(x / t->a - 1) < 0.2;
    if (t->upper)
        return t->p - (uniform ? gamma_tail_uniform(x, t->a, true) : gsl_cdf_gamma_Q(x, t->a, 1));
    return (uniform ? gamma_tail_uniform(x, t->a, false) : gsl_cdf_gamma_P(x, t->a, 1)) - t->p;
}

static double gamma_quantile_of(const tail *t)
{
    if (!(t->a > 0 && t->p >= 0 && t->p <= 1))
        return NAN;
    if (t->p == 0 || t->p == 1)
        return (t->p == 0) == t->upper ? INFINITY : 0;
    double high = t->a + 10;
    while (gamma_miss(high, t) < 0)
        high += high - t->a;
    return positive_root(gamma_miss, t, high);
}

static double gamma_quantile(const tail *t)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    double quantile = gamma_quantile_of(t);
    gsl_set_error_handler(handler);
    return quantile;
}

double hy_gamma_quantile(double p, double shape)
{
    const tail t = {.p = p, .a = shape};
    return gamma_quantile(&t);
}

double hy_gamma_upper_quantile(double p, double shape)
{
    const tail t = {.p = p, .a = shape, .upper = true};
    return gamma_quantile(&t);
}
