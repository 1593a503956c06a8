#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "stats/cases.h"
#include "stats/location.h"

static hy_estimate shift_of(const hy_sample *x, const hy_sample *y, double confidence, bool *exact)
{
    hy_estimate shift;
    assert_int_equal(hy_hodges_lehmann(x, y, confidence, &shift, exact, NULL), HY_OK);
    return shift;
}

static void check_shift(const json_t *inputs, const json_t *answers)
{
    hy_sample x = sample_of(inputs, "x"), y = sample_of(inputs, "y");
    bool exact;
    hy_estimate shift = shift_of(&x, &y, 0.95, &exact);
    assert_near(shift.value, number_of(answers, "hodges_lehmann_median_of_x-y"));
    assert_int_equal(exact, json_object_get(answers, "p_exact") != NULL);
    if (exact) {
        assert_near(shift.low, element_of(answers, "hl_shift_ci95_exact", 0));
        assert_near(shift.high, element_of(answers, "hl_shift_ci95_exact", 1));
    }
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

static void shift_agrees_with_r(void **state)
{
    (void)state;
    each_case("mannwhitney", 2, check_shift);
}

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* Against all differences, sorted; the interval by the rank that the header states. */
static void compare_with_sorted(const double *x_values, size_t m, const double *y_values, size_t n)
{
    double differences[2500], pairs = (double)(m * n);
    hy_sample x = sample_from(x_values, m), y = sample_from(y_values, n);
    for (size_t i = 0; i < m * n; i++)
        differences[i] = x_values[i / n] - y_values[i % n];
    qsort(differences, m * n, sizeof *differences, by_value);
    bool exact;
    hy_estimate shift = shift_of(&x, &y, 0.95, &exact);
    double median = (differences[(m * n - 1) / 2] + differences[m * n / 2]) / 2;
    assert_true(shift.value == median);
    if (!exact) {
        double z = 1.959963984540054 * sqrt(pairs * (double)(m + n + 1) / 12);
        size_t rank = (size_t)fmax(1, floor(pairs / 2 - z));
        assert_true(shift.low == differences[rank - 1]);
        assert_true(shift.high == differences[m * n - rank]);
    }
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

static void ranks_are_those_of_all_differences(void **state)
{
    (void)state;
    hy_stream stream = dice(6);
    for (int round = 0; round < 300; round++) {
        double x[50], y[50];
        size_t m = 1 + hy_stream_below(&stream, 50), n = 1 + hy_stream_below(&stream, 50);
        double scale = round % 3 == 0 ? 1 : round % 3 == 1 ? 1e-9 : 1e7;
        for (size_t i = 0; i < m; i++)
            x[i] = round % 2 ? draw_normal(&stream) * scale : hy_stream_below(&stream, 9);
        for (size_t i = 0; i < n; i++)
            y[i] = round % 2 ? draw_normal(&stream) : hy_stream_below(&stream, 7) - 3.;
        compare_with_sorted(x, m, y, n);
    }
}

static void exchanging_the_samples_changes_the_sign(void **state)
{
    (void)state;
    const double a[] = {1, 5, 5, 9, 11}, b[] = {2, 3, 3, 3, 20, 7};
    hy_sample x = sample_from(a, 5), y = sample_from(b, 6);
    hy_estimate one = shift_of(&x, &y, 0.9, NULL), other = shift_of(&y, &x, 0.9, NULL);
    assert_true(one.value == -other.value && one.low == -other.high && one.high == -other.low);
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

/* Lengths of a million games each come as histograms; there are 10^12 differences. */
static void histograms_of_many_games_are_quick(void **state)
{
    (void)state;
    static double values[3000];
    static uint64_t counts[3000];
    for (size_t i = 0; i < 3000; i++) {
        values[i] = (double)i;
        counts[i] = 100 + i % 7 * 80;
    }
    hy_sample x = histogram_from(values, counts, 3000);
    for (size_t i = 0; i < 3000; i++)
        values[i] += 250;
    hy_sample y = histogram_from(values, counts, 3000);
    hy_estimate shift = shift_of(&y, &x, 0.95, NULL);
    assert_true(shift.value == 250);
    assert_true(shift.low < 250 && shift.low > 245 && shift.high > 250 && shift.high < 255);
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
}

/* 500 samples of each kind: standard error of the share covered 0.01. */
static void interval_covers_the_shift(void **state)
{
    (void)state;
    hy_stream stream = dice(12);
    int exact = 0, tied = 0;
    for (int i = 0; i < 500; i++) {
        double a[20], b[15], c[60], d[60];
        for (int k = 0; k < 20; k++)
            a[k] = draw_normal(&stream) + 2;
        for (int k = 0; k < 15; k++)
            b[k] = draw_normal(&stream);
        for (int k = 0; k < 60; k++) {
            c[k] = hy_stream_below(&stream, 20) + 3.;
            d[k] = hy_stream_below(&stream, 20);
        }
        hy_sample x = sample_from(a, 20), y = sample_from(b, 15);
        hy_sample u = sample_from(c, 60), v = sample_from(d, 60);
        hy_estimate one = shift_of(&x, &y, 0.95, NULL), other = shift_of(&u, &v, 0.95, NULL);
        exact += one.low <= 2 && 2 <= one.high;
        tied += other.low <= 3 && 3 <= other.high;
        hy_sample_clean_up(&x);
        hy_sample_clean_up(&y);
        hy_sample_clean_up(&u);
        hy_sample_clean_up(&v);
    }
    assert_in_range(exact, 455, 495);
    assert_in_range(tied, 455, 500);
}

static void nothing_is_unknown(void **state)
{
    (void)state;
    const double one[] = {3};
    hy_sample x = sample_from(one, 1), none = {0};
    assert_false(shift_of(&x, &none, 0.95, NULL).known || shift_of(&none, &x, 0.95, NULL).known);
    assert_true(shift_of(&x, &x, 0.95, NULL).value == 0);
    hy_sample_clean_up(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shift_agrees_with_r),
        cmocka_unit_test(ranks_are_those_of_all_differences),
        cmocka_unit_test(exchanging_the_samples_changes_the_sign),
        cmocka_unit_test(histograms_of_many_games_are_quick),
        cmocka_unit_test(interval_covers_the_shift),
        cmocka_unit_test(nothing_is_unknown),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
