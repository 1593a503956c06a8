#include "stats/logrank.h"

#include <string.h>

#include "stats/lifetimes.h"
#include "support/chi_square.h"
#include "support/golden.h"

static json_t *golden;

static hy_logrank fit(const hy_lifetime *lifetimes, size_t num, size_t groups, double rho)
{
    hy_logrank logrank;
    assert_ok(hy_logrank_fit(lifetimes, num, groups, rho, &logrank, error));
    return logrank;
}

static void tests_agree_with_r(void **state)
{
    static const char *const cases[] = {"logrank/2x6_vs_2x12", "logrank/peto_rho1"};
    (void)state;
    for (unsigned rho = 0; rho < 2; rho++) {
        hy_lifetime lifetimes[32];
        size_t num = golden_lifetimes(golden_inputs(golden, cases[rho]), lifetimes, 32);
        const json_t *expected = golden_expected(golden, cases[rho]);
        hy_logrank logrank = fit(lifetimes, num, 2, rho);
        for (size_t i = 0; i < 2; i++) {
            assert_near((double)logrank.num_games[i], golden_element(expected, "n", i));
            assert_near(logrank.observed[i], golden_element(expected, "observed", i));
            assert_near(logrank.expected[i], golden_element(expected, "expected", i));
        }
        assert_near(logrank.variance[0], golden_real(expected, "var_11"));
        assert_near(logrank.test.value, golden_real(expected, "chisq"));
        assert_near(logrank.test.p, golden_real(expected, "p"));
        assert_int_equal(logrank.test.degrees, 1);
        hy_logrank_clean_up(&logrank);
    }
}

/* R: survdiff(Surv(time, event) ~ g, r, rho = rho)$chisq, then with + strata(s), where g is
 * 3 i mod 4 and r the made rows repeated by weight. */
static void four_groups_and_strata_agree_with_r(void **state)
{
    static const double chi_squares[2][2] = {{1.43231731521737, 2.71649998367063},
                                             {1.58330178596448, 2.06767318827556}};
    static const double variances[2][2] = {{-12.0081672764468, -9.76599709198749},
                                           {-5.31624072027821, -5.19592760269631}};
    hy_lifetime lifetimes[NUM_MADE];
    double covariates[2 * NUM_MADE];
    (void)state;
    made_lifetimes(lifetimes, covariates);
    for (uint32_t i = 0; i < NUM_MADE; i++)
        lifetimes[i].group = 3 * i % 4;
    for (int strata = 1; strata >= 0; strata--) {
        for (uint32_t i = 0; strata == 0 && i < NUM_MADE; i++)
            lifetimes[i].stratum = 0;
        for (unsigned rho = 0; rho < 2; rho++) {
            hy_logrank logrank = fit(lifetimes, NUM_MADE, 4, rho);
            assert_near(logrank.test.value, chi_squares[rho][strata]);
            assert_near(logrank.variance[2 * 4 + 3], variances[rho][strata]);
            assert_int_equal(logrank.test.degrees, 3);
            hy_logrank_clean_up(&logrank);
        }
    }
}

static void weights_and_order_do_not_matter(void **state)
{
    dice d = {21};
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        hy_lifetime lifetimes[30];
        for (size_t i = 0; i < 30; i++)
            lifetimes[i] = (hy_lifetime){.time = dice_below(&d, 8),
                                         .event = dice_below(&d, 2),
                                         .group = dice_below(&d, 3),
                                         .stratum = dice_below(&d, 2) * 4000000000u,
                                         .weight = dice_below(&d, 4)};
        size_t num_copies;
        hy_lifetime *copies = replicate(lifetimes, 30, NULL, 0, &num_copies, NULL);
        shuffle(copies, num_copies, NULL, 0, &d);
        hy_logrank weighted = fit(lifetimes, 30, 3, 0.5);
        hy_logrank single = fit(copies, num_copies, 3, 0.5);
        assert_near(weighted.test.value, single.test.value);
        double difference = 0;
        for (size_t i = 0; i < 3; i++)
            difference += weighted.observed[i] - weighted.expected[i];
        assert_true(fabs(difference) < 1e-9);
        hy_logrank_clean_up(&weighted);
        hy_logrank_clean_up(&single);
        free(copies);
    }
}

