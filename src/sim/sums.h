/* Sums over games of two quantities and their products: what an estimate clustered by game needs.
 */
#ifndef HY_SIM_SUMS_H
#define HY_SIM_SUMS_H

#include <stdint.h>

/* Of y and of what it is a share of, x. Means over games are those of x = 1. */
typedef struct hy_sums {
    uint64_t n; /* games */
    double x, y;
    double xx, yy, xy;
} hy_sums;

static inline void hy_sums_add(hy_sums *sums, double y, double x)
{
    sums->n++;
    sums->x += x;
    sums->y += y;
    sums->xx += x * x;
    sums->yy += y * y;
    sums->xy += x * y;
}

#endif
