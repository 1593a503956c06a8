#include "stats/competing.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/lifetime_order.h"
#include "stats/quantile.h"

/* The jackknife: the influence of a game on the shares (unfinished, by each cause). Games at risk
 * have all been through the same, so that they have one influence; of those that are gone only the
 * sums of products are needed. */
typedef struct influence {
    double self;     /* of a game at risk on the share unfinished */
    double *of;      /* [cause]: of a game at risk on the share of a cause */
    double gone;     /* Σ over the gone of squares, for unfinished */
    double *cross;   /* [cause]: Σ of products of unfinished and the cause */
    double *squares; /* [cause] */
    double *left;    /* [cause]: how many left by it at this time */
} influence;

static hy_status make(size_t causes, influence *all, hy_error *error)
{
    *all = (influence){
        .of = hy_new_array(causes, sizeof(double)),
        .cross = hy_new_array(causes, sizeof(double)),
        .squares = hy_new_array(causes, sizeof(double)),
        .left = hy_new_array(causes, sizeof(double)),
    };
    return all->of && all->cross && all->squares && all->left ? HY_OK : hy_fail_memory(error);
}

static void clean_up(influence *all)
{
    free(all->of);
    free(all->cross);
    free(all->squares);
    free(all->left);
}

/* `num` games with the influences of one at risk, plus `jump` on unfinished and `gain` on `cause`,
 * are gone. */
static void let_go(influence *all, size_t causes, double num, size_t cause, double jump,
                   double gain)
{
    double self = all->self + jump;
    all->gone += num * self * self;
    for (size_t k = 0; k < causes; k++) {
        double of = all->of[k] + (k == cause ? gain : 0);
        all->cross[k] += num * self * of;
        all->squares[k] += num * of * of;
    }
}

/* From before a time to after it: n at risk, `unfinished` before, and all->left of them end. */
static void pass(influence *all, size_t causes, double n, double unfinished, double censored)
{
    double hazard = 0, self = all->self, gone = all->gone;
    for (size_t k = 0; k < causes; k++)
        hazard += all->left[k] / n;
    for (size_t k = 0; k < causes; k++) {
        double part = all->left[k] / n;
        all->of[k] += self * part - unfinished * part / n;
        all->squares[k] += 2 * part * all->cross[k] + part * part * gone;
        all->cross[k] = (all->cross[k] + gone * part) * (1 - hazard);
    }
    all->self = self * (1 - hazard) + unfinished * hazard / n;
    all->gone = gone * (1 - hazard) * (1 - hazard);
    for (size_t k = 0; k < causes; k++)
        let_go(all, causes, all->left[k], k, -unfinished / n, unfinished / n);
    let_go(all, causes, censored, causes, 0, 0);
}

static hy_estimate share(double value, double error, double z)
{
    hy_estimate estimate = {
        .known = true, .value = value, .standard_error = error, .low = NAN, .high = NAN};
    if (value > 0 && value < 1) {
        double centre = log(-log(value)), width = z * error / (value * -log(value));
        estimate.low = exp(-exp(centre + width));
        estimate.high = exp(-exp(centre - width));
    }
    return estimate;
}

static void fill(const hy_lifetime *rows, size_t num, uint64_t games, double z, influence *all,
                 hy_incidence *incidence)
{
    size_t causes = incidence->num_causes, point = 0;
    double unfinished = 1;
    uint64_t risk = games;
    for (size_t first = 0, end; first < num; first = end, point++) {
        hy_incidence_point *now = &incidence->points[point];
        uint64_t *events = &incidence->num_events[point * causes], gone = 0;
        end = hy_time_end(rows, num, first);
        *now = (hy_incidence_point){.time = rows[first].time, .num_risk = risk};
        for (size_t i = first; i < end; i++) {
            *(rows[i].event ? &events[rows[i].event - 1] : &now->num_censor) += rows[i].weight;
            gone += rows[i].weight;
        }
        double n = (double)risk, ended = (double)(gone - now->num_censor);
        for (size_t k = 0; k < causes; k++)
            all->left[k] = (double)events[k];
        pass(all, causes, n, unfinished, (double)now->num_censor);
        risk -= gone;
        for (size_t k = 0; k < causes; k++) {
            double before = point > 0 ? incidence->by_cause[(point - 1) * causes + k].value : 0;
            double variance = all->squares[k] + (double)risk * all->of[k] * all->of[k];
            incidence->by_cause[point * causes + k] =
                share(before + unfinished * all->left[k] / n, sqrt(fmax(0, variance)), z);
        }
        unfinished *= (n - ended) / n;
        now->unfinished = unfinished;
    }
}

