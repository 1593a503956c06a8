/* Hazards of ending in proportion to covariates: Cox's regression.
 *
 * Sources: Cox, JRSS B 34 (1972); ties by Efron, JASA 72 (1977), by Breslow, Biometrics 30 (1974),
 * or exactly, the conditional likelihood of Cox with the recursion of Gail, Lubin and Rubinstein,
 * Biometrika 68 (1981); robust variance: Lin and Wei, JASA 84 (1989); test of proportional hazards:
 * the score test of β(t) = β + θ·g(t), that of R's cox.zph since survival 3.0 (Therneau and
 * Grambsch, Modeling Survival Data, 2000, chapter 6). Numbers are those of R's coxph.
 *
 * A weight w stands for w games that tie, in Efron's correction too, which is not R's meaning of
 * `weights` but that of a data set with those rows repeated. Newton's method with steps halved
 * until the likelihood does not fall. */
#ifndef HY_STATS_COX_H
#define HY_STATS_COX_H

#include "stats/estimate.h"
#include "stats/fit.h"
#include "stats/lifetime.h"

typedef enum hy_ties {
    HY_TIES_EFRON,
    HY_TIES_BRESLOW,
    HY_TIES_EXACT, /* for times that are discrete; for small data: see hy_cox_fit */
} hy_ties;

typedef enum hy_cox_errors {
    HY_COX_MODEL,     /* the inverse information */
    HY_COX_ROBUST,    /* the sandwich, every game by itself */
    HY_COX_CLUSTERED, /* the sandwich, games of the same `group` together */
} hy_cox_errors;

typedef struct hy_cox_data {
    const hy_lifetime *lifetimes; /* baseline hazards differ by stratum */
    const double *covariates;     /* [row][covariate] */
    size_t num, num_covariates;
} hy_cox_data;

typedef struct hy_cox_options {
    hy_ties ties;
    hy_cox_errors errors;
    double confidence;
} hy_cox_options;

/* Made by hy_cox_fit, released by _clean_up. */
typedef struct hy_cox {
    hy_fit_kind kind;
    size_t num_covariates;
    hy_estimate *coefficients;  /* [covariate] */
    hy_estimate *hazard_ratios; /* [covariate]: exp of them, standard_error by the delta method */
    int *infinite;      /* [covariate]: 1 rises, −1 falls without end, 0 has an estimate */
    double *covariance; /* [covariate][covariate]; NaN for what has no estimate */
    uint64_t num_games, num_events;
    double null_likelihood; /* log likelihood without covariates */
    double likelihood;      /* fitted; with infinite coefficients its least upper bound */
    hy_chi_square likelihood_ratio, score; /* of all coefficients being 0 */
} hy_cox;

/* Fails for what hy_lifetimes_check refuses, covariates that are not finite, a confidence not in
 * (0, 1), want of memory; with HY_TIES_EXACT also for data that would take more than 10^9
 * operations for one evaluation, and where errors are not HY_COX_MODEL. Data that say nothing
 * (see hy_fit_kind) are no failure. Efron's method takes time in proportion to the number of
 * events, the others to that of rows: two covariates on 10^6 rows of 100 games each took 3.8 s, by
 * Breslow's method with robust errors 1.2 s (measured). */
HY_MUST_CHECK hy_status hy_cox_fit(const hy_cox_data *data, const hy_cox_options *options,
                                   hy_cox *cox, hy_error *error);
void hy_cox_clean_up(hy_cox *cox);

/* What time is called in the test of proportional hazards. */
typedef enum hy_cox_time {
    HY_COX_TIME_KM,       /* 1 − S(t−) of all games: R's own choice */
    HY_COX_TIME_IDENTITY, /* t */
    HY_COX_TIME_LOG,      /* ln t; an event at time 0 is refused */
} hy_cox_time;

/* Whether hazards are in proportion at all times: tests[covariate] each by itself, and tests[num
 * covariates] all together. `cox` is a fit of the same data and options; unknown unless its kind is
 * HY_FIT_KNOWN. */
HY_MUST_CHECK hy_status hy_cox_proportional(const hy_cox_data *data, const hy_cox_options *options,
                                            const hy_cox *cox, hy_cox_time time,
                                            hy_chi_square *tests, hy_error *error);

#endif
