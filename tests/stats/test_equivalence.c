#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/equivalence.h"
#include "stats/quantile.h"

/* Equivalent exactly where the interval of confidence 1 − 2·alpha is within the margin. */
static void test_is_the_interval(void **state)
{
    (void)state;
    for (double value = -3; value <= 3; value += 0.07) {
        for (double df = 3; df < 500; df *= 5) {
            const hy_estimate e = {.known = true, .value = value, .standard_error = 0.6};
            double half = hy_two_sided_t(0.9, df) * 0.6;
            hy_equivalence test = hy_equivalence_test(&e, df, -1.9, 1.9, 0.05);
            assert_true(test.known);
            assert_int_equal(test.equivalent, value - half > -1.9 && value + half < 1.9);
            assert_true(test.p == fmax(test.p_lower, test.p_upper));
        }
    }
}

static void normal_tails_are_used_without_df(void **state)
{
    (void)state;
    const hy_estimate e = {.known = true, .value = 0.5, .standard_error = 0.01};
    hy_equivalence test = hy_equivalence_test(&e, INFINITY, 0.5 - 0.0164485362695147, 0.52, 0.05);
    assert_near(test.p_lower, 0.05);
    assert_near(test.p_upper, 0.02275013194817921);
}

/* A share at the edge of the margin is called equivalent at most at the level: summed. */
static void shares_keep_the_level(void **state)
{
    (void)state;
    for (uint64_t n = 50; n <= 2000; n += 325) {
        double at_low = 0, at_high = 0, within = 0;
        for (uint64_t x = 0; x <= n; x++) {
            bool equivalent = hy_share_equivalence(x, n, 0.45, 0.55, 0.05).equivalent;
            at_low += equivalent ? hy_binomial_pmf(x, n, 0.45) : 0;
            at_high += equivalent ? hy_binomial_pmf(x, n, 0.55) : 0;
            within += equivalent ? hy_binomial_pmf(x, n, 0.5) : 0;
        }
        assert_true(at_low <= 0.05 && at_high <= 0.05);
        assert_true(within < 0.5 || n > 200);
        assert_true(n < 1500 || within > 0.95);
    }
}

/* "Not significantly unfair" is not fair: few games never show it. */
static void few_games_show_nothing(void **state)
{
    (void)state;
    assert_false(hy_share_equivalence(20, 40, 0.45, 0.55, 0.05).equivalent);
    assert_true(hy_share_equivalence(2000, 4000, 0.45, 0.55, 0.05).equivalent);
    assert_true(hy_share_equivalence(0, 10, -0.1, 0.5, 0.05).equivalent);
}

static void nothing_is_unknown(void **state)
{
    (void)state;
    const hy_estimate none = {.known = false}, sure = {.known = true, .value = 1};
    assert_false(hy_equivalence_test(&none, 5, -1, 1, 0.05).known);
    assert_false(hy_equivalence_test(&sure, 5, 0, 2, 0.05).equivalent);
    assert_false(hy_share_equivalence(0, 0, 0.4, 0.6, 0.05).known);
    assert_false(hy_share_equivalence(1, 2, 0.6, 0.4, 0.05).known);
    assert_true(isnan(hy_share_equivalence(0, 0, 0.4, 0.6, 0.05).p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_the_interval),  cmocka_unit_test(normal_tails_are_used_without_df),
        cmocka_unit_test(shares_keep_the_level), cmocka_unit_test(few_games_show_nothing),
        cmocka_unit_test(nothing_is_unknown),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
