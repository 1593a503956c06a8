#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "stats/bootstrap.h"
#include "stats/cases.h"

static void check_exact(const json_t *inputs, const json_t *answers)
{
    double y[5], x[5];
    hy_bootstrap b, less;
    for (size_t i = 0; i < 5; i++) {
        y[i] = element_of(inputs, "y", i);
        x[i] = element_of(inputs, "x", i);
    }
    assert_int_equal(hy_bootstrap_exact(y, x, 5, 0.95, &b, NULL), HY_OK);
    assert_int_equal(hy_bootstrap_exact(y, x, 5, 0.9, &less, NULL), HY_OK);
    assert_near(b.value, number_of(answers, "theta_hat"));
    assert_int_equal(b.resamples, count_of(answers, "n_resamples_enumerated"));
    assert_near(b.mean, number_of(answers, "boot_mean"));
    assert_near(b.deviation, number_of(answers, "boot_sd(1/N)"));
    assert_near(b.percentile_low, element_of(answers, "percentile_ci95_inverse_cdf", 0));
    assert_near(b.percentile_high, element_of(answers, "percentile_ci95_inverse_cdf", 1));
    assert_near(less.percentile_low, element_of(answers, "percentile_ci90_inverse_cdf", 0));
    assert_near(less.percentile_high, element_of(answers, "percentile_ci90_inverse_cdf", 1));
    assert_near(b.share_less, number_of(answers, "frac_less"));
    assert_near(b.share_equal, number_of(answers, "frac_equal"));
    assert_near(b.z0, number_of(answers, "bca_z0(midrank)"));
    assert_near(b.acceleration, number_of(answers, "bca_acceleration_jackknife"));
    assert_near(b.alpha_low, element_of(answers, "bca_adjusted_alphas_95", 0));
    assert_near(b.alpha_high, element_of(answers, "bca_adjusted_alphas_95", 1));
    assert_near(b.bca_low, element_of(answers, "bca_ci95_inverse_cdf", 0));
    assert_near(b.bca_high, element_of(answers, "bca_ci95_inverse_cdf", 1));
    assert_int_equal(b.distinct, count_of(answers, "distinct_values"));
}

static void enumeration_agrees_with_golden(void **state)
{
    (void)state;
    each_case("bootstrap_exact", 1, check_exact);
}

static const double games_y[] = {2, 0, 1, 4, 0}, games_x[] = {10, 9, 11, 14, 8};

static void draws_approach_the_enumeration(void **state)
{
    (void)state;
    hy_bootstrap all, drawn;
    assert_int_equal(hy_bootstrap_exact(games_y, games_x, 5, 0.95, &all, NULL), HY_OK);
    assert_int_equal(hy_bootstrap_ratio(games_y, games_x, 5, 0.95, 7, 100000, &drawn, NULL), HY_OK);
    assert_close(drawn.mean, all.mean, 0.01);
    assert_close(drawn.deviation, all.deviation, 0.01);
    assert_true(fabs(drawn.share_less - all.share_less) < 0.006);
    assert_close(drawn.percentile_high, all.percentile_high, 0.03);
    assert_close(drawn.bca_high, all.bca_high, 0.05);
}

static void the_seed_decides(void **state)
{
    (void)state;
    hy_bootstrap one, same, other;
    assert_int_equal(hy_bootstrap_ratio(games_y, games_x, 5, 0.95, 7, 500, &one, NULL), HY_OK);
    assert_int_equal(hy_bootstrap_ratio(games_y, games_x, 5, 0.95, 7, 500, &same, NULL), HY_OK);
    assert_int_equal(hy_bootstrap_ratio(games_y, games_x, 5, 0.95, 8, 500, &other, NULL), HY_OK);
    assert_true(one.mean == same.mean && one.bca_low == same.bca_low);
    assert_true(one.mean != other.mean);
}

/* Ratios of exponential counts, 40 games, 400 experiments: standard error of the share 0.011 and
 * more. The percentile interval falls a little short, as it is known to. */
static void intervals_cover_the_ratio(void **state)
{
    (void)state;
    hy_stream stream = dice(4);
    int percentile = 0, bca = 0;
    for (uint64_t i = 0; i < 400; i++) {
        double y[40], x[40];
        hy_bootstrap b;
        for (int game = 0; game < 40; game++) {
            x[game] = 5 + (double)hy_stream_below(&stream, 11);
            y[game] = (double)draw_poisson(&stream, x[game] * 0.1);
        }
        assert_int_equal(hy_bootstrap_ratio(y, x, 40, 0.95, i, 500, &b, NULL), HY_OK);
        percentile += b.percentile_low <= 0.1 && 0.1 <= b.percentile_high;
        bca += b.bca_low <= 0.1 && 0.1 <= b.bca_high;
    }
    assert_in_range(percentile, 362, 395);
    assert_in_range(bca, 362, 395);
}

static void games_alike_have_no_width(void **state)
{
    (void)state;
    const double y[] = {1, 1, 1}, x[] = {4, 4, 4}, none[] = {0, 0, 0};
    hy_bootstrap b;
    assert_int_equal(hy_bootstrap_exact(y, x, 3, 0.95, &b, NULL), HY_OK);
    assert_true(b.bca_low == 0.25 && b.bca_high == 0.25 && b.deviation == 0);
    assert_int_equal(hy_bootstrap_exact(y, none, 3, 0.95, &b, NULL), HY_OK);
    assert_true(isnan(b.value) && isnan(b.bca_low) && isnan(b.percentile_low));
    assert_int_equal(b.resamples, 0);
}

static void wrong_games_are_refused(void **state)
{
    (void)state;
    const double y[8] = {1}, x[8] = {1, 1, 1, 1, 1, 1, 1, 1}, negative[] = {-1, 2};
    hy_bootstrap b;
    hy_error error = {0};
    assert_int_equal(hy_bootstrap_exact(y, x, 8, 0.95, &b, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "7"));
    assert_int_equal(hy_bootstrap_exact(y, negative, 2, 0.95, &b, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "game 1"));
    assert_int_equal(hy_bootstrap_ratio(y, x, 0, 0.95, 1, 100, &b, &error), HY_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enumeration_agrees_with_golden),
        cmocka_unit_test(draws_approach_the_enumeration),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(intervals_cover_the_ratio),
        cmocka_unit_test(games_alike_have_no_width),
        cmocka_unit_test(wrong_games_are_refused),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
