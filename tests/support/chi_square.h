/* Chi-square against equal shares. */
#ifndef HY_SUPPORT_CHI_SQUARE_H
#define HY_SUPPORT_CHI_SQUARE_H

#include <stddef.h>

static inline double chi_square(const unsigned *counts, size_t num_counts)
{
    double total = 0, sum = 0;
    for (size_t i = 0; i < num_counts; i++)
        total += counts[i];
    double expected = total / (double)num_counts;
    for (size_t i = 0; i < num_counts; i++)
        sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    return sum;
}

/* The 99.9 % point of chi-square with 1 … 8 degrees of freedom (R: qchisq(0.999, df)). */
static inline double chi_square_limit(size_t degrees)
{
    static const double limits[] = {0,      10.828, 13.816, 16.266, 18.467,
                                    20.515, 22.458, 24.322, 26.124};
    return limits[degrees];
}

#endif
