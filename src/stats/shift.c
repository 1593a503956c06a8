/* The Hodges-Lehmann shift: ranks among all differences, without listing them. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/location.h"
#include "stats/quantile.h"
#include "stats/ranks.h"

/* How many of the differences x − y are at most `limit`. */
static double num_up_to(const hy_sample *x, const hy_sample *y, double limit)
{
    double num = 0;
    uint64_t below = 0;
    size_t j = 0;
    for (size_t i = 0; i < x->num; i++) {
        while (j < y->num && x->values[i] - y->values[j] > limit)
            below += y->counts[j++];
        num += (double)x->counts[i] * (double)(y->n - below);
    }
    return num;
}

/* Doubles in their order as integers, so that bisection takes 64 steps wherever the answer is. */
static int64_t to_order(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double from_order(int64_t order)
{
    double value;
    int64_t bits = order < 0 ? INT64_MIN - order : order;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The difference with the given rank, from 1 to m·n. */
static double ranked(const hy_sample *x, const hy_sample *y, double rank)
{
    double least = x->values[0] - y->values[y->num - 1];
    double most = x->values[x->num - 1] - y->values[0];
    if (num_up_to(x, y, least) >= rank)
        return least;
    int64_t low = to_order(least), high = to_order(most); /* not enough up to low, enough to high */
    while ((uint64_t)high - (uint64_t)low > 1) {
        int64_t middle = low + (int64_t)(((uint64_t)high - (uint64_t)low) / 2);
        if (num_up_to(x, y, from_order(middle)) >= rank)
            high = middle;
        else
            low = middle;
    }
    return from_order(high);
}

/* R's qwilcox: the smallest u that U does not exceed with probability `tail`. */
static hy_status exact_rank(const hy_sample *x, const hy_sample *y, double tail, double *rank,
                            hy_error *error)
{
    double *ways, all = 0, sum = 0;
    hy_status status = hy_ranks_distribution(x->n, y->n, &ways, error);
    if (status != HY_OK)
        return status;
    for (size_t u = 0; u <= x->n * y->n; u++)
        all += ways[u];
    size_t u = 0;
    while ((sum += ways[u]) < tail * all * (1 - 10 * DBL_EPSILON))
        u++;
    free(ways);
    *rank = fmax(1, (double)u);
    return HY_OK;
}

hy_status hy_hodges_lehmann(const hy_sample *x, const hy_sample *y, double confidence,
                            hy_estimate *shift, bool *exact, hy_error *error)
{
    bool small = hy_ranks_are_exact(x, y);
    *shift = (hy_estimate){false, NAN, NAN, NAN, NAN};
    if (exact)
        *exact = small;
    if (x->n == 0 || y->n == 0)
        return HY_OK;
    double m = (double)x->n, n = (double)y->n, pairs = m * n;
    double rank = floor(pairs / 2 - hy_two_sided_z(confidence) * sqrt(pairs * (m + n + 1) / 12));
    hy_status status = HY_OK;
    if (small)
        status = exact_rank(x, y, (1 - confidence) / 2, &rank, error);
    if (status != HY_OK)
        return status;
    rank = fmax(1, rank);
    double half = floor((pairs + 1) / 2), other = floor(pairs / 2) + 1;
    double median = ranked(x, y, half);
    if (other != half)
        median = (median + ranked(x, y, other)) / 2;
    *shift = (hy_estimate){
        .known = true,
        .value = median,
        .standard_error = NAN,
        .low = ranked(x, y, rank),
        .high = ranked(x, y, pairs + 1 - rank),
    };
    return HY_OK;
}
