#include "stats/survival.h"

#include <string.h>

#include "stats/lifetimes.h"
#include "support/golden.h"

static json_t *golden;

static hy_survival fit(const hy_lifetime *lifetimes, size_t num, hy_band band, double confidence)
{
    hy_survival survival;
    assert_ok(hy_survival_fit(lifetimes, num, band, confidence, &survival, error));
    return survival;
}

/* --- golden --- */

static void check_points(const hy_survival *survival, const json_t *expected, const char *band)
{
    char low[32], high[32];
    snprintf(low, sizeof low, "lower_%s", band);
    snprintf(high, sizeof high, "upper_%s", band);
    assert_int_equal(survival->num_points, json_array_size(golden_get(expected, "time")));
    for (size_t i = 0; i < survival->num_points; i++) {
        const hy_survival_point *point = &survival->points[i];
        assert_near(point->time, golden_element(expected, "time", i));
        assert_near((double)point->num_risk, golden_element(expected, "n_risk", i));
        assert_near((double)point->num_event, golden_element(expected, "n_event", i));
        assert_near((double)point->num_censor, golden_element(expected, "n_censor", i));
        assert_near(point->survival, golden_element(expected, "surv", i));
        assert_near(point->standard_error, golden_element(expected, "se_surv_greenwood", i));
        assert_near(point->log_error,
                    golden_element(expected, "se_cumhaz_log_scale(survfit$std.err)", i));
        assert_near(point->hazard, golden_element(expected, "cumhaz_nelson_aalen", i));
        assert_near(point->low, golden_element(expected, low, i));
        assert_near(point->high, golden_element(expected, high, i));
    }
}

static void check_quantiles(const hy_survival *survival, const json_t *expected, const char *band)
{
    char value[40], low[32], high[32];
    snprintf(value, sizeof value, "quantiles_25_50_75_%s", band);
    snprintf(low, sizeof low, "q_lower_%s", band);
    snprintf(high, sizeof high, "q_upper_%s", band);
    for (size_t i = 0; i < 3; i++) {
        hy_estimate quantile = hy_survival_quantile(survival, 0.25 * (double)(i + 1));
        assert_near(quantile.value, golden_element(expected, value, i));
        assert_near(quantile.low, golden_element(expected, low, i));
        assert_near(quantile.high, golden_element(expected, high, i));
        assert_int_equal(quantile.known, !isnan(quantile.value));
    }
}

static void curves_agree_with_r(void **state)
{
    static const char *const cases[] = {"km/2x6", "km/2x12", "km/all_censored", "km/no_censoring"};
    static const char *const bands[] = {"log-log", "log", "plain"};
    (void)state;
    for (size_t c = 0; c < 4; c++) {
        hy_lifetime lifetimes[32];
        size_t num = golden_lifetimes(golden_inputs(golden, cases[c]), lifetimes, 32);
        const json_t *expected = golden_expected(golden, cases[c]);
        for (unsigned band = 0; band < 3; band++) {
            hy_survival survival = fit(lifetimes, num, (hy_band)band, 0.95);
            check_points(&survival, expected, bands[band]);
            check_quantiles(&survival, expected, bands[band]);
            hy_survival_clean_up(&survival);
        }
    }
}

static hy_survival golden_curve(const char *id)
{
    hy_lifetime lifetimes[32];
    size_t num = golden_lifetimes(golden_inputs(golden, id), lifetimes, 32);
    return fit(lifetimes, num, HY_BAND_LOG_LOG, 0.95);
}

static void restricted_means_agree_with_r(void **state)
{
    static const struct {
        const char *id, *curve;
        double tau;
    } cases[] = {{"rmst/2x6_tau25", "km/2x6", 25},
                 {"rmst/2x6_tau30", "km/2x6", 30},
                 {"rmst/2x12_tau30", "km/2x12", 30}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        hy_survival survival = golden_curve(cases[i].curve);
        const json_t *expected = golden_expected(golden, cases[i].id);
        hy_estimate mean = hy_restricted_mean(&survival, cases[i].tau);
        assert_near(mean.value, golden_real(expected, "rmst"));
        assert_near(mean.standard_error, golden_real(expected, "se"));
        hy_survival_clean_up(&survival);
    }
}

