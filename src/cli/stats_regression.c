/* Regression on the cells of a design, or on single games. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/stats_lifetimes.h"
#include "cli/stats_table.h"
#include "stats/regression.h"

static const char *const family_words[] = {"linear", "logistic", "log-linear"};
static const char *const error_words[] = {"robust", "model", "dispersion"};

#define NUM_FAMILIES (sizeof family_words / sizeof family_words[0])
#define NUM_ERRORS (sizeof error_words / sizeof error_words[0])

typedef struct inputs {
    double *rows, *offsets;
    hy_cell_sums *cells;
    size_t num_cells, num_terms;
} inputs;

static void inputs_clean_up(inputs *all)
{
    free(all->rows);
    free(all->offsets);
    free(all->cells);
}

/* Numbers, one for each cell. */
static double *read_each(hy_stats_input *in, const char *key, size_t num_cells)
{
    size_t num;
    double *values = hy_input_reals(in, key, 1, -INFINITY, INFINITY, &num);
    if (values && num != num_cells)
        hy_input_refuse(in, "'%s' has %zu elements and 'rows' %zu; each row needs its own", key,
                        num, num_cells);
    return values;
}

static uint64_t *read_games(hy_stats_input *in, size_t num_cells)
{
    size_t num;
    uint64_t *games = hy_input_counts(in, "n", 1, 0, HY_STATS_MAX_COUNT, &num);
    if (games && num != num_cells)
        hy_input_refuse(in, "'n' has %zu elements and 'rows' %zu; each row needs its own", num,
                        num_cells);
    return games;
}

/* One game a row ("y"), or sums over the games of a row ("n", "sum", "sum_squares"). */
static void read_cells(hy_stats_input *in, inputs *all)
{
    bool single = hy_input_has(in, "y");
    double *sums = read_each(in, single ? "y" : "sum", all->num_cells);
    double *squares = single ? NULL : read_each(in, "sum_squares", all->num_cells);
    uint64_t *games = single ? NULL : read_games(in, all->num_cells);
    if (in->status == HY_OK) {
        all->cells = hy_new_array(all->num_cells, sizeof all->cells[0]);
        if (!all->cells)
            in->status = hy_fail_memory(in->error);
    }
    for (size_t i = 0; i < all->num_cells && in->status == HY_OK; i++)
        all->cells[i] =
            (hy_cell_sums){games ? games[i] : 1, sums[i], squares ? squares[i] : sums[i] * sums[i]};
    free(sums);
    free(squares);
    free(games);
}

/* The parts of estimates as arrays. */
static void output_estimates(json_t *out, const hy_estimate *estimates, size_t num)
{
    json_t *values = json_array(), *errors = json_array(), *intervals = json_array();
    for (size_t i = 0; i < num; i++) {
        const hy_estimate *one = &estimates[i];
        json_array_append_new(values, hy_output_number(one->value));
        json_array_append_new(errors, hy_output_number(one->standard_error));
        json_array_append_new(intervals, json_pack("[o, o]", hy_output_number(one->low),
                                                   hy_output_number(one->high)));
    }
    json_object_set_new(out, "coef", values);
    json_object_set_new(out, "se", errors);
    json_object_set_new(out, "ci", intervals);
}

static void output_tests(json_t *out, const hy_combination *tests, size_t num)
{
    json_t *statistics = json_array(), *p = json_array();
    for (size_t i = 0; i < num; i++) {
        json_array_append_new(statistics, hy_output_number(tests[i].statistic));
        json_array_append_new(p, hy_output_number(tests[i].p));
    }
    json_object_set_new(out, "statistic", statistics);
    json_object_set_new(out, "p", p);
}

/* Linear combinations with these weights, each with its interval and test. */
static hy_status output_combinations(const hy_regression *regression, const double *weights,
                                     size_t num, json_t *out, hy_error *error)
{
    hy_estimate *estimates = hy_new_array(num, sizeof *estimates);
    hy_combination *tests = hy_new_array(num, sizeof *tests);
    hy_status status = estimates && tests ? HY_OK : hy_fail_memory(error);
    for (size_t i = 0; i < num && status == HY_OK; i++) {
        tests[i] = hy_regression_contrast(regression, weights + i * regression->num_terms);
        estimates[i] = tests[i].estimate;
    }
    if (status == HY_OK) {
        output_estimates(out, estimates, num);
        output_tests(out, tests, num);
    }
    free(estimates);
    free(tests);
    return status;
}

