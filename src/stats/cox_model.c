#include "stats/cox_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/symmetric.h"

#define MOST_EXACT 1e9 /* operations for one evaluation */

/* --- rows --- */

static int compare_rows(const void *a, const void *b)
{
    const hy_cox_row *x = a, *y = b;
    if (x->stratum != y->stratum)
        return x->stratum > y->stratum ? 1 : -1;
    if (x->time > y->time || x->time < y->time)
        return x->time < y->time ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

static void take_rows(hy_cox_model *model, const hy_cox_data *data)
{
    for (size_t i = 0; i < data->num; i++) {
        const hy_lifetime *lifetime = &data->lifetimes[i];
        if (lifetime->weight == 0)
            continue;
        model->rows[model->num++] = (hy_cox_row){
            .time = lifetime->time,
            .weight = lifetime->weight,
            .index = i,
            .stratum = lifetime->stratum,
            .cluster = lifetime->group,
            .event = lifetime->event != 0,
        };
        model->num_events += lifetime->event ? lifetime->weight : 0;
    }
    qsort(model->rows, model->num, sizeof model->rows[0], compare_rows);
}

/* Centred at the mean of the games, and of size 1 at most. */
static void scale_covariate(hy_cox_model *model, const double *covariates, size_t k)
{
    size_t p = model->num_covariates;
    double sum = 0, most = 0;
    for (size_t i = 0; i < model->num; i++) {
        const hy_cox_row *row = &model->rows[i];
        sum += (double)row->weight / (double)model->num_games * covariates[row->index * p + k];
    }
    for (size_t i = 0; i < model->num; i++) {
        model->x[i * p + k] = covariates[model->rows[i].index * p + k] - sum;
        most = fmax(most, fabs(model->x[i * p + k]));
    }
    model->scale[k] = most > 0 ? most : 1;
    for (size_t i = 0; i < model->num; i++)
        model->x[i * p + k] /= model->scale[k];
}

static bool make_moment(hy_cox_moment *moment, size_t p)
{
    moment->risk_first = hy_new_array(p, sizeof(double));
    moment->tied_first = hy_new_array(p, sizeof(double));
    moment->event_first = hy_new_array(p, sizeof(double));
    moment->gradient = hy_new_array(p, sizeof(double));
    moment->risk_second = hy_new_array(p * p, sizeof(double));
    moment->tied_second = hy_new_array(p * p, sizeof(double));
    moment->information = hy_new_array(p * p, sizeof(double));
    return moment->risk_first && moment->tied_first && moment->event_first && moment->gradient &&
           moment->risk_second && moment->tied_second && moment->information;
}

static hy_status check_data(const hy_cox_data *data, uint64_t *games, hy_error *error)
{
    hy_status status = hy_lifetimes_check(data->lifetimes, data->num, games, error);
    for (size_t i = 0; status == HY_OK && i < data->num * data->num_covariates; i++) {
        if (!isfinite(data->covariates[i]))
            return hy_fail(error, HY_INVALID, "row %zu: covariate %zu is not a finite number",
                           i / data->num_covariates + 1, i % data->num_covariates + 1);
    }
    return status;
}

/* --- the room of the exact method --- */

static void measure(void *context, const hy_cox_model *model, const hy_cox_moment *moment)
{
    double *work = context, p = (double)model->num_covariates;
    if (moment->num_events > 1)
        *work += (double)moment->num_risk * (double)moment->num_events * (1 + p + p * p);
}

static void find_most(void *context, const hy_cox_model *model, const hy_cox_moment *moment)
{
    size_t *most = context;
    (void)model;
    if (moment->num_events > 1 && moment->num_events > *most)
        *most = moment->num_events;
}

/* Walks as with Breslow's method. */
static hy_status make_exact(hy_cox_model *model, hy_error *error)
{
    double work = 0;
    size_t p = model->num_covariates, most = 0;
    double *zero = hy_new_array(p, sizeof *zero);
    if (!zero)
        return hy_fail_memory(error);
    model->ties = HY_TIES_BRESLOW;
    hy_cox_walk(model, zero, measure, &work);
    hy_cox_walk(model, zero, find_most, &most);
    free(zero);
    model->ties = HY_TIES_EXACT;
    if (work > MOST_EXACT)
        return hy_fail(error, HY_INVALID,
                       "exact ties would take %.3g operations for each evaluation, more than %g; "
                       "Efron's method is as good where ties are that many",
                       work, MOST_EXACT);
    model->most_tied = most;
    model->room = hy_new_array((most + 1) * (1 + p + p * p), sizeof(double));
    return model->room ? HY_OK : hy_fail_memory(error);
}

hy_status hy_cox_model_init(hy_cox_model *model, const hy_cox_data *data, hy_ties ties,
                            hy_error *error)
{
    size_t p = data->num_covariates;
    *model = (hy_cox_model){.num_covariates = p, .ties = ties};
    hy_status status = check_data(data, &model->num_games, error);
    if (status != HY_OK)
        return status;
    model->rows = hy_new_array(data->num, sizeof model->rows[0]);
    model->x = hy_new_array(data->num * p, sizeof(double));
    model->scale = hy_new_array(p, sizeof(double));
    model->predictor = hy_new_array(data->num, sizeof(double));
    bool made = model->rows && model->x && model->scale && model->predictor;
    if (!make_moment(&model->moment, p) || !made) {
        hy_cox_model_clean_up(model);
        return hy_fail_memory(error);
    }
    take_rows(model, data);
    for (size_t k = 0; k < p; k++)
        scale_covariate(model, data->covariates, k);
    status = ties == HY_TIES_EXACT ? make_exact(model, error) : HY_OK;
    if (status != HY_OK)
        hy_cox_model_clean_up(model);
    return status;
}

void hy_cox_model_clean_up(hy_cox_model *model)
{
    free(model->rows);
    free(model->x);
    free(model->scale);
    free(model->predictor);
    free(model->room);
    free(model->moment.risk_first);
    free(model->moment.tied_first);
    free(model->moment.event_first);
    free(model->moment.gradient);
    free(model->moment.risk_second);
    free(model->moment.tied_second);
    free(model->moment.information);
    *model = (hy_cox_model){0};
}

/* --- the walk --- */

#define CHUNK 16 /* factors of at least 10⁻¹⁵ whose product is no underflow */

static hy_tie_sums tie_sums(hy_ties ties, uint64_t num, double risk, double tied)
{
    double d = (double)num, product = 1;
    if (ties != HY_TIES_EFRON || num == 1)
        return (hy_tie_sums){.logs = d * log(risk), .one = d / risk, .two = d / risk / risk};
    hy_tie_sums sums = {.logs = d * log(risk)};
    for (uint64_t l = 0; l < num; l++) {
        double r = (double)l / d, left = 1 - r * (tied / risk), inverse = 1 / (risk * left);
        product *= left;
        if (l % CHUNK == CHUNK - 1 || l + 1 == num) {
            sums.logs += log(product);
            product = 1;
        }
        sums.one += inverse;
        sums.one_r += r * inverse;
        sums.two += inverse * inverse;
        sums.two_r += r * inverse * inverse;
        sums.two_rr += r * r * inverse * inverse;
    }
    return sums;
}

/* With Efron's or Breslow's method. */
static void set_terms(hy_cox_moment *now, hy_ties ties, size_t p)
{
    hy_tie_sums s = tie_sums(ties, now->num_events, now->risk, now->tied);
    now->sums = s;
    now->likelihood = now->event_predictor - s.logs;
    for (size_t i = 0; i < p; i++) {
        double si = now->risk_first[i], ei = now->tied_first[i];
        now->gradient[i] = now->event_first[i] - s.one * si + s.one_r * ei;
        for (size_t k = 0; k < p; k++) {
            double sk = now->risk_first[k], ek = now->tied_first[k];
            now->information[i * p + k] =
                s.one * now->risk_second[i * p + k] - s.one_r * now->tied_second[i * p + k] -
                (s.two * si * sk - s.two_r * (si * ek + ei * sk) + s.two_rr * ei * ek);
        }
    }
}

static void clear_risk(hy_cox_moment *now, size_t p)
{
    now->risk = 0;
    now->num_risk = 0;
    memset(now->risk_first, 0, p * sizeof(double));
    memset(now->risk_second, 0, p * p * sizeof(double));
}

static void clear_tied(hy_cox_moment *now, size_t p)
{
    now->tied = 0;
    now->num_events = 0;
    now->event_predictor = 0;
    memset(now->tied_first, 0, p * sizeof(double));
    memset(now->tied_second, 0, p * p * sizeof(double));
    memset(now->event_first, 0, p * sizeof(double));
}

static void add_row(const hy_cox_model *model, hy_cox_moment *now, size_t i)
{
    size_t p = model->num_covariates;
    const hy_cox_row *row = &model->rows[i];
    const double *x = &model->x[i * p];
    double weight = (double)row->weight, predictor = model->predictor[i] - now->top;
    double hazard = weight * exp(predictor);
    now->num_risk += row->weight;
    now->risk += hazard;
    for (size_t k = 0; k < p; k++)
        now->risk_first[k] += hazard * x[k];
    hy_add_outer(now->risk_second, p, hazard, x, x);
    if (!row->event)
        return;
    now->num_events += row->weight;
    now->event_predictor += weight * predictor;
    now->tied += hazard;
    for (size_t k = 0; k < p; k++) {
        now->tied_first[k] += hazard * x[k];
        now->event_first[k] += weight * x[k];
    }
    hy_add_outer(now->tied_second, p, hazard, x, x);
}

static void walk_stratum(hy_cox_model *model, size_t first, size_t end, hy_cox_visit *visit,
                         void *context)
{
    hy_cox_moment *now = &model->moment;
    now->stratum_first = first;
    now->top = -INFINITY;
    for (size_t i = first; i < end; i++)
        now->top = fmax(now->top, model->predictor[i]);
    clear_risk(now, model->num_covariates);
    for (size_t i = first; i < end;) {
        now->time = model->rows[i].time;
        now->first = i;
        clear_tied(now, model->num_covariates);
        for (; i < end && !(model->rows[i].time < now->time); i++)
            add_row(model, now, i);
        now->end = i;
        if (now->num_events == 0)
            continue;
        if (model->ties == HY_TIES_EXACT && now->num_events > 1)
            hy_cox_exact(model, now);
        else
            set_terms(now, model->ties, model->num_covariates);
        visit(context, model, now);
    }
}

void hy_cox_walk(hy_cox_model *model, const double *values, hy_cox_visit *visit, void *context)
{
    size_t p = model->num_covariates;
    for (size_t i = 0; i < model->num; i++) {
        model->predictor[i] = 0;
        for (size_t k = 0; k < p; k++)
            model->predictor[i] += model->x[i * p + k] * values[k];
    }
    for (size_t first = 0, end; first < model->num; first = end) {
        end = first + 1;
        while (end < model->num && model->rows[end].stratum == model->rows[first].stratum)
            end++;
        walk_stratum(model, first, end, visit, context);
    }
}

typedef struct total {
    double likelihood;
    double *gradient, *information;
} total;

static void add_moment(void *context, const hy_cox_model *model, const hy_cox_moment *moment)
{
    total *sum = context;
    size_t p = model->num_covariates;
    sum->likelihood += moment->likelihood;
    for (size_t i = 0; i < p; i++)
        sum->gradient[i] += moment->gradient[i];
    for (size_t i = 0; i < p * p; i++)
        sum->information[i] += moment->information[i];
}

double hy_cox_evaluate(void *context, const double *values, double *gradient, double *information)
{
    hy_cox_model *model = context;
    size_t p = model->num_covariates;
    total sum = {0, gradient, information};
    memset(gradient, 0, p * sizeof(double));
    memset(information, 0, p * p * sizeof(double));
    hy_cox_walk(model, values, add_moment, &sum);
    return sum.likelihood;
}
