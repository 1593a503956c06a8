#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/two_shares.h"

static hy_fisher fisher_of(uint64_t x1, uint64_t n1, uint64_t x2, uint64_t n2)
{
    const hy_two_shares s = {x1, n1, x2, n2};
    hy_fisher fisher;
    assert_int_equal(hy_fisher_test(&s, 0.95, &fisher, NULL), HY_OK);
    return fisher;
}

/* R stops its root finder at a tolerance of 1.2e-4, so its odds ratios have about five digits. */
static void check_fisher(const json_t *inputs, const json_t *answers)
{
    hy_fisher fisher = fisher_of(count_of(inputs, "x1"), count_of(inputs, "n1"),
                                 count_of(inputs, "x2"), count_of(inputs, "n2"));
    assert_near(fisher.p, number_of(answers, "fisher_p"));
    assert_close(fisher.odds_ratio.value, number_of(answers, "fisher_or_cond_mle"), 1e-4);
    assert_close(fisher.odds_ratio.low, element_of(answers, "fisher_or_ci95", 0), 1e-4);
    assert_close(fisher.odds_ratio.high, element_of(answers, "fisher_or_ci95", 1), 1e-4);
}

static void fisher_agrees_with_r(void **state)
{
    (void)state;
    each_case("two_prop", 2, check_fisher);
}

/* Fisher's lady: 3 of 4 cups right. Tables 1, 16, 36, 16, 1 of 70; the likelihoods are polynomials
 * of the odds ratio. */
static void tea_is_exact(void **state)
{
    (void)state;
    hy_fisher tea = fisher_of(3, 4, 1, 4);
    assert_near(tea.p, 34. / 70);
    double r = tea.odds_ratio.value, low = tea.odds_ratio.low, high = tea.odds_ratio.high;
    const double ways[] = {1, 16, 36, 16, 1};
    double all = 0, mean = 0, upper = 0, upper_all = 0, lower = 0, lower_all = 0;
    for (int k = 0; k <= 4; k++) {
        all += ways[k] * pow(r, k);
        mean += k * ways[k] * pow(r, k);
        upper_all += ways[k] * pow(low, k);
        upper += k >= 3 ? ways[k] * pow(low, k) : 0;
        lower_all += ways[k] * pow(high, k);
        lower += k <= 3 ? ways[k] * pow(high, k) : 0;
    }
    assert_near(mean / all, 3);
    assert_near(upper / upper_all, 0.025);
    assert_near(lower / lower_all, 0.025);
}

static void exchanging_the_shares_inverts_the_ratio(void **state)
{
    (void)state;
    for (uint64_t x1 = 0; x1 <= 6; x1++) {
        for (uint64_t x2 = 0; x2 <= 9; x2++) {
            hy_fisher one = fisher_of(x1, 6, x2, 9), other = fisher_of(x2, 9, x1, 6);
            assert_near(one.p, other.p);
            if (!one.odds_ratio.known)
                continue;
            assert_true(one.odds_ratio.low <= one.odds_ratio.value);
            assert_true(one.odds_ratio.value <= one.odds_ratio.high);
            if (isfinite(one.odds_ratio.high) && one.odds_ratio.low > 0)
                assert_near(one.odds_ratio.low, 1 / other.odds_ratio.high);
        }
    }
}

/* All that is left to chance by the margins is one table: nothing can be said. */
static void one_table_says_nothing(void **state)
{
    (void)state;
    hy_fisher all = fisher_of(5, 5, 7, 7), none = fisher_of(0, 5, 0, 7),
              empty = fisher_of(0, 0, 1, 2);
    assert_near(all.p, 1);
    assert_near(none.p, 1);
    assert_false(all.odds_ratio.known || none.odds_ratio.known || empty.odds_ratio.known);
    assert_true(isnan(empty.p));
    assert_true(isinf(fisher_of(5, 5, 1, 7).odds_ratio.high));
}

/* Never oftener significant than its level, where the shares are equal. */
static void level_is_kept(void **state)
{
    (void)state;
    hy_stream stream = dice(3);
    int rejected = 0;
    for (int i = 0; i < 4000; i++)
        rejected +=
            fisher_of(draw_binomial(&stream, 15, 0.4), 15, draw_binomial(&stream, 22, 0.4), 22).p <=
            0.05;
    assert_in_range(rejected, 40, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fisher_agrees_with_r),
        cmocka_unit_test(tea_is_exact),
        cmocka_unit_test(exchanging_the_shares_inverts_the_ratio),
        cmocka_unit_test(one_table_says_nothing),
        cmocka_unit_test(level_is_kept),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
