#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/location.h"

static hy_mann_whitney ranks_of(const hy_sample *x, const hy_sample *y)
{
    hy_mann_whitney ranks;
    assert_int_equal(hy_mann_whitney_test(x, y, &ranks, NULL), HY_OK);
    return ranks;
}

/* A member that is not there is not defined. */
static double golden_or_nan(const json_t *answers, const char *key)
{
    return json_object_get(answers, key) ? number_of(answers, key) : NAN;
}

static void check_mann_whitney(const json_t *inputs, const json_t *answers)
{
    hy_sample x = sample_of(inputs, "x"), y = sample_of(inputs, "y");
    hy_mann_whitney ranks = ranks_of(&x, &y);
    hy_test munzel = hy_brunner_munzel_test(&x, &y);
    assert_near(ranks.u, number_of(answers, "U_x(W)"));
    assert_near(ranks.p_corrected, number_of(answers, "p_asymptotic_cc"));
    assert_near(ranks.p, number_of(answers, "p_asymptotic_nocc"));
    assert_near(ranks.p_exact, golden_or_nan(answers, "p_exact"));
    assert_near(ranks.a12, number_of(answers, "A12_P(x>y)+0.5P(x=y)"));
    assert_near(ranks.cliffs_delta, number_of(answers, "cliffs_delta"));
    assert_near(munzel.statistic, golden_or_nan(answers, "brunner_munzel_stat"));
    assert_near(munzel.p, golden_or_nan(answers, "brunner_munzel_p"));
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

static void ranks_agree_with_r(void **state)
{
    (void)state;
    each_case("mannwhitney", 2, check_mann_whitney);
}

static void check_welch(const json_t *inputs, const json_t *answers)
{
    hy_sample x = sample_of(inputs, "x"), y = sample_of(inputs, "y");
    hy_welch welch = hy_welch_test(&x, &y, 0.95);
    assert_near(welch.t, number_of(answers, "t"));
    assert_near(welch.df, number_of(answers, "df"));
    assert_near(welch.p, number_of(answers, "p"));
    assert_near(welch.difference.low, element_of(answers, "ci95_diff", 0));
    assert_near(welch.difference.high, element_of(answers, "ci95_diff", 1));
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

static void welch_agrees_with_r(void **state)
{
    (void)state;
    each_case("welch_t", 1, check_welch);
}

/* Small integers: many ties. */
static hy_sample draw_sample(hy_stream *stream, size_t n, unsigned bound, double shift)
{
    double values[200];
    for (size_t i = 0; i < n; i++)
        values[i] = hy_stream_below(stream, bound) + shift;
    return sample_from(values, n);
}

static void u_counts_pairs(void **state)
{
    (void)state;
    hy_stream stream = dice(1);
    for (int round = 0; round < 100; round++) {
        size_t m = 1 + hy_stream_below(&stream, 12), n = 1 + hy_stream_below(&stream, 12);
        hy_sample x = draw_sample(&stream, m, 6, 0), y = draw_sample(&stream, n, 6, 0);
        double u = 0;
        for (uint64_t i = 0; i < m; i++) {
            for (uint64_t j = 0; j < n; j++) {
                double away = hy_sample_at(&x, i) - hy_sample_at(&y, j);
                u += away > 0 ? 1 : away == 0 ? 0.5 : 0;
            }
        }
        hy_mann_whitney one = ranks_of(&x, &y), other = ranks_of(&y, &x);
        assert_near(one.u, u);
        assert_near(one.cliffs_delta, -other.cliffs_delta);
        assert_near(one.p_corrected, other.p_corrected);
        assert_near(one.p_exact, other.p_exact);
        assert_near(hy_brunner_munzel_test(&x, &y).statistic,
                    -hy_brunner_munzel_test(&y, &x).statistic);
        hy_sample_clean_up(&x);
        hy_sample_clean_up(&y);
    }
}

/* All orders of 3 among 6 are equally likely: U has 1 1 2 3 3 3 3 2 1 1 of 20. */
static void exact_p_counts_orders(void **state)
{
    (void)state;
    const double ways[] = {1, 1, 2, 3, 3, 3, 3, 2, 1, 1}, y_values[] = {1, 2, 3};
    hy_sample y = sample_from(y_values, 3);
    for (int u = 0; u <= 9; u++) {
        double x_values[3], lower = 0, upper = 0;
        for (int i = 0, left = u; i < 3; i++) { /* over as many y's as are left, at most 3 */
            int over = left < 3 ? left : 3;
            x_values[i] = over + 0.5 + i * 0.01;
            left -= over;
        }
        for (int k = 0; k <= 9; k++) {
            lower += k <= u ? ways[k] / 20 : 0;
            upper += k >= u ? ways[k] / 20 : 0;
        }
        hy_sample x = sample_from(x_values, 3);
        assert_near(ranks_of(&x, &y).u, u);
        assert_near(ranks_of(&x, &y).p_exact, fmin(1, 2 * fmin(lower, upper)));
        hy_sample_clean_up(&x);
    }
    hy_sample_clean_up(&y);
}

static void exact_needs_small_samples_without_ties(void **state)
{
    (void)state;
    double values[60];
    for (int i = 0; i < 60; i++)
        values[i] = i;
    hy_sample large = sample_from(values, 50), small = sample_from(values + 50, 10);
    hy_sample tied = sample_from(values + 45, 10), less = sample_from(values, 49);
    assert_true(isnan(ranks_of(&large, &small).p_exact));
    assert_true(isnan(ranks_of(&tied, &less).p_exact));
    assert_close(ranks_of(&less, &small).p_exact, ranks_of(&less, &small).p_corrected, 3);
    hy_sample_clean_up(&large);
    hy_sample_clean_up(&small);
    hy_sample_clean_up(&tied);
    hy_sample_clean_up(&less);
}

static void histogram_is_the_sample(void **state)
{
    (void)state;
    const double values[] = {3, 8, 9}, others[] = {9, 3, 7};
    const uint64_t counts[] = {4, 2, 6}, other_counts[] = {3, 1, 5};
    double all[12], other_all[9];
    size_t m = 0, n = 0;
    for (size_t i = 0; i < 3; i++) {
        for (uint64_t k = 0; k < counts[i]; k++)
            all[m++] = values[i];
        for (uint64_t k = 0; k < other_counts[i]; k++)
            other_all[n++] = others[i];
    }
    hy_sample x = histogram_from(values, counts, 3), y = histogram_from(others, other_counts, 3);
    hy_sample listed = sample_from(all, m), other = sample_from(other_all, n);
    assert_near(ranks_of(&x, &y).p_corrected, ranks_of(&listed, &other).p_corrected);
    assert_near(hy_brunner_munzel_test(&x, &y).p, hy_brunner_munzel_test(&listed, &other).p);
    assert_near(hy_welch_test(&x, &y, 0.9).p, hy_welch_test(&listed, &other, 0.9).p);
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
    hy_sample_clean_up(&listed);
    hy_sample_clean_up(&other);
}

/* Under the null p is below 0.1 a tenth of the time (standard error 0.0067 of 2,000), and above. */
static void p_is_uniform_under_the_null(void **state)
{
    (void)state;
    hy_stream stream = dice(9);
    int ranks = 0, exact = 0, welch = 0, munzel = 0, shifted = 0;
    for (int i = 0; i < 2000; i++) {
        double a[20], b[15], c[15];
        for (int k = 0; k < 20; k++)
            a[k] = draw_normal(&stream);
        for (int k = 0; k < 15; k++) {
            b[k] = draw_normal(&stream);
            c[k] = b[k] + 1;
        }
        hy_sample x = sample_from(a, 20), y = sample_from(b, 15), z = sample_from(c, 15);
        hy_mann_whitney same = ranks_of(&x, &y);
        ranks += same.p < 0.1;
        exact += same.p_exact < 0.1;
        welch += hy_welch_test(&x, &y, 0.95).p < 0.1;
        munzel += hy_brunner_munzel_test(&x, &y).p < 0.1;
        shifted += ranks_of(&x, &z).p < 0.1;
        hy_sample_clean_up(&x);
        hy_sample_clean_up(&y);
        hy_sample_clean_up(&z);
    }
    assert_in_range(ranks, 160, 240);
    assert_in_range(exact, 150, 240);
    assert_in_range(welch, 160, 240);
    assert_in_range(munzel, 160, 245);
    assert_true(shifted > 1650);
}

static void little_says_little(void **state)
{
    (void)state;
    const double one[] = {3}, same[] = {3, 3, 3};
    hy_sample x = sample_from(one, 1), y = sample_from(same, 3), none = {0};
    assert_true(isnan(ranks_of(&x, &none).u) && isnan(ranks_of(&y, &y).p));
    assert_near(ranks_of(&x, &y).a12, 0.5);
    assert_true(isnan(hy_welch_test(&x, &y, 0.95).p) && isnan(hy_welch_test(&y, &y, 0.95).t));
    assert_true(isnan(hy_brunner_munzel_test(&x, &y).p) && isnan(hy_brunner_munzel_test(&y, &y).p));
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_agree_with_r),
        cmocka_unit_test(welch_agrees_with_r),
        cmocka_unit_test(u_counts_pairs),
        cmocka_unit_test(exact_p_counts_orders),
        cmocka_unit_test(exact_needs_small_samples_without_ties),
        cmocka_unit_test(histogram_is_the_sample),
        cmocka_unit_test(p_is_uniform_under_the_null),
        cmocka_unit_test(little_says_little),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