static hy_status check(const hy_lifetime *lifetimes, size_t num, size_t causes, double confidence,
                       hy_error *error)
{
    for (size_t i = 0; i < num; i++) {
        if (lifetimes[i].event > causes)
            return hy_fail(error, HY_INVALID, "row %zu: cause %u, but there are %zu", i + 1,
                           lifetimes[i].event, causes);
    }
    return hy_confidence_check(confidence, error);
}

static hy_status fit_rows(const hy_lifetime *rows, size_t num, uint64_t games, double confidence,
                          hy_incidence *incidence, hy_error *error)
{
    influence all;
    size_t causes = incidence->num_causes;
    for (size_t i = 0; i < num; i = hy_time_end(rows, num, i))
        incidence->num_points++;
    incidence->points = hy_new_array(incidence->num_points, sizeof incidence->points[0]);
    incidence->num_events = hy_new_array(incidence->num_points * causes, sizeof(uint64_t));
    incidence->by_cause = hy_new_array(incidence->num_points * causes, sizeof(hy_estimate));
    hy_status status = make(causes, &all, error);
    if (status == HY_OK && !(incidence->points && incidence->num_events && incidence->by_cause))
        status = hy_fail_memory(error);
    if (status == HY_OK)
        fill(rows, num, games, hy_two_sided_z(confidence), &all, incidence);
    clean_up(&all);
    return status;
}

hy_status hy_incidence_fit(const hy_lifetime *lifetimes, size_t num, size_t num_causes,
                           double confidence, hy_incidence *incidence, hy_error *error)
{
    hy_lifetime *rows = NULL;
    size_t num_rows = 0;
    uint64_t games = 0;
    *incidence = (hy_incidence){.num_causes = num_causes};
    hy_status status = check(lifetimes, num, num_causes, confidence, error);
    if (status == HY_OK)
        status = hy_lifetimes_order(lifetimes, num, false, &rows, &num_rows, &games, error);
    if (status == HY_OK)
        status = fit_rows(rows, num_rows, games, confidence, incidence, error);
    free(rows);
    if (status != HY_OK)
        hy_incidence_clean_up(incidence);
    return status;
}

void hy_incidence_clean_up(hy_incidence *incidence)
{
    free(incidence->points);
    free(incidence->num_events);
    free(incidence->by_cause);
    *incidence = (hy_incidence){0};
}

hy_estimate hy_incidence_at(const hy_incidence *incidence, size_t cause, double time)
{
    static const hy_estimate unknown = {
        .known = false, .value = NAN, .standard_error = NAN, .low = NAN, .high = NAN};
    size_t num = incidence->num_points;
    if (num == 0 || cause >= incidence->num_causes || !(time >= 0))
        return unknown;
    if (time > incidence->points[num - 1].time && incidence->points[num - 1].unfinished > 0)
        return unknown;
    size_t up_to = 0, above = num;
    while (up_to < above) {
        size_t middle = up_to + (above - up_to) / 2;
        if (incidence->points[middle].time <= time)
            up_to = middle + 1;
        else
            above = middle;
    }
    if (up_to == 0)
        return (hy_estimate){.known = true, .low = NAN, .high = NAN};
    return incidence->by_cause[(up_to - 1) * incidence->num_causes + cause];
}
