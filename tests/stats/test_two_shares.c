#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/two_shares.h"

static void check_two(const json_t *inputs, const json_t *answers)
{
    const hy_two_shares s = {count_of(inputs, "x1"), count_of(inputs, "n1"), count_of(inputs, "x2"),
                             count_of(inputs, "n2")};
    const struct {
        const char *key;
        hy_estimate estimate;
    } intervals[] = {
        {"wald_ci95_diff", hy_two_shares_wald(&s, 0.95)},
        {"diff_ci95_newcomb", hy_two_shares_newcombe(&s, 0.95)},
        {"diff_ci95_agresti-caffo", hy_two_shares_agresti(&s, 0.95)},
        {"diff_ci95_score", hy_two_shares_score_statsmodels(&s, 0.95)},
    };
    for (size_t i = 0; i < sizeof intervals / sizeof intervals[0]; i++) {
        assert_near(intervals[i].estimate.low, element_of(answers, intervals[i].key, 0));
        assert_near(intervals[i].estimate.high, element_of(answers, intervals[i].key, 1));
    }
    assert_near(hy_two_shares_chi_square(&s).statistic, number_of(answers, "chisq_nocc"));
    assert_near(hy_two_shares_chi_square(&s).p, number_of(answers, "p_nocc"));
    assert_near(hy_two_shares_h(&s), number_of(answers, "cohens_h"));
    assert_near(hy_two_shares_odds_ratio(&s), number_of(answers, "sample_odds_ratio"));
}

static void two_shares_agree_with_golden(void **state)
{
    (void)state;
    each_case("two_prop", 2, check_two);
}

/* Log-likelihood of shares that differ by `away`, the second one being p2. */
static double likelihood(const hy_two_shares *s, double p2, double away)
{
    double p1 = p2 + away, sum = 0;
    sum += s->x1 > 0 ? (double)s->x1 * log(p1) : 0;
    sum += s->x1 < s->n1 ? (double)(s->n1 - s->x1) * log(1 - p1) : 0;
    sum += s->x2 > 0 ? (double)s->x2 * log(p2) : 0;
    sum += s->x2 < s->n2 ? (double)(s->n2 - s->x2) * log(1 - p2) : 0;
    return sum;
}

/* The score statistic, squared, with the restricted shares found by golden section. */
static double score_of(const hy_two_shares *s, double away)
{
    double low = fmax(0, -away), high = fmin(1, 1 - away), golden = (sqrt(5) - 1) / 2;
    for (int i = 0; i < 200; i++) {
        double a = high - golden * (high - low), b = low + golden * (high - low);
        if (likelihood(s, a, away) < likelihood(s, b, away))
            low = a;
        else
            high = b;
    }
    double p2 = (low + high) / 2, p1 = p2 + away, n1 = (double)s->n1, n2 = (double)s->n2;
    double variance = (p1 * (1 - p1) / n1 + p2 * (1 - p2) / n2) * (n1 + n2) / (n1 + n2 - 1);
    double miss = (double)s->x1 / n1 - (double)s->x2 / n2 - away;
    return miss * miss / variance;
}

/* The ends are where the score test is at its limit, found in another way than by the cubic. */
static void score_interval_inverts_its_test(void **state)
{
    (void)state;
    const hy_two_shares cases[] = {
        {378, 1000, 428, 1000}, {0, 50, 5, 50}, {7, 9, 2, 30}, {1, 20, 19, 20}, {12, 40, 3, 11}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_estimate score = hy_two_shares_score(&cases[i], 0.95);
        assert_close(score_of(&cases[i], score.low), 3.841458820694124, 1e-5);
        assert_close(score_of(&cases[i], score.high), 3.841458820694124, 1e-5);
    }
}

