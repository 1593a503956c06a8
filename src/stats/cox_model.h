/* The partial likelihood: rows in order, and a walk through the times at which games ended.
 * Internal to stats. */
#ifndef HY_STATS_COX_MODEL_H
#define HY_STATS_COX_MODEL_H

#include "stats/cox.h"

typedef struct hy_cox_row {
    double time;
    uint64_t weight;
    size_t index; /* in the caller's data */
    uint32_t stratum, cluster;
    bool event;
} hy_cox_row;

/* Sums over the d events of a time, the terms of a tie: r = l / d for the l-th with Efron's method,
 * else 0, and D = S0 − r·E0. */
typedef struct hy_tie_sums {
    double logs;               /* Σ ln D */
    double one, one_r;         /* Σ 1/D, Σ r/D */
    double two, two_r, two_rr; /* Σ 1/D², Σ r/D², Σ r²/D² */
} hy_tie_sums;

/* A time with events in a stratum. Sums are weighted by games and relative hazard exp(x·β − top);
 * matrices are [covariate][covariate]. */
typedef struct hy_cox_moment {
    double time;
    size_t stratum_first, first, end; /* at risk: rows from stratum_first to end − 1; at this time:
                                         from first on */
    uint64_t num_events, num_risk;
    double top;
    double risk, tied;                 /* S0 of all at risk, E0 of those that end now */
    double *risk_first, *tied_first;   /* Σ x */
    double *risk_second, *tied_second; /* Σ x x′ */
    double event_predictor;            /* Σ weight·(x·β − top) of those that end now */
    double *event_first;               /* Σ weight·x of them */
    hy_tie_sums sums;                  /* not with HY_TIES_EXACT */
    double likelihood;                 /* what this time adds to the log likelihood, */
    double *gradient, *information;    /* its gradient and its information */
} hy_cox_moment;

/* Made by hy_cox_model_init, released by _clean_up. */
typedef struct hy_cox_model {
    size_t num, num_covariates;
    hy_ties ties;
    hy_cox_row *rows;  /* by stratum, latest first */
    double *x;         /* [row][covariate], centred and scaled to at most 1 */
    double *scale;     /* [covariate]: one unit of x in those of the data */
    double *predictor; /* [row] */
    uint64_t num_games, num_events;
    hy_cox_moment moment;
    size_t most_tied; /* events at one time, of times with more than one */
    double *room;     /* of the exact method: [most_tied + 1][1 + p + p²] */
} hy_cox_model;

HY_MUST_CHECK hy_status hy_cox_model_init(hy_cox_model *model, const hy_cox_data *data,
                                          hy_ties ties, hy_error *error);
void hy_cox_model_clean_up(hy_cox_model *model);

typedef void hy_cox_visit(void *context, const hy_cox_model *model, const hy_cox_moment *moment);

/* Calls `visit` for each time with events, at the scaled coefficients `values`. */
void hy_cox_walk(hy_cox_model *model, const double *values, hy_cox_visit *visit, void *context);

/* The log likelihood, as hy_newton_evaluate; the context is the model. */
double hy_cox_evaluate(void *context, const double *values, double *gradient, double *information);

/* Likelihood, gradient and information of a time with more than one event by the exact method. */
void hy_cox_exact(hy_cox_model *model, hy_cox_moment *moment);

/* The sandwich at `values` around `inverse` (scaled coefficients, 0 for what is left out), with
 * games by themselves or by cluster, into `covariance`. */
HY_MUST_CHECK hy_status hy_cox_sandwich(hy_cox_model *model, const double *values,
                                        const double *inverse, bool clustered, double *covariance,
                                        hy_error *error);

#endif
