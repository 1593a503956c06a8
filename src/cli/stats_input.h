/* Reads the input of a statistic from a JSON object. The first failure is kept, and names the key
 * and what would be right; reads after it do nothing and return 0, so that a function can read all
 * it needs and look at the status once. A key is also found with something in parentheses behind
 * it, as "status(1=finished,0=truncated)". */
#ifndef HY_CLI_STATS_INPUT_H
#define HY_CLI_STATS_INPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "stats/sample.h"

typedef struct hy_stats_input {
    const json_t *row;
    hy_status status;
    hy_error *error;
} hy_stats_input;

/* The largest count that is read: beyond it not every integer is a double. */
#define HY_STATS_MAX_COUNT ((uint64_t)1 << 53)

/* The value of a key; NULL where it is missing or null, which is no failure. */
const json_t *hy_input_find(const hy_stats_input *in, const char *key);
bool hy_input_has(const hy_stats_input *in, const char *key);

/* An integer (also written as 3.0), or a number, from `low` to `high`. */
uint64_t hy_input_count(hy_stats_input *in, const char *key, uint64_t low, uint64_t high);
double hy_input_real(hy_stats_input *in, const char *key, double low, double high);

/* The same where the key may be missing. */
uint64_t hy_input_count_or(hy_stats_input *in, const char *key, uint64_t low, uint64_t high,
                           uint64_t missing);
double hy_input_real_or(hy_stats_input *in, const char *key, double low, double high,
                        double missing);

/* A number strictly between `low` and `high`, where the key may be missing. */
double hy_input_between_or(hy_stats_input *in, const char *key, double low, double high,
                           double missing);

/* The key "conf" (or "confidence"), strictly between 0 and 1; 0.95 where it is missing. */
double hy_input_confidence(hy_stats_input *in);

/* The index of one of `num` words; `missing` where the key is missing, a failure if that is num. */
unsigned hy_input_word(hy_stats_input *in, const char *key, const char *const *words, unsigned num,
                       unsigned missing);

/* An array of numbers, or of integers, from `low` to `high`, at least `min` of them: memory that
 * the caller frees. NULL after a failure. */
double *hy_input_reals(hy_stats_input *in, const char *key, size_t min, double low, double high,
                       size_t *num);
uint64_t *hy_input_counts(hy_stats_input *in, const char *key, size_t min, uint64_t low,
                          uint64_t high, size_t *num);

/* An array of one or more arrays of as many numbers each, at least one, row by row: memory that the
 * caller frees. NULL after a failure. */
double *hy_input_matrix(hy_stats_input *in, const char *key, size_t *num_rows, size_t *num_columns);

/* A sample: an array of numbers, or a histogram {"value": [...], "count": [...]}. Cleaned up by the
 * caller in any case: after a failure it is empty. */
hy_sample hy_input_sample(hy_stats_input *in, const char *key);

/* Fails (unless there was a failure already) with HY_INVALID and a text of its own. */
void hy_input_refuse(hy_stats_input *in, const char *format, ...) HY_PRINTF(2, 3);

/* Answers: null for what is not finite. An interval is an array of two. */
json_t *hy_output_number(double value);
void hy_output_real(json_t *out, const char *key, double value);
void hy_output_count(json_t *out, const char *key, uint64_t value);
void hy_output_interval(json_t *out, const char *key, double low, double high);

/* An interval whose key holds "95", which stands for the confidence in percent: where that is 0.99,
 * "ci95_wald" becomes "ci99_wald". */
void hy_output_confident(json_t *out, const char *key, double confidence, double low, double high);
void hy_output_reals(json_t *out, const char *key, const double *values, size_t num);

#endif
