#include "support/golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static void path_of(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", HOYITO_GOLDEN, name);
}

FILE *golden_open(const char *name)
{
    char path[1024];
    path_of(name, path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open '%s'", path);
    return file;
}

json_t *golden_next(FILE *file)
{
    char *line = NULL;
    size_t size = 0;
    json_error_t error;
    if (getline(&line, &size, file) < 0) {
        free(line);
        return NULL;
    }
    json_t *row = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (!row)
        fail_msg("golden row '%.60s': %s", line, error.text);
    free(line);
    return row;
}

json_t *golden_load(const char *name)
{
    char path[1024];
    json_error_t error;
    path_of(name, path, sizeof path);
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        fail_msg("'%s': %s", path, error.text);
    return root;
}

json_t *golden_get(const json_t *row, const char *key)
{
    json_t *value = json_object_get(row, key);
    if (!value)
        fail_msg("golden row without '%s'", key);
    return value;
}

uint64_t golden_integer(const json_t *row, const char *key)
{
    const json_t *value = golden_get(row, key);
    assert_true(json_is_integer(value));
    return (uint64_t)json_integer_value(value);
}

double golden_real(const json_t *row, const char *key)
{
    const json_t *value = golden_get(row, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

bool golden_boolean(const json_t *row, const char *key)
{
    const json_t *value = golden_get(row, key);
    assert_true(json_is_boolean(value));
    return json_is_true(value);
}

const char *golden_text(const json_t *row, const char *key)
{
    const json_t *value = golden_get(row, key);
    assert_true(json_is_string(value) || json_is_null(value));
    return json_string_value(value);
}

unsigned golden_numbers(const json_t *row, const char *key, uint16_t *numbers, unsigned max)
{
    const json_t *array = golden_get(row, key);
    size_t num = json_array_size(array);
    assert_true(json_is_array(array) && num <= max);
    for (size_t i = 0; i < num; i++)
        numbers[i] = (uint16_t)json_integer_value(json_array_get(array, i));
    return (unsigned)num;
}
