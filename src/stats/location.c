#include "stats/location.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/difference.h"
#include "stats/quantile.h"
#include "stats/ranks.h"

bool hy_ranks_next(const hy_sample *x, const hy_sample *y, hy_ranks *at)
{
    at->below_x += at->at_x;
    at->below_y += at->at_y;
    at->at_x = at->at_y = 0;
    if (at->i == x->num && at->j == y->num)
        return false;
    bool from_x = at->i < x->num && (at->j == y->num || x->values[at->i] <= y->values[at->j]);
    double value = from_x ? x->values[at->i] : y->values[at->j];
    if (at->i < x->num && x->values[at->i] == value)
        at->at_x = (double)x->counts[at->i++];
    if (at->j < y->num && y->values[at->j] == value)
        at->at_y = (double)y->counts[at->j++];
    return true;
}

static hy_measured mean_of(const hy_sample *sample)
{
    return (hy_measured){
        .n = sample->n,
        .value = hy_sample_mean(sample),
        .variance = hy_sample_variance(sample) / (double)sample->n,
    };
}

hy_comparison hy_welch_test(const hy_sample *x, const hy_sample *y, double confidence)
{
    hy_measured a = mean_of(x), b = mean_of(y);
    return hy_difference(&a, &b, false, 0, confidence);
}

#define MAX_EXACT 50u

bool hy_ranks_are_exact(const hy_sample *x, const hy_sample *y)
{
    hy_ranks at = {0};
    if (x->n >= MAX_EXACT || y->n >= MAX_EXACT)
        return false;
    while (hy_ranks_next(x, y, &at)) {
        if (at.at_x + at.at_y > 1)
            return false;
    }
    return true;
}

hy_status hy_ranks_distribution(size_t m, size_t n, double **ways, hy_error *error)
{
    size_t width = m * n + 1;
    double *table = hy_new_array(n + 1, width * sizeof *table);
    *ways = NULL;
    if (!table)
        return hy_fail_memory(error);
    for (size_t j = 0; j <= n; j++)
        table[j * width] = 1; /* no x: U is 0 */
    for (size_t i = 1; i <= m; i++) {
        for (size_t u = 1; u < width; u++)
            table[u] = 0;                 /* no y */
        for (size_t j = 1; j <= n; j++) { /* the largest is an x (over j y's) or a y */
            double *row = table + j * width, *fewer = row - width;
            for (size_t u = i * j + 1; u-- > 0;)
                row[u] = (u >= j ? row[u - j] : 0) + fewer[u];
        }
    }
    double *last = hy_new_array(width, sizeof *last);
    for (size_t u = 0; last && u < width; u++)
        last[u] = table[n * width + u];
    free(table);
    *ways = last;
    return last ? HY_OK : hy_fail_memory(error);
}

/* Two-sided, as R: twice the smaller tail. */
static hy_status exact_p(const hy_sample *x, const hy_sample *y, hy_mann_whitney *result,
                         hy_error *error)
{
    double *ways, lower = 0, upper = 0, all = 0;
    size_t pairs = x->n * y->n;
    hy_status status = hy_ranks_distribution(x->n, y->n, &ways, error);
    if (status != HY_OK)
        return status;
    for (size_t u = 0; u <= pairs; u++) {
        all += ways[u];
        if ((double)u <= result->u)
            lower += ways[u];
        if ((double)u >= result->u)
            upper += ways[u];
    }
    free(ways);
    result->p_exact = fmin(1, 2 * fmin(lower, upper) / all);
    return HY_OK;
}

hy_status hy_mann_whitney_test(const hy_sample *x, const hy_sample *y, hy_mann_whitney *result,
                               hy_error *error)
{
    hy_ranks at = {0};
    double u = 0, ties = 0, m = (double)x->n, n = (double)y->n, N = m + n;
    *result = (hy_mann_whitney){NAN, NAN, NAN, NAN, NAN, NAN};
    if (x->n == 0 || y->n == 0)
        return HY_OK;
    while (hy_ranks_next(x, y, &at)) {
        double tied = at.at_x + at.at_y;
        u += at.at_x * (at.below_y + at.at_y / 2);
        ties += tied * (tied * tied - 1);
    }
    double variance = m * n / 12 * (N + 1 - ties / (N * (N - 1)));
    double away = fabs(u - m * n / 2), error_of_u = sqrt(variance);
    result->u = u;
    result->a12 = u / (m * n);
    result->cliffs_delta = 2 * result->a12 - 1;
    if (variance > 0) {
        result->p = 2 * gsl_cdf_ugaussian_Q(away / error_of_u);
        double less = away > 0 ? away - 0.5 : 0;
        result->p_corrected = fmin(1, 2 * gsl_cdf_ugaussian_Q(less / error_of_u));
    }
    return hy_ranks_are_exact(x, y) ? exact_p(x, y, result, error) : HY_OK;
}

hy_test hy_brunner_munzel_test(const hy_sample *x, const hy_sample *y)
{
    hy_ranks at = {0};
    double m = (double)x->n, n = (double)y->n, mean_x = 0, mean_y = 0, sx = 0, sy = 0;
    if (x->n < 2 || y->n < 2)
        return (hy_test){NAN, NAN};
    /* the rank among all less that among its own: the values of the other sample below it */
    while (hy_ranks_next(x, y, &at)) {
        mean_x += at.at_x * (at.below_y + at.at_y / 2) / m;
        mean_y += at.at_y * (at.below_x + at.at_x / 2) / n;
    }
    at = (hy_ranks){0};
    while (hy_ranks_next(x, y, &at)) {
        sx += at.at_x * pow(at.below_y + at.at_y / 2 - mean_x, 2) / (m - 1);
        sy += at.at_y * pow(at.below_x + at.at_x / 2 - mean_y, 2) / (n - 1);
    }
    double spread = m * sx + n * sy;
    if (!(spread > 0))
        return (hy_test){NAN, NAN};
    double distance = (n + 1) / 2 + mean_y - (m + 1) / 2 - mean_x;
    double w = m * n * distance / ((m + n) * sqrt(spread));
    double df = spread * spread / (m * m * sx * sx / (m - 1) + n * n * sy * sy / (n - 1));
    return (hy_test){w, 2 * gsl_cdf_tdist_Q(fabs(w), df)};
}
