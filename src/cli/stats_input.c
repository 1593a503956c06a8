#include "cli/stats_input.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void hy_input_refuse(hy_stats_input *in, const char *format, ...)
{
    char text[HY_ERROR_TEXT_SIZE];
    if (in->status != HY_OK)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    in->status = hy_fail(in->error, HY_INVALID, "%s", text);
}

const json_t *hy_input_find(const hy_stats_input *in, const char *key)
{
    const char *name;
    json_t *value = json_object_get(in->row, key);
    if (value)
        return json_is_null(value) ? NULL : value;
    size_t length = strlen(key);
    json_object_foreach((json_t *)in->row, name, value)
    {
        if (strncmp(name, key, length) == 0 && name[length] == '(')
            return json_is_null(value) ? NULL : value;
    }
    return NULL;
}

bool hy_input_has(const hy_stats_input *in, const char *key)
{
    return hy_input_find(in, key) != NULL;
}

/* `place` is the number of an element of an array, 0 for a value that is no element. */
static uint64_t count_of(hy_stats_input *in, const json_t *value, const char *key, size_t place,
                         uint64_t low, uint64_t high)
{
    char where[32] = "";
    double number = json_is_number(value) ? json_number_value(value) : -1;
    bool fits = number >= 0 && number == floor(number) && number <= (double)HY_STATS_MAX_COUNT;
    if (fits && (uint64_t)number >= low && (uint64_t)number <= high)
        return (uint64_t)number;
    if (place > 0)
        snprintf(where, sizeof where, " (element %zu)", place);
    if (!value)
        hy_input_refuse(in, "'%s' is missing: an integer from %" PRIu64 " to %" PRIu64, key, low,
                        high);
    else
        hy_input_refuse(in, "'%s'%s is an integer from %" PRIu64 " to %" PRIu64, key, where, low,
                        high);
    return 0;
}

static void describe_range(double low, double high, char *text, size_t size)
{
    if (isinf(low) && isinf(high))
        snprintf(text, size, "a number");
    else if (isinf(high))
        snprintf(text, size, "a number from %g up", low);
    else if (isinf(low))
        snprintf(text, size, "a number up to %g", high);
    else
        snprintf(text, size, "a number from %g to %g", low, high);
}

static double real_of(hy_stats_input *in, const json_t *value, const char *key, size_t place,
                      double low, double high)
{
    char where[32] = "", range[80];
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    if (number >= low && number <= high)
        return number;
    if (place > 0)
        snprintf(where, sizeof where, " (element %zu)", place);
    describe_range(low, high, range, sizeof range);
    hy_input_refuse(in, value ? "'%s'%s is %s" : "'%s' is missing%s: %s", key, where, range);
    return 0;
}

uint64_t hy_input_count(hy_stats_input *in, const char *key, uint64_t low, uint64_t high)
{
    return in->status == HY_OK ? count_of(in, hy_input_find(in, key), key, 0, low, high) : 0;
}

double hy_input_real(hy_stats_input *in, const char *key, double low, double high)
{
    return in->status == HY_OK ? real_of(in, hy_input_find(in, key), key, 0, low, high) : 0;
}

uint64_t hy_input_count_or(hy_stats_input *in, const char *key, uint64_t low, uint64_t high,
                           uint64_t missing)
{
    return hy_input_has(in, key) ? hy_input_count(in, key, low, high) : missing;
}

double hy_input_real_or(hy_stats_input *in, const char *key, double low, double high,
                        double missing)
{
    return hy_input_has(in, key) ? hy_input_real(in, key, low, high) : missing;
}

double hy_input_between_or(hy_stats_input *in, const char *key, double low, double high,
                           double missing)
{
    const json_t *value = hy_input_find(in, key);
    if (!value || in->status != HY_OK)
        return missing;
    double number = json_is_number(value) ? json_number_value(value) : NAN;
    if (number > low && number < high)
        return number;
    hy_input_refuse(in, "'%s' is a number between %g and %g, neither of them included", key, low,
                    high);
    return missing;
}

double hy_input_confidence(hy_stats_input *in)
{
    const char *key = hy_input_has(in, "conf") ? "conf" : "confidence";
    return hy_input_between_or(in, key, 0, 1, 0.95);
}

unsigned hy_input_word(hy_stats_input *in, const char *key, const char *const *words, unsigned num,
                       unsigned missing)
{
    char list[256] = "";
    size_t length = 0;
    const json_t *value = hy_input_find(in, key);
    if (in->status != HY_OK || (!value && missing < num))
        return missing < num ? missing : 0;
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    for (unsigned i = 0; i < num; i++) {
        if (strcmp(text, words[i]) == 0)
            return i;
        if (length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       i > 0 ? ", " : "", words[i]);
    }
    hy_input_refuse(in, "'%s' is one of %s", key, list);
    return 0;
}

/* The array of a key, `size` bytes for each of its elements in `memory`; NULL after a failure. */
static const json_t *array_of(hy_stats_input *in, const char *key, size_t min, size_t size,
                              void **memory)
{
    const json_t *array = hy_input_find(in, key);
    *memory = NULL;
    if (in->status != HY_OK)
        return NULL;
    if (!json_is_array(array) || json_array_size(array) < min) {
        hy_input_refuse(in, "'%s' is an array of at least %zu number%s", key, min,
                        min == 1 ? "" : "s");
        return NULL;
    }
    *memory = hy_new_array(json_array_size(array), size);
    if (!*memory)
        in->status = hy_fail_memory(in->error);
    return *memory ? array : NULL;
}

