#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/location.h"
#include "stats/ranks.h"

#define MAX_PATHS 4e6 /* steps of the lattice */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* The probability that a path from (0, 0) to (m, n), all orders being equally likely, has a point
 * with |i/m − j/n| >= reach / (m·n/divisor). Sums what leaves, so that small p keep their digits.
 */
static hy_status paths_outside(uint64_t m, uint64_t n, double reach, double *p, hy_error *error)
{
    double divisor = (double)common_divisor(m, n), left = 0;
    double *row = hy_new_array(n + 2, sizeof *row); /* what arrives at (i, j) */
    if (!row)
        return hy_fail_memory(error);
    row[0] = 1;
    for (uint64_t i = 0; i <= m; i++) {
        double from_below = 0;
        for (uint64_t j = 0; j <= n; j++) {
            double here = row[j] + from_below, more_x = (double)(m - i), more_y = (double)(n - j);
            double away = fabs((double)i * (double)n - (double)j * (double)m) / divisor;
            if (away >= reach) {
                left += here;
                here = 0;
            }
            double all = fmax(1, more_x + more_y);
            row[j] = here * more_x / all;
            from_below = here * more_y / all;
        }
    }
    free(row);
    *p = fmin(1, left);
    return HY_OK;
}

/* P(K > t) of Kolmogorov's limit distribution. */
static double limit_tail(double t)
{
    double sum = 0;
    if (t < 0.2)
        return 1;
    for (int k = 1; k <= 40; k++)
        sum += (k % 2 ? 2 : -2) * exp(-2 * k * k * t * t);
    return fmin(1, fmax(0, sum));
}

bool hy_smirnov_is_exact(const hy_sample *x, const hy_sample *y)
{
    return (double)x->n * (double)y->n <= MAX_PATHS;
}

hy_status hy_smirnov_test(const hy_sample *x, const hy_sample *y, hy_test *result, hy_error *error)
{
    hy_ranks at = {0};
    double m = (double)x->n, n = (double)y->n, away = 0, steps = 0;
    *result = (hy_test){NAN, NAN};
    if (x->n == 0 || y->n == 0)
        return HY_OK;
    while (hy_ranks_next(x, y, &at)) {
        double up_to_x = at.below_x + at.at_x, up_to_y = at.below_y + at.at_y;
        away = fmax(away, fabs(up_to_x / m - up_to_y / n));
        steps = fmax(steps, fabs(up_to_x * n - up_to_y * m));
    }
    result->statistic = away;
    if (!hy_smirnov_is_exact(x, y)) {
        result->p = limit_tail(sqrt(m * n / (m + n)) * away);
        return HY_OK;
    }
    return paths_outside(x->n, y->n, steps / (double)common_divisor(x->n, y->n), &result->p, error);
}
