#include "stats/cox.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/cox_model.h"
#include "stats/newton.h"
#include "stats/quantile.h"

static const hy_estimate unknown = {
    .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};

static hy_status make(hy_cox *cox, size_t p, hy_error *error)
{
    *cox = (hy_cox){
        .kind = HY_FIT_NO_DATA,
        .num_covariates = p,
        .coefficients = hy_new_array(p, sizeof(hy_estimate)),
        .hazard_ratios = hy_new_array(p, sizeof(hy_estimate)),
        .infinite = hy_new_array(p, sizeof(int)),
        .covariance = hy_new_array(p * p, sizeof(double)),
        .null_likelihood = NAN,
        .likelihood = NAN,
        .likelihood_ratio = hy_chi_square_test(NAN, 0),
        .score = hy_chi_square_test(NAN, 0),
    };
    if (!cox->coefficients || !cox->hazard_ratios || !cox->infinite || !cox->covariance)
        return hy_fail_memory(error);
    for (size_t i = 0; i < p; i++) {
        cox->coefficients[i] = unknown;
        cox->hazard_ratios[i] = unknown;
        for (size_t k = 0; k < p; k++)
            cox->covariance[i * p + k] = NAN;
    }
    return HY_OK;
}

static void set_estimates(hy_cox *cox, const hy_cox_model *model, const double *values,
                          const double *covariance, double confidence)
{
    size_t p = cox->num_covariates;
    double z = hy_two_sided_z(confidence);
    for (size_t i = 0; i < p; i++) {
        for (size_t k = 0; k < p; k++)
            cox->covariance[i * p + k] =
                cox->infinite[i] || cox->infinite[k]
                    ? NAN
                    : covariance[i * p + k] / model->scale[i] / model->scale[k];
        if (cox->infinite[i])
            continue;
        double value = values[i] / model->scale[i], error = sqrt(cox->covariance[i * (p + 1)]);
        cox->coefficients[i] =
            (hy_estimate){true, value, error, value - z * error, value + z * error};
        cox->hazard_ratios[i] = (hy_estimate){true, exp(value), exp(value) * error,
                                              exp(value - z * error), exp(value + z * error)};
    }
}

/* Numbers on their way to infinity bear nothing on the others in the limit. */
static hy_status enclose(hy_cox_model *model, hy_newton *newton, const hy_cox_options *options,
                         hy_error *error)
{
    size_t p = newton->n;
    double *inverse = newton->room.inverse;
    for (size_t i = 0; i < p; i++) {
        for (size_t k = 0; k < p; k++)
            inverse[i * p + k] =
                newton->infinite[i] || newton->infinite[k] ? 0 : newton->covariance[i * p + k];
    }
    return hy_cox_sandwich(model, newton->values, inverse, options->errors == HY_COX_CLUSTERED,
                           newton->covariance, error);
}

static hy_status take(hy_cox *cox, hy_cox_model *model, hy_newton *newton,
                      const hy_cox_options *options, hy_error *error)
{
    cox->kind = newton->kind;
    cox->null_likelihood = newton->start_likelihood;
    if (newton->kind == HY_FIT_SINGULAR)
        return HY_OK;
    cox->likelihood = newton->likelihood;
    cox->likelihood_ratio = hy_chi_square_test(2 * (newton->likelihood - newton->start_likelihood),
                                               (unsigned)newton->n);
    cox->score = hy_chi_square_test(newton->start_score, (unsigned)newton->n);
    for (size_t i = 0; i < newton->n; i++)
        cox->infinite[i] = newton->infinite[i];
    if (options->errors != HY_COX_MODEL) {
        hy_status status = enclose(model, newton, options, error);
        if (status != HY_OK)
            return status;
    }
    set_estimates(cox, model, newton->values, newton->covariance, options->confidence);
    return HY_OK;
}

static hy_status check(const hy_cox_options *options, hy_error *error)
{
    if (options->ties == HY_TIES_EXACT && options->errors != HY_COX_MODEL)
        return hy_fail(error, HY_INVALID,
                       "exact ties have no robust errors: take Efron's or Breslow's method");
    return hy_confidence_check(options->confidence, error);
}

hy_status hy_cox_fit(const hy_cox_data *data, const hy_cox_options *options, hy_cox *cox,
                     hy_error *error)
{
    hy_cox_model model = {0};
    hy_newton newton = {0};
    *cox = (hy_cox){0};
    hy_status status = check(options, error);
    if (status == HY_OK)
        status = hy_cox_model_init(&model, data, options->ties, error);
    if (status != HY_OK)
        return status;
    status = make(cox, data->num_covariates, error);
    cox->num_games = model.num_games;
    cox->num_events = model.num_events;
    if (status == HY_OK && model.num_events > 0) {
        status = hy_newton_init(&newton, data->num_covariates, error);
        if (status == HY_OK)
            status = hy_newton_climb(&newton, hy_cox_evaluate, &model, error);
        if (status == HY_OK)
            status = take(cox, &model, &newton, options, error);
        hy_newton_clean_up(&newton);
    }
    hy_cox_model_clean_up(&model);
    if (status != HY_OK)
        hy_cox_clean_up(cox);
    return status;
}

void hy_cox_clean_up(hy_cox *cox)
{
    free(cox->coefficients);
    free(cox->hazard_ratios);
    free(cox->infinite);
    free(cox->covariance);
    *cox = (hy_cox){0};
}
