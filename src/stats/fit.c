#include "stats/fit.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

hy_chi_square hy_chi_square_test(double value, unsigned degrees)
{
    if (degrees == 0 || !isfinite(value))
        return (hy_chi_square){.known = false, .value = NAN, .degrees = 0, .p = NAN};
    value = fmax(0, value);
    return (hy_chi_square){
        .known = true,
        .value = value,
        .degrees = degrees,
        .p = gsl_cdf_chisq_Q(value, degrees),
    };
}
