#include "stats/bootstrap.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "random/stream.h"
#include "stats/quantile.h"

#define MAX_EXACT 7

/* The games, and the ratios of the resamples. */
typedef struct resampling {
    const double *y, *x;
    size_t n;
    double *ratios;
    size_t num;
} resampling;

static void note(resampling *r, double y, double x)
{
    if (x > 0)
        r->ratios[r->num++] = y / x;
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The smallest ratio that at least the share `level` of all do not exceed. */
static double inverse_cdf(const resampling *r, double level)
{
    if (!(level >= 0 && level <= 1) || r->num == 0)
        return NAN;
    double place = ceil(level * (double)r->num * (1 - 1e-13));
    return r->ratios[(size_t)fmax(place, 1) - 1];
}

/* Σ(d³)/(6·(Σd²)^(3/2)) of the distances of the ratios without one game from their mean. */
static double jackknife_acceleration(const resampling *r, double y, double x)
{
    double mean = 0, squares = 0, cubes = 0;
    for (size_t i = 0; i < r->n; i++)
        mean += (y - r->y[i]) / (x - r->x[i]) / (double)r->n;
    for (size_t i = 0; i < r->n; i++) {
        double away = mean - (y - r->y[i]) / (x - r->x[i]);
        squares += away * away;
        cubes += away * away * away;
    }
    return squares == 0 ? 0 : cubes / (6 * pow(squares, 1.5));
}

static double adjusted_level(const hy_bootstrap *b, double z)
{
    double sum = b->z0 + z;
    return gsl_cdf_ugaussian_P(b->z0 + sum / (1 - b->acceleration * sum));
}

/* Mean, deviation and shares of the sorted ratios. */
static void describe(const resampling *r, hy_bootstrap *b)
{
    double num = (double)r->num, squares = 0;
    uint64_t less = 0, equal = 0;
    b->mean = 0;
    b->distinct = r->num > 0;
    for (size_t i = 0; i < r->num; i++) {
        b->mean += r->ratios[i];
        less += r->ratios[i] < b->value;
        equal += r->ratios[i] == b->value;
        b->distinct += i > 0 && r->ratios[i] > r->ratios[i - 1];
    }
    b->mean /= num;
    for (size_t i = 0; i < r->num; i++)
        squares += (r->ratios[i] - b->mean) * (r->ratios[i] - b->mean);
    b->deviation = sqrt(squares / num);
    b->share_less = (double)less / num;
    b->share_equal = (double)equal / num;
}

static hy_bootstrap evaluate(resampling *r, double confidence)
{
    double y = 0, x = 0, z = hy_two_sided_z(confidence), tail = (1 - confidence) / 2;
    for (size_t i = 0; i < r->n; i++) {
        y += r->y[i];
        x += r->x[i];
    }
    qsort(r->ratios, r->num, sizeof *r->ratios, by_value);
    hy_bootstrap b = {.value = x > 0 ? y / x : NAN, .resamples = r->num};
    describe(r, &b);
    b.percentile_low = inverse_cdf(r, tail);
    b.percentile_high = inverse_cdf(r, 1 - tail);
    b.z0 = gsl_cdf_ugaussian_Pinv(b.share_less + b.share_equal / 2);
    b.acceleration = jackknife_acceleration(r, y, x);
    b.alpha_low = adjusted_level(&b, -z);
    b.alpha_high = adjusted_level(&b, z);
    b.bca_low = inverse_cdf(r, b.alpha_low);
    b.bca_high = inverse_cdf(r, b.alpha_high);
    return b;
}

static hy_status check_games(const double *y, const double *x, size_t n, hy_error *error)
{
    if (n < 1 || n > UINT32_MAX)
        return hy_fail(error, HY_INVALID, "a bootstrap needs games, at most 2^32 − 1");
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(y[i]) || !isfinite(x[i]) || x[i] < 0)
            return hy_fail(error, HY_INVALID,
                           "game %zu: y is finite, and x finite and not negative", i + 1);
    }
    return HY_OK;
}

/* Goes through all combinations of n digits below n. */
static void enumerate(resampling *r)
{
    size_t digits[MAX_EXACT] = {0}, place;
    do {
        double y = 0, x = 0;
        for (size_t i = 0; i < r->n; i++) {
            y += r->y[digits[i]];
            x += r->x[digits[i]];
        }
        note(r, y, x);
        for (place = 0; place < r->n && ++digits[place] == r->n; place++)
            digits[place] = 0;
    } while (place < r->n);
}

hy_status hy_bootstrap_exact(const double *y, const double *x, size_t n, double confidence,
                             hy_bootstrap *result, hy_error *error)
{
    size_t num = 1;
    hy_status status = check_games(y, x, n, error);
    if (status != HY_OK)
        return status;
    if (n > MAX_EXACT)
        return hy_fail(error, HY_INVALID, "all resamples are enumerated for at most %d games",
                       MAX_EXACT);
    for (size_t i = 0; i < n; i++)
        num *= n;
    resampling r = {.y = y, .x = x, .n = n, .ratios = hy_new_array(num, sizeof(double))};
    if (!r.ratios)
        return hy_fail_memory(error);
    enumerate(&r);
    *result = evaluate(&r, confidence);
    free(r.ratios);
    return HY_OK;
}

hy_status hy_bootstrap_ratio(const double *y, const double *x, size_t n, double confidence,
                             uint64_t seed, uint64_t resamples, hy_bootstrap *result,
                             hy_error *error)
{
    hy_status status = check_games(y, x, n, error);
    if (status != HY_OK)
        return status;
    resampling r = {.y = y, .x = x, .n = n, .ratios = hy_new_array(resamples, sizeof(double))};
    if (!r.ratios)
        return hy_fail_memory(error);
    for (uint64_t draw = 0; draw < resamples; draw++) {
        hy_stream stream = hy_stream_make(seed, draw, HY_PURPOSE_OPENING);
        double sum_y = 0, sum_x = 0;
        for (size_t i = 0; i < n; i++) {
            size_t game = hy_stream_below(&stream, (uint32_t)n);
            sum_y += y[game];
            sum_x += x[game];
        }
        note(&r, sum_y, sum_x);
    }
    *result = evaluate(&r, confidence);
    free(r.ratios);
    return HY_OK;
}
