/* p-values of several tests, adjusted so that each can be held against the level meant for all. */
#ifndef HY_STATS_ADJUST_H
#define HY_STATS_ADJUST_H

#include <stddef.h>

#include "base/status.h"

typedef enum hy_adjustment {
    HY_ADJUST_BONFERRONI, /* any error, any dependence */
    HY_ADJUST_HOLM,       /* the same, never worse (Holm, 1979) */
    HY_ADJUST_HOCHBERG,   /* any error, independent or positively dependent (Hochberg, 1988) */
    HY_ADJUST_BH,         /* share of errors, the same (Benjamini, Hochberg, 1995) */
    HY_ADJUST_BY,         /* share of errors, any dependence (Benjamini, Yekutieli, 2001) */
    HY_NUM_ADJUSTMENTS,
} hy_adjustment;

extern const char *const hy_adjustment_words[HY_NUM_ADJUSTMENTS];

/* As R's p.adjust. NaN among `p` (0 … 1 else) stays NaN and is not counted. `adjusted` may be `p`.
 * HY_INVALID for a p out of range, HY_NO_MEMORY. */
HY_MUST_CHECK hy_status hy_adjust(const double *p, size_t num, hy_adjustment adjustment,
                                  double *adjusted, hy_error *error);

#endif