static void exchanging_the_shares_changes_the_sign(void **state)
{
    (void)state;
    for (uint64_t x1 = 0; x1 <= 12; x1++) {
        for (uint64_t x2 = 0; x2 <= 17; x2++) {
            const hy_two_shares one = {x1, 12, x2, 17}, other = {x2, 17, x1, 12};
            hy_estimate a = hy_two_shares_newcombe(&one, 0.9),
                        b = hy_two_shares_newcombe(&other, 0.9);
            assert_true(fabs(a.low + b.high) < 1e-12);
            a = hy_two_shares_score(&one, 0.9);
            b = hy_two_shares_score(&other, 0.9);
            assert_true(fabs(a.low + b.high) < 1e-9);
            assert_true(a.low >= -1 && a.high <= 1 && a.low <= a.value && a.value <= a.high);
            a = hy_two_shares_agresti(&one, 0.9);
            assert_true(a.low >= -1 && a.high <= 1 && a.low < a.high);
            assert_near(hy_two_shares_h(&one), -hy_two_shares_h(&other));
            assert_near(hy_two_shares_chi_square(&one).p, hy_two_shares_chi_square(&other).p);
        }
    }
}

static double share_covered(hy_estimate (*method)(const hy_two_shares *, double), double p1,
                            double p2, uint64_t seed)
{
    hy_stream stream = dice(seed);
    int covered = 0;
    for (int i = 0; i < 2000; i++) {
        const hy_two_shares s = {draw_binomial(&stream, 40, p1), 40, draw_binomial(&stream, 25, p2),
                                 25};
        hy_estimate d = method(&s, 0.95);
        covered += d.low <= p1 - p2 && p1 - p2 <= d.high;
    }
    return covered / 2000.;
}

/* Standard error of the share covered: 0.005. Wald's interval is known to fall short near 0. */
static void intervals_cover_the_true_difference(void **state)
{
    (void)state;
    const double shares[][2] = {{0.5, 0.5}, {0.1, 0.3}, {0.9, 0.2}, {0.03, 0.06}};
    for (size_t i = 0; i < 4; i++) {
        double p1 = shares[i][0], p2 = shares[i][1];
        assert_true(share_covered(hy_two_shares_newcombe, p1, p2, i) > 0.93);
        assert_true(share_covered(hy_two_shares_score, p1, p2, i) > 0.93);
        assert_true(share_covered(hy_two_shares_agresti, p1, p2, i) > 0.93);
    }
    assert_true(share_covered(hy_two_shares_wald, 0.03, 0.06, 3) < 0.93);
}

static void check_mcnemar(const json_t *inputs, const json_t *answers)
{
    hy_mcnemar test = hy_mcnemar_test((uint64_t)element_of(inputs, "table_rowmajor", 1),
                                      (uint64_t)element_of(inputs, "table_rowmajor", 2));
    assert_near(test.exact_p, number_of(answers, "exact_p"));
    assert_near(test.plain.statistic, number_of(answers, "chisq_nocc"));
    assert_near(test.plain.p, number_of(answers, "p_nocc"));
    assert_near(test.corrected.statistic, number_of(answers, "chisq_cc"));
    assert_near(test.corrected.p, number_of(answers, "p_cc"));
}

static void matched_pairs_agree_with_r(void **state)
{
    (void)state;
    each_case("mcnemar", 2, check_mcnemar);
    assert_true(hy_mcnemar_test(0, 0).exact_p == 1 && isnan(hy_mcnemar_test(0, 0).plain.p));
    assert_near(hy_mcnemar_test(3, 11).exact_p, hy_mcnemar_test(11, 3).exact_p);
}

static void nothing_is_unknown(void **state)
{
    (void)state;
    const hy_two_shares none = {0, 0, 1, 2}, wrong = {3, 2, 1, 2}, all = {5, 5, 7, 7};
    assert_false(hy_two_shares_wald(&none, 0.95).known || hy_two_shares_score(&wrong, 0.95).known);
    assert_false(hy_two_shares_newcombe(&none, 0.95).known);
    assert_true(isnan(hy_two_shares_chi_square(&all).p) && isnan(hy_two_shares_h(&none)));
    assert_true(hy_two_shares_score(&all, 0.95).known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_shares_agree_with_golden),
        cmocka_unit_test(score_interval_inverts_its_test),
        cmocka_unit_test(exchanging_the_shares_changes_the_sign),
        cmocka_unit_test(intervals_cover_the_true_difference),
        cmocka_unit_test(matched_pairs_agree_with_r),
        cmocka_unit_test(nothing_is_unknown),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
