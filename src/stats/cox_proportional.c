/* Whether hazards stay in proportion: the score test of coefficients that change with time. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/cox_model.h"
#include "stats/survival.h"
#include "stats/symmetric.h"

/* Sums over times of their gradient and information, with g(t) and without. */
typedef struct trend {
    hy_cox_time time;
    const hy_survival *survival; /* of all games */
    double mean, events;         /* of g over events */
    double *score;               /* [2p]: 0, then Σ g·gradient */
    double *information;         /* [2p][2p] */
} trend;

static double survival_before(const hy_survival *survival, double time)
{
    size_t low = 0, high = survival->num_points; /* points before `time` */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (survival->points[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? survival->points[low - 1].survival : 1;
}

static double value_of(const trend *all, double time)
{
    switch (all->time) {
    case HY_COX_TIME_KM:
        return 1 - survival_before(all->survival, time);
    case HY_COX_TIME_IDENTITY:
        return time;
    case HY_COX_TIME_LOG:
        return log(time);
    }
    return NAN;
}

static void add_mean(void *context, const hy_cox_model *model, const hy_cox_moment *moment)
{
    trend *all = context;
    double d = (double)moment->num_events;
    (void)model;
    all->events += d;
    all->mean += (value_of(all, moment->time) - all->mean) * d / all->events;
}

static void add_moment(void *context, const hy_cox_model *model, const hy_cox_moment *moment)
{
    trend *all = context;
    size_t p = model->num_covariates;
    double g = value_of(all, moment->time) - all->mean;
    for (size_t i = 0; i < p; i++) {
        all->score[p + i] += g * moment->gradient[i];
        for (size_t k = 0; k < p; k++) {
            double information = moment->information[i * p + k];
            all->information[i * 2 * p + k] += information;
            all->information[i * 2 * p + p + k] += g * information;
            all->information[(p + i) * 2 * p + k] += g * information;
            all->information[(p + i) * 2 * p + p + k] += g * g * information;
        }
    }
}

/* The test of the numbers p + first to p + end − 1 of the trend, those up to p being fitted. */
static hy_status test(const trend *all, size_t p, size_t first, size_t end, hy_chi_square *result,
                      hy_error *error)
{
    size_t n = p + end - first;
    hy_symmetric room;
    double *score = hy_new_array(n, sizeof *score), *matrix = hy_new_array(n * n, sizeof *matrix);
    hy_status status = score && matrix ? hy_symmetric_init(&room, n, error) : hy_fail_memory(error);
    if (status == HY_OK) {
        for (size_t i = 0; i < n; i++) {
            size_t row = i < p ? i : i + first;
            score[i] = all->score[row];
            for (size_t k = 0; k < n; k++)
                matrix[i * n + k] = all->information[row * 2 * p + (k < p ? k : k + first)];
        }
        double value = hy_symmetric_form(&room, matrix, score);
        *result = hy_chi_square_test(value, room.rank > p ? (unsigned)(room.rank - p) : 0);
        hy_symmetric_clean_up(&room);
    }
    free(score);
    free(matrix);
    return status;
}

static hy_status test_all(hy_cox_model *model, const hy_cox *cox, trend *all, hy_chi_square *tests,
                          hy_error *error)
{
    size_t p = model->num_covariates;
    double *values = hy_new_array(p, sizeof *values);
    hy_status status = values ? HY_OK : hy_fail_memory(error);
    for (size_t i = 0; status == HY_OK && i < p; i++)
        values[i] = cox->coefficients[i].value * model->scale[i];
    if (status == HY_OK) {
        hy_cox_walk(model, values, add_mean, all);
        if (!isfinite(all->mean))
            status = hy_fail(error, HY_INVALID, "an event at time 0 has no logarithm");
        else
            hy_cox_walk(model, values, add_moment, all);
    }
    for (size_t i = 0; status == HY_OK && i < p; i++)
        status = test(all, p, i, i + 1, &tests[i], error);
    if (status == HY_OK)
        status = test(all, p, 0, p, &tests[p], error);
    free(values);
    return status;
}

hy_status hy_cox_proportional(const hy_cox_data *data, const hy_cox_options *options,
                              const hy_cox *cox, hy_cox_time time, hy_chi_square *tests,
                              hy_error *error)
{
    hy_cox_model model;
    hy_survival survival;
    size_t p = data->num_covariates;
    for (size_t i = 0; i <= p; i++)
        tests[i] = hy_chi_square_test(NAN, 0);
    if (cox->kind != HY_FIT_KNOWN)
        return HY_OK;
    hy_status status = hy_survival_fit(data->lifetimes, data->num, HY_BAND_PLAIN,
                                       options->confidence, &survival, error);
    if (status != HY_OK)
        return status;
    status = hy_cox_model_init(&model, data, options->ties, error);
    if (status == HY_OK) {
        trend all = {
            .time = time,
            .survival = &survival,
            .score = hy_new_array(2 * p, sizeof(double)),
            .information = hy_new_array(4 * p * p, sizeof(double)),
        };
        status = all.score && all.information ? test_all(&model, cox, &all, tests, error)
                                              : hy_fail_memory(error);
        free(all.score);
        free(all.information);
        hy_cox_model_clean_up(&model);
    }
    hy_survival_clean_up(&survival);
    return status;
}
