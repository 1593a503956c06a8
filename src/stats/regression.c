#include "stats/regression.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/lifetime.h"
#include "stats/quantile.h"
#include "stats/regression_model.h"

#define ALONE 1e-9    /* 1 − leverage of a game that decides a coefficient alone */
#define VANISHED 1e-8 /* the variance in a cell whose mean is on its way to a limit */
#define ROUNDING 1e-9 /* of sums of squares, relative */

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

/* --- what is given --- */

static hy_status check_cell(const hy_cell_sums *cell, hy_family family, size_t number,
                            hy_error *error)
{
    double n = (double)cell->n, slack = ROUNDING * (cell->sum_squares + n);
    if (!isfinite(cell->sum) || !isfinite(cell->sum_squares))
        return hy_fail(error, HY_INVALID, "cell %zu: a sum is not a finite number", number);
    if (cell->sum_squares < cell->sum * cell->sum / n - ROUNDING * cell->sum_squares)
        return hy_fail(error, HY_INVALID,
                       "cell %zu: no %g games have the sum %g and the sum of squares %g", number, n,
                       cell->sum, cell->sum_squares);
    if (family == HY_FAMILY_LOGISTIC &&
        (cell->sum < 0 || cell->sum > n || cell->sum_squares > cell->sum + slack))
        return hy_fail(
            error, HY_INVALID,
            "cell %zu: sum %g and sum of squares %g of %g games that are between 0 and 1", number,
            cell->sum, cell->sum_squares, n);
    if (family == HY_FAMILY_LOG_LINEAR && cell->sum < 0)
        return hy_fail(error, HY_INVALID, "cell %zu: the sum %g of games that are at least 0",
                       number, cell->sum);
    return HY_OK;
}

static hy_status check(const hy_design *design, const hy_regression_options *options,
                       hy_error *error)
{
    size_t p = design->num_terms;
    hy_status status = hy_confidence_check(options->confidence, error);
    for (size_t c = 0; status == HY_OK && c < design->num_cells; c++) {
        if (design->cells[c].n == 0)
            continue;
        for (size_t k = 0; k < p; k++) {
            if (!isfinite(design->rows[c * p + k]))
                return hy_fail(error, HY_INVALID, "cell %zu: term %zu is not a finite number",
                               c + 1, k + 1);
        }
        if (design->offsets && !isfinite(design->offsets[c]))
            return hy_fail(error, HY_INVALID, "cell %zu: the offset is not a finite number", c + 1);
        status = check_cell(&design->cells[c], options->family, c + 1, error);
    }
    return status;
}

static hy_status scale_terms(hy_regression_model *model, hy_error *error)
{
    const hy_design *design = model->design;
    size_t p = design->num_terms, num = design->num_cells;
    model->scale = hy_new_array(p, sizeof(double));
    model->x = hy_new_array(num * p, sizeof(double));
    if (!model->scale || !model->x)
        return hy_fail_memory(error);
    for (size_t i = 0; i < num * p; i++) {
        if (design->cells[i / p].n > 0)
            model->scale[i % p] = fmax(model->scale[i % p], fabs(design->rows[i]));
    }
    for (size_t k = 0; k < p; k++)
        model->scale[k] = model->scale[k] > 0 ? model->scale[k] : 1;
    for (size_t i = 0; i < num * p; i++)
        model->x[i] = design->rows[i] / model->scale[i % p];
    return HY_OK;
}

static hy_status make(const hy_design *design, const hy_regression_options *options,
                      hy_regression *regression, hy_error *error)
{
    size_t p = design->num_terms;
    *regression = (hy_regression){
        .kind = HY_FIT_NO_DATA,
        .num_terms = p,
        .coefficients = hy_new_array(p, sizeof(hy_estimate)),
        .infinite = hy_new_array(p, sizeof(int)),
        .covariance = hy_new_array(p * p, sizeof(double)),
        .fitted = hy_new_array(design->num_cells, sizeof(double)),
        .dispersion = NAN,
        .deviance = NAN,
        .student = options->family == HY_FAMILY_LINEAR || options->errors == HY_ERRORS_DISPERSION,
        .confidence = options->confidence,
    };
    if (!regression->coefficients || !regression->infinite || !regression->covariance ||
        !regression->fitted)
        return hy_fail_memory(error);
    for (size_t i = 0; i < p; i++)
        regression->coefficients[i] = unknown;
    for (size_t i = 0; i < p * p; i++)
        regression->covariance[i] = NAN;
    for (size_t c = 0; c < design->num_cells; c++) {
        regression->fitted[c] = NAN;
        regression->num_games += design->cells[c].n;
    }
    regression->degrees = (double)regression->num_games - (double)p;
    return HY_OK;
}

