#include "stats/regression_model.h"

#include <math.h>
#include <string.h>

double hy_family_mean(hy_family family, double predictor)
{
    switch (family) {
    case HY_FAMILY_LINEAR:
        return predictor;
    case HY_FAMILY_LOGISTIC:
        return predictor >= 0 ? 1 / (1 + exp(-predictor)) : exp(predictor) / (1 + exp(predictor));
    case HY_FAMILY_LOG_LINEAR:
        return exp(predictor);
    }
    return NAN;
}

double hy_family_variance(hy_family family, double mean)
{
    switch (family) {
    case HY_FAMILY_LINEAR:
        return 1;
    case HY_FAMILY_LOGISTIC:
        return mean * (1 - mean);
    case HY_FAMILY_LOG_LINEAR:
        return mean;
    }
    return NAN;
}

static double predictor_of(hy_family family, double mean)
{
    switch (family) {
    case HY_FAMILY_LINEAR:
        return mean;
    case HY_FAMILY_LOGISTIC:
        return log(mean / (1 - mean));
    case HY_FAMILY_LOG_LINEAR:
        return log(mean);
    }
    return NAN;
}

/* y ln(y / mean), 0 for y = 0. */
static double entropy(double y, double mean)
{
    return y > 0 ? y * log(y / mean) : 0;
}

double hy_family_deviance(hy_family family, const hy_cell_sums *cell, double mean)
{
    double n = (double)cell->n, y = cell->sum / n;
    switch (family) {
    case HY_FAMILY_LINEAR:
        return n * (y - mean) * (y - mean);
    case HY_FAMILY_LOGISTIC:
        return 2 * n * (entropy(y, mean) + entropy(1 - y, 1 - mean));
    case HY_FAMILY_LOG_LINEAR:
        return 2 * n * (entropy(y, mean) - (y - mean));
    }
    return NAN;
}

double hy_cell_squares(const hy_cell_sums *cell, double mean)
{
    double n = (double)cell->n, own = cell->sum / n;
    return fmax(0, cell->sum_squares - cell->sum * own) + n * (own - mean) * (own - mean);
}

double hy_regression_predictor(const hy_regression_model *model, size_t cell, const double *values)
{
    const hy_design *design = model->design;
    const double *x = &model->x[cell * design->num_terms];
    double sum = design->offsets ? design->offsets[cell] : 0;
    for (size_t k = 0; k < design->num_terms; k++)
        sum += x[k] * values[k];
    return sum;
}

/* The log likelihood of a cell, and its score for the linear predictor. */
static double cell_likelihood(hy_family family, const hy_cell_sums *cell, double predictor,
                              double *score)
{
    double n = (double)cell->n, mean = hy_family_mean(family, predictor);
    *score = cell->sum - n * mean;
    switch (family) {
    case HY_FAMILY_LINEAR:
        *score = n * (cell->sum / n - mean);
        return -*score * *score / n / 2;
    case HY_FAMILY_LOGISTIC:
        if (predictor > 0) /* counts what was not scored, so that large numbers do not cancel */
            return (cell->sum - n) * predictor - n * log1p(exp(-predictor));
        return cell->sum * predictor - n * log1p(exp(predictor));
    case HY_FAMILY_LOG_LINEAR:
        return cell->sum * predictor - n * mean;
    }
    return NAN;
}

/* Adds a cell of n games with a score and a variance to gradient and information. */
static void add_cell(const hy_regression_model *model, size_t cell, double score, double weight,
                     double *gradient, double *information)
{
    size_t p = model->design->num_terms;
    const double *x = &model->x[cell * p];
    for (size_t i = 0; i < p; i++)
        gradient[i] += score * x[i];
    hy_add_outer(information, p, weight, x, x);
}

double hy_regression_evaluate(void *context, const double *values, double *gradient,
                              double *information)
{
    const hy_regression_model *model = context;
    const hy_design *design = model->design;
    double likelihood = 0, score;
    memset(gradient, 0, design->num_terms * sizeof(double));
    memset(information, 0, design->num_terms * design->num_terms * sizeof(double));
    for (size_t c = 0; c < design->num_cells; c++) {
        const hy_cell_sums *cell = &design->cells[c];
        if (cell->n == 0)
            continue;
        double predictor = hy_regression_predictor(model, c, values);
        double mean = hy_family_mean(model->family, predictor);
        likelihood += cell_likelihood(model->family, cell, predictor, &score);
        add_cell(model, c, score, (double)cell->n * hy_family_variance(model->family, mean),
                 gradient, information);
    }
    return likelihood;
}

/* A mean at which the link is finite. */
static double start_mean(hy_family family, const hy_cell_sums *cell, double overall)
{
    double n = (double)cell->n;
    switch (family) {
    case HY_FAMILY_LINEAR:
        return cell->sum / n;
    case HY_FAMILY_LOGISTIC:
        return (cell->sum + 0.5) / (n + 1);
    case HY_FAMILY_LOG_LINEAR:
        return (cell->sum + 0.5 * overall) / (n + 0.5);
    }
    return NAN;
}

void hy_regression_start(const hy_regression_model *model, hy_newton *newton)
{
    const hy_design *design = model->design;
    size_t p = newton->n;
    double games = 0, sum = 0;
    for (size_t c = 0; c < design->num_cells; c++) {
        games += (double)design->cells[c].n;
        sum += design->cells[c].n > 0 ? design->cells[c].sum : 0;
    }
    if (model->family == HY_FAMILY_LOG_LINEAR && !(sum > 0))
        return;
    memset(newton->gradient, 0, p * sizeof(double));
    memset(newton->information, 0, p * p * sizeof(double));
    for (size_t c = 0; c < design->num_cells; c++) {
        if (design->cells[c].n == 0)
            continue;
        double mean = start_mean(model->family, &design->cells[c], sum / games);
        double weight = (double)design->cells[c].n * hy_family_variance(model->family, mean);
        double response = predictor_of(model->family, mean);
        response -= design->offsets ? design->offsets[c] : 0;
        add_cell(model, c, weight * response, weight, newton->gradient, newton->information);
    }
    if (!hy_symmetric_invert(&newton->room, newton->information))
        return;
    for (size_t i = 0; i < p; i++) {
        newton->values[i] = 0;
        for (size_t k = 0; k < p; k++)
            newton->values[i] += newton->room.inverse[i * p + k] * newton->gradient[k];
    }
}