double *hy_input_reals(hy_stats_input *in, const char *key, size_t min, double low, double high,
                       size_t *num)
{
    void *memory;
    const json_t *array = array_of(in, key, min, sizeof(double), &memory);
    double *values = memory;
    *num = array ? json_array_size(array) : 0;
    for (size_t i = 0; i < *num && in->status == HY_OK; i++)
        values[i] = real_of(in, json_array_get(array, i), key, i + 1, low, high);
    if (in->status == HY_OK)
        return values;
    free(values);
    *num = 0;
    return NULL;
}

uint64_t *hy_input_counts(hy_stats_input *in, const char *key, size_t min, uint64_t low,
                          uint64_t high, size_t *num)
{
    void *memory;
    const json_t *array = array_of(in, key, min, sizeof(uint64_t), &memory);
    uint64_t *values = memory;
    *num = array ? json_array_size(array) : 0;
    for (size_t i = 0; i < *num && in->status == HY_OK; i++)
        values[i] = count_of(in, json_array_get(array, i), key, i + 1, low, high);
    if (in->status == HY_OK)
        return values;
    free(values);
    *num = 0;
    return NULL;
}

double *hy_input_matrix(hy_stats_input *in, const char *key, size_t *num_rows, size_t *num_columns)
{
    const json_t *rows = hy_input_find(in, key);
    if (in->status != HY_OK)
        return NULL;
    *num_rows = json_array_size(rows);
    *num_columns = json_array_size(json_array_get(rows, 0));
    if (*num_columns == 0) {
        hy_input_refuse(in, "'%s' is an array of arrays of numbers", key);
        return NULL;
    }
    double *values = hy_new_array(*num_rows * *num_columns, sizeof *values);
    if (!values)
        in->status = hy_fail_memory(in->error);
    for (size_t i = 0; i < *num_rows && in->status == HY_OK; i++) {
        const json_t *row = json_array_get(rows, i);
        bool good = json_is_array(row) && json_array_size(row) == *num_columns;
        for (size_t k = 0; k < *num_columns && good; k++) {
            good = json_is_number(json_array_get(row, k));
            values[i * *num_columns + k] = json_number_value(json_array_get(row, k));
        }
        if (!good)
            hy_input_refuse(in, "'%s' (element %zu) is an array of %zu number%s", key, i + 1,
                            *num_columns, *num_columns == 1 ? "" : "s");
    }
    if (in->status == HY_OK)
        return values;
    free(values);
    return NULL;
}

static void read_histogram(hy_stats_input *in, const json_t *object, const char *key,
                           hy_sample *sample)
{
    size_t num_values, num_counts;
    hy_stats_input inner = {.row = object, .status = in->status, .error = in->error};
    double *values = hy_input_reals(&inner, "value", 1, -INFINITY, INFINITY, &num_values);
    uint64_t *counts = hy_input_counts(&inner, "count", 1, 0, HY_STATS_MAX_COUNT, &num_counts);
    if (inner.status == HY_OK && num_values != num_counts)
        hy_input_refuse(&inner, "'%s' has %zu values and %zu counts; each value needs its count",
                        key, num_values, num_counts);
    if (inner.status == HY_OK)
        inner.status = hy_sample_init(sample, values, counts, num_values, in->error);
    in->status = inner.status;
    free(values);
    free(counts);
}

hy_sample hy_input_sample(hy_stats_input *in, const char *key)
{
    hy_sample sample = {0};
    const json_t *value = hy_input_find(in, key);
    if (in->status != HY_OK)
        return sample;
    if (json_is_object(value)) {
        read_histogram(in, value, key, &sample);
        return sample;
    }
    if (!json_is_array(value)) {
        hy_input_refuse(in, "'%s' %s an array of numbers, or {\"value\": [...], \"count\": [...]}",
                        key, value ? "is" : "is missing:");
        return sample;
    }
    size_t num;
    double *values = hy_input_reals(in, key, 1, -INFINITY, INFINITY, &num);
    if (values)
        in->status = hy_sample_init(&sample, values, NULL, num, in->error);
    free(values);
    return sample;
}

json_t *hy_output_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void hy_output_real(json_t *out, const char *key, double value)
{
    json_object_set_new(out, key, hy_output_number(value));
}

void hy_output_count(json_t *out, const char *key, uint64_t value)
{
    json_object_set_new(out, key, json_integer((json_int_t)value));
}

void hy_output_interval(json_t *out, const char *key, double low, double high)
{
    const double ends[] = {low, high};
    hy_output_reals(out, key, ends, 2);
}

void hy_output_confident(json_t *out, const char *key, double confidence, double low, double high)
{
    char name[128];
    const char *percent = strstr(key, "95");
    if (percent)
        snprintf(name, sizeof name, "%.*s%.12g%s", (int)(percent - key), key, 100 * confidence,
                 percent + 2);
    hy_output_interval(out, percent ? name : key, low, high);
}

void hy_output_reals(json_t *out, const char *key, const double *values, size_t num)
{
    json_t *array = json_array();
    for (size_t i = 0; i < num; i++)
        json_array_append_new(array, hy_output_number(values[i]));
    json_object_set_new(out, key, array);
}