/* --- what is found --- */

static void set_fitted(const hy_regression_model *model, const double *values,
                       hy_regression *regression)
{
    double squares = 0;
    regression->deviance = 0;
    for (size_t c = 0; c < model->design->num_cells; c++) {
        const hy_cell_sums *cell = &model->design->cells[c];
        if (cell->n == 0)
            continue;
        double mean = hy_family_mean(model->family, hy_regression_predictor(model, c, values));
        double variance = hy_family_variance(model->family, mean);
        bool vanished = regression->kind == HY_FIT_INFINITE && variance < VANISHED;
        regression->fitted[c] = mean;
        if (vanished) /* the mean is that of the cell, in the limit */
            continue;
        regression->deviance += hy_family_deviance(model->family, cell, mean);
        squares += hy_cell_squares(cell, mean) / variance;
    }
    regression->dispersion = squares / regression->degrees;
}

/* Σ x x′ (y − mean)² / (1 − leverage). NaN where a leverage is 1. */
static void add_robust(const hy_regression_model *model, const hy_regression *regression,
                       const double *inverse, double *inner)
{
    size_t p = model->design->num_terms;
    for (size_t c = 0; c < model->design->num_cells; c++) {
        const hy_cell_sums *cell = &model->design->cells[c];
        if (cell->n == 0)
            continue;
        const double *x = &model->x[c * p];
        double variance = hy_family_variance(model->family, regression->fitted[c]);
        if (regression->kind == HY_FIT_INFINITE && variance < VANISHED)
            continue;
        double left = 1 - variance * hy_bilinear(inverse, p, x, x);
        double squares = hy_cell_squares(cell, regression->fitted[c]);
        hy_add_outer(inner, p, left > ALONE ? squares / left : NAN, x, x);
    }
}

static hy_status enclose(const hy_regression_model *model, const hy_regression *regression,
                         hy_newton *newton, hy_error *error)
{
    size_t p = newton->n;
    double *inner = hy_new_array(p * p, sizeof *inner), *half = hy_new_array(p * p, sizeof *half);
    double *inverse = newton->room.inverse;
    if (inner && half) {
        for (size_t i = 0; i < p * p; i++)
            inverse[i] =
                newton->infinite[i / p] || newton->infinite[i % p] ? 0 : newton->covariance[i];
        add_robust(model, regression, inverse, inner);
        hy_sandwich(inverse, inner, p, half, newton->covariance);
    }
    hy_status status = inner && half ? HY_OK : hy_fail_memory(error);
    free(inner);
    free(half);
    return status;
}

static double quantile(const hy_regression *regression)
{
    return regression->student ? hy_two_sided_t(regression->confidence, regression->degrees)
                               : hy_two_sided_z(regression->confidence);
}

static void set_estimates(const hy_regression_model *model, const hy_newton *newton, double factor,
                          hy_regression *regression)
{
    size_t p = newton->n;
    double t = quantile(regression);
    for (size_t i = 0; i < p; i++) {
        for (size_t k = 0; k < p; k++) {
            if (!newton->infinite[i] && !newton->infinite[k])
                regression->covariance[i * p + k] =
                    factor * newton->covariance[i * p + k] / model->scale[i] / model->scale[k];
        }
        if (newton->infinite[i])
            continue;
        double value = newton->values[i] / model->scale[i];
        double error = sqrt(regression->covariance[i * (p + 1)]);
        regression->coefficients[i] =
            (hy_estimate){true, value, error, value - t * error, value + t * error};
    }
}

static hy_status take(const hy_regression_model *model, hy_newton *newton,
                      hy_regression_errors errors, hy_regression *regression, hy_error *error)
{
    regression->kind = newton->kind;
    if (newton->kind == HY_FIT_SINGULAR)
        return HY_OK;
    for (size_t i = 0; i < newton->n; i++)
        regression->infinite[i] = newton->infinite[i];
    set_fitted(model, newton->values, regression);
    double factor = 1;
    switch (errors) {
    case HY_ERRORS_ROBUST: {
        hy_status status = enclose(model, regression, newton, error);
        if (status != HY_OK)
            return status;
        break;
    }
    case HY_ERRORS_MODEL:
        factor = model->family == HY_FAMILY_LINEAR ? regression->dispersion : 1;
        break;
    case HY_ERRORS_DISPERSION:
        factor = regression->dispersion;
        break;
    }
    set_estimates(model, newton, factor, regression);
    return HY_OK;
}