static void restricted_means_are_compared(void **state)
{
    hy_survival large = golden_curve("km/2x12"), small = golden_curve("km/2x6");
    const json_t *expected = golden_expected(golden, "rmst/diff_2x12_minus_2x6_tau30");
    (void)state;
    hy_contrast difference = hy_restricted_mean_difference(&large, &small, 30, 0.95);
    assert_near(difference.estimate.value, golden_real(expected, "diff"));
    assert_near(difference.estimate.standard_error, golden_real(expected, "se"));
    assert_near(difference.z, golden_real(expected, "z"));
    assert_near(difference.p, golden_real(expected, "p_two_sided"));
    /* by hand: 26.81666…/21.375 and √((1.19812/26.81666)² + (1.99988/21.375)²) */
    hy_contrast ratio = hy_restricted_mean_ratio(&large, &small, 30, 0.95);
    assert_near(ratio.estimate.value, 1.2545808966861597);
    assert_near(ratio.estimate.standard_error,
                hypot(1.1981158047039868 / (26 + 49.0 / 60), 1.9998828090665712 / 21.375));
    assert_near(ratio.estimate.low * ratio.estimate.high, pow(ratio.estimate.value, 2));
    hy_contrast turned = hy_restricted_mean_ratio(&small, &large, 30, 0.95);
    assert_near(turned.estimate.low * ratio.estimate.high, 1);
    assert_near(turned.z, -ratio.z);
    hy_survival_clean_up(&large);
    hy_survival_clean_up(&small);
}

/* R: r is the made rows repeated by weight; survfit(Surv(time, event) ~ 1, r, conf.type =
 * "log-log", conf.int = .9); quantile(., c(.1, .5, .9)); summary(., rmean = 15.5) */
static void weighted_rows_agree_with_r(void **state)
{
    hy_lifetime lifetimes[NUM_MADE];
    double covariates[2 * NUM_MADE];
    static const double shares[] = {0.1, 0.5, 0.9}, values[] = {4, 15, 22}, lows[] = {3, 14, 21},
                        highs[] = {6, 16, NAN};
    (void)state;
    made_lifetimes(lifetimes, covariates);
    hy_survival survival = fit(lifetimes, NUM_MADE, HY_BAND_LOG_LOG, 0.9);
    for (size_t i = 0; i < 3; i++) {
        hy_estimate quantile = hy_survival_quantile(&survival, shares[i]);
        assert_near(quantile.value, values[i]);
        assert_near(quantile.low, lows[i]);
        assert_near(quantile.high, highs[i]);
    }
    hy_estimate mean = hy_restricted_mean(&survival, 15.5);
    assert_near(mean.value, 12.1764067661659);
    assert_near(mean.standard_error, 0.384440664999296);
    assert_near(mean.high - mean.low, 2 * 1.644853626951473 * mean.standard_error);
    hy_survival_clean_up(&survival);
}

/* --- properties --- */

static size_t draw(dice *d, hy_lifetime *lifetimes, size_t most)
{
    size_t num = 1 + dice_below(d, (unsigned)most);
    for (size_t i = 0; i < num; i++)
        lifetimes[i] = (hy_lifetime){
            .time = dice_below(d, 12),
            .event = dice_below(d, 3),
            .weight = dice_below(d, 4),
        };
    return num;
}

static void assert_same(const hy_survival *a, const hy_survival *b)
{
    assert_int_equal(a->num_points, b->num_points);
    assert_int_equal(a->num_games, b->num_games);
    assert_int_equal(a->num_events, b->num_events);
    if (a->num_points > 0)
        assert_memory_equal(a->points, b->points, a->num_points * sizeof a->points[0]);
}

static void weights_and_order_do_not_matter(void **state)
{
    dice d = {7};
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        hy_lifetime lifetimes[40];
        size_t num = draw(&d, lifetimes, 40), num_copies;
        hy_lifetime *copies = replicate(lifetimes, num, NULL, 0, &num_copies, NULL);
        shuffle(copies, num_copies, NULL, 0, &d);
        hy_survival weighted = fit(lifetimes, num, HY_BAND_LOG, 0.95);
        hy_survival single = fit(copies, num_copies, HY_BAND_LOG, 0.95);
        assert_same(&weighted, &single);
        hy_survival_clean_up(&weighted);
        hy_survival_clean_up(&single);
        free(copies);
    }
}

