/* The noncentral hypergeometric distribution of x1 given all margins, for an odds ratio e^t. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/quantile.h"
#include "stats/two_shares.h"

typedef struct tables {
    uint64_t low;  /* the smallest x1 that the margins allow */
    size_t num;    /* how many they allow */
    size_t seen;   /* the index of the one seen */
    double *log_p; /* at odds ratio 1, up to a constant; largest 0 */
    double target; /* of the function whose root is looked for */
} tables;

static hy_status tables_init(tables *t, const hy_two_shares *s, hy_error *error)
{
    uint64_t successes = s->x1 + s->x2, failures = s->n1 + s->n2 - successes;
    uint64_t high = s->n1 < successes ? s->n1 : successes;
    *t = (tables){.low = s->n1 > failures ? s->n1 - failures : 0};
    t->num = (size_t)(high - t->low) + 1;
    t->seen = (size_t)(s->x1 - t->low);
    t->log_p = hy_new_array(t->num, sizeof *t->log_p);
    if (!t->log_p)
        return hy_fail_memory(error);
    double largest = 0;
    for (size_t i = 1; i < t->num; i++) {
        double x = (double)(t->low + i); /* from x − 1 to x */
        double up = ((double)s->n1 - x + 1) * ((double)successes - x + 1);
        double down = x * ((double)failures - (double)s->n1 + x);
        t->log_p[i] = t->log_p[i - 1] + log(up / down);
        largest = fmax(largest, t->log_p[i]);
    }
    for (size_t i = 0; i < t->num; i++)
        t->log_p[i] -= largest;
    return HY_OK;
}

/* Sums of the weights at log odds t of all tables, of those up to and from the one seen, and of
 * weight times index. */
typedef struct weights {
    double all, lower, upper, index;
} weights;

static weights weigh(const tables *t, double log_odds)
{
    weights sums = {0};
    double largest = -INFINITY;
    for (size_t i = 0; i < t->num; i++)
        largest = fmax(largest, t->log_p[i] + log_odds * (double)i);
    for (size_t i = 0; i < t->num; i++) {
        double exponent = t->log_p[i] + log_odds * (double)i - largest;
        if (exponent < -60) /* nothing, beside the tails looked for */
            continue;
        double weight = exp(exponent);
        sums.all += weight;
        sums.index += weight * (double)i;
        if (i <= t->seen)
            sums.lower += weight;
        if (i >= t->seen)
            sums.upper += weight;
    }
    return sums;
}

static double mean_miss(double log_odds, const void *context)
{
    const tables *t = context;
    weights sums = weigh(t, log_odds);
    return sums.index / sums.all - (double)t->seen;
}

static double lower_miss(double log_odds, const void *context)
{
    const tables *t = context;
    weights sums = weigh(t, log_odds);
    return t->target - sums.lower / sums.all;
}

static double upper_miss(double log_odds, const void *context)
{
    const tables *t = context;
    weights sums = weigh(t, log_odds);
    return sums.upper / sums.all - t->target;
}

/* The odds ratio at which a rising function is 0. */
static double odds_root(hy_function *function, const tables *t)
{
    double low = -1, high = 1;
    while (low > -700 && function(low, t) > 0)
        low *= 2;
    while (high < 700 && function(high, t) < 0)
        high *= 2;
    return exp(hy_root(function, t, low, high));
}

static double two_sided_p(const tables *t)
{
    double sum = 0, all = 0, limit = t->log_p[t->seen] + log1p(1e-7);
    for (size_t i = 0; i < t->num; i++) {
        double weight = exp(t->log_p[i]);
        all += weight;
        if (t->log_p[i] <= limit)
            sum += weight;
    }
    return fmin(1, sum / all);
}

hy_status hy_fisher_test(const hy_two_shares *s, double confidence, hy_fisher *fisher,
                         hy_error *error)
{
    tables t;
    *fisher = (hy_fisher){.p = NAN, .odds_ratio = {false, NAN, NAN, NAN, NAN}};
    if (s->n1 == 0 || s->n2 == 0 || s->x1 > s->n1 || s->x2 > s->n2)
        return HY_OK;
    hy_status status = tables_init(&t, s, error);
    if (status != HY_OK)
        return status;
    bool first = t.seen == 0, last = t.seen == t.num - 1;
    t.target = (1 - confidence) / 2;
    fisher->p = two_sided_p(&t);
    if (t.num > 1) { /* else every odds ratio explains the only table */
        fisher->odds_ratio = (hy_estimate){
            .known = true,
            .value = first  ? 0
                     : last ? INFINITY
                            : odds_root(mean_miss, &t),
            .standard_error = NAN,
            .low = first ? 0 : odds_root(upper_miss, &t),
            .high = last ? INFINITY : odds_root(lower_miss, &t),
        };
    }
    free(t.log_p);
    return HY_OK;
}