static hy_status fit(hy_regression_model *model, hy_regression_errors errors,
                     hy_regression *regression, hy_error *error)
{
    hy_newton newton;
    hy_status status = scale_terms(model, error);
    if (status == HY_OK)
        status = hy_newton_init(&newton, regression->num_terms, error);
    if (status != HY_OK)
        return status;
    hy_regression_start(model, &newton);
    status = hy_newton_climb(&newton, hy_regression_evaluate, model, error);
    if (status == HY_OK)
        status = take(model, &newton, errors, regression, error);
    hy_newton_clean_up(&newton);
    return status;
}

hy_status hy_regression_fit(const hy_design *design, const hy_regression_options *options,
                            hy_regression *regression, hy_error *error)
{
    hy_regression_model model = {.design = design, .family = options->family};
    *regression = (hy_regression){0};
    hy_status status = check(design, options, error);
    if (status == HY_OK)
        status = make(design, options, regression, error);
    if (status == HY_OK && regression->degrees > 0)
        status = fit(&model, options->errors, regression, error);
    free(model.scale);
    free(model.x);
    if (status != HY_OK)
        hy_regression_clean_up(regression);
    return status;
}

void hy_regression_clean_up(hy_regression *regression)
{
    free(regression->coefficients);
    free(regression->infinite);
    free(regression->covariance);
    free(regression->fitted);
    *regression = (hy_regression){0};
}

/* --- combinations --- */

/* Σ weights·β; false where it has a part without an estimate. */
static bool combine(const hy_regression *regression, const double *weights, double *sum)
{
    *sum = 0;
    for (size_t i = 0; i < regression->num_terms; i++) {
        if (!(weights[i] < 0 || weights[i] > 0))
            continue;
        if (!regression->coefficients[i].known)
            return false;
        *sum += weights[i] * regression->coefficients[i].value;
    }
    return true;
}

hy_combination hy_regression_contrast(const hy_regression *regression, const double *weights)
{
    double value;
    bool fitted = regression->kind == HY_FIT_KNOWN || regression->kind == HY_FIT_INFINITE;
    if (!fitted || !combine(regression, weights, &value))
        return (hy_combination){.estimate = unknown, .statistic = NAN, .p = NAN};
    size_t p = regression->num_terms;
    double error = sqrt(fmax(0, hy_bilinear(regression->covariance, p, weights, weights)));
    double half = quantile(regression) * error, statistic = error > 0 ? value / error : NAN;
    double tail = regression->student ? gsl_cdf_tdist_Q(fabs(statistic), regression->degrees)
                                      : gsl_cdf_ugaussian_Q(fabs(statistic));
    return (hy_combination){
        .estimate = {true, value, error, value - half, value + half},
        .statistic = statistic,
        .p = error > 0 ? 2 * tail : NAN,
    };
}

#define MANY 1e7 /* degrees of freedom: F is chi-square then */

static hy_status test(const hy_regression *regression, const double *matrix, const double *values,
                      size_t num, hy_chi_square *result, hy_error *error)
{
    hy_symmetric room;
    hy_status status = hy_symmetric_init(&room, num, error);
    if (status != HY_OK)
        return status;
    double value = hy_symmetric_form(&room, matrix, values);
    *result = hy_chi_square_test(value, (unsigned)room.rank);
    if (result->known && regression->student && regression->degrees < MANY)
        result->p =
            gsl_cdf_fdist_Q(result->value / result->degrees, result->degrees, regression->degrees);
    hy_symmetric_clean_up(&room);
    return HY_OK;
}

hy_status hy_regression_joint(const hy_regression *regression, const double *weights, size_t num,
                              hy_chi_square *result, hy_error *error)
{
    size_t p = regression->num_terms;
    bool known = true;
    double *values = hy_new_array(num, sizeof *values);
    double *matrix = hy_new_array(num * num, sizeof *matrix);
    hy_status status = values && matrix ? HY_OK : hy_fail_memory(error);
    *result = hy_chi_square_test(NAN, 0);
    for (size_t i = 0; status == HY_OK && i < num; i++) {
        known = combine(regression, &weights[i * p], &values[i]) && known;
        for (size_t k = 0; k < num; k++)
            matrix[i * num + k] =
                hy_bilinear(regression->covariance, p, &weights[i * p], &weights[k * p]);
    }
    if (status == HY_OK && known)
        status = test(regression, matrix, values, num, result, error);
    free(values);
    free(matrix);
    return status;
}
