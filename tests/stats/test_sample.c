#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "stats/cases.h"

static void check_quantiles(const hy_sample *x, const json_t *answers)
{
    static const unsigned types[] = {1, 2, 6, 7, 8};
    static const double shares[] = {0.025, 0.25, 0.5, 0.75, 0.975};
    for (size_t i = 0; i < 5; i++) {
        char key[64];
        snprintf(key, sizeof key, "quantile_type%u_0.025_0.25_0.5_0.75_0.975", types[i]);
        for (size_t k = 0; k < 5; k++)
            assert_near(hy_sample_quantile(x, shares[k], types[i]), element_of(answers, key, k));
    }
}

static void check_descriptive(const json_t *inputs, const json_t *answers)
{
    hy_sample x = sample_of(inputs, "x");
    hy_estimate mean = hy_sample_mean_estimate(&x, 0.95);
    double mad;
    assert_near(hy_sample_mean(&x), number_of(answers, "mean"));
    assert_near(hy_sample_variance(&x), number_of(answers, "var_n-1"));
    assert_near(mean.low, number_of(answers, "t_ci95_lower"));
    assert_near(mean.high, number_of(answers, "t_ci95_upper"));
    assert_int_equal(hy_sample_mad(&x, &mad, NULL), HY_OK);
    assert_near(mad, number_of(answers, "mad_1.4826"));
    check_quantiles(&x, answers);
    hy_sample_clean_up(&x);
}

static void descriptive_agrees_with_r(void **state)
{
    (void)state;
    each_case("descriptive", 1, check_descriptive);
}

static void values_are_sorted_and_joined(void **state)
{
    (void)state;
    const double values[] = {3, -1, 3, 0.5, -1, 9};
    const uint64_t counts[] = {2, 1, 5, 0, 1, 4};
    hy_sample one = sample_from(values, 6), counted = histogram_from(values, counts, 6);
    assert_int_equal(one.num, 4);
    assert_int_equal(one.n, 6);
    assert_int_equal(counted.num, 3);
    assert_int_equal(counted.n, 13);
    assert_true(counted.values[0] == -1 && counted.values[1] == 3 && counted.values[2] == 9);
    assert_true(counted.counts[0] == 2 && counted.counts[1] == 7 && counted.counts[2] == 4);
    assert_true(hy_sample_at(&counted, 1) == -1 && hy_sample_at(&counted, 2) == 3);
    assert_true(hy_sample_at(&counted, 12) == 9 && isnan(hy_sample_at(&counted, 13)));
    hy_sample_clean_up(&one);
    hy_sample_clean_up(&counted);
}

/* A histogram says what its values, written out, say. */
static void histogram_is_the_sample(void **state)
{
    (void)state;
    const double values[] = {7, 1, 4, 100};
    const uint64_t counts[] = {3, 40, 11, 6};
    double all[60], mad, same_mad;
    size_t n = 0;
    for (size_t i = 0; i < 4; i++) {
        for (uint64_t k = 0; k < counts[i]; k++)
            all[n++] = values[i];
    }
    hy_sample counted = histogram_from(values, counts, 4), listed = sample_from(all, n);
    assert_near(hy_sample_variance(&counted), hy_sample_variance(&listed));
    for (unsigned type = 1; type <= 9; type++) {
        for (double share = 0; share <= 1; share += 0.01)
            assert_near(hy_sample_quantile(&counted, share, type),
                        hy_sample_quantile(&listed, share, type));
    }
    assert_int_equal(hy_sample_mad(&counted, &mad, NULL), HY_OK);
    assert_int_equal(hy_sample_mad(&listed, &same_mad, NULL), HY_OK);
    assert_near(mad, same_mad);
    hy_sample_clean_up(&counted);
    hy_sample_clean_up(&listed);
}

static void quantiles_rise_and_end_at_the_ends(void **state)
{
    (void)state;
    const double values[] = {12, 21, 21, 34, 57};
    hy_sample x = sample_from(values, 5);
    for (unsigned type = 1; type <= 9; type++) {
        double last = -INFINITY;
        for (int i = 0; i <= 1000; i++) {
            double quantile = hy_sample_quantile(&x, i / 1000., type);
            assert_true(quantile >= last - 1e-12);
            last = quantile;
        }
        assert_true(hy_sample_quantile(&x, 0, type) == 12 && last == 57);
        assert_true(hy_sample_quantile(&x, 0.5, type) >= 21);
    }
    assert_true(isnan(hy_sample_quantile(&x, 0.5, 0)) && isnan(hy_sample_quantile(&x, 0.5, 10)));
    assert_true(isnan(hy_sample_quantile(&x, 1.1, 7)) && isnan(hy_sample_quantile(&x, NAN, 7)));
    hy_sample_clean_up(&x);
}

/* R: quantile(c(1,2,3,4), 0.4, type=1…9). */
static void types_differ_as_in_r(void **state)
{
    (void)state;
    const double values[] = {1, 2, 3, 4};
    const double expected[] = {2, 2, 2, 1.6, 2.1, 2, 2.2, 2.0666666666666667, 2.075};
    hy_sample x = sample_from(values, 4);
    for (unsigned type = 1; type <= 9; type++)
        assert_near(hy_sample_quantile(&x, 0.4, type), expected[type - 1]);
    hy_sample_clean_up(&x);
}

/* The sum of squares would lose everything here. */
static void variance_is_right_far_from_zero(void **state)
{
    (void)state;
    const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    hy_sample x = sample_from(values, 4);
    assert_near(hy_sample_mean(&x), 1e9 + 10);
    assert_near(hy_sample_variance(&x), 30);
    hy_sample_clean_up(&x);
}

static void little_says_little(void **state)
{
    (void)state;
    const double one[] = {5}, infinite[] = {1, INFINITY}, nan[] = {NAN};
    const uint64_t many[] = {(uint64_t)1 << 53, 1};
    hy_sample x = sample_from(one, 1), none = sample_from(one, 0), wrong;
    hy_error error = {0};
    double mad;
    assert_true(hy_sample_mean(&x) == 5 && isnan(hy_sample_variance(&x)));
    assert_false(hy_sample_mean_estimate(&x, 0.95).known);
    assert_true(isnan(hy_sample_mean(&none)) && isnan(hy_sample_quantile(&none, 0.5, 7)));
    assert_int_equal(hy_sample_mad(&none, &mad, NULL), HY_OK);
    assert_true(isnan(mad));
    assert_int_equal(hy_sample_init(&wrong, infinite, NULL, 2, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "value 2"));
    assert_int_equal(hy_sample_init(&wrong, nan, NULL, 1, &error), HY_INVALID);
    const double two[] = {1, 2};
    assert_int_equal(hy_sample_init(&wrong, two, many, 2, &error), HY_INVALID);
    assert_int_equal(wrong.n, 0);
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptive_agrees_with_r),
        cmocka_unit_test(values_are_sorted_and_joined),
        cmocka_unit_test(histogram_is_the_sample),
        cmocka_unit_test(quantiles_rise_and_end_at_the_ends),
        cmocka_unit_test(types_differ_as_in_r),
        cmocka_unit_test(variance_is_right_far_from_zero),
        cmocka_unit_test(little_says_little),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
