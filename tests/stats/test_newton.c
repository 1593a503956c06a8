#include "stats/newton.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* −ln cosh(x − 5) − ln cosh(y + 2): concave, and so flat far off that Newton's step overshoots by
 * thousands. */
static double flat(void *context, const double *values, double *gradient, double *information)
{
    double from[2] = {values[0] - 5, values[1] + 2}, sum = 0;
    (void)context;
    memset(information, 0, 4 * sizeof(double));
    for (unsigned i = 0; i < 2; i++) {
        sum -= fabs(from[i]) + log1p(exp(-2 * fabs(from[i])));
        gradient[i] = -tanh(from[i]);
        information[3 * i] = 1 - tanh(from[i]) * tanh(from[i]);
    }
    return sum;
}

static void long_steps_are_halved(void **state)
{
    hy_newton newton;
    (void)state;
    assert_int_equal(hy_newton_init(&newton, 2, NULL), HY_OK);
    assert_int_equal(hy_newton_climb(&newton, flat, NULL, NULL), HY_OK);
    assert_int_equal(newton.kind, HY_FIT_KNOWN);
    assert_true(fabs(newton.values[0] - 5) < 1e-9 && fabs(newton.values[1] + 2) < 1e-9);
    assert_true(fabs(newton.covariance[0] - 1) < 1e-9 && fabs(newton.covariance[3] - 1) < 1e-9);
    hy_newton_clean_up(&newton);
}

/* −e^−(x + y) − (x − y)²: rises along x = y without end. */
static double endless(void *context, const double *values, double *gradient, double *information)
{
    double left = exp(-values[0] - values[1]), apart = values[0] - values[1];
    (void)context;
    gradient[0] = left - 2 * apart;
    gradient[1] = left + 2 * apart;
    information[0] = information[3] = left + 2;
    information[1] = information[2] = left - 2;
    return -left - apart * apart;
}

static void the_way_to_infinity_is_found(void **state)
{
    hy_newton newton;
    (void)state;
    assert_int_equal(hy_newton_init(&newton, 2, NULL), HY_OK);
    assert_int_equal(hy_newton_climb(&newton, endless, NULL, NULL), HY_OK);
    assert_int_equal(newton.kind, HY_FIT_INFINITE);
    assert_int_equal(newton.infinite[0], 1);
    assert_int_equal(newton.infinite[1], 1);
    hy_newton_clean_up(&newton);
}

static double broken(void *context, const double *values, double *gradient, double *information)
{
    const double *answers = context;
    (void)values;
    gradient[0] = answers[1];
    information[0] = answers[2];
    return values[0] == 0 ? answers[0] : -1e9;
}

static void what_has_no_answer_says_so(void **state)
{
    static double answers[3][3] = {{NAN, 1, 1}, {0, 1, 1}, {0, 1, 0}};
    static const hy_status statuses[] = {HY_FAILED, HY_FAILED, HY_OK};
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        hy_newton newton;
        hy_error error;
        assert_int_equal(hy_newton_init(&newton, 1, &error), HY_OK);
        assert_int_equal(hy_newton_climb(&newton, broken, answers[i], &error), statuses[i]);
        if (statuses[i] == HY_OK)
            assert_int_equal(newton.kind, HY_FIT_SINGULAR);
        hy_newton_clean_up(&newton);
    }
}

static void inverses_and_forms(void **state)
{
    /* Hilbert's matrix has the inverse of integers below; units differ by 10¹² */
    static const double inverse[] = {9, -36, 30, -36, 192, -180, 30, -180, 180};
    static const double units[] = {1, 1e-6, 1e6}, vector[] = {1, 2, 3};
    double matrix[9], scaled[3];
    hy_symmetric room;
    (void)state;
    assert_int_equal(hy_symmetric_init(&room, 3, NULL), HY_OK);
    for (unsigned i = 0; i < 9; i++)
        matrix[i] = units[i / 3] * units[i % 3] / (i / 3 + i % 3 + 1.0);
    assert_true(hy_symmetric_invert(&room, matrix));
    for (unsigned i = 0; i < 9; i++) {
        double found = room.inverse[i] * units[i / 3] * units[i % 3];
        assert_true(fabs(found - inverse[i]) < 1e-10 * 192);
    }
    for (unsigned i = 0; i < 3; i++)
        scaled[i] = units[i] * vector[i];
    double form = hy_symmetric_form(&room, matrix, scaled);
    assert_int_equal(room.rank, 3);
    assert_true(fabs(form - hy_bilinear(inverse, 3, vector, vector)) < 1e-8 * form);
    /* of rank 1: (1, 2, 3)′(1, 2, 3) */
    for (unsigned i = 0; i < 9; i++)
        matrix[i] = vector[i / 3] * vector[i % 3];
    assert_false(hy_symmetric_invert(&room, matrix));
    assert_true(fabs(hy_symmetric_form(&room, matrix, vector) - 1) < 1e-12);
    assert_int_equal(room.rank, 1);
    matrix[4] = NAN;
    assert_false(hy_symmetric_invert(&room, matrix));
    assert_true(isnan(hy_symmetric_form(&room, matrix, vector)));
    hy_symmetric_clean_up(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_steps_are_halved),
        cmocka_unit_test(the_way_to_infinity_is_found),
        cmocka_unit_test(what_has_no_answer_says_so),
        cmocka_unit_test(inverses_and_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
