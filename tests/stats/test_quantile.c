#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/quantile.h"

static void check_special(const json_t *inputs, const json_t *answers)
{
    (void)inputs;
    assert_close(hy_two_sided_z(0.95), number_of(answers, "qnorm_0.975"), 1e-14);
    assert_close(hy_two_sided_z(0.99), number_of(answers, "qnorm_0.995"), 1e-14);
    assert_close(hy_two_sided_t(0.95, 10), number_of(answers, "qt_0.975_10"), 1e-13);
    assert_near(hy_beta_quantile(0.025, 1, 1e6), number_of(answers, "qbeta_0.025_1_1e6"));
    assert_near(hy_beta_upper_quantile(0.025, 2, 999999),
                number_of(answers, "qbeta_0.975_2_999999"));
    assert_near(hy_beta_quantile(0.025, 75512, 124490),
                number_of(answers, "qbeta_0.025_75512_124490"));
    assert_near(hy_gamma_quantile(0.025, 106823), number_of(answers, "qgamma_0.025_106823"));
    assert_near(hy_gamma_upper_quantile(0.025, 106824), number_of(answers, "qgamma_0.975_106824"));
}

static void quantiles_agree_with_r(void **state)
{
    (void)state;
    each_case("special", 1, check_special);
}

static void gamma_is_right_where_gsl_errs(void **state)
{
    (void)state;
    assert_near(hy_gamma_upper_quantile(0.025, 1000001), 1001961.9119454322);
    assert_near(hy_gamma_upper_quantile(0.025, 106824), 107465.54009870885);
}

/* Both ways to compute the gamma cdf agree where they meet, at shape 100,000. */
static void gamma_is_smooth_where_the_method_changes(void **state)
{
    (void)state;
    const double tails[] = {1e-12, 0.005, 0.025, 0.5, 0.975, 0.995, 1 - 1e-9};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        double before = hy_gamma_quantile(tails[i], 1e5 - 1);
        double at = hy_gamma_quantile(tails[i], 1e5), after = hy_gamma_quantile(tails[i], 1e5 + 1);
        assert_close(at - before, after - at, 1e-4);
    }
}

static void tails_are_two_sides_of_one(void **state)
{
    (void)state;
    const double shapes[] = {0.5, 1, 2.5, 40, 1159, 2e4, 3e5, 2e7, 1e10};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (double p = 0.01; p < 1; p += 0.07) {
            assert_near(hy_gamma_quantile(p, shapes[i]), hy_gamma_upper_quantile(1 - p, shapes[i]));
            double x = hy_beta_quantile(p, shapes[i], 7.5);
            assert_near(x, hy_beta_upper_quantile(1 - p, shapes[i], 7.5));
            assert_close(1 - x, hy_beta_quantile(1 - p, 7.5, shapes[i]), 1e-6);
        }
    }
}

static void quantiles_rise(void **state)
{
    (void)state;
    double last_beta = 0, last_gamma = 0, last_t = 0;
    for (double p = 0.001; p < 0.9995; p += 0.001) {
        double beta = hy_beta_quantile(p, 31, 970), gamma = hy_gamma_quantile(p, 1160);
        double t = hy_two_sided_t(p, 3);
        assert_true(beta > last_beta && gamma > last_gamma && t > last_t);
        last_beta = beta;
        last_gamma = gamma;
        last_t = t;
    }
}

static void nonsense_is_no_number(void **state)
{
    (void)state;
    assert_true(isnan(hy_two_sided_z(0)) && isnan(hy_two_sided_z(1)) && isnan(hy_two_sided_z(NAN)));
    assert_true(isnan(hy_two_sided_t(0.95, 0)) && isnan(hy_two_sided_t(1.5, 3)));
    assert_true(isnan(hy_beta_quantile(0.5, 0, 1)) && isnan(hy_beta_quantile(-1, 1, 1)));
    assert_true(isnan(hy_gamma_quantile(0.5, 0)) && isnan(hy_gamma_quantile(2, 1)));
    assert_true(hy_beta_quantile(0, 2, 3) == 0 && hy_beta_quantile(1, 2, 3) == 1);
    assert_true(hy_gamma_quantile(0, 2) == 0 && isinf(hy_gamma_upper_quantile(0, 2)));
}

static double cubic(double x, const void *context)
{
    return x * x * x - *(const double *)context;
}

static void roots_are_found_within_their_brackets(void **state)
{
    (void)state;
    double target = 2;
    assert_close(hy_root(cubic, &target, 0, 10), cbrt(2), 1e-15);
    assert_close(hy_root(cubic, &target, 10, 0), cbrt(2), 1e-15);
    assert_true(isnan(hy_root(cubic, &target, 2, 10)));
    target = 27;
    assert_true(hy_root(cubic, &target, 3, 10) == 3);
    assert_true(hy_root(cubic, &target, -3, 3) == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_agree_with_r),
        cmocka_unit_test(gamma_is_right_where_gsl_errs),
        cmocka_unit_test(gamma_is_smooth_where_the_method_changes),
        cmocka_unit_test(tails_are_two_sides_of_one),
        cmocka_unit_test(quantiles_rise),
        cmocka_unit_test(nonsense_is_no_number),
        cmocka_unit_test(roots_are_found_within_their_brackets),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