/* The same games cut at a lower cap. */
static void a_lower_cap_changes_nothing_below_it(void **state)
{
    dice d = {11};
    enum { NUM = 3000 };
    static hy_lifetime large[NUM], small[NUM];
    const double cap = 100;
    (void)state;
    for (size_t i = 0; i < NUM; i++) {
        double time = ceil(-80 * log(draw_uniform(&d)));
        large[i] = (hy_lifetime){.time = fmin(time, 100000), .event = time <= 100000, .weight = 1};
        small[i] = (hy_lifetime){.time = fmin(time, cap), .event = time <= cap, .weight = 1};
    }
    hy_survival full = fit(large, NUM, HY_BAND_LOG_LOG, 0.95);
    hy_survival cut = fit(small, NUM, HY_BAND_LOG_LOG, 0.95);
    for (size_t i = 0; i + 1 < cut.num_points; i++)
        assert_memory_equal(&cut.points[i], &full.points[i], sizeof cut.points[i]);
    hy_estimate a = hy_restricted_mean(&full, cap), b = hy_restricted_mean(&cut, cap);
    assert_near(a.value, b.value);
    assert_near(a.standard_error, b.standard_error);
    assert_near(hy_survival_quantile(&full, 0.5).value, hy_survival_quantile(&cut, 0.5).value);
    assert_true(hy_survival_quantile(&full, 0.9).known);
    assert_false(hy_survival_quantile(&cut, 0.9).known);
    assert_false(hy_restricted_mean(&cut, cap + 1).known);
    hy_survival_clean_up(&full);
    hy_survival_clean_up(&cut);
}

/* Without cuts all is what shares and means are. */
static void without_cuts_it_is_shares_and_means(void **state)
{
    dice d = {3};
    enum { NUM = 200 };
    hy_lifetime lifetimes[NUM];
    double sum = 0, squares = 0;
    (void)state;
    for (size_t i = 0; i < NUM; i++) {
        lifetimes[i] = (hy_lifetime){.time = 1 + dice_below(&d, 50), .event = 1, .weight = 1};
        sum += lifetimes[i].time;
        squares += lifetimes[i].time * lifetimes[i].time;
    }
    hy_survival survival = fit(lifetimes, NUM, HY_BAND_PLAIN, 0.95);
    hy_estimate mean = hy_restricted_mean(&survival, 60);
    assert_near(mean.value, sum / NUM);
    assert_near(mean.standard_error, sqrt((squares / NUM - pow(sum / NUM, 2)) / NUM));
    for (double time = 0; time < 60; time += 0.5) {
        double longer = 0;
        for (size_t i = 0; i < NUM; i++)
            longer += lifetimes[i].time > time;
        hy_estimate at = hy_survival_at(&survival, time);
        assert_true(at.known && fabs(at.value - longer / NUM) < 1e-12);
        if (longer > 0)
            assert_true(fabs(at.standard_error - sqrt(longer / NUM * (1 - longer / NUM) / NUM)) <
                        1e-12);
    }
    hy_survival_clean_up(&survival);
}

static void bands_are_in_order(void **state)
{
    dice d = {5};
    (void)state;
    for (unsigned round = 0; round < 600; round++) {
        hy_lifetime lifetimes[40];
        size_t num = draw(&d, lifetimes, 40);
        hy_survival survival = fit(lifetimes, num, (hy_band)(round % 3), 0.8);
        for (size_t i = 0; i < survival.num_points; i++) {
            const hy_survival_point *point = &survival.points[i];
            if (isnan(point->low))
                continue;
            assert_true(point->low >= 0 && point->low <= point->survival);
            assert_true(point->high >= point->survival && point->high <= 1);
        }
        for (double p = 0.1; p < 1; p += 0.1) {
            hy_estimate quantile = hy_survival_quantile(&survival, p);
            assert_false(quantile.low > quantile.value || quantile.high < quantile.value);
        }
        hy_survival_clean_up(&survival);
    }
}

/* --- the ends --- */

static void nothing_follows_from_no_games(void **state)
{
    hy_lifetime none = {.time = 3, .event = 1, .weight = 0};
    (void)state;
    for (size_t num = 0; num < 2; num++) {
        hy_survival survival = fit(&none, num, HY_BAND_LOG_LOG, 0.95);
        assert_int_equal(survival.num_points, 0);
        assert_false(hy_survival_quantile(&survival, 0.5).known);
        assert_false(hy_survival_at(&survival, 1).known);
        assert_false(hy_restricted_mean(&survival, 1).known);
        assert_false(hy_restricted_mean_difference(&survival, &survival, 1, 0.95).estimate.known);
        assert_true(isnan(hy_restricted_mean_ratio(&survival, &survival, 1, 0.95).p));
        hy_survival_clean_up(&survival);
    }
}

