#include "stats/sample.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/quantile.h"

#define MAX_SIZE ((uint64_t)1 << 53)

typedef struct counted {
    double value;
    uint64_t count;
} counted;

static int by_value(const void *left, const void *right)
{
    const counted *a = left, *b = right;
    return (a->value > b->value) - (a->value < b->value);
}

static hy_status check_input(const double *values, const uint64_t *counts, size_t num,
                             hy_error *error)
{
    uint64_t n = 0;
    for (size_t i = 0; i < num; i++) {
        uint64_t count = counts ? counts[i] : 1;
        if (!isfinite(values[i]))
            return hy_fail(error, HY_INVALID, "value %zu of a sample is not finite", i + 1);
        if (count > MAX_SIZE - n)
            return hy_fail(error, HY_INVALID, "a sample has more than 2^53 values");
        n += count;
    }
    return HY_OK;
}

/* Moves the rows, sorted, into the sample, equal values into one. */
static void join_rows(hy_sample *sample, const counted *rows, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        if (rows[i].count == 0)
            continue;
        if (sample->num == 0 || sample->values[sample->num - 1] < rows[i].value)
            sample->values[sample->num++] = rows[i].value;
        sample->counts[sample->num - 1] += rows[i].count;
        sample->n += rows[i].count;
    }
}

hy_status hy_sample_init(hy_sample *sample, const double *values, const uint64_t *counts,
                         size_t num, hy_error *error)
{
    *sample = (hy_sample){0};
    hy_status status = check_input(values, counts, num, error);
    if (status != HY_OK)
        return status;
    counted *rows = hy_new_array(num, sizeof *rows);
    hy_sample made = {
        .values = hy_new_array(num, sizeof(double)),
        .counts = hy_new_array(num, sizeof(uint64_t)),
    };
    if (!rows || !made.values || !made.counts) {
        free(rows);
        hy_sample_clean_up(&made);
        return hy_fail_memory(error);
    }
    for (size_t i = 0; i < num; i++)
        rows[i] = (counted){.value = values[i], .count = counts ? counts[i] : 1};
    qsort(rows, num, sizeof *rows, by_value);
    join_rows(&made, rows, num);
    free(rows);
    *sample = made;
    return HY_OK;
}

void hy_sample_clean_up(hy_sample *sample)
{
    free(sample->values);
    free(sample->counts);
    *sample = (hy_sample){0};
}

double hy_sample_at(const hy_sample *sample, uint64_t i)
{
    uint64_t below = 0;
    for (size_t k = 0; k < sample->num; k++) {
        below += sample->counts[k];
        if (i < below)
            return sample->values[k];
    }
    return NAN;
}

double hy_sample_mean(const hy_sample *sample)
{
    double sum = 0;
    if (sample->n == 0)
        return NAN;
    for (size_t k = 0; k < sample->num; k++)
        sum += (double)sample->counts[k] * sample->values[k];
    double mean = sum / (double)sample->n, rest = 0;
    for (size_t k = 0; k < sample->num; k++)
        rest += (double)sample->counts[k] * (sample->values[k] - mean);
    return mean + rest / (double)sample->n;
}

double hy_sample_variance(const hy_sample *sample)
{
    double mean = hy_sample_mean(sample), squares = 0;
    if (sample->n < 2)
        return NAN;
    for (size_t k = 0; k < sample->num; k++) {
        double away = sample->values[k] - mean;
        squares += (double)sample->counts[k] * away * away;
    }
    return squares / (double)(sample->n - 1);
}

hy_estimate hy_sample_mean_estimate(const hy_sample *sample, double confidence)
{
    if (sample->n < 2)
        return (hy_estimate){false, NAN, NAN, NAN, NAN};
    double N = (double)sample->n, mean = hy_sample_mean(sample);
    double error = sqrt(hy_sample_variance(sample) / N);
    double half = hy_two_sided_t(confidence, N - 1) * error;
    return (hy_estimate){
        .known = true,
        .value = mean,
        .standard_error = error,
        .low = mean - half,
        .high = mean + half,
    };
}

/* What is at the place `j`, counted from 1, and at the ends for what is beyond them. */
static double placed(const hy_sample *sample, double j)
{
    double last = (double)sample->n - 1;
    return hy_sample_at(sample, (uint64_t)fmin(fmax(j - 1, 0), last));
}

double hy_sample_quantile(const hy_sample *sample, double share, unsigned type)
{
    static const double shift[10][2] = {{0, 0},   {0, 0}, {0, 0}, {0, 0},           {0, 1},
                                        {.5, .5}, {0, 0}, {1, 1}, {1. / 3, 1. / 3}, {.375, .375}};
    const double slack = 4 * DBL_EPSILON;
    if (sample->n == 0 || !(share >= 0 && share <= 1) || type < 1 || type > 9)
        return NAN;
    double n = (double)sample->n, a = shift[type][0], b = shift[type][1];
    double place = type < 3 ? n * share : type == 3 ? n * share - 0.5 : a + share * (n + 1 - a - b);
    double j = floor(place + slack), above = place - j;
    if (fabs(above) < slack)
        above = 0;
    if (type == 1)
        above = above > 0;
    else if (type == 2)
        above = above > 0 ? 1 : 0.5;
    else if (type == 3)
        above = above != 0 || fmod(j, 2) == 1;
    double low = placed(sample, j), high = placed(sample, j + 1);
    if (above == 0)
        return low;
    return above == 1 ? high : (1 - above) * low + above * high;
}

hy_status hy_sample_mad(const hy_sample *sample, double *mad, hy_error *error)
{
    hy_sample away;
    *mad = NAN;
    if (sample->n == 0)
        return HY_OK;
    double median = hy_sample_quantile(sample, 0.5, 2);
    double *distances = hy_new_array(sample->num, sizeof *distances);
    if (!distances)
        return hy_fail_memory(error);
    for (size_t k = 0; k < sample->num; k++)
        distances[k] = fabs(sample->values[k] - median);
    hy_status status = hy_sample_init(&away, distances, sample->counts, sample->num, error);
    free(distances);
    if (status != HY_OK)
        return status;
    *mad = 1.4826 * hy_sample_quantile(&away, 0.5, 2);
    hy_sample_clean_up(&away);
    return HY_OK;
}
