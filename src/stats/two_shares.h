/* Two independent shares, and matched pairs of yes and no. */
#ifndef HY_STATS_TWO_SHARES_H
#define HY_STATS_TWO_SHARES_H

#include "base/status.h"
#include "stats/estimate.h"

/* x1 of n1 and x2 of n2; x <= n, n > 0, else all is unknown or NaN. */
typedef struct hy_two_shares {
    uint64_t x1, n1, x2, n2;
} hy_two_shares;

/* A statistic and its two-sided p; NaN where it is not defined. */
typedef struct hy_test {
    double statistic;
    double p;
} hy_test;

/* Pearson's chi-square with the pooled share and 1 degree of freedom, no correction. NaN where all
 * or none succeed. */
hy_test hy_two_shares_chi_square(const hy_two_shares *shares);

/* x1/n1 − x2/n2 with an interval:
 * wald        normal, unpooled; too narrow near 0 and 1 and for few observations
 * newcombe    hybrid of Wilson's intervals, his method 10 (Statistics in Medicine 17, 1998)
 * agresti     Wald after adding one success and one failure to each (Agresti, Caffo, American
 *             Statistician 54, 2000); value and error are those without
 * score       inversion of the score test with variances restricted to the difference and the
 * factor N/(N − 1) (Miettinen, Nurminen, Statistics in Medicine 4, 1985) */
hy_estimate hy_two_shares_wald(const hy_two_shares *shares, double confidence);
hy_estimate hy_two_shares_newcombe(const hy_two_shares *shares, double confidence);
hy_estimate hy_two_shares_agresti(const hy_two_shares *shares, double confidence);
hy_estimate hy_two_shares_score(const hy_two_shares *shares, double confidence);

/* The score interval as statsmodels 0.13.5 has it, for comparison only: its cubic takes x2 where n2
 * belongs, so that the ends are off (0/50 against 5/50: low −0.193 instead of −0.214). */
hy_estimate hy_two_shares_score_statsmodels(const hy_two_shares *shares, double confidence);

/* (x1 / (n1 − x1)) / (x2 / (n2 − x2)); infinite where only its denominator is 0. */
double hy_two_shares_odds_ratio(const hy_two_shares *shares);

/* Cohen's h = 2·asin√p1 − 2·asin√p2. */
double hy_two_shares_h(const hy_two_shares *shares);

/* Fisher's exact test, and the odds ratio of largest conditional likelihood with its exact interval
 * (noncentral hypergeometric), as R's fisher.test: p sums all tables not likelier than the one seen
 * (slack 1e-7). The odds ratio and its high end may be infinite. Needs memory for the tables that
 * the margins allow, at most min(x1 + x2, n1, n2, …) + 1 numbers. HY_NO_MEMORY. */
typedef struct hy_fisher {
    double p;
    hy_estimate odds_ratio;
} hy_fisher;
HY_MUST_CHECK hy_status hy_fisher_test(const hy_two_shares *shares, double confidence,
                                       hy_fisher *fisher, hy_error *error);

/* McNemar's test of matched pairs from the pairs that differ: b (yes, no) and c (no, yes). The
 * corrected statistic is (max(0, |b − c| − 1))²/(b + c) where b ≠ c, as R's mcnemar.test. All NaN
 * but exact_p = 1 for b + c = 0. */
typedef struct hy_mcnemar {
    double exact_p; /* binomial */
    hy_test plain, corrected;
} hy_mcnemar;
hy_mcnemar hy_mcnemar_test(uint64_t b, uint64_t c);

#endif
