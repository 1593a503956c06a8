#include "stats/difference.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stats/quantile.h"

static const hy_estimate unknown = {false, NAN, NAN, NAN, NAN};

double hy_two_sided_p(double statistic, double degrees)
{
    double distance = fabs(statistic);
    return 2 *
           (isinf(degrees) ? gsl_cdf_ugaussian_Q(distance) : gsl_cdf_tdist_Q(distance, degrees));
}

hy_measured hy_measured_ratio(const hy_ratio_sums *sums)
{
    double n = (double)sums->n, value = sums->y / sums->x, mean = sums->x / n;
    if (sums->n < 2 || !(sums->x > 0))
        return (hy_measured){.n = sums->n, .value = NAN, .variance = NAN};
    double rest = sums->yy - 2 * value * sums->xy + value * value * sums->xx;
    double variance = (rest > 0 ? rest : 0) / (mean * mean * n * (n - 1));
    /* what is left of sums that cancel is no variance */
    if (rest < 1e-12 * sums->yy)
        variance = 0;
    return (hy_measured){.n = sums->n, .value = value, .variance = variance};
}

static double satterthwaite(double va, double na, double vb, double nb)
{
    return (va + vb) * (va + vb) / (va * va / (na - 1) + vb * vb / (nb - 1));
}

/* The comparison of an effect with variances va and vb of its two parts. */
static hy_comparison compare(double effect, const hy_measured *a, double va, const hy_measured *b,
                             double vb, bool paired, double covariance, double confidence)
{
    double variance = va + vb - 2 * covariance;
    double smaller = (double)(a->n < b->n ? a->n : b->n);
    double degrees = !paired ? satterthwaite(va, (double)a->n, vb, (double)b->n) : smaller - 1;
    if (!(variance > 1e-12 * (va + vb)) || !(degrees > 0) || !isfinite(effect))
        return (hy_comparison){unknown, NAN, NAN, NAN};
    double error = sqrt(variance), t = hy_two_sided_t(confidence, degrees);
    return (hy_comparison){
        .estimate = {true, effect, error, effect - t * error, effect + t * error},
        .statistic = effect / error,
        .degrees = degrees,
        .p = hy_two_sided_p(effect / error, degrees),
    };
}

hy_comparison hy_difference(const hy_measured *a, const hy_measured *b, bool paired,
                            double covariance, double confidence)
{
    return compare(a->value - b->value, a, a->variance, b, b->variance, paired, covariance,
                   confidence);
}

hy_comparison hy_quotient(const hy_measured *a, const hy_measured *b, bool paired,
                          double covariance, double confidence)
{
    if (!(a->value > 0) || !(b->value > 0))
        return (hy_comparison){unknown, NAN, NAN, NAN};
    hy_comparison result = compare(log(a->value / b->value), a, a->variance / (a->value * a->value),
                                   b, b->variance / (b->value * b->value), paired,
                                   covariance / (a->value * b->value), confidence);
    if (result.estimate.known) {
        result.estimate.value = a->value / b->value;
        result.estimate.low = exp(result.estimate.low);
        result.estimate.high = exp(result.estimate.high);
    }
    return result;
}

hy_estimate hy_mover_difference(const hy_estimate *a, const hy_estimate *b)
{
    hy_estimate result = {
        .known = a->known && b->known,
        .value = a->value - b->value,
        .standard_error = NAN,
        .low = a->value - b->value - hypot(a->value - a->low, b->high - b->value),
        .high = a->value - b->value + hypot(a->high - a->value, b->value - b->low),
    };
    return result.known && isfinite(result.low) && isfinite(result.high) ? result : unknown;
}

static hy_estimate logarithm(const hy_estimate *x)
{
    return (hy_estimate){x->known && x->low > 0, log(x->value), NAN, log(x->low), log(x->high)};
}

hy_estimate hy_mover_quotient(const hy_estimate *a, const hy_estimate *b)
{
    hy_estimate first = logarithm(a), second = logarithm(b);
    hy_estimate result = hy_mover_difference(&first, &second);
    if (!result.known)
        return unknown;
    return (hy_estimate){true, exp(result.value), NAN, exp(result.low), exp(result.high)};
}
