#include "stats/sprt.h"

#include <math.h>

#include "stats/quantile.h"

const char *const hy_elo_model_words[HY_NUM_ELO_MODELS] = {
    [HY_ELO_LOGISTIC] = "logistic",
    [HY_ELO_NORMALIZED] = "normalized",
};

const char *const hy_sprt_state_words[HY_NUM_SPRT_STATES] = {
    [HY_SPRT_CONTINUE] = "continue",
    [HY_SPRT_LOWER] = "lower",
    [HY_SPRT_UPPER] = "upper",
};

#define MAX_CLASSES HY_NUM_PAIR_CLASSES

/* A distribution of results, as shares of n. */
typedef struct results_share {
    unsigned num;
    double n;
    double score[MAX_CLASSES];
    double share[MAX_CLASSES];
    double mean, variance;
} results_share;

static void describe(results_share *d)
{
    d->mean = d->variance = 0;
    for (unsigned i = 0; i < d->num; i++)
        d->mean += d->share[i] * d->score[i];
    for (unsigned i = 0; i < d->num; i++)
        d->variance += d->share[i] * (d->score[i] - d->mean) * (d->score[i] - d->mean);
}

static results_share shares_of(const hy_sprt_results *results)
{
    results_share d = {.num = results->num};
    for (unsigned i = 0; i < d.num; i++) {
        d.score[i] = (double)i / (d.num - 1);
        d.share[i] = results->counts[i] > 0 ? (double)results->counts[i] : 1e-3;
        d.n += d.share[i];
    }
    for (unsigned i = 0; i < d.num; i++)
        d.share[i] /= d.n;
    describe(&d);
    return d;
}

static bool is_empty(const hy_sprt_results *results)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < results->num; i++)
        any |= results->counts[i];
    return any == 0;
}

/* Values that the wanted distribution gives the mean 0. */
typedef struct constraint {
    const results_share *seen;
    double value[MAX_CLASSES];
} constraint;

/* Σ share·value/(1 + x·value), which falls from +∞ to −∞ between its poles. */
static double tilted_mean(double x, const void *context)
{
    const constraint *c = context;
    double sum = 0;
    for (unsigned i = 0; i < c->seen->num; i++) {
        double weight = 1 + x * c->value[i];
        if (weight <= 0)
            return copysign(INFINITY, c->value[i]);
        sum += c->seen->share[i] * c->value[i] / weight;
    }
    return sum;
}

/* The likeliest distribution under which the values have the mean 0: share/(1 + x·value) (Owen,
 * Empirical Likelihood, 2001, 2.9). False where no distribution does. */
static bool restrict_mean(const constraint *c, results_share *nearest)
{
    double least = INFINITY, most = -INFINITY;
    for (unsigned i = 0; i < c->seen->num; i++) {
        least = fmin(least, c->value[i]);
        most = fmax(most, c->value[i]);
    }
    if (!(least < 0 && most > 0))
        return false;
    double x = hy_root(tilted_mean, c, -1 / most, -1 / least);
    for (unsigned i = 0; i < c->seen->num; i++)
        nearest->share[i] = c->seen->share[i] / (1 + x * c->value[i]);
    describe(nearest);
    return isfinite(x);
}

static bool restrict_score(const results_share *seen, double score, results_share *nearest)
{
    constraint c = {.seen = seen};
    *nearest = *seen;
    for (unsigned i = 0; i < seen->num; i++)
        c.value[i] = seen->score[i] - score;
    return restrict_mean(&c, nearest);
}

/* The likeliest distribution with (mean − 1/2) = t·deviation: the constraint is made linear at the
 * last distribution, again and again ("Normalized Elo", 4.1). */
static bool restrict_t(const results_share *seen, double t, results_share *nearest)
{
    constraint c = {.seen = seen};
    *nearest = *seen;
    for (unsigned i = 0; i < seen->num; i++)
        nearest->share[i] = 1. / seen->num;
    describe(nearest);
    for (int round = 0; round < 100; round++) {
        results_share last = *nearest;
        double deviation = sqrt(last.variance), change = 0;
        for (unsigned i = 0; i < seen->num; i++) {
            double away = (last.mean - seen->score[i]) / deviation;
            c.value[i] = seen->score[i] - 0.5 - t * deviation * (1 + away * away) / 2;
        }
        if (!restrict_mean(&c, nearest))
            return false;
        for (unsigned i = 0; i < seen->num; i++)
            change = fmax(change, fabs(nearest->share[i] - last.share[i]));
        if (change < 1e-14)
            break;
    }
    return true;
}

double hy_elo_score(double elo)
{
    return 1 / (1 + pow(10, -elo / 400));
}

