/* How a fit by maximum likelihood ended, and tests by chi-square. */
#ifndef HY_STATS_FIT_H
#define HY_STATS_FIT_H

#include <stdbool.h>

typedef enum hy_fit_kind {
    HY_FIT_KNOWN,
    HY_FIT_INFINITE, /* the likelihood rises without end along some coefficients (separation,
                        monotone likelihood): those have no estimate, the others have */
    HY_FIT_SINGULAR, /* the terms cannot be told apart by these data: nothing is estimated */
    HY_FIT_NO_DATA,  /* nothing was observed (Cox: no events; regression: no more than terms) */
} hy_fit_kind;

/* A statistic, its degrees of freedom, and the chance of one as large if nothing is there. NaN and
 * 0 degrees where there is nothing to test. */
typedef struct hy_chi_square {
    bool known;
    double value;
    unsigned degrees;
    double p;
} hy_chi_square;

/* The test of a value; unknown for 0 degrees or a value that is none. */
hy_chi_square hy_chi_square_test(double value, unsigned degrees);

#endif
