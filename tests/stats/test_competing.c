#include "stats/competing.h"

#include <string.h>

#include "stats/lifetimes.h"
#include "stats/survival.h"
#include "support/golden.h"

static json_t *golden;

static hy_incidence fit(const hy_lifetime *lifetimes, size_t num, size_t causes)
{
    hy_incidence incidence;
    assert_ok(hy_incidence_fit(lifetimes, num, causes, 0.95, &incidence, error));
    return incidence;
}

static void incidence_agrees_with_r(void **state)
{
    hy_lifetime lifetimes[32];
    const char *id = "competing/aalen_johansen";
    size_t num = golden_lifetimes(golden_inputs(golden, id), lifetimes, 32);
    const json_t *expected = golden_expected(golden, id);
    (void)state;
    hy_incidence incidence = fit(lifetimes, num, 2);
    assert_int_equal(incidence.num_points, json_array_size(golden_get(expected, "time")));
    for (size_t i = 0; i < incidence.num_points; i++) {
        const hy_estimate *causes = &incidence.by_cause[2 * i];
        assert_near(incidence.points[i].time, golden_element(expected, "time", i));
        assert_near(incidence.points[i].unfinished, golden_element(expected, "p_unfinished", i));
        assert_near(causes[0].value, golden_element(expected, "cuminc_finished", i));
        assert_near(causes[1].value, golden_element(expected, "cuminc_endless", i));
        assert_near(causes[0].standard_error, golden_element(expected, "se_cuminc_finished", i));
        assert_near(causes[1].standard_error, golden_element(expected, "se_cuminc_endless", i));
    }
    hy_incidence_clean_up(&incidence);
}

/* R: a <- survfit(Surv(time, factor(cause, 0:2)) ~ 1, r) at the times 5, 12, 23, with the cause
 * (13 i mod 5) mod 3 and r the made rows repeated by weight. */
static void weighted_rows_agree_with_r(void **state)
{
    static const double times[] = {5, 12, 23},
                        values[2][3] = {{0.0858992698296229, 0.279371788012636, 0.583919899962089},
                                        {0, 0.0447338893082408, 0.337495382162695}},
                        errors[2][3] = {{0.0237482365627229, 0.039878198047821, 0.0540216132052226},
                                        {0, 0.0195376058530221, 0.0507352815758587}};
    hy_lifetime lifetimes[NUM_MADE];
    double covariates[2 * NUM_MADE];
    (void)state;
    made_lifetimes(lifetimes, covariates);
    for (uint32_t i = 0; i < NUM_MADE; i++)
        lifetimes[i].event = i * 13 % 5 % 3;
    hy_incidence incidence = fit(lifetimes, NUM_MADE, 2);
    for (size_t cause = 0; cause < 2; cause++) {
        for (size_t i = 0; i < 3; i++) {
            hy_estimate at = hy_incidence_at(&incidence, cause, times[i]);
            assert_near(at.value, values[cause][i]);
            assert_near(at.standard_error, errors[cause][i]);
        }
    }
    hy_incidence_clean_up(&incidence);
}

static size_t draw(dice *d, hy_lifetime *lifetimes, size_t most, unsigned causes)
{
    size_t num = 1 + dice_below(d, (unsigned)most);
    for (size_t i = 0; i < num; i++)
        lifetimes[i] = (hy_lifetime){
            .time = dice_below(d, 10),
            .event = dice_below(d, causes + 1),
            .weight = dice_below(d, 4),
        };
    return num;
}

static void shares_add_up_to_one(void **state)
{
    dice d = {2};
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        hy_lifetime lifetimes[40];
        size_t num = draw(&d, lifetimes, 40, 3);
        hy_incidence incidence = fit(lifetimes, num, 3);
        for (size_t i = 0; i < incidence.num_points; i++) {
            double sum = incidence.points[i].unfinished;
            for (size_t k = 0; k < 3; k++) {
                const hy_estimate *one = &incidence.by_cause[3 * i + k];
                sum += one->value;
                assert_false(one->low > one->value || one->high < one->value || one->low < 0 ||
                             one->high > 1);
            }
            assert_near(sum, 1);
        }
        hy_incidence_clean_up(&incidence);
    }
}

/* With one cause it is 1 − Kaplan and Meier's curve, whose jackknife is Greenwood's without ties;
 * without cuts it is a share. */
