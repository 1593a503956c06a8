#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "stats/adjust.h"
#include "stats/cases.h"

static void check_adjust(const json_t *inputs, const json_t *answers)
{
    double p[10], adjusted[10];
    for (size_t i = 0; i < 10; i++)
        p[i] = element_of(inputs, "p", i);
    for (unsigned k = 0; k < HY_NUM_ADJUSTMENTS; k++) {
        assert_int_equal(hy_adjust(p, 10, (hy_adjustment)k, adjusted, NULL), HY_OK);
        for (size_t i = 0; i < 10; i++)
            assert_near(adjusted[i], element_of(answers, hy_adjustment_words[k], i));
    }
}

static const double mixed[] = {0.3, NAN, 0.001, 0.02, 0.02, 1, 0};

static void adjusted_agree_with_r(void **state)
{
    (void)state;
    each_case("p_adjust", 1, check_adjust);
}

static void what_is_no_number_is_left_out(void **state)
{
    (void)state;
    double with[7], without[6], p[6];
    size_t n = 0;
    for (size_t i = 0; i < 7; i++) {
        if (!isnan(mixed[i]))
            p[n++] = mixed[i];
    }
    for (unsigned k = 0; k < HY_NUM_ADJUSTMENTS; k++) {
        assert_int_equal(hy_adjust(mixed, 7, (hy_adjustment)k, with, NULL), HY_OK);
        assert_int_equal(hy_adjust(p, 6, (hy_adjustment)k, without, NULL), HY_OK);
        assert_true(isnan(with[1]));
        for (size_t i = 0; i < 7; i++)
            assert_true(i == 1 || with[i] == without[i < 1 ? i : i - 1]);
    }
}

static void order_is_kept_and_methods_are_ordered(void **state)
{
    (void)state;
    hy_stream stream = dice(1);
    for (int round = 0; round < 200; round++) {
        double p[30], by[HY_NUM_ADJUSTMENTS][30];
        for (int i = 0; i < 30; i++)
            p[i] = pow(hy_stream_real(&stream), 3);
        for (unsigned k = 0; k < HY_NUM_ADJUSTMENTS; k++)
            assert_int_equal(hy_adjust(p, 30, (hy_adjustment)k, by[k], NULL), HY_OK);
        for (int i = 0; i < 30; i++) {
            assert_true(by[HY_ADJUST_HOLM][i] <= by[HY_ADJUST_BONFERRONI][i]);
            assert_true(by[HY_ADJUST_HOCHBERG][i] <= by[HY_ADJUST_HOLM][i]);
            assert_true(by[HY_ADJUST_BH][i] <= by[HY_ADJUST_HOCHBERG][i] + 1e-15);
            assert_true(by[HY_ADJUST_BY][i] >= by[HY_ADJUST_BH][i] && by[HY_ADJUST_BH][i] >= p[i]);
            for (int j = 0; j < 30; j++)
                assert_true(p[i] > p[j] || by[HY_ADJUST_HOLM][i] <= by[HY_ADJUST_HOLM][j]);
        }
    }
}

static void wrong_p_are_refused(void **state)
{
    (void)state;
    const double wrong[] = {0.5, 1.5};
    double adjusted[2];
    hy_error error = {0};
    assert_int_equal(hy_adjust(wrong, 2, HY_ADJUST_BH, adjusted, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "p 2"));
    assert_int_equal(hy_adjust(wrong, 0, HY_ADJUST_BH, adjusted, &error), HY_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adjusted_agree_with_r),
        cmocka_unit_test(what_is_no_number_is_left_out),
        cmocka_unit_test(order_is_kept_and_methods_are_ordered),
        cmocka_unit_test(wrong_p_are_refused),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
