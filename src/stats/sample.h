/* A sample of numbers as a histogram: values, sorted, with how often each was seen. Lengths of
 * games come so; what is computed from a sample takes time by its distinct values, not its size. */
#ifndef HY_STATS_SAMPLE_H
#define HY_STATS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "stats/estimate.h"

/* The arrays belong to the sample: values strictly rising and finite, counts > 0 and summing to n.
 */
typedef struct hy_sample {
    size_t num; /* distinct values */
    double *values;
    uint64_t *counts;
    uint64_t n;
} hy_sample;

/* Sorts and joins `num` values, each seen counts[i] times (NULL: once each). HY_INVALID for a value
 * that is not finite or a sum above 2^53, HY_NO_MEMORY. After a failure there is nothing to clean.
 */
HY_MUST_CHECK hy_status hy_sample_init(hy_sample *sample, const double *values,
                                       const uint64_t *counts, size_t num, hy_error *error);
void hy_sample_clean_up(hy_sample *sample);

/* The i-th smallest of the n values, 0 <= i < n. */
double hy_sample_at(const hy_sample *sample, uint64_t i);

/* Mean, and variance with n − 1 (two passes); NaN for n < 1, n < 2. */
double hy_sample_mean(const hy_sample *sample);
double hy_sample_variance(const hy_sample *sample);

/* The mean with Student's interval; unknown for n < 2. */
hy_estimate hy_sample_mean_estimate(const hy_sample *sample, double confidence);

/* The quantile of `share`, 0 … 1, by R's type 1 to 9 (Hyndman, Fan, American Statistician 50,
 * 1996); 7 is R's and GSL's default. NaN for an empty sample or another type. */
double hy_sample_quantile(const hy_sample *sample, double share, unsigned type);

/* 1.4826 times the median of the distances from the median (R's mad): the standard deviation where
 * the sample is normal. NaN for an empty sample. HY_NO_MEMORY. */
HY_MUST_CHECK hy_status hy_sample_mad(const hy_sample *sample, double *mad, hy_error *error);

#endif