static void one_game_and_all_at_one_time(void **state)
{
    (void)state;
    for (uint64_t weight = 1; weight <= 1000; weight *= 1000) {
        hy_lifetime one = {.time = 7, .event = 2, .weight = weight};
        hy_survival survival = fit(&one, 1, HY_BAND_LOG_LOG, 0.95);
        assert_int_equal(survival.num_points, 1);
        assert_near(survival.points[0].survival, 0);
        assert_near(hy_survival_quantile(&survival, 0.5).value, 7);
        assert_near(hy_restricted_mean(&survival, 100).value, 7);
        assert_near(hy_restricted_mean(&survival, 5).value, 5);
        assert_near(hy_survival_at(&survival, 6.9).value, 1);
        assert_near(hy_survival_at(&survival, 8).value, 0);
        hy_contrast same = hy_restricted_mean_difference(&survival, &survival, 10, 0.95);
        assert_true(same.estimate.known && isnan(same.z) && isnan(same.p));
        hy_survival_clean_up(&survival);
    }
}

static void a_game_that_ends_at_time_0(void **state)
{
    hy_lifetime rows[] = {{.time = 0, .event = 1, .weight = 1}, {.time = 4, .weight = 1}};
    (void)state;
    hy_survival survival = fit(rows, 2, HY_BAND_LOG_LOG, 0.95);
    assert_near(hy_survival_at(&survival, 0).value, 0.5);
    assert_near(hy_restricted_mean(&survival, 4).value, 2);
    assert_false(hy_restricted_mean(&survival, 0).known);
    assert_false(hy_restricted_mean(&survival, NAN).known);
    hy_survival_clean_up(&survival);
}

static void what_is_no_length_is_refused(void **state)
{
    static const double bad[] = {-1, NAN, INFINITY, -INFINITY};
    hy_survival survival;
    hy_error error;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        hy_lifetime rows[] = {{.time = 1, .weight = 1}, {.time = bad[i], .weight = 1}};
        assert_int_equal(hy_survival_fit(rows, 2, HY_BAND_LOG, 0.95, &survival, &error),
                         HY_INVALID);
        assert_non_null(strstr(error.text, "row 2"));
    }
    hy_lifetime many[] = {{.time = 1, .weight = UINT64_MAX}, {.time = 1, .weight = 2}};
    assert_int_equal(hy_survival_fit(many, 2, HY_BAND_LOG, 0.95, &survival, &error), HY_INVALID);
    many[0].weight = 1;
    static const double levels[] = {0, 1, -0.5, 1.5, NAN};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(hy_survival_fit(many, 2, HY_BAND_LOG, levels[i], &survival, &error),
                         HY_INVALID);
}

/* 10⁸ games in a million rows: sums are exact and products hold. */
static void a_million_rows(void **state)
{
    enum { NUM = 1000000 };
    hy_lifetime *rows = calloc(NUM, sizeof *rows);
    (void)state;
    assert_non_null(rows);
    for (size_t i = 0; i < NUM; i++)
        rows[i] = (hy_lifetime){.time = (double)((i * 7919) % NUM), .event = 1, .weight = 100};
    hy_survival survival = fit(rows, NUM, HY_BAND_LOG_LOG, 0.95);
    assert_int_equal(survival.num_points, NUM);
    assert_int_equal(survival.num_games, 100000000);
    assert_relative(hy_restricted_mean(&survival, 2e6).value, (NUM - 1) / 2.0, 1e-9);
    assert_relative(hy_survival_at(&survival, 249999).value, 0.75, 1e-9);
    hy_survival_clean_up(&survival);
    free(rows);
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
        cmocka_unit_test(curves_agree_with_r),
        cmocka_unit_test(restricted_means_agree_with_r),
        cmocka_unit_test(restricted_means_are_compared),
        cmocka_unit_test(weighted_rows_agree_with_r),
        cmocka_unit_test(weights_and_order_do_not_matter),
        cmocka_unit_test(a_lower_cap_changes_nothing_below_it),
        cmocka_unit_test(without_cuts_it_is_shares_and_means),
        cmocka_unit_test(bands_are_in_order),
        cmocka_unit_test(nothing_follows_from_no_games),
        cmocka_unit_test(one_game_and_all_at_one_time),
        cmocka_unit_test(a_game_that_ends_at_time_0),
        cmocka_unit_test(what_is_no_length_is_refused),
        cmocka_unit_test(a_million_rows),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
