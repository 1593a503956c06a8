#include "stats/lifetimes.h"

#include <string.h>

#include "support/golden.h"

static const json_t *golden_case(const json_t *golden, const char *id)
{
    const json_t *cases = golden_get(golden, "cases");
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        if (strcmp(golden_text(one, "id"), id) == 0)
            return one;
    }
    fail_msg("no golden case '%s'", id);
    return NULL;
}

const json_t *golden_inputs(const json_t *golden, const char *id)
{
    return golden_get(golden_case(golden, id), "inputs");
}

const json_t *golden_expected(const json_t *golden, const char *id)
{
    return golden_get(golden_case(golden, id), "expected");
}

double golden_element(const json_t *row, const char *key, size_t index)
{
    const json_t *value = json_array_get(golden_get(row, key), index);
    assert_non_null(value);
    if (json_is_string(value))
        return strcmp(json_string_value(value), "Inf") == 0 ? INFINITY : NAN;
    return json_is_null(value) ? NAN : json_number_value(value);
}

static const json_t *statuses(const json_t *inputs)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)inputs, key, value)
    {
        if (strncmp(key, "status", 6) == 0)
            return value;
    }
    fail_msg("golden inputs without a status");
    return NULL;
}

size_t golden_lifetimes(const json_t *inputs, hy_lifetime *lifetimes, size_t most)
{
    const json_t *times = golden_get(inputs, "time"), *status = statuses(inputs);
    const json_t *groups = json_object_get(inputs, "group");
    size_t num = json_array_size(times);
    assert_true(num <= most && num == json_array_size(status));
    for (size_t i = 0; i < num; i++) {
        const char *group = json_string_value(json_array_get(groups, i));
        lifetimes[i] = (hy_lifetime){
            .time = json_number_value(json_array_get(times, i)),
            .event = (uint32_t)json_integer_value(json_array_get(status, i)),
            .group = group && strcmp(group, "2x6") != 0 ? 1 : 0,
            .weight = 1,
        };
    }
    return num;
}

void made_lifetimes(hy_lifetime lifetimes[NUM_MADE], double covariates[2 * NUM_MADE])
{
    for (uint32_t i = 0; i < NUM_MADE; i++) {
        lifetimes[i] = (hy_lifetime){
            .time = i * 37 % 23 + 1,
            .event = i * 13 % 5 != 0,
            .group = i / 6,
            .stratum = i * 5 % 3,
            .weight = 1 + i * 11 % 4,
        };
        covariates[2 * i] = i % 2;
        covariates[2 * i + 1] = i * 7 % 11 - 5.0;
    }
}

hy_lifetime *replicate(const hy_lifetime *lifetimes, size_t num, const double *covariates,
                       size_t num_covariates, size_t *num_copies, double **copied)
{
    size_t sum = 0, at = 0;
    for (size_t i = 0; i < num; i++)
        sum += lifetimes[i].weight;
    hy_lifetime *copies = calloc(sum + 1, sizeof *copies);
    double *rows = calloc(sum * num_covariates + 1, sizeof *rows);
    assert_true(copies && rows);
    for (size_t i = 0; i < num; i++) {
        for (uint64_t w = 0; w < lifetimes[i].weight; w++, at++) {
            copies[at] = lifetimes[i];
            copies[at].weight = 1;
            for (size_t k = 0; covariates && k < num_covariates; k++)
                rows[at * num_covariates + k] = covariates[i * num_covariates + k];
        }
    }
    *num_copies = sum;
    if (copied)
        *copied = rows;
    else
        free(rows);
    return copies;
}

void shuffle(hy_lifetime *lifetimes, size_t num, double *covariates, size_t num_covariates, dice *d)
{
    for (size_t i = num; i > 1; i--) {
        size_t other = dice_below(d, (unsigned)i);
        hy_lifetime kept = lifetimes[i - 1];
        lifetimes[i - 1] = lifetimes[other];
        lifetimes[other] = kept;
        for (size_t k = 0; covariates && k < num_covariates; k++) {
            double value = covariates[(i - 1) * num_covariates + k];
            covariates[(i - 1) * num_covariates + k] = covariates[other * num_covariates + k];
            covariates[other * num_covariates + k] = value;
        }
    }
}

double draw_uniform(dice *d)
{
    return ((double)(dice_u64(d) >> 11) + 0.5) * 0x1p-53;
}
