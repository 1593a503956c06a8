/* The maximum of a concave log likelihood by Newton's method with steps halved until it does not
 * fall, or the finding that there is none. Internal to stats.
 *
 * Where the likelihood rises without end its information along the way vanishes as exp(−distance)
 * while the steps stay as long as they are: that, and not the size of a number, tells it from a
 * maximum. The numbers that do not move any more have their limits then (Geyer, "Likelihood
 * inference in exponential families and directions of recession", EJS 3, 2009). Terms should be
 * scaled so that a step of 1 changes chances by about a factor of e at most. */
#ifndef HY_STATS_NEWTON_H
#define HY_STATS_NEWTON_H

#include "stats/fit.h"
#include "stats/symmetric.h"

/* The log likelihood at `values`, its gradient [n] and information [n][n] (minus the second
 * derivative); anything not finite where it cannot be had. */
typedef double hy_newton_evaluate(void *context, const double *values, double *gradient,
                                  double *information);

typedef struct hy_newton {
    size_t n;
    hy_fit_kind kind;    /* not HY_FIT_NO_DATA */
    double *values;      /* where to start, and what was found */
    int *infinite;       /* the sign of the way to infinity, else 0 */
    double *gradient;    /* at the end */
    double *information; /* at the end */
    double *covariance;  /* inverse of the information where that still had one */
    double likelihood;
    double start_likelihood;
    double start_score; /* gradient′ information⁻¹ gradient at the start */
    double *step, *trial, *start_variance;
    hy_symmetric room;
} hy_newton;

/* Values are 0 and may be set. */
HY_MUST_CHECK hy_status hy_newton_init(hy_newton *newton, size_t n, hy_error *error);
void hy_newton_clean_up(hy_newton *newton);

/* HY_FAILED where neither is found in 200 steps, no step raises the likelihood though it has a
 * slope, or the likelihood is not finite at the start. */
HY_MUST_CHECK hy_status hy_newton_climb(hy_newton *newton, hy_newton_evaluate *evaluate,
                                        void *context, hy_error *error);

#endif
