#include "stats/symmetric.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define LEAST_PIVOT 1e-11 /* of a matrix with ones on its diagonal: singular below it */

hy_status hy_symmetric_init(hy_symmetric *room, size_t n, hy_error *error)
{
    *room = (hy_symmetric){
        .n = n,
        .inverse = hy_new_array(n * n, sizeof(double)),
        .factor = hy_new_array(n * n, sizeof(double)),
        .scale = hy_new_array(n, sizeof(double)),
        .vector = hy_new_array(n, sizeof(double)),
        .order = hy_new_array(n, sizeof(size_t)),
    };
    if (room->inverse && room->factor && room->scale && room->vector && room->order)
        return HY_OK;
    hy_symmetric_clean_up(room);
    return hy_fail_memory(error);
}

void hy_symmetric_clean_up(hy_symmetric *room)
{
    free(room->inverse);
    free(room->factor);
    free(room->scale);
    free(room->vector);
    free(room->order);
    *room = (hy_symmetric){0};
}

/* P matrix P′ = L D L′ of the scaled matrix; the rank are the pivots that are not as good as 0. A
 * row of zeros keeps its 0. False where a number is not finite. */
static bool decompose(hy_symmetric *room, const double *matrix)
{
    size_t n = room->n;
    room->rank = 0;
    for (size_t i = 0; i < n; i++)
        room->scale[i] = matrix[i * n + i] > 0 ? 1 / sqrt(matrix[i * n + i]) : 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            double value = room->scale[i] * matrix[i * n + k] * room->scale[k];
            if (!isfinite(value))
                return false;
            room->factor[i * n + k] = value;
        }
    }
    if (n == 0)
        return true;
    gsl_matrix_view factor = gsl_matrix_view_array(room->factor, n, n);
    gsl_permutation order = {.size = n, .data = room->order};
    gsl_linalg_pcholesky_decomp(&factor.matrix, &order);
    while (room->rank < n && room->factor[room->rank * (n + 1)] > LEAST_PIVOT)
        room->rank++;
    return true;
}

bool hy_symmetric_invert(hy_symmetric *room, const double *matrix)
{
    size_t n = room->n;
    if (!decompose(room, matrix) || room->rank < n)
        return false;
    if (n == 0)
        return true;
    gsl_matrix_const_view factor = gsl_matrix_const_view_array(room->factor, n, n);
    gsl_matrix_view inverse = gsl_matrix_view_array(room->inverse, n, n);
    gsl_permutation order = {.size = n, .data = room->order};
    gsl_linalg_pcholesky_invert(&factor.matrix, &order, &inverse.matrix);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++)
            room->inverse[i * n + k] *= room->scale[i] * room->scale[k];
    }
    return true;
}

double hy_symmetric_form(hy_symmetric *room, const double *matrix, const double *vector)
{
    size_t n = room->n;
    if (!decompose(room, matrix))
        return NAN;
    double sum = 0;
    for (size_t i = 0; i < room->rank; i++) {
        size_t from = room->order[i];
        double value = room->scale[from] * vector[from];
        for (size_t k = 0; k < i; k++)
            value -= room->factor[i * n + k] * room->vector[k];
        room->vector[i] = value;
        sum += value * value / room->factor[i * (n + 1)];
    }
    return sum;
}

double hy_bilinear(const double *matrix, size_t n, const double *left, const double *right)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++)
            sum += left[i] != 0 && right[k] != 0 ? left[i] * matrix[i * n + k] * right[k] : 0;
    }
    return sum;
}

void hy_sandwich(const double *outer, const double *inner, size_t n, double *half, double *result)
{
    if (n == 0)
        return;
    gsl_matrix_const_view bread = gsl_matrix_const_view_array(outer, n, n);
    gsl_matrix_const_view filling = gsl_matrix_const_view_array(inner, n, n);
    gsl_matrix_view first = gsl_matrix_view_array(half, n, n);
    gsl_matrix_view whole = gsl_matrix_view_array(result, n, n);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &bread.matrix, &filling.matrix, 0, &first.matrix);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &first.matrix, &bread.matrix, 0, &whole.matrix);
}

void hy_add_outer(double *matrix, size_t n, double factor, const double *left, const double *right)
{
    for (size_t i = 0; i < n; i++) {
        double scaled = factor * left[i];
        for (size_t k = 0; k < n; k++)
            matrix[i * n + k] += scaled * right[k];
    }
}
