#include "report/numbers.h"

#include <math.h>
#include <stdio.h>

const char *hy_interval_text(const hy_estimate *value, char buffer[HY_NUMBER_SIZE])
{
    char low[24] = "not reached", high[24] = "not reached";
    if (!value->known)
        return "not known";
    if (isfinite(value->low))
        snprintf(low, sizeof low, "%.5g", value->low);
    if (isfinite(value->high))
        snprintf(high, sizeof high, "%.5g", value->high);
    snprintf(buffer, HY_NUMBER_SIZE, "%.5g [%s, %s]", value->value, low, high);
    return buffer;
}

const char *hy_p_text(double p, char buffer[HY_NUMBER_SIZE])
{
    if (!isfinite(p))
        return "p not known";
    if (p < 1e-300)
        return "p < 1e-300";
    snprintf(buffer, HY_NUMBER_SIZE, p < 1e-4 ? "p = %.1e" : "p = %.4f", p);
    return buffer;
}
