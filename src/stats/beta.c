#include "stats/beta.h"

#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_log.h>
#include <math.h>
#include <stdbool.h>

double hy_stirling_error(double n)
{
    if (n == 0)
        return 0;
    if (n < 16)
        return gsl_sf_lngamma(n + 1) - (0.5 * log(2 * M_PI * n) + n * log(n) - n);
    double nn = n * n;
    return (1. / 12 - (1. / 360 - (1. / 1260 - (1. / 1680 - 1. / 1188 / nn) / nn) / nn) / nn) / n;
}

double hy_deviance(double x, double mean)
{
    if (x == 0)
        return mean;
    double u = (mean - x) / x;
    return u > -0.9 && u < 10 ? -x * gsl_sf_log_1plusx_mx(u) : x * log(x / mean) + mean - x;
}

/* x^a·y^b/B(a, b), y = 1 − x. */
static double power_terms(double x, double y, double a, double b)
{
    double n = a + b;
    double exponent = hy_stirling_error(n) - hy_stirling_error(a) - hy_stirling_error(b) -
                      hy_deviance(a, n * x) - hy_deviance(b, n * y);
    return sqrt(a * b / (2 * M_PI * n)) * exp(exponent);
}

/* The fraction below which power_terms stand, for x <= a/(a + b), by Lentz's method. */
static double fraction(double x, double y, double a, double b)
{
    const double tiny = 1e-300;
    double c = 0, d = 0, value = 0;
    for (double m = 0; m < 1e9; m++) {
        double step = a + 2 * m - 1;
        double top = (a + m - 1) * (a + b + m - 1) * m * (b - m) * x * x / (step * step);
        double bottom = m + (a + m) * (a * y - b * x + 1 + m * (2 - x)) / (step + 2);
        if (m == 0) {
            value = c = bottom != 0 ? bottom : tiny;
            continue;
        }
        bottom += m * (b - m) * x / step;
        d = bottom + top * d;
        c = bottom + top / c;
        d = 1 / (d != 0 ? d : tiny);
        c = c != 0 ? c : tiny;
        value *= c * d;
        if (fabs(c * d - 1) < 1e-16)
            break;
    }
    return value;
}

void hy_beta_tails(double x, double a, double b, double *lower, double *upper)
{
    double y = 1 - x;
    bool below = x <= a / (a + b);
    double tail = below ? power_terms(x, y, a, b) / fraction(x, y, a, b)
                        : power_terms(x, y, a, b) / fraction(y, x, b, a);
    *lower = below ? tail : 1 - tail;
    *upper = below ? 1 - tail : tail;
}