/* Games drawn alike in both groups, cut at random: p is uniform. */
static void p_is_uniform_where_nothing_is(void **state)
{
    dice d = {99};
    unsigned counts[2][8] = {{0}};
    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        hy_lifetime lifetimes[120];
        for (uint32_t i = 0; i < 120; i++) {
            double end = -log(draw_uniform(&d)), cut = 2 * draw_uniform(&d);
            lifetimes[i] = (hy_lifetime){
                .time = fmin(end, cut), .event = end <= cut, .group = i % 3, .weight = 1};
        }
        for (unsigned rho = 0; rho < 2; rho++) {
            hy_logrank logrank = fit(lifetimes, 120, 3, rho);
            counts[rho][(unsigned)(logrank.test.p * 8)]++;
            hy_logrank_clean_up(&logrank);
        }
    }
    for (unsigned rho = 0; rho < 2; rho++)
        assert_true(chi_square(counts[rho], 8) < chi_square_limit(7));
}

static void an_empty_group_is_left_out(void **state)
{
    hy_lifetime lifetimes[32];
    (void)state;
    size_t num = golden_lifetimes(golden_inputs(golden, "logrank/2x6_vs_2x12"), lifetimes, 32);
    for (size_t i = 0; i < num; i++)
        lifetimes[i].group *= 3;
    hy_logrank logrank = fit(lifetimes, num, 5, 0);
    assert_int_equal(logrank.test.degrees, 1);
    assert_near(logrank.test.value, 2.733133261358468);
    hy_logrank_clean_up(&logrank);
}

static void nothing_to_test(void **state)
{
    hy_lifetime rows[] = {{.time = 1, .event = 1, .group = 0, .weight = 5},
                          {.time = 1, .event = 1, .group = 1, .weight = 5}};
    (void)state;
    for (unsigned round = 0; round < 5; round++) {
        size_t num = round == 4 ? 0 : 2;
        rows[0].event = rows[1].event = round != 0; /* all cut; then all at one time */
        rows[0].weight = round == 2 ? 0 : 5;        /* one group only */
        rows[1].stratum = round == 3 ? 1 : 0;       /* never at risk together */
        hy_logrank logrank = fit(rows, num, 2, 0);
        assert_false(logrank.test.known);
        assert_true(isnan(logrank.test.p) && isnan(logrank.test.value));
        hy_logrank_clean_up(&logrank);
    }
}

static void bad_input_is_refused(void **state)
{
    hy_lifetime rows[] = {{.time = 1, .event = 1, .group = 2, .weight = 1}};
    hy_logrank logrank;
    hy_error error;
    (void)state;
    assert_int_equal(hy_logrank_fit(rows, 1, 2, 0, &logrank, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "row 1: group 2"));
    assert_int_equal(hy_logrank_fit(rows, 1, 3, -1, &logrank, &error), HY_INVALID);
    assert_int_equal(hy_logrank_fit(rows, 1, 3, NAN, &logrank, &error), HY_INVALID);
    rows[0].time = NAN;
    assert_int_equal(hy_logrank_fit(rows, 1, 3, 0, &logrank, &error), HY_INVALID);
}

static int load(void **state)
{
    (void)state;
    golden = golden_load("statistics.json");
    return 0;
}

static int unload(void **state)
{
    (void)state;
    json_decref(golden);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_agree_with_r),
        cmocka_unit_test(four_groups_and_strata_agree_with_r),
        cmocka_unit_test(weights_and_order_do_not_matter),
        cmocka_unit_test(p_is_uniform_where_nothing_is),
        cmocka_unit_test(an_empty_group_is_left_out),
        cmocka_unit_test(nothing_to_test),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
