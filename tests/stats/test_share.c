#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/quantile.h"
#include "stats/share.h"

static void check_prop(const json_t *inputs, const json_t *answers)
{
    uint64_t x = count_of(inputs, "successes"), n = count_of(inputs, "n");
    double confidence = number_of(inputs, "conf");
    hy_estimate corrected = hy_share_corrected(x, n, confidence);
    hy_estimate exact = hy_share_exact(x, n, confidence);
    hy_estimate jeffreys = hy_share_jeffreys(x, n, confidence);
    assert_near(corrected.low, element_of(answers, "wilson_cc", 0));
    assert_near(corrected.high, element_of(answers, "wilson_cc", 1));
    assert_near(exact.low, element_of(answers, "clopper_pearson", 0));
    assert_near(exact.high, element_of(answers, "clopper_pearson", 1));
    assert_near(jeffreys.low, element_of(answers, "jeffreys__statsmodels", 0));
    assert_near(jeffreys.high, element_of(answers, "jeffreys__statsmodels", 1));
    double p = hy_binomial_test(x, n, 0.5), expected = number_of(answers, "binom_p_two_sided_0.5");
    if (expected < 1e-300) /* R's 3e-323 stands for 1e-301024 */
        assert_true(p < 1e-300);
    else if (expected < 1e-12)
        assert_close(log10(p), log10(expected), 1e-9);
    else
        assert_near(p, expected);
}

static void shares_agree_with_r(void **state)
{
    (void)state;
    each_case("prop", 23, check_prop);
}

static void intervals_hold_at_both_ends(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 60; n++) {
        assert_true(hy_share_exact(0, n, 0.95).low == 0 && hy_share_exact(n, n, 0.95).high == 1);
        assert_true(hy_share_corrected(0, n, 0.9).low == 0);
        assert_true(hy_share_corrected(n, n, 0.9).high == 1);
        for (uint64_t x = 0; x <= n; x++) {
            hy_estimate exact = hy_share_exact(x, n, 0.95), wilson = hy_share(x, n, 0.95);
            hy_estimate corrected = hy_share_corrected(x, n, 0.95);
            hy_estimate jeffreys = hy_share_jeffreys(x, n, 0.95);
            assert_true(exact.low >= 0 && exact.high <= 1 && exact.low < exact.high);
            assert_true(exact.low <= exact.value && exact.value <= exact.high);
            assert_true(corrected.low <= wilson.low + 1e-15 &&
                        corrected.high >= wilson.high - 1e-15);
            assert_true(jeffreys.low > 0 && jeffreys.high < 1);
            assert_true(jeffreys.low >= exact.low && jeffreys.high <= exact.high);
        }
    }
}

static void successes_and_failures_mirror(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 200; n += 13) {
        for (uint64_t x = 0; x <= n; x++) {
            hy_estimate one = hy_share_exact(x, n, 0.99), other = hy_share_exact(n - x, n, 0.99);
            assert_true(fabs(one.low - (1 - other.high)) < 1e-12);
            assert_near(hy_binomial_test(x, n, 0.3), hy_binomial_test(n - x, n, 0.7));
            assert_close(hy_share_jeffreys(x, n, 0.9).high,
                         1 - hy_share_jeffreys(n - x, n, 0.9).low, 1e-11);
        }
    }
}

static void ends_rise_with_the_successes(void **state)
{
    (void)state;
    for (uint64_t x = 0; x < 1000; x++) {
        hy_estimate less = hy_share_exact(x, 1000, 0.95), more = hy_share_exact(x + 1, 1000, 0.95);
        assert_true(less.low < more.low);
        assert_true(less.high < more.high);
    }
}

/* The exact interval covers every true share with at least its confidence: summed, not simulated.
 * Wilson's does so only on average. */
static void exact_interval_covers_every_share(void **state)
{
    (void)state;
    const uint64_t n = 40;
    for (double p = 0.005; p < 1; p += 0.005) {
        double covered = 0, corrected = 0;
        for (uint64_t x = 0; x <= n; x++) {
            hy_estimate exact = hy_share_exact(x, n, 0.95);
            hy_estimate wider = hy_share_corrected(x, n, 0.95);
            covered += exact.low <= p && p <= exact.high ? hy_binomial_pmf(x, n, p) : 0;
            corrected += wider.low <= p && p <= wider.high ? hy_binomial_pmf(x, n, p) : 0;
        }
        assert_true(covered >= 0.95 - 1e-12);
        assert_true(corrected >= 0.925);
    }
}

/* The test rejects a true share no oftener than its level, at every level: summed. */
static void exact_test_keeps_its_level(void **state)
{
    (void)state;
    for (double p = 0.1; p < 1; p += 0.1) {
        for (double level = 0.01; level < 1; level += 0.05) {
            double rejected = 0;
            for (uint64_t x = 0; x <= 30; x++)
                rejected += hy_binomial_test(x, 30, p) <= level ? hy_binomial_pmf(x, 30, p) : 0;
            assert_true(rejected <= level + 1e-6);
        }
    }
    assert_true(hy_binomial_test(0, 5, 0) == 1 && hy_binomial_test(1, 5, 0) == 0);
    assert_true(hy_binomial_test(5, 5, 1) == 1 && isnan(hy_binomial_test(0, 0, 0.5)));
}

/* Also where GSL's inverse fails: the tails beyond the ends are what they should be. */
static void large_numbers_are_exact(void **state)
{
    (void)state;
    const uint64_t cases[][2] = {{1, 1000000},        {95, 1000000},         {0, 10000000},
                                 {192, 10000000},     {50000000, 100000000}, {7, 1000000000},
                                 {300000, 1000000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t x = cases[i][0], n = cases[i][1];
        hy_estimate exact = hy_share_exact(x, n, 0.95);
        assert_close(hy_binomial_lower(x, n, exact.high), 0.025, 1e-7);
        if (x > 0)
            assert_close(hy_binomial_upper(x, n, exact.low), 0.025, 1e-7);
    }
}

static void nothing_is_unknown(void **state)
{
    (void)state;
    assert_false(hy_share_exact(0, 0, 0.95).known || hy_share_corrected(0, 0, 0.95).known ||
                 hy_share_jeffreys(0, 0, 0.95).known || hy_share_exact(3, 2, 0.95).known);
    assert_true(isnan(hy_share_exact(0, 0, 0.95).low));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_agree_with_r),
        cmocka_unit_test(intervals_hold_at_both_ends),
        cmocka_unit_test(successes_and_failures_mirror),
        cmocka_unit_test(ends_rise_with_the_successes),
        cmocka_unit_test(exact_interval_covers_every_share),
        cmocka_unit_test(exact_test_keeps_its_level),
        cmocka_unit_test(large_numbers_are_exact),
        cmocka_unit_test(nothing_is_unknown),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
