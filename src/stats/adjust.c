#include "stats/adjust.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

const char *const hy_adjustment_words[HY_NUM_ADJUSTMENTS] = {
    [HY_ADJUST_BONFERRONI] = "bonferroni",
    [HY_ADJUST_HOLM] = "holm",
    [HY_ADJUST_HOCHBERG] = "hochberg",
    [HY_ADJUST_BH] = "BH",
    [HY_ADJUST_BY] = "BY",
};

typedef struct ranked_p {
    double p;
    size_t index;
} ranked_p;

static int by_p(const void *left, const void *right)
{
    const ranked_p *a = left, *b = right;
    return (a->p > b->p) - (a->p < b->p);
}

static double harmonic(size_t n)
{
    double sum = 0;
    for (size_t k = 1; k <= n; k++)
        sum += 1 / (double)k;
    return sum;
}

/* By what the p of rank i + 1 among n, from the smallest, is multiplied; for BY times the harmonic
 * number of n. */
static double factor(hy_adjustment adjustment, size_t i, size_t n)
{
    double rank = (double)i + 1, N = (double)n;
    switch (adjustment) {
    case HY_ADJUST_BONFERRONI:
        return N;
    case HY_ADJUST_HOLM:
    case HY_ADJUST_HOCHBERG:
        return N - rank + 1;
    case HY_ADJUST_BH:
    case HY_ADJUST_BY:
        return N / rank;
    case HY_NUM_ADJUSTMENTS:
        break;
    }
    return NAN;
}

/* The adjusted p rise with p: step-down methods take the largest so far from the smallest p on,
 * step-up methods the smallest so far from the largest p on. */
static void adjust_ranked(ranked_p *ranks, size_t n, hy_adjustment adjustment)
{
    bool down = adjustment == HY_ADJUST_HOLM || adjustment == HY_ADJUST_BONFERRONI;
    double last = down ? 0 : 1, dependence = adjustment == HY_ADJUST_BY ? harmonic(n) : 1;
    for (size_t k = 0; k < n; k++) {
        size_t i = down ? k : n - 1 - k;
        double p = fmin(1, ranks[i].p * dependence * factor(adjustment, i, n));
        last = down ? fmax(last, p) : fmin(last, p);
        ranks[i].p = last;
    }
}

hy_status hy_adjust(const double *p, size_t num, hy_adjustment adjustment, double *adjusted,
                    hy_error *error)
{
    size_t n = 0;
    for (size_t i = 0; i < num; i++) {
        if (p[i] < 0 || p[i] > 1)
            return hy_fail(error, HY_INVALID, "p %zu is %g; it is from 0 to 1", i + 1, p[i]);
    }
    ranked_p *ranks = hy_new_array(num, sizeof *ranks);
    if (!ranks)
        return hy_fail_memory(error);
    for (size_t i = 0; i < num; i++) {
        if (!isnan(p[i]))
            ranks[n++] = (ranked_p){p[i], i};
        adjusted[i] = p[i];
    }
    qsort(ranks, n, sizeof *ranks, by_p);
    adjust_ranked(ranks, n, adjustment);
    for (size_t k = 0; k < n; k++)
        adjusted[ranks[k].index] = ranks[k].p;
    free(ranks);
    return HY_OK;
}
