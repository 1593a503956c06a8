/* The golden cases of statistics, and random numbers for simulations. */
#ifndef HY_TESTS_STATS_CASES_H
#define HY_TESTS_STATS_CASES_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "random/stream.h"
#include "stats/sample.h"

/* Group fixtures: read the file, and release it. */
int cases_load(void **state);
int cases_unload(void **state);

/* Calls `check` for each case whose id is `name` or begins with it and a slash or a parenthesis.
 * The test fails unless there are `num` of them. */
typedef void case_check(const json_t *inputs, const json_t *answers);
void each_case(const char *name, size_t num, case_check *check);

/* Fails unless both are NaN, or differ by at most `tolerance` of the expected. */
void assert_close(double value, double expected, double tolerance);
void assert_near(double value, double expected); /* 1e-9 */

/* A member, NaN for null; an element of an array, `key` NULL meaning the array itself. */
double number_of(const json_t *object, const char *key);
double element_of(const json_t *object, const char *key, size_t index);
uint64_t count_of(const json_t *object, const char *key);
size_t size_of(const json_t *object, const char *key);

/* An array as a sample, released with hy_sample_clean_up. */
hy_sample sample_of(const json_t *object, const char *key);
hy_sample sample_from(const double *values, size_t num);
hy_sample histogram_from(const double *values, const uint64_t *counts, size_t num);

/* Draws. */
hy_stream dice(uint64_t seed);
double draw_normal(hy_stream *stream);
uint64_t draw_binomial(hy_stream *stream, uint64_t n, double p);
uint64_t draw_poisson(hy_stream *stream, double mean);

#endif