/* Standard deviations of an observation (a game, a pair) that normalised Elo stands for. */
static double t_of(double elo, unsigned num_classes)
{
    return elo * log(10) / 800 * (num_classes == HY_NUM_PAIR_CLASSES ? sqrt(2) : 1);
}

double hy_sprt_llr(const hy_sprt_results *results, hy_elo_model model, double elo0, double elo1)
{
    results_share seen = shares_of(results), h0, h1;
    bool exist = false;
    if (is_empty(results))
        return 0;
    switch (model) {
    case HY_ELO_LOGISTIC:
        exist = restrict_score(&seen, hy_elo_score(elo0), &h0) &&
                restrict_score(&seen, hy_elo_score(elo1), &h1);
        break;
    case HY_ELO_NORMALIZED:
        exist = restrict_t(&seen, t_of(elo0, seen.num), &h0) &&
                restrict_t(&seen, t_of(elo1, seen.num), &h1);
        break;
    case HY_NUM_ELO_MODELS:
        break;
    }
    double sum = 0;
    for (unsigned i = 0; exist && i < seen.num; i++)
        sum += seen.share[i] * log(h1.share[i] / h0.share[i]);
    return exist ? seen.n * sum : NAN;
}

double hy_sprt_llr_moments(const hy_sprt_results *results, hy_elo_model model, double elo0,
                           double elo1)
{
    results_share seen = shares_of(results);
    double before, after;
    if (is_empty(results))
        return 0;
    if (model == HY_ELO_NORMALIZED) {
        double games = seen.num == HY_NUM_PAIR_CLASSES ? 2 : 1; /* t is that of a game */
        double t = (seen.mean - 0.5) / sqrt(games * seen.variance);
        before = 1 + pow(t - t_of(elo0, 3), 2);
        after = 1 + pow(t - t_of(elo1, 3), 2);
        return games * seen.n / 2 * log(before / after);
    }
    before = seen.variance + pow(seen.mean - hy_elo_score(elo0), 2);
    after = seen.variance + pow(seen.mean - hy_elo_score(elo1), 2);
    return seen.n / 2 * log(before / after);
}

double hy_sprt_llr_gauss(const hy_sprt_results *results, hy_elo_model model, double elo0,
                         double elo1)
{
    results_share seen = shares_of(results);
    if (model == HY_ELO_NORMALIZED)
        return NAN;
    if (is_empty(results))
        return 0;
    double s0 = hy_elo_score(elo0), s1 = hy_elo_score(elo1);
    return seen.n * (s1 - s0) * (2 * seen.mean - s0 - s1) / (2 * seen.variance);
}

hy_sprt_bounds hy_sprt_bounds_of(double alpha, double beta)
{
    return (hy_sprt_bounds){log(beta / (1 - alpha)), log((1 - beta) / alpha)};
}

hy_status hy_sprt_init(hy_sprt *sprt, hy_elo_model model, unsigned num_classes, double elo0,
                       double elo1, double alpha, double beta, hy_error *error)
{
    if (num_classes != 3 && num_classes != HY_NUM_PAIR_CLASSES)
        return hy_fail(error, HY_INVALID, "an SPRT counts 3 or 5 classes of results, not %u",
                       num_classes);
    if (!(elo0 < elo1) || !isfinite(elo0) || !isfinite(elo1))
        return hy_fail(error, HY_INVALID, "'elo0' (%g) has to be below 'elo1' (%g)", elo0, elo1);
    if (!(alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5))
        return hy_fail(error, HY_INVALID, "'alpha' (%g) and 'beta' (%g) lie between 0 and 1/2",
                       alpha, beta);
    *sprt = (hy_sprt){
        .model = model,
        .elo0 = elo0,
        .elo1 = elo1,
        .alpha = alpha,
        .beta = beta,
        .results = {.num = num_classes},
        .state = HY_SPRT_CONTINUE,
    };
    return HY_OK;
}

hy_sprt_state hy_sprt_add(hy_sprt *sprt, const uint64_t *counts)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < sprt->results.num; i++) {
        sprt->results.counts[i] += counts[i];
        total += sprt->results.counts[i];
    }
    hy_sprt_bounds bounds = hy_sprt_bounds_of(sprt->alpha, sprt->beta);
    sprt->llr = hy_sprt_llr(&sprt->results, sprt->model, sprt->elo0, sprt->elo1);
    if (sprt->state != HY_SPRT_CONTINUE)
        return sprt->state;
    if (sprt->llr <= bounds.lower)
        sprt->state = HY_SPRT_LOWER;
    else if (sprt->llr >= bounds.upper)
        sprt->state = HY_SPRT_UPPER;
    if (sprt->state != HY_SPRT_CONTINUE)
        sprt->decided_at = total;
    return sprt->state;
}
