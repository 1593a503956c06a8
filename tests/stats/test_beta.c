#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/beta.h"
#include "stats/cases.h"

/* Beta(1, b) and Beta(a, 1) have closed forms, and Beta(1/2, 1/2) is the arcsine distribution. */
static void closed_forms_agree(void **state)
{
    (void)state;
    double lower, upper;
    for (double x = 0.013; x < 1; x += 0.037) {
        for (double a = 0.5; a < 3000; a *= 3) {
            hy_beta_tails(x, 1, a, &lower, &upper);
            assert_close(lower, -expm1(a * log1p(-x)), 1e-12);
            hy_beta_tails(x, a, 1, &lower, &upper);
            if (pow(x, a) > 1e-290)
                assert_close(lower, pow(x, a), 1e-11);
        }
        hy_beta_tails(x, 0.5, 0.5, &lower, &upper);
        assert_close(lower, 2 / M_PI * asin(sqrt(x)), 1e-12);
        assert_close(lower + upper, 1, 1e-15);
    }
}

static void sides_are_symmetric(void **state)
{
    (void)state;
    double lower, upper, mirrored_lower, mirrored_upper;
    for (double a = 0.5; a < 1e9; a *= 7) {
        for (double b = 0.5; b < 1e9; b *= 11) {
            double x = a / (a + b);
            hy_beta_tails(x, a, b, &lower, &upper);
            hy_beta_tails(1 - x, b, a, &mirrored_lower, &mirrored_upper);
            assert_true(lower > 0.05 && lower < 0.95);
            assert_close(lower, mirrored_upper, 1e-6); /* 1 − x has lost digits of x */
            assert_close(lower + upper, 1, 1e-14);
        }
    }
}

/* Half a billion successes and failures: a normal variable, skewness 0. */
static void large_parameters_are_normal(void **state)
{
    (void)state;
    double lower, upper, n = 1e9;
    hy_beta_tails(0.5 - 1.959963984540054 * 0.5 / sqrt(n + 1), n / 2, n / 2, &lower, &upper);
    assert_close(lower, 0.025, 1e-7);
    hy_beta_tails(0.5, n / 2, n / 2, &lower, &upper);
    assert_close(lower, 0.5, 1e-10);
}

static void parts_of_the_expansion_are_right(void **state)
{
    (void)state;
    assert_close(hy_stirling_error(1), 1 - 0.5 * log(2 * M_PI), 1e-13);
    assert_close(hy_stirling_error(16), lgamma(17) - 0.5 * log(32 * M_PI) - 16 * log(16) + 16,
                 1e-10);
    assert_close(hy_stirling_error(15.999), hy_stirling_error(16.001), 2e-4);
    assert_true(hy_deviance(7, 7) == 0);
    assert_close(hy_deviance(0, 3), 3, 1e-15);
    assert_close(hy_deviance(1e8, 1e8 + 1), 5e-9, 1e-7);
    assert_close(hy_deviance(2, 50), 2 * log(0.04) + 48, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_agree),
        cmocka_unit_test(sides_are_symmetric),
        cmocka_unit_test(large_parameters_are_normal),
        cmocka_unit_test(parts_of_the_expansion_are_right),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