/* The coefficients are the combinations that have one of them. */
static hy_status output_coefficients(const hy_regression *regression, json_t *out, hy_error *error)
{
    size_t num = regression->num_terms;
    double *weights = hy_new_array(num * num, sizeof *weights);
    if (!weights)
        return hy_fail_memory(error);
    for (size_t i = 0; i < num; i++)
        weights[i * num + i] = 1;
    hy_status status = output_combinations(regression, weights, num, out, error);
    free(weights);
    return status;
}

/* The combinations asked for, one by one and all together. */
static void output_contrasts(hy_stats_input *in, const hy_regression *regression, json_t *out)
{
    size_t num, num_terms;
    double *weights = hy_input_matrix(in, "contrasts", &num, &num_terms);
    json_t *object = weights ? hy_output_object(out, "contrasts") : NULL;
    hy_chi_square test;
    if (weights && num_terms != regression->num_terms)
        hy_input_refuse(in, "'contrasts' has %zu weights a row, and 'rows' %zu terms", num_terms,
                        regression->num_terms);
    if (in->status == HY_OK)
        in->status = output_combinations(regression, weights, num, object, in->error);
    if (in->status == HY_OK)
        in->status = hy_regression_joint(regression, weights, num, &test, in->error);
    if (in->status == HY_OK) {
        hy_output_real(object, "wald_chisq", test.value);
        hy_output_count(object, "df", test.degrees);
        hy_output_real(object, "wald_p", test.p);
    }
    free(weights);
}

static void output_fit(json_t *out, const hy_regression *regression, size_t num_cells)
{
    static const char *const kinds[] = {
        [HY_FIT_KNOWN] = "known",
        [HY_FIT_INFINITE] = "infinite",
        [HY_FIT_SINGULAR] = "singular",
        [HY_FIT_NO_DATA] = "no data",
    };
    json_t *infinite = json_array();
    for (size_t i = 0; i < regression->num_terms; i++)
        json_array_append_new(infinite, json_integer(regression->infinite[i]));
    json_object_set_new(out, "fit", json_string(kinds[regression->kind]));
    json_object_set_new(out, "infinite", infinite);
    hy_output_reals(out, "fitted", regression->fitted, num_cells);
    hy_output_count(out, "n", regression->num_games);
    hy_output_real(out, "df_residual", regression->degrees);
    hy_output_real(out, "dispersion", regression->dispersion);
    hy_output_real(out, "deviance", regression->deviance);
}

static hy_status answer_regression(hy_stats_input *in, json_t *out)
{
    inputs all = {0};
    hy_regression regression;
    hy_regression_options options = {
        .family = (hy_family)hy_input_word(in, "family", family_words, NUM_FAMILIES, 0),
        .errors = (hy_regression_errors)hy_input_word(in, "errors", error_words, NUM_ERRORS, 0),
        .confidence = hy_input_confidence(in)};
    all.rows = hy_input_matrix(in, "rows", &all.num_cells, &all.num_terms);
    if (in->status == HY_OK)
        read_cells(in, &all);
    if (in->status == HY_OK && hy_input_has(in, "offset"))
        all.offsets = read_each(in, "offset", all.num_cells);
    hy_design design = {all.rows, all.cells, all.offsets, all.num_cells, all.num_terms};
    if (in->status == HY_OK)
        in->status = hy_regression_fit(&design, &options, &regression, in->error);
    if (in->status == HY_OK) {
        in->status = output_coefficients(&regression, out, in->error);
        output_fit(out, &regression, all.num_cells);
        if (in->status == HY_OK && hy_input_has(in, "contrasts"))
            output_contrasts(in, &regression, out);
        hy_regression_clean_up(&regression);
    }
    inputs_clean_up(&all);
    return in->status;
}

const hy_statistic hy_stats_regression[] = {
    {"regression",
     "what each of several things does to a mean: linear, logistic or log-linear regression on "
     "cells",
     "{\"rows\":[[1,0],[1,1]],\"n\":[400,300],\"sum\":[180,160],\"sum_squares\":[170,150],"
     "\"family\":\"logistic\"}",
     answer_regression,
     {{"rows", "a row of terms for each cell: an array of arrays of numbers (a constant is a 1)"},
      {"n", "games of each cell: an array of integers"},
      {"sum", "sum over the games of a cell of what was measured: an array of numbers"},
      {"sum_squares", "sum of its squares"},
      {"y", "instead of n, sum and sum_squares, one game a row: an array of numbers"},
      {"offset", "a number for each row that is added to its terms (0)"},
      {"family", "linear, logistic or log-linear (linear)"},
      {"errors", "robust, model or dispersion (robust)"},
      {"contrasts", "weights of the coefficients, which are tested together: an array of arrays"},
      {"conf", "confidence of the intervals (0.95)"},
      {"confidence", "the same"}}},
    {0},
};
