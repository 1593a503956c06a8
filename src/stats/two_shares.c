#include "stats/two_shares.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stats/quantile.h"
#include "stats/share.h"

static bool is_valid(const hy_two_shares *s)
{
    return s->n1 > 0 && s->n2 > 0 && s->x1 <= s->n1 && s->x2 <= s->n2;
}

static double first(const hy_two_shares *s)
{
    return (double)s->x1 / (double)s->n1;
}

static double second(const hy_two_shares *s)
{
    return (double)s->x2 / (double)s->n2;
}

/* The difference with its unpooled error; unknown where the shares are not valid. */
static hy_estimate difference_of(const hy_two_shares *s, double low, double high)
{
    if (!is_valid(s))
        return (hy_estimate){false, NAN, NAN, NAN, NAN};
    double p1 = first(s), p2 = second(s);
    return (hy_estimate){
        .known = true,
        .value = p1 - p2,
        .standard_error = sqrt(p1 * (1 - p1) / (double)s->n1 + p2 * (1 - p2) / (double)s->n2),
        .low = low,
        .high = high,
    };
}

hy_test hy_two_shares_chi_square(const hy_two_shares *s)
{
    double n1 = (double)s->n1, n2 = (double)s->n2;
    double pooled = (double)(s->x1 + s->x2) / (n1 + n2);
    if (!is_valid(s) || !(pooled > 0 && pooled < 1))
        return (hy_test){NAN, NAN};
    double away = first(s) - second(s);
    double statistic = away * away / (pooled * (1 - pooled) * (1 / n1 + 1 / n2));
    return (hy_test){statistic, gsl_cdf_chisq_Q(statistic, 1)};
}

hy_estimate hy_two_shares_wald(const hy_two_shares *s, double confidence)
{
    hy_estimate difference = difference_of(s, NAN, NAN);
    double half = hy_two_sided_z(confidence) * difference.standard_error;
    difference.low = fmax(-1, difference.value - half);
    difference.high = fmin(1, difference.value + half);
    return difference.known ? difference : difference_of(s, NAN, NAN);
}

hy_estimate hy_two_shares_newcombe(const hy_two_shares *s, double confidence)
{
    if (!is_valid(s))
        return difference_of(s, NAN, NAN);
    hy_estimate a = hy_share(s->x1, s->n1, confidence), b = hy_share(s->x2, s->n2, confidence);
    double away = a.value - b.value;
    return difference_of(s, away - hypot(a.value - a.low, b.high - b.value),
                         away + hypot(a.high - a.value, b.value - b.low));
}

hy_estimate hy_two_shares_agresti(const hy_two_shares *s, double confidence)
{
    const hy_two_shares more = {s->x1 + 1, s->n1 + 2, s->x2 + 1, s->n2 + 2};
    hy_estimate moved = hy_two_shares_wald(&more, confidence);
    return difference_of(s, moved.low, moved.high);
}

typedef struct score_inversion {
    const hy_two_shares *shares;
    double z;
    bool as_statsmodels;
} score_inversion;

/* The likeliest second share if the first is larger than it by `away`: the root of a cubic. */
static double restricted_second(const hy_two_shares *s, double away, bool as_statsmodels)
{
    double n1 = (double)s->n1, n2 = (double)s->n2, x2 = (double)s->x2;
    double x = (double)s->x1 + x2, n = n1 + n2;
    double l2 = (n1 + 2 * n2) * away - n - x;
    double l1 = ((as_statsmodels ? x2 : n2) * away - n - 2 * x2) * away + x;
    double l0 = x2 * away * (1 - away);
    double b = l2 / (3 * n);
    double q = b * b * b - l1 * l2 / (6 * n * n) + l0 / (2 * n);
    double p = copysign(sqrt(fmax(0, b * b - l1 / (3 * n))), q);
    double turn = p == 0 ? 0 : fmin(1, fmax(-1, q / (p * p * p)));
    double share = 2 * p * cos((M_PI + acos(turn)) / 3) - b;
    return as_statsmodels ? share : fmin(fmax(share, fmax(0, -away)), fmin(1, 1 - away));
}

/* How far the squared distance is beyond z², in the scale of the variance. */
static double score_miss(double away, const void *context)
{
    const score_inversion *in = context;
    double n1 = (double)in->shares->n1, n2 = (double)in->shares->n2;
    double p2 = restricted_second(in->shares, away, in->as_statsmodels), p1 = p2 + away;
    double variance = (p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2) * (n1 + n2) / (n1 + n2 - 1);
    double miss = first(in->shares) - second(in->shares) - away;
    return miss * miss - in->z * in->z * fmax(0, variance);
}

static hy_estimate invert_score(const hy_two_shares *s, double confidence, bool as_statsmodels)
{
    if (!is_valid(s))
        return difference_of(s, NAN, NAN);
    const score_inversion in = {s, hy_two_sided_z(confidence), as_statsmodels};
    double away = first(s) - second(s);
    double aside =
        1e-12; /* at `away` itself also the variance is 0 where no share is within (0, 1) */
    double low = away == -1 ? -1 : hy_root(score_miss, &in, -1, away - aside);
    double high = away == 1 ? 1 : hy_root(score_miss, &in, away + aside, 1);
    return difference_of(s, low, high);
}

hy_estimate hy_two_shares_score(const hy_two_shares *s, double confidence)
{
    return invert_score(s, confidence, false);
}

hy_estimate hy_two_shares_score_statsmodels(const hy_two_shares *s, double confidence)
{
    return invert_score(s, confidence, true);
}

double hy_two_shares_odds_ratio(const hy_two_shares *s)
{
    double above = (double)s->x1 * (double)(s->n2 - s->x2);
    double below = (double)s->x2 * (double)(s->n1 - s->x1);
    return is_valid(s) ? above / below : NAN;
}

double hy_two_shares_h(const hy_two_shares *s)
{
    return is_valid(s) ? 2 * asin(sqrt(first(s))) - 2 * asin(sqrt(second(s))) : NAN;
}

hy_mcnemar hy_mcnemar_test(uint64_t b, uint64_t c)
{
    if (b + c == 0)
        return (hy_mcnemar){1, {NAN, NAN}, {NAN, NAN}};
    double away = fabs((double)b - (double)c), n = (double)(b + c);
    double plain = away * away / n, less = fmax(0, away - 1), corrected = less * less / n;
    return (hy_mcnemar){
        .exact_p = hy_binomial_test(b, b + c, 0.5),
        .plain = {plain, gsl_cdf_chisq_Q(plain, 1)},
        .corrected = {corrected, gsl_cdf_chisq_Q(corrected, 1)},
    };
}
