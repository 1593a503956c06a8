/* The sandwich: a game's score residual is its covariates less the mean of those at risk where it
 * ended, less what it was expected to add up to then (Lin and Wei, 1989; with Efron's ties as R's
 * residuals(coxph, 'score')). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/cox_model.h"
#include "stats/symmetric.h"

/* What a time with events does to the games at risk, by one unit of hazard: `rate`, and `mean`
 * times it; those that end there bear less of it with Efron's ties (own_). `centre` is the mean
 * over the events of the time. Laid out as rate, own_rate, then three of [p]. */
typedef struct effects {
    size_t p, num;
    size_t *first; /* [time]: rows of the time */
    double *rates; /* [time][2] */
    double *means; /* [time][3][p]: mean, own_mean, centre */
    double *tops;  /* [time] */
} effects;

static void count_times(void *context, const hy_cox_model *model, const hy_cox_moment *moment)
{
    (void)model;
    (void)moment;
    ++*(size_t *)context;
}

static void take_effect(void *context, const hy_cox_model *model, const hy_cox_moment *moment)
{
    effects *all = context;
    size_t p = model->num_covariates, at = all->num++;
    const hy_tie_sums *s = &moment->sums;
    double d = (double)moment->num_events;
    double *mean = &all->means[at * 3 * p], *own = mean + p, *centre = own + p;
    all->first[at] = moment->first;
    all->tops[at] = moment->top;
    all->rates[at * 2] = s->one;
    all->rates[at * 2 + 1] = s->one - s->one_r;
    for (size_t k = 0; k < p; k++) {
        double risk = moment->risk_first[k], tied = moment->tied_first[k];
        mean[k] = s->two * risk - s->two_r * tied;
        own[k] = (s->two - s->two_r) * risk - (s->two_r - s->two_rr) * tied;
        centre[k] = (s->one * risk - s->one_r * tied) / d;
    }
}

static hy_status make(effects *all, hy_cox_model *model, const double *values, hy_error *error)
{
    size_t times = 0, p = model->num_covariates;
    hy_cox_walk(model, values, count_times, &times);
    *all = (effects){
        .p = p,
        .first = hy_new_array(times, sizeof(size_t)),
        .rates = hy_new_array(times * 2, sizeof(double)),
        .means = hy_new_array(times * 3 * p, sizeof(double)),
        .tops = hy_new_array(times, sizeof(double)),
    };
    if (!all->first || !all->rates || !all->means || !all->tops)
        return hy_fail_memory(error);
    hy_cox_walk(model, values, take_effect, all);
    return HY_OK;
}

static void clean_up(effects *all)
{
    free(all->first);
    free(all->rates);
    free(all->means);
    free(all->tops);
}

/* The residual of row i, given what the times before its own added up to (sum: rate, then mean);
 * `at` is its own time among the effects, or all->num where nothing ended then. */
static void set_residual(const hy_cox_model *model, const effects *all, size_t i, size_t at,
                         const double *sum, double top, double *residual)
{
    size_t p = all->p;
    const double *x = &model->x[i * p];
    double hazard = exp(model->predictor[i] - top), event = model->rows[i].event ? 1 : 0;
    for (size_t k = 0; k < p; k++) {
        double rate = sum[0], mean = sum[1 + k];
        residual[k] = 0;
        if (at < all->num) {
            const double *means = &all->means[at * 3 * p];
            rate += all->rates[at * 2 + (event > 0 ? 1 : 0)];
            mean += means[(event > 0 ? p : 0) + k];
            residual[k] = event * (x[k] - means[2 * p + k]);
        }
        residual[k] -= hazard * (x[k] * rate - mean);
    }
}

/* Residuals of all rows, from the earliest time of each stratum on: backwards through the rows. */
static void set_residuals(const hy_cox_model *model, const effects *all, double *sum,
                          double *residuals)
{
    size_t p = all->p, left = all->num, i = model->num;
    double top = 0;
    while (i > 0) {
        size_t end = i, first = i - 1;
        const hy_cox_row *row = &model->rows[first];
        if (end == model->num || model->rows[end].stratum != row->stratum)
            memset(sum, 0, (1 + p) * sizeof(double));
        while (first > 0 && model->rows[first - 1].stratum == row->stratum &&
               !(model->rows[first - 1].time > row->time))
            first--;
        bool has = left > 0 && all->first[left - 1] == first;
        size_t at = has ? left - 1 : all->num;
        top = has ? all->tops[at] : top;
        for (size_t k = first; k < end; k++)
            set_residual(model, all, k, at, sum, top, &residuals[k * p]);
        if (has) {
            sum[0] += all->rates[at * 2];
            for (size_t k = 0; k < p; k++)
                sum[1 + k] += all->means[at * 3 * p + k];
            left--;
        }
        i = first;
    }
}

typedef struct by_cluster {
    uint32_t cluster;
    size_t row;
} by_cluster;

static int compare(const void *a, const void *b)
{
    const by_cluster *x = a, *y = b;
    if (x->cluster != y->cluster)
        return x->cluster > y->cluster ? 1 : -1;
    return (x->row > y->row) - (x->row < y->row);
}

static hy_status add_clusters(const hy_cox_model *model, const double *residuals, double *sum,
                              double *inner, hy_error *error)
{
    size_t p = model->num_covariates;
    by_cluster *order = hy_new_array(model->num, sizeof *order);
    if (!order)
        return hy_fail_memory(error);
    for (size_t i = 0; i < model->num; i++)
        order[i] = (by_cluster){model->rows[i].cluster, i};
    qsort(order, model->num, sizeof order[0], compare);
    memset(sum, 0, p * sizeof(double));
    for (size_t i = 0; i < model->num; i++) {
        size_t row = order[i].row;
        for (size_t k = 0; k < p; k++)
            sum[k] += (double)model->rows[row].weight * residuals[row * p + k];
        if (i + 1 < model->num && order[i + 1].cluster == order[i].cluster)
            continue;
        hy_add_outer(inner, p, 1, sum, sum);
        memset(sum, 0, p * sizeof(double));
    }
    free(order);
    return HY_OK;
}

hy_status hy_cox_sandwich(hy_cox_model *model, const double *values, const double *inverse,
                          bool clustered, double *covariance, hy_error *error)
{
    effects all = {0};
    size_t p = model->num_covariates;
    double *residuals = hy_new_array(model->num * p, sizeof(double));
    double *sum = hy_new_array(1 + p, sizeof(double));
    double *inner = hy_new_array(p * p, sizeof(double)),
           *half = hy_new_array(p * p, sizeof(double));
    hy_status status = residuals && sum && inner && half ? make(&all, model, values, error)
                                                         : hy_fail_memory(error);
    if (status == HY_OK) {
        set_residuals(model, &all, sum, residuals);
        if (clustered)
            status = add_clusters(model, residuals, sum, inner, error);
        for (size_t i = 0; !clustered && i < model->num; i++)
            hy_add_outer(inner, p, (double)model->rows[i].weight, &residuals[i * p],
                         &residuals[i * p]);
        hy_sandwich(inverse, inner, p, half, covariance);
    }
    clean_up(&all);
    free(residuals);
    free(sum);
    free(inner);
    free(half);
    return status;
}
