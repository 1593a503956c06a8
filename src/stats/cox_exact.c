/* Ties exactly: given that d of n games at risk ended, which. The sum over all sets of d games of
 * the product of their hazards is C(n, d) times the mean product; that mean, with its first and
 * second derivatives, follows from that of one game less:
 *
 *     mean(k, n) = (1 − k/n)·mean(k, n − 1) + (k/n)·hazard(n)·mean(k − 1, n − 1)
 *
 * (the recursion of Gail, Lubin and Rubinstein, 1981, for means, which neither over- nor underflow
 * as sums do). */
#include <math.h>
#include <string.h>

#include "stats/cox_model.h"

/* Adds the n-th game with its covariates: from the largest k down, so that k − 1 is still of one
 * game less. A layer is the mean, its gradient [p] and its second derivative [p][p]. */
static void add_game(double *room, size_t p, uint64_t n, uint64_t most, double hazard,
                     const double *x)
{
    size_t size = 1 + p + p * p;
    for (uint64_t k = n < most ? n : most; k > 0; k--) {
        double *layer = room + k * size, *first = layer + 1, *second = first + p;
        const double *below = layer - size, *below_first = below + 1,
                     *below_second = below_first + p;
        double keep = (double)(n - k) / (double)n, take = hazard * (double)k / (double)n;
        layer[0] = keep * layer[0] + take * below[0];
        for (size_t i = 0; i < p; i++) {
            first[i] = keep * first[i] + take * (below_first[i] + x[i] * below[0]);
            for (size_t j = 0; j < p; j++)
                second[i * p + j] = keep * second[i * p + j] +
                                    take * (below_second[i * p + j] + x[i] * below_first[j] +
                                            below_first[i] * x[j] + x[i] * x[j] * below[0]);
        }
    }
}

static double log_choose(double n, double k)
{
    int sign;
    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

void hy_cox_exact(hy_cox_model *model, hy_cox_moment *moment)
{
    size_t p = model->num_covariates, size = 1 + p + p * p;
    uint64_t d = moment->num_events, n = 0;
    double centre = log(moment->risk / (double)moment->num_risk); /* of the mean hazard */
    memset(model->room, 0, (d + 1) * size * sizeof(double));
    model->room[0] = 1;
    for (size_t i = moment->stratum_first; i < moment->end; i++) {
        double hazard = exp(model->predictor[i] - moment->top - centre);
        for (uint64_t copy = 0; copy < model->rows[i].weight; copy++)
            add_game(model->room, p, ++n, d, hazard, &model->x[i * p]);
    }
    const double *layer = model->room + d * size, *first = layer + 1, *second = first + p;
    moment->likelihood = moment->event_predictor - (double)d * centre - log(layer[0]) -
                         log_choose((double)n, (double)d);
    for (size_t i = 0; i < p; i++) {
        moment->gradient[i] = moment->event_first[i] - first[i] / layer[0];
        for (size_t k = 0; k < p; k++)
            moment->information[i * p + k] =
                second[i * p + k] / layer[0] - first[i] / layer[0] * (first[k] / layer[0]);
    }
}
