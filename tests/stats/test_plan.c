#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/location.h"
#include "stats/plan.h"
#include "stats/share.h"

static void check_sizes(const json_t *inputs, const json_t *answers)
{
    (void)inputs;
    double h = 2 * asin(sqrt(0.5)) - 2 * asin(sqrt(0.53));
    assert_near(hy_plan_two_shares(0.5, 0.53, 0.05, 0.9),
                number_of(answers, "power.prop.test_p0.50_vs_0.53_power0.9_two_sided_n_per_group"));
    assert_close(hy_plan_effect_h(h, 0.05, 0.9),
                 number_of(answers, "pwr.2p.test_h(0.50,0.53)_power0.9_n"),
                 1e-8); /* R's tolerance */
    assert_near(hy_plan_logrank_events(1.2, 0.5, 0.05, 0.9),
                number_of(answers, "schoenfeld_events_HR1.2_alpha.05_power.9_equal_alloc"));
    assert_near(hy_plan_share_width(0.5, 0.01, 0.95),
                number_of(answers, "n_for_wald_halfwidth0.01_p0.5_95"));
    assert_near(hy_plan_rate_events(0.1, 0.95),
                number_of(answers, "n_poisson_events_for_10pct_rel_halfwidth_95"));
    assert_near(hy_plan_never_seen(1000, 0.95),
                number_of(answers, "rule_of_three_exact_upper95_x0_n1000"));
    assert_near(hy_share_exact(0, 1000, 0.95).high,
                number_of(answers, "clopper_pearson_two_sided_upper_x0_n1000"));
}

static void sizes_agree_with_r(void **state)
{
    (void)state;
    each_case("sample_size", 1, check_sizes);
}

/* A study of the size planned has the half-width asked for. */
static void widths_come_out_as_planned(void **state)
{
    (void)state;
    double n = ceil(hy_plan_share_width(0.3, 0.02, 0.99));
    hy_estimate share = hy_share((uint64_t)(0.3 * n), (uint64_t)n, 0.99);
    assert_close((share.high - share.low) / 2, 0.02, 0.01);
    n = ceil(hy_plan_mean_width(12, 0.5, 0.95));
    hy_estimate mean = hy_mean((uint64_t)n, 0, 144 * (n - 1), 0.95, NULL);
    assert_close(mean.high, 0.5, 0.01);
}

/* 2,000 studies of the size planned for a power of 0.8: standard error 0.009. */
static void power_comes_out_as_planned(void **state)
{
    (void)state;
    hy_stream stream = dice(21);
    size_t n = (size_t)ceil(hy_plan_two_means(0.9, 1, 1.5, 0.05, 0.8));
    int found = 0;
    for (int i = 0; i < 2000; i++) {
        double a[100], b[100];
        assert_true(n <= 100);
        for (size_t k = 0; k < n; k++) {
            a[k] = draw_normal(&stream) + 0.9;
            b[k] = draw_normal(&stream) * 1.5;
        }
        hy_sample x = sample_from(a, n), y = sample_from(b, n);
        found += hy_welch_test(&x, &y, 0.95).p < 0.05;
        hy_sample_clean_up(&x);
        hy_sample_clean_up(&y);
    }
    assert_in_range(found, 1540, 1660);
}

static void more_is_needed_for_more(void **state)
{
    (void)state;
    assert_true(hy_plan_two_shares(0.5, 0.53, 0.05, 0.95) >
                hy_plan_two_shares(0.5, 0.53, 0.05, 0.9));
    assert_true(hy_plan_two_shares(0.5, 0.52, 0.05, 0.9) >
                hy_plan_two_shares(0.5, 0.53, 0.05, 0.9));
    assert_true(hy_plan_two_shares(0.5, 0.53, 0.01, 0.9) >
                hy_plan_two_shares(0.5, 0.53, 0.05, 0.9));
    assert_near(hy_plan_two_shares(0.2, 0.3, 0.05, 0.9), hy_plan_two_shares(0.3, 0.2, 0.05, 0.9));
    assert_near(hy_plan_logrank_events(1.5, 0.3, 0.05, 0.9),
                hy_plan_logrank_events(1 / 1.5, 0.7, 0.05, 0.9));
    assert_near(hy_plan_effect_h(0.2, 0.05, 0.8), hy_plan_effect_h(-0.2, 0.05, 0.8));
    assert_close(1000 * hy_plan_never_seen(1000, 0.95), 3, 0.01);
}

static void nonsense_is_no_number(void **state)
{
    (void)state;
    assert_true(isnan(hy_plan_mean_width(1, 0, 0.95)) && isnan(hy_plan_share_width(2, 0.1, 0.95)));
    assert_true(isnan(hy_plan_two_shares(0.5, 0.5, 0.05, 0.9)));
    assert_true(isnan(hy_plan_two_shares(0.5, 0.6, 0.05, 1)));
    assert_true(isnan(hy_plan_effect_h(0, 0.05, 0.9)) && isnan(hy_plan_effect_h(0.1, 0.05, 0.01)));
    assert_true(isnan(hy_plan_two_means(0, 1, 1, 0.05, 0.9)));
    assert_true(isnan(hy_plan_logrank_events(1, 0.5, 0.05, 0.9)));
    assert_true(isnan(hy_plan_logrank_events(2, 1, 0.05, 0.9)));
    assert_true(isnan(hy_plan_never_seen(0, 0.95)) && isnan(hy_plan_rate_events(0, 0.95)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_agree_with_r),         cmocka_unit_test(widths_come_out_as_planned),
        cmocka_unit_test(power_comes_out_as_planned), cmocka_unit_test(more_is_needed_for_more),
        cmocka_unit_test(nonsense_is_no_number),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
