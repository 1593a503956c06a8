#include "stats/cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MAX_VALUES 1000

static json_t *golden;

int cases_load(void **state)
{
    (void)state;
    golden = json_load_file(HOYITO_GOLDEN "/statistics.json", 0, NULL);
    return golden ? 0 : -1;
}

int cases_unload(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

void each_case(const char *name, size_t num, case_check *check)
{
    const json_t *cases = json_object_get(golden, "cases");
    size_t found = 0, length = strlen(name);
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        const char *id = json_string_value(json_object_get(one, "id"));
        if (strncmp(id, name, length) != 0 || !strchr("/(", id[length]) /* or at its end */)
            continue;
        json_t *answers = json_object();
        json_object_update(answers, json_object_get(one, "expected_python_only"));
        json_object_update(answers, json_object_get(one, "expected"));
        check(json_object_get(one, "inputs"), answers);
        json_decref(answers);
        found++;
    }
    assert_int_equal(found, num);
}

void assert_close(double value, double expected, double tolerance)
{
    if (isnan(value) && isnan(expected))
        return;
    double scale = fabs(expected) > 1e-300 ? fabs(expected) : 1;
    if (!(fabs(value - expected) <= tolerance * scale))
        fail_msg("%.17g is not %.17g", value, expected);
}

void assert_near(double value, double expected)
{
    assert_close(value, expected, 1e-9);
}

static double real_of(const json_t *value)
{
    assert_true(json_is_number(value) || json_is_null(value));
    return json_is_null(value) ? NAN : json_number_value(value);
}

double number_of(const json_t *object, const char *key)
{
    return real_of(json_object_get(object, key));
}

double element_of(const json_t *object, const char *key, size_t index)
{
    return real_of(json_array_get(key ? json_object_get(object, key) : object, index));
}

uint64_t count_of(const json_t *object, const char *key)
{
    assert_true(json_is_integer(json_object_get(object, key)));
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

size_t size_of(const json_t *object, const char *key)
{
    assert_true(json_is_array(json_object_get(object, key)));
    return json_array_size(json_object_get(object, key));
}

hy_sample sample_of(const json_t *object, const char *key)
{
    double values[MAX_VALUES];
    size_t num = size_of(object, key);
    assert_true(num <= MAX_VALUES);
    for (size_t i = 0; i < num; i++)
        values[i] = element_of(object, key, i);
    return sample_from(values, num);
}

hy_sample sample_from(const double *values, size_t num)
{
    return histogram_from(values, NULL, num);
}

hy_sample histogram_from(const double *values, const uint64_t *counts, size_t num)
{
    hy_sample sample;
    assert_int_equal(hy_sample_init(&sample, values, counts, num, NULL), HY_OK);
    return sample;
}

hy_stream dice(uint64_t seed)
{
    return hy_stream_make(seed, 0, HY_PURPOSE_SOUTH);
}

double draw_normal(hy_stream *stream)
{
    double radius = sqrt(-2 * log(1 - hy_stream_real(stream)));
    return radius * cos(2 * M_PI * hy_stream_real(stream));
}

uint64_t draw_binomial(hy_stream *stream, uint64_t n, double p)
{
    uint64_t successes = 0;
    for (uint64_t i = 0; i < n; i++)
        successes += hy_stream_real(stream) < p;
    return successes;
}

uint64_t draw_poisson(hy_stream *stream, double mean)
{
    uint64_t events = 0;
    double left = exp(-mean), product = hy_stream_real(stream);
    while (product > left) {
        product *= hy_stream_real(stream);
        events++;
    }
    return events;
}
