#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/location.h"

static hy_test smirnov_of(const hy_sample *x, const hy_sample *y)
{
    hy_test test;
    assert_int_equal(hy_smirnov_test(x, y, &test, NULL), HY_OK);
    return test;
}

static void check_smirnov(const json_t *inputs, const json_t *answers)
{
    hy_sample x = sample_of(inputs, "x"), y = sample_of(inputs, "y");
    assert_near(smirnov_of(&x, &y).statistic, number_of(answers, "ks_D"));
    assert_near(smirnov_of(&x, &y).p, number_of(answers, "ks_p_exact"));
    assert_near(smirnov_of(&y, &x).p, number_of(answers, "ks_p_exact"));
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

static void smirnov_agrees_with_scipy(void **state)
{
    (void)state;
    each_case("mannwhitney", 2, check_smirnov);
}

/* p of two samples of n that do not overlap: 2 / C(2n, n), small ones with all their digits. */
static void apart_is_two_of_all_orders(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 100; n += 11) {
        double a[100], b[100], orders = 1;
        for (size_t i = 0; i < n; i++) {
            a[i] = (double)i;
            b[i] = (double)i + 1000;
            orders *= (double)(n + i + 1) / (double)(i + 1);
        }
        hy_sample x = sample_from(a, n), y = sample_from(b, n);
        assert_near(smirnov_of(&x, &y).statistic, 1);
        assert_close(smirnov_of(&x, &y).p, fmin(1, 2 / orders), 1e-11);
        hy_sample_clean_up(&x);
        hy_sample_clean_up(&y);
    }
}

static void p_is_uniform_under_the_null(void **state)
{
    (void)state;
    hy_stream stream = dice(10);
    int low = 0, high = 0;
    for (int i = 0; i < 2000; i++) {
        double a[40], b[31];
        for (int k = 0; k < 40; k++)
            a[k] = hy_stream_real(&stream);
        for (int k = 0; k < 31; k++)
            b[k] = hy_stream_real(&stream);
        hy_sample x = sample_from(a, 40), y = sample_from(b, 31);
        low += smirnov_of(&x, &y).p <= 0.1;
        high += smirnov_of(&x, &y).p <= 0.5;
        hy_sample_clean_up(&x);
        hy_sample_clean_up(&y);
    }
    assert_in_range(low, 150, 235);
    assert_in_range(high, 900, 1080);
}

/* The exact p at the largest lattice and the limit just beyond it are near each other. */
static void limit_meets_the_exact(void **state)
{
    (void)state;
    static double a[2001], b[2001];
    for (int i = 0; i < 2001; i++) {
        a[i] = i;
        b[i] = i * 1.03 + 20.5;
    }
    hy_sample x = sample_from(a, 2000), y = sample_from(b, 2000), more = sample_from(b, 2001);
    assert_true(hy_smirnov_is_exact(&x, &y) && !hy_smirnov_is_exact(&x, &more));
    double exact = smirnov_of(&x, &y).p, limit = smirnov_of(&x, &more).p;
    assert_true(exact > 1e-4 && exact < 0.9);
    assert_close(limit, exact, 0.1);
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
    hy_sample_clean_up(&more);
}

static void the_same_is_no_distance(void **state)
{
    (void)state;
    const double values[] = {1, 2, 2, 9};
    hy_sample x = sample_from(values, 4), none = {0};
    assert_true(smirnov_of(&x, &x).statistic == 0 && smirnov_of(&x, &x).p == 1);
    assert_true(isnan(smirnov_of(&x, &none).p));
    hy_sample_clean_up(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smirnov_agrees_with_scipy),   cmocka_unit_test(apart_is_two_of_all_orders),
        cmocka_unit_test(p_is_uniform_under_the_null), cmocka_unit_test(limit_meets_the_exact),
        cmocka_unit_test(the_same_is_no_distance),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
