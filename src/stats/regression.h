/* Regression on a design of few cells with many games in each: what each rule does, and what two
 * together do.
 *
 * A cell is given by its row of the design matrix and by the number, sum and sum of squares of what
 * was measured in its games: 10^8 games are as quick as ten, and results are those of the single
 * games. Cells may repeat a row. The response y has the mean
 *
 *     linear       x·β + offset
 *     logistic     1 / (1 + exp(−x·β − offset))      y from 0 to 1: a score of 1, ½, 0, or a share
 *     log-linear   exp(x·β + offset)                 y at least 0: counts, lengths; exp β is a
 * ratio
 *
 * Sources: McCullagh and Nelder, Generalized Linear Models (2nd ed. 1989); fractional responses:
 * Papke and Wooldridge, Journal of Applied Econometrics 11 (1996); robust variance: White,
 * Econometrica 48 (1980), as HC2 of MacKinnon and White, Journal of Econometrics 29 (1985), which
 * in a design with one coefficient for each cell is Σ s²/n with the cells' own variances. */
#ifndef HY_STATS_REGRESSION_H
#define HY_STATS_REGRESSION_H

#include "base/status.h"
#include "stats/estimate.h"
#include "stats/fit.h"

#include <stddef.h>

typedef enum hy_family {
    HY_FAMILY_LINEAR,
    HY_FAMILY_LOGISTIC,
    HY_FAMILY_LOG_LINEAR,
} hy_family;

typedef enum hy_regression_errors {
    HY_ERRORS_ROBUST,     /* games of different cells may differ in their spread: the one to take */
    HY_ERRORS_MODEL,      /* linear: one common variance; else that of binomial or Poisson */
    HY_ERRORS_DISPERSION, /* that of the model times Pearson's dispersion */
} hy_regression_errors;

/* What was measured in the games of a cell. A score: n games, W + D/2 and W + D/4. */
typedef struct hy_cell_sums {
    uint64_t n;
    double sum, sum_squares;
} hy_cell_sums;

typedef struct hy_design {
    const double *rows; /* [cell][term]; a constant is a term of ones, which the caller gives */
    const hy_cell_sums *cells;
    const double *offsets; /* [cell], or NULL for none */
    size_t num_cells, num_terms;
} hy_design;

typedef struct hy_regression_options {
    hy_family family;
    hy_regression_errors errors;
    double confidence;
} hy_regression_options;

/* Made by hy_regression_fit, released by _clean_up. */
typedef struct hy_regression {
    hy_fit_kind kind;
    size_t num_terms;
    hy_estimate *coefficients; /* [term] */
    int *infinite;             /* [term]: 1 rises, −1 falls without end, 0 has an estimate */
    double *covariance;        /* [term][term]; NaN for what has no estimate */
    double *fitted;            /* [cell]: the mean */
    uint64_t num_games;
    double degrees;    /* n − terms */
    double dispersion; /* Pearson's: Σ (y − mean)² / V(mean) over degrees; linear: the variance */
    double deviance;   /* −2 ln of the likelihood less that of the cells' own means; linear:
                          Σ n (mean of the cell − fitted)² */
    bool student;      /* intervals and tests are Student's with `degrees`; else normal */
    double confidence;
} hy_regression;

/* Fails for numbers that are not finite, responses out of their range, sums of squares that no
 * games can have, a confidence not in (0, 1), and want of memory. Data that say nothing (see
 * hy_fit_kind) are no failure. Where one game alone decides a coefficient there is no robust
 * variance: standard errors are NaN then. */
HY_MUST_CHECK hy_status hy_regression_fit(const hy_design *design,
                                          const hy_regression_options *options,
                                          hy_regression *regression, hy_error *error);
void hy_regression_clean_up(hy_regression *regression);

/* A linear combination of coefficients against 0. */
typedef struct hy_combination {
    hy_estimate estimate;
    double statistic; /* estimate / its standard error: t or z */
    double p;         /* two-sided */
} hy_combination;

/* Σ weights[term]·β[term]; unknown where it has a part without an estimate. */
hy_combination hy_regression_contrast(const hy_regression *regression, const double *weights);

/* Whether num linear combinations ([combination][term]) are all 0: Wald's chi-square (for a
 * Student's fit p is that of F with its degrees). Redundant ones do not count as degrees. Fails for
 * want of memory. */
HY_MUST_CHECK hy_status hy_regression_joint(const hy_regression *regression, const double *weights,
                                            size_t num, hy_chi_square *test, hy_error *error);

#endif
