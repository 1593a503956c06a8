/* Is one of two samples larger? Only for what was seen whole: lengths of games of which some were
 * cut are survival data. */
#ifndef HY_STATS_LOCATION_H
#define HY_STATS_LOCATION_H

#include "stats/sample.h"
#include "stats/two_shares.h"

/* The difference of the means x − y without assuming equal variances (Welch, Biometrika 34, 1947;
 * Satterthwaite's degrees of freedom), two-sided. NaN where a sample has fewer than two values or
 * neither varies. */
typedef struct hy_welch {
    double t;
    double df;
    double p;
    hy_estimate difference;
} hy_welch;
hy_welch hy_welch_test(const hy_sample *x, const hy_sample *y, double confidence);

/* Mann and Whitney's U of x with midranks (Mann, Whitney, Annals 18, 1947), as R's wilcox.test. NaN
 * for an empty sample; the asymptotic p are NaN where all values are equal. */
typedef struct hy_mann_whitney {
    double u;            /* pairs with x > y, those with x = y counted half */
    double p;            /* two-sided, normal, variance corrected for ties */
    double p_corrected;  /* the same with continuity correction */
    double p_exact;      /* NaN unless there are no ties and both samples are below 50 */
    double a12;          /* u / pairs: P(x > y) + P(x = y)/2 (Vargha, Delaney, 2000) */
    double cliffs_delta; /* 2·a12 − 1 */
} hy_mann_whitney;
HY_MUST_CHECK hy_status hy_mann_whitney_test(const hy_sample *x, const hy_sample *y,
                                             hy_mann_whitney *result, hy_error *error);

/* The median of all differences x − y with the interval that belongs to U (Hodges, Lehmann, Annals
 * 34, 1963): exact as R's wilcox.test where hy_mann_whitney's p is, else the differences whose rank
 * is ⌊mn/2 − z·√(mn(m + n + 1)/12)⌋ from either end (Hollander, Wolfe, Nonparametric Statistical
 * Methods, 4.3; ties would only make it narrower). `exact` (may be NULL) says which. Time: distinct
 * values times 64. Unknown for an empty sample. HY_NO_MEMORY. */
HY_MUST_CHECK hy_status hy_hodges_lehmann(const hy_sample *x, const hy_sample *y, double confidence,
                                          hy_estimate *shift, bool *exact, hy_error *error);

/* P(x < y) + P(x = y)/2 against 1/2 without assuming that the samples have the same shape (Brunner,
 * Munzel, Biometrical Journal 42, 2000), Student's distribution, two-sided; as scipy, so the
 * statistic is positive where y is larger. NaN where a sample has fewer than two values or the
 * samples do not overlap. */
hy_test hy_brunner_munzel_test(const hy_sample *x, const hy_sample *y);

/* The largest distance of the two distribution functions (Smirnov), two-sided. p is exact for
 * samples without ties (then and with ties by counting lattice paths, as scipy; with ties it is too
 * large if anything) up to m·n = 4e6, else the limit distribution. NaN for an empty sample. */
HY_MUST_CHECK hy_status hy_smirnov_test(const hy_sample *x, const hy_sample *y, hy_test *result,
                                        hy_error *error);

/* Whether its p is exact. */
bool hy_smirnov_is_exact(const hy_sample *x, const hy_sample *y);

#endif
