/* The likelihood of a regression on cells. Internal to stats. */
#ifndef HY_STATS_REGRESSION_MODEL_H
#define HY_STATS_REGRESSION_MODEL_H

#include "stats/newton.h"
#include "stats/regression.h"

typedef struct hy_regression_model {
    const hy_design *design;
    hy_family family;
    double *scale; /* [term]: the largest number of the term */
    double *x;     /* [cell][term], divided by it */
} hy_regression_model;

/* The mean of a response at the linear predictor, and its variance there but for the dispersion. */
double hy_family_mean(hy_family family, double predictor);
double hy_family_variance(hy_family family, double mean);

/* Twice what a cell's log likelihood falls short of that at its own mean. */
double hy_family_deviance(hy_family family, const hy_cell_sums *cell, double mean);

/* Σ (y − mean)² over the games of a cell. */
double hy_cell_squares(const hy_cell_sums *cell, double mean);

/* x·β + offset at scaled coefficients. */
double hy_regression_predictor(const hy_regression_model *model, size_t cell, const double *values);

/* Sets `values` to the weighted least squares of the transformed means of the cells. */
void hy_regression_start(const hy_regression_model *model, hy_newton *newton);

/* As hy_newton_evaluate; the context is the model. The likelihood is without what does not depend
 * on the coefficients. */
double hy_regression_evaluate(void *context, const double *values, double *gradient,
                              double *information);

#endif