static void one_cause_is_the_curve_of_survival(void **state)
{
    dice d = {31};
    hy_lifetime lifetimes[80];
    (void)state;
    for (size_t i = 0; i < 80; i++)
        lifetimes[i] = (hy_lifetime){
            .time = (double)((i * 37) % 80), .event = dice_below(&d, 3) > 0, .weight = 1};
    hy_incidence incidence = fit(lifetimes, 80, 1);
    hy_survival survival;
    assert_ok(hy_survival_fit(lifetimes, 80, HY_BAND_LOG_LOG, 0.95, &survival, error));
    for (size_t i = 0; i < incidence.num_points; i++) {
        assert_true(fabs(incidence.by_cause[i].value - 1 + survival.points[i].survival) < 1e-12);
        if (survival.points[i].survival > 0)
            assert_relative(incidence.by_cause[i].standard_error, survival.points[i].standard_error,
                            1e-9);
    }
    hy_survival_clean_up(&survival);
    hy_incidence_clean_up(&incidence);
}

static void without_cuts_it_is_a_share(void **state)
{
    dice d = {77};
    hy_lifetime lifetimes[60];
    double num = 0, second = 0;
    (void)state;
    for (size_t i = 0; i < 60; i++) {
        lifetimes[i] = (hy_lifetime){.time = dice_below(&d, 9),
                                     .event = 1 + dice_below(&d, 2),
                                     .weight = 1 + dice_below(&d, 5)};
        num += (double)lifetimes[i].weight;
        second += lifetimes[i].event == 2 ? (double)lifetimes[i].weight : 0;
    }
    hy_incidence incidence = fit(lifetimes, 60, 2);
    hy_estimate at = hy_incidence_at(&incidence, 1, 1000);
    double share = second / num;
    assert_near(at.value, share);
    assert_near(at.standard_error, sqrt(share * (1 - share) / num));
    hy_incidence_clean_up(&incidence);
}

static void weights_and_order_do_not_matter(void **state)
{
    dice d = {13};
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        hy_lifetime lifetimes[30];
        size_t num = draw(&d, lifetimes, 30, 2), num_copies;
        hy_lifetime *copies = replicate(lifetimes, num, NULL, 0, &num_copies, NULL);
        shuffle(copies, num_copies, NULL, 0, &d);
        hy_incidence weighted = fit(lifetimes, num, 2), single = fit(copies, num_copies, 2);
        assert_int_equal(weighted.num_points, single.num_points);
        for (size_t i = 0; i < 2 * weighted.num_points; i++) {
            assert_near(weighted.by_cause[i].value, single.by_cause[i].value);
            assert_true(fabs(weighted.by_cause[i].standard_error -
                             single.by_cause[i].standard_error) < 1e-9);
        }
        hy_incidence_clean_up(&weighted);
        hy_incidence_clean_up(&single);
        free(copies);
    }
}

static void the_ends(void **state)
{
    hy_lifetime one = {.time = 5, .event = 2, .weight = 1};
    hy_incidence incidence = fit(&one, 0, 2);
    (void)state;
    assert_int_equal(incidence.num_points, 0);
    assert_false(hy_incidence_at(&incidence, 0, 1).known);
    hy_incidence_clean_up(&incidence);
    incidence = fit(&one, 1, 2);
    assert_near(hy_incidence_at(&incidence, 1, 9).value, 1);
    assert_near(hy_incidence_at(&incidence, 0, 9).value, 0);
    assert_near(hy_incidence_at(&incidence, 1, 4).value, 0);
    assert_false(hy_incidence_at(&incidence, 2, 9).known);
    hy_incidence_clean_up(&incidence);
    one.event = 0;
    incidence = fit(&one, 1, 2);
    assert_near(hy_incidence_at(&incidence, 0, 5).value, 0);
    assert_false(hy_incidence_at(&incidence, 0, 6).known);
    hy_incidence_clean_up(&incidence);
    one.event = 3;
    hy_error error;
    assert_int_equal(hy_incidence_fit(&one, 1, 2, 0.95, &incidence, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "row 1: cause 3"));
    one = (hy_lifetime){.time = -1, .weight = 1};
    assert_int_equal(hy_incidence_fit(&one, 1, 2, 0.95, &incidence, &error), HY_INVALID);
    one.time = 1;
    assert_int_equal(hy_incidence_fit(&one, 1, 2, 1, &incidence, &error), HY_INVALID);
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
        cmocka_unit_test(incidence_agrees_with_r),
        cmocka_unit_test(weighted_rows_agree_with_r),
        cmocka_unit_test(shares_add_up_to_one),
        cmocka_unit_test(one_cause_is_the_curve_of_survival),
        cmocka_unit_test(without_cuts_it_is_a_share),
        cmocka_unit_test(weights_and_order_do_not_matter),
        cmocka_unit_test(the_ends),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
