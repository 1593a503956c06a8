/* Inverses of covariance and information matrices: Cholesky's method with pivots, by GSL, on
 * matrices of ones on the diagonal, so that units do not matter. Nothing here calls GSL's error
 * handler or allocates by it: safe for threads that have a room each. Internal to stats. */
#ifndef HY_STATS_SYMMETRIC_H
#define HY_STATS_SYMMETRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* Room for matrices [n][n]. */
typedef struct hy_symmetric {
    size_t n, rank;
    double *inverse; /* [n][n], of hy_symmetric_invert */
    double *factor, *scale, *vector;
    size_t *order;
} hy_symmetric;

HY_MUST_CHECK hy_status hy_symmetric_init(hy_symmetric *room, size_t n, hy_error *error);
void hy_symmetric_clean_up(hy_symmetric *room);

/* Fills room->inverse; false where the matrix is singular, has numbers that are not finite, or is
 * not positive definite. */
bool hy_symmetric_invert(hy_symmetric *room, const double *matrix);

/* vector′ matrix⁻ vector for a matrix that may be singular (a vector within its range); room->rank
 * is set. */
double hy_symmetric_form(hy_symmetric *room, const double *matrix, const double *vector);

/* Σ left[i] matrix[i][k] right[k]. */
double hy_bilinear(const double *matrix, size_t n, const double *left, const double *right);

/* result = outer · inner · outer, all [n][n] and symmetric; `half` is room for one more. */
void hy_sandwich(const double *outer, const double *inner, size_t n, double *half, double *result);

/* matrix += factor · left right′. */
void hy_add_outer(double *matrix, size_t n, double factor, const double *left, const double *right);

#endif
