/* The sequential probability ratio test of a difference in strength, from counts of results: games
 * as (losses, draws, wins) or pairs as LL, LD, WL+DD, WD, WW. */
#ifndef HY_STATS_SPRT_H
#define HY_STATS_SPRT_H

#include "base/status.h"
#include "stats/pairs.h"

/* On which scale elo0 and elo1 are: logistic (the score is 1/(1 + 10^(−elo/400))), or normalised
 * (the score's distance from 1/2 is elo·ln10/800 standard deviations of a game). */
typedef enum hy_elo_model {
    HY_ELO_LOGISTIC,
    HY_ELO_NORMALIZED,
    HY_NUM_ELO_MODELS,
} hy_elo_model;

extern const char *const hy_elo_model_words[HY_NUM_ELO_MODELS];

typedef struct hy_sprt_results {
    unsigned num; /* 3 (games) or 5 (pairs) */
    uint64_t counts[HY_NUM_PAIR_CLASSES];
} hy_sprt_results;

/* The score at which the logistic scale has an Elo difference. */
double hy_elo_score(double elo);

/* Log-likelihood ratio of H1 over H0 with the other parameters at their maximum under each: the
 * distribution of results nearest to those seen with the expectation (logistic) or the ratio of
 * distance to deviation (normalised) given. Classes not seen count 1/1000. 0 for no results.
 * Source: Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo", as computed
 * by fishtest's LLRcalc.py. */
double hy_sprt_llr(const hy_sprt_results *results, hy_elo_model model, double elo0, double elo1);

/* Shortcuts of it, good for many results near elo0 … elo1 and far off for few: with the variances
 * around both hypotheses (log ratio of second moments; for the normalised model of 1 + t², per
 * game), and with one variance (Gaussian; NaN for the normalised model). */
double hy_sprt_llr_moments(const hy_sprt_results *results, hy_elo_model model, double elo0,
                           double elo1);
double hy_sprt_llr_gauss(const hy_sprt_results *results, hy_elo_model model, double elo0,
                         double elo1);

/* Wald's bounds: log(beta/(1 − alpha)) and log((1 − beta)/alpha). */
typedef struct hy_sprt_bounds {
    double lower, upper;
} hy_sprt_bounds;
hy_sprt_bounds hy_sprt_bounds_of(double alpha, double beta);

typedef enum hy_sprt_state {
    HY_SPRT_CONTINUE,
    HY_SPRT_LOWER, /* H0 is accepted */
    HY_SPRT_UPPER, /* H1 is accepted */
    HY_NUM_SPRT_STATES,
} hy_sprt_state;

extern const char *const hy_sprt_state_words[HY_NUM_SPRT_STATES];

/* A running test, a value: hy_sprt_init, then hy_sprt_add with the results since the last call, at
 * looks that do not depend on them (fixed game numbers). The state, once it is not CONTINUE, stays;
 * later results are counted in `results` and `llr` but do not change it. */
typedef struct hy_sprt {
    hy_elo_model model;
    double elo0, elo1;
    double alpha, beta;

    hy_sprt_results results;
    double llr;
    hy_sprt_state state;
    uint64_t decided_at; /* results when it was decided; 0: not yet */
} hy_sprt;

/* HY_INVALID for elo0 >= elo1, errors out of (0, 1/2) or a number of classes other than 3 or 5. */
HY_MUST_CHECK hy_status hy_sprt_init(hy_sprt *sprt, hy_elo_model model, unsigned num_classes,
                                     double elo0, double elo1, double alpha, double beta,
                                     hy_error *error);
hy_sprt_state hy_sprt_add(hy_sprt *sprt, const uint64_t *counts);

#endif
