#include "stats/cox.h"

#include <string.h>

#include "stats/lifetimes.h"
#include "support/golden.h"

static json_t *golden;

static hy_cox fit_with(const hy_lifetime *lifetimes, const double *covariates, size_t num,
                       size_t num_covariates, hy_ties ties, hy_cox_errors errors)
{
    hy_cox cox;
    hy_cox_data data = {lifetimes, covariates, num, num_covariates};
    hy_cox_options options = {ties, errors, 0.95};
    assert_ok(hy_cox_fit(&data, &options, &cox, error));
    return cox;
}

static hy_cox fit(const hy_lifetime *lifetimes, const double *covariates, size_t num,
                  size_t num_covariates, hy_ties ties)
{
    return fit_with(lifetimes, covariates, num, num_covariates, ties, HY_COX_MODEL);
}

/* --- against R --- */

static void ties_agree_with_golden(void **state)
{
    static const char *const cases[] = {"cox/efron", "cox/breslow", "cox/exact"};
    (void)state;
    for (unsigned ties = 0; ties < 3; ties++) {
        hy_lifetime lifetimes[32];
        double covariates[32];
        size_t num = golden_lifetimes(golden_inputs(golden, cases[ties]), lifetimes, 32);
        const json_t *expected = golden_expected(golden, cases[ties]);
        for (size_t i = 0; i < num; i++)
            covariates[i] = lifetimes[i].group;
        hy_cox cox = fit(lifetimes, covariates, num, 1, (hy_ties)ties);
        assert_int_equal(cox.kind, HY_FIT_KNOWN);
        assert_relative(cox.coefficients[0].value, golden_real(expected, "coef"), 1e-8);
        assert_relative(cox.coefficients[0].standard_error, golden_real(expected, "se"), 1e-8);
        assert_relative(cox.likelihood, golden_real(expected, "loglik"), 1e-9);
        assert_relative(cox.hazard_ratios[0].value, golden_real(expected, "hr"), 1e-8);
        hy_cox_clean_up(&cox);
    }
}

/* R, with r the made rows repeated by weight: coxph(Surv(time, event) ~ x1 + x2, r, ties = ...),
 * and with + strata(s). */
static const struct {
    hy_ties ties;
    bool strata;
    double coefficients[2], covariance[3], likelihoods[2], score;
} fits[] = {
    {HY_TIES_EFRON,
     false,
     {-0.047831000873977, 0.058794718457284},
     {0.036274816955462, 0.00121392012049995, 0.00104186970346833},
     {-464.693130801043, -462.842484201394},
     3.72591914111758},
    {HY_TIES_EFRON,
     true,
     {-0.152267071031667, 0.0618566854036023},
     {0.0450083457828979, 0.000522241572489978, 0.00116582964610506},
     {-337.127602362725, -335.123590488004},
     4.03534938223813},
    {HY_TIES_BRESLOW,
     false,
     {-0.0636657080634391, 0.0515310390911328},
     {0.0362050890398697, 0.00117060774437884, 0.0010299147334474},
     {-477.085054101353, -475.583902314938},
     3.01974528638106},
    {HY_TIES_BRESLOW,
     true,
     {-0.166877825219235, 0.0573067176017236},
     {0.0446361723563399, 0.000570332111072497, 0.00116236710429219},
     {-349.292874294392, -347.451014771099},
     3.70665784286061},
    {HY_TIES_EXACT,
     false,
     {-0.0955828570388449, 0.0599889827120718},
     {0.0433348660755327, 0.00104410318038632, 0.00119194292958933},
     {-338.102160338198, -336.322977154788},
     3.55984263865501},
    {HY_TIES_EXACT,
     true,
     {-0.183912877859486, 0.0636775791427315},
     {0.0494570549069224, 0.000631278655245536, 0.00130035310309415},
     {-269.172076601093, -267.132928466349},
     4.08997762197712},
};

static void made_with(bool strata, hy_lifetime lifetimes[NUM_MADE], double covariates[2 * NUM_MADE])
{
    made_lifetimes(lifetimes, covariates);
    for (size_t i = 0; !strata && i < NUM_MADE; i++)
        lifetimes[i].stratum = 0;
}

static void two_covariates_and_strata_agree_with_r(void **state)
{
    hy_lifetime lifetimes[NUM_MADE];
    double covariates[2 * NUM_MADE];
    (void)state;
    for (size_t i = 0; i < sizeof fits / sizeof fits[0]; i++) {
        made_with(fits[i].strata, lifetimes, covariates);
        hy_cox cox = fit(lifetimes, covariates, NUM_MADE, 2, fits[i].ties);
        assert_int_equal(cox.num_games, 150);
        assert_int_equal(cox.num_events, 120);
        for (size_t k = 0; k < 2; k++)
            assert_relative(cox.coefficients[k].value, fits[i].coefficients[k], 1e-8);
        assert_relative(cox.covariance[0], fits[i].covariance[0], 1e-8);
        assert_relative(cox.covariance[1], fits[i].covariance[1], 1e-8);
        assert_relative(cox.covariance[3], fits[i].covariance[2], 1e-8);
        assert_near(cox.null_likelihood, fits[i].likelihoods[0]);
        assert_near(cox.likelihood, fits[i].likelihoods[1]);
        assert_near(cox.likelihood_ratio.value, 2 * (cox.likelihood - cox.null_likelihood));
        assert_int_equal(cox.likelihood_ratio.degrees, 2);
        assert_near(cox.score.value, fits[i].score);
        hy_cox_clean_up(&cox);
    }
}

/* R: coxph(..., robust = TRUE)$var, coxph(..., cluster = cl)$var, and that with + strata(s); cl is
 * i div 6. */
static void robust_errors_agree_with_r(void **state)
{
    static const struct {
        hy_ties ties;
        bool strata;
        hy_cox_errors errors;
        double covariance[3];
    } cases[] = {
        {HY_TIES_EFRON,
         false,
         HY_COX_ROBUST,
         {0.0345953127323166, 0.000941880075512862, 0.000938608892588556}},
        {HY_TIES_EFRON,
         false,
         HY_COX_CLUSTERED,
         {0.0707319348665481, 0.000378130949310944, 0.00222918887382525}},
        {HY_TIES_EFRON,
         true,
         HY_COX_CLUSTERED,
         {0.0609264074696138, 0.000397949864277554, 0.0027560613639555}},
        {HY_TIES_BRESLOW,
         false,
         HY_COX_ROBUST,
         {0.031183371522706, 0.000970848890264459, 0.000854913987682262}},
        {HY_TIES_BRESLOW,
         false,
         HY_COX_CLUSTERED,
         {0.0628787254944924, 0.000651172434527769, 0.00198106326934381}},
        {HY_TIES_BRESLOW,
         true,
         HY_COX_CLUSTERED,
         {0.0563790384632667, 0.000244883503560219, 0.00255247271423805}},
    };
    hy_lifetime lifetimes[NUM_MADE];
    double covariates[2 * NUM_MADE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        made_with(cases[i].strata, lifetimes, covariates);
        hy_cox cox = fit_with(lifetimes, covariates, NUM_MADE, 2, cases[i].ties, cases[i].errors);
        assert_relative(cox.covariance[0], cases[i].covariance[0], 1e-7);
        assert_relative(cox.covariance[1], cases[i].covariance[1], 1e-7);
        assert_relative(cox.covariance[3], cases[i].covariance[2], 1e-7);
        assert_relative(cox.coefficients[1].standard_error, sqrt(cases[i].covariance[2]), 1e-7);
        hy_cox_clean_up(&cox);
    }
}

/* R: cox.zph(coxph(Surv(time, event) ~ x1 + x2, r), transform = ...)$table[, 1], and for "km" with
 * + strata(s). */
static void test_of_proportional_hazards_agrees_with_r(void **state)
{
    static const struct {
        hy_cox_time time;
        bool strata;
        double chi_squares[3];
    } cases[] = {
        {HY_COX_TIME_KM, false, {1.13605566441397, 3.32468185404857, 6.30255015304963}},
        {HY_COX_TIME_IDENTITY, false, {1.21248800479399, 5.13986288810528, 8.07264278061436}},
        {HY_COX_TIME_LOG, false, {0.99647680201451, 6.31952980124919, 8.16894118602092}},
        {HY_COX_TIME_KM, true, {0.381276605701172, 4.7804020802836, 5.16543353955558}},
    };
    hy_lifetime lifetimes[NUM_MADE];
    double covariates[2 * NUM_MADE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        made_with(cases[i].strata, lifetimes, covariates);
        hy_cox_data data = {lifetimes, covariates, NUM_MADE, 2};
        hy_cox_options options = {HY_TIES_EFRON, HY_COX_MODEL, 0.95};
        hy_cox cox;
        hy_chi_square tests[3];
        assert_ok(hy_cox_fit(&data, &options, &cox, error));
        assert_ok(hy_cox_proportional(&data, &options, &cox, cases[i].time, tests, error));
        for (size_t k = 0; k < 3; k++) {
            assert_relative(tests[k].value, cases[i].chi_squares[k], 1e-7);
            assert_int_equal(tests[k].degrees, k < 2 ? 1 : 2);
        }
        hy_cox_clean_up(&cox);
    }
}

/* --- properties --- */

static void assert_same(const hy_cox *a, const hy_cox *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->num_events, b->num_events);
    for (size_t i = 0; i < a->num_covariates * a->num_covariates; i++)
        assert_relative(a->covariance[i], b->covariance[i], 1e-7);
    if (a->kind == HY_FIT_SINGULAR)
        return;
    assert_near(a->likelihood, b->likelihood);
    for (size_t i = 0; i < a->num_covariates; i++) {
        assert_int_equal(a->infinite[i], b->infinite[i]);
        if (a->coefficients[i].known)
            assert_true(fabs(a->coefficients[i].value - b->coefficients[i].value) < 1e-7);
    }
}

static void weights_and_order_do_not_matter(void **state)
{
    dice d = {17};
    (void)state;
    for (unsigned round = 0; round < 90; round++) {
        hy_lifetime rows[40];
        double x[80], *copied;
        for (size_t i = 0; i < 40; i++) {
            rows[i] = (hy_lifetime){.time = dice_below(&d, 12),
                                    .event = dice_below(&d, 3) > 0,
                                    .group = dice_below(&d, 8),
                                    .stratum = dice_below(&d, 2) * 3000000000u,
                                    .weight = dice_below(&d, 4)};
            x[2 * i] = dice_below(&d, 2);
            x[2 * i + 1] = 1000 + dice_below(&d, 50);
        }
        hy_ties ties = (hy_ties)(round % 3);
        hy_cox_errors errors =
            ties == HY_TIES_EXACT ? HY_COX_MODEL : (hy_cox_errors)(round / 3 % 3);
        size_t num;
        hy_lifetime *copies = replicate(rows, 40, x, 2, &num, &copied);
        shuffle(copies, num, copied, 2, &d);
        hy_cox weighted = fit_with(rows, x, 40, 2, ties, errors);
        hy_cox single = fit_with(copies, copied, num, 2, ties, errors);
        assert_same(&weighted, &single);
        hy_cox_clean_up(&weighted);
        hy_cox_clean_up(&single);
        free(copies);
        free(copied);
    }
}

/* The partial likelihood without ties, as it is defined. */
static double likelihood_of(const hy_lifetime *rows, const double *x, size_t num, const double b[2])
{
    double sum = 0;
    for (size_t i = 0; i < num; i++) {
        double risk = 0;
        for (size_t k = 0; rows[i].event && k < num; k++)
            risk += rows[k].time >= rows[i].time ? exp(b[0] * x[2 * k] + b[1] * x[2 * k + 1]) : 0;
        if (rows[i].event)
            sum += b[0] * x[2 * i] + b[1] * x[2 * i + 1] - log(risk);
    }
    return sum;
}

/* Narrowing search, one coefficient after the other. */
static void maximise(const hy_lifetime *rows, const double *x, size_t num, double b[2])
{
    double step = 0.5, best = likelihood_of(rows, x, num, b);
    while (step > 1e-9) {
        bool better = false;
        for (unsigned i = 0; i < 4; i++) {
            double trial[2] = {b[0], b[1]};
            trial[i / 2] += i % 2 ? step : -step;
            double found = likelihood_of(rows, x, num, trial);
            if (found > best) {
                best = found;
                memcpy(b, trial, sizeof trial);
                better = true;
            }
        }
        step = better ? step : step / 2;
    }
}

static void two_binary_covariates_are_the_maximum(void **state)
{
    dice d = {41};
    (void)state;
    for (unsigned round = 0; round < 5; round++) {
        hy_lifetime rows[60];
        double x[120], b[2] = {0, 0};
        for (size_t i = 0; i < 60; i++) {
            x[2 * i] = dice_below(&d, 2);
            x[2 * i + 1] = dice_below(&d, 2);
            double end = -log(draw_uniform(&d)) * exp(-0.7 * x[2 * i] + 0.4 * x[2 * i + 1]);
            double cut = 3 * draw_uniform(&d);
            rows[i] = (hy_lifetime){.time = fmin(end, cut), .event = end <= cut, .weight = 1};
        }
        maximise(rows, x, 60, b);
        for (unsigned ties = 0; ties < 3; ties++) {
            hy_cox cox = fit(rows, x, 60, 2, (hy_ties)ties);
            assert_near(cox.likelihood, likelihood_of(rows, x, 60, b));
            for (size_t k = 0; k < 2; k++)
                assert_true(fabs(cox.coefficients[k].value - b[k]) < 1e-6);
            hy_cox_clean_up(&cox);
        }
    }
}

static void a_few_games_with_another_hazard_by_far(void **state)
{
    hy_lifetime rows[200];
    double x[400] = {0}, b[2] = {0, 0};
    (void)state;
    for (size_t i = 0; i < 200; i++)
        rows[i] = (hy_lifetime){.time = (double)i, .event = 1, .weight = 1};
    for (size_t i = 0; i < 4; i++)
        x[2 * i] = 1;
    x[2 * 199] = 1;
    x[2 * 100 + 1] = 1;
    maximise(rows, x, 200, b);
    hy_cox cox = fit(rows, x, 200, 2, HY_TIES_EFRON);
    assert_int_equal(cox.kind, HY_FIT_KNOWN);
    assert_true(fabs(cox.coefficients[0].value - b[0]) < 1e-6);
    assert_near(cox.likelihood, likelihood_of(rows, x, 200, b));
    hy_cox_clean_up(&cox);
}

static void units_do_not_matter(void **state)
{
    hy_lifetime rows[NUM_MADE];
    double x[2 * NUM_MADE];
    (void)state;
    made_with(true, rows, x);
    hy_cox plain = fit(rows, x, NUM_MADE, 2, HY_TIES_EFRON);
    for (size_t i = 0; i < NUM_MADE; i++)
        x[2 * i + 1] = x[2 * i + 1] * 1e6 + 3e7;
    hy_cox scaled = fit(rows, x, NUM_MADE, 2, HY_TIES_EFRON);
    assert_relative(scaled.coefficients[1].value * 1e6, plain.coefficients[1].value, 1e-7);
    assert_relative(scaled.coefficients[0].value, plain.coefficients[0].value, 1e-7);
    assert_near(scaled.likelihood, plain.likelihood);
    hy_cox_clean_up(&plain);
    hy_cox_clean_up(&scaled);
}

/* --- the ends --- */

/* Group 1 never ends: its hazard is 0 times that of the other. The other covariate has its
 * estimate. */
static void a_monotone_likelihood_is_named(void **state)
{
    hy_lifetime rows[80];
    double x[160], alone[40];
    dice d = {8};
    (void)state;
    for (size_t i = 0; i < 80; i++) {
        x[2 * i] = i < 40 ? 0 : 1;
        x[2 * i + 1] = dice_below(&d, 2);
        rows[i] = (hy_lifetime){.time = 1 + (i < 40 ? dice_below(&d, 30) : 40),
                                .event = i < 40,
                                .weight = 1 + 999 * (i % 2)};
    }
    for (size_t i = 0; i < 40; i++)
        alone[i] = x[2 * i + 1];
    for (unsigned round = 0; round < 4; round++) {
        hy_ties ties = (hy_ties)(round % 2);
        hy_cox_errors errors = round < 2 ? HY_COX_MODEL : HY_COX_ROBUST;
        hy_cox cox = fit_with(rows, x, 80, 2, ties, errors);
        hy_cox rest = fit_with(rows, alone, 40, 1, ties, errors);
        assert_int_equal(cox.kind, HY_FIT_INFINITE);
        assert_int_equal(cox.infinite[0], -1);
        assert_int_equal(cox.infinite[1], 0);
        assert_false(cox.coefficients[0].known || cox.hazard_ratios[0].known);
        assert_true(isnan(cox.coefficients[0].value) && isnan(cox.covariance[0]));
        assert_int_equal(rest.kind, HY_FIT_KNOWN);
        assert_relative(cox.coefficients[1].value, rest.coefficients[0].value, 1e-6);
        assert_relative(cox.coefficients[1].standard_error, rest.coefficients[0].standard_error,
                        1e-6);
        assert_relative(cox.likelihood, rest.likelihood, 1e-8);
        assert_true(cox.likelihood_ratio.known && cox.likelihood_ratio.p < 1e-6);
        hy_cox_clean_up(&cox);
        hy_cox_clean_up(&rest);
    }
}

static void a_large_effect_is_not_taken_for_infinite(void **state)
{
    hy_lifetime rows[] = {{.time = 1, .event = 1, .weight = 1},
                          {.time = 1, .event = 1, .weight = 50000000},
                          {.time = 2, .event = 0, .weight = 50000000}};
    double x[] = {1, 0, 1};
    (void)state;
    hy_cox cox = fit(rows, x, 3, 1, HY_TIES_BRESLOW);
    assert_int_equal(cox.kind, HY_FIT_KNOWN);
    /* by hand: the share of events with x = 1 is e^β·n1 / (e^β·n1 + n0) */
    assert_relative(cox.coefficients[0].value, log(1 / 50000001.0), 1e-6);
    assert_relative(cox.coefficients[0].standard_error, 1, 1e-6);
    hy_cox_clean_up(&cox);
}

static void what_cannot_be_told_apart_is_singular(void **state)
{
    hy_lifetime rows[NUM_MADE];
    double x[2 * NUM_MADE];
    (void)state;
    made_with(false, rows, x);
    for (size_t i = 0; i < NUM_MADE; i++)
        x[2 * i + 1] = 3 - 2 * x[2 * i];
    for (unsigned round = 0; round < 2; round++) {
        hy_cox cox = fit(rows, x, NUM_MADE, 2, HY_TIES_EFRON);
        assert_int_equal(cox.kind, HY_FIT_SINGULAR);
        assert_false(cox.coefficients[0].known || cox.coefficients[1].known);
        hy_cox_clean_up(&cox);
        for (size_t i = 0; i < NUM_MADE; i++)
            x[2 * i + 1] = 4; /* constant */
    }
}

static void nothing_ended(void **state)
{
    hy_lifetime rows[] = {{.time = 3, .weight = 4}, {.time = 4, .event = 1, .weight = 0}};
    double x[] = {0, 1};
    (void)state;
    for (size_t num = 0; num <= 2; num++) {
        for (unsigned ties = 0; ties < 3; ties++) {
            hy_cox cox = fit(rows, x, num, 1, (hy_ties)ties);
            hy_cox_data data = {rows, x, num, 1};
            hy_cox_options options = {(hy_ties)ties, HY_COX_MODEL, 0.95};
            hy_chi_square tests[2];
            assert_int_equal(cox.kind, HY_FIT_NO_DATA);
            assert_false(cox.coefficients[0].known || cox.score.known);
            assert_ok(hy_cox_proportional(&data, &options, &cox, HY_COX_TIME_KM, tests, error));
            assert_false(tests[0].known || tests[1].known);
            hy_cox_clean_up(&cox);
        }
    }
}

static void one_game_and_all_at_one_time(void **state)
{
    hy_lifetime rows[] = {{.time = 3, .event = 1, .weight = 1},
                          {.time = 3, .event = 1, .weight = 3}};
    double x[] = {0, 1};
    (void)state;
    for (unsigned ties = 0; ties < 3; ties++) {
        hy_cox cox = fit(rows, x, 1, 1, (hy_ties)ties);
        assert_int_equal(cox.kind, HY_FIT_SINGULAR);
        hy_cox_clean_up(&cox);
        cox = fit(rows, x, 2, 1, (hy_ties)ties);
        assert_true(ties == HY_TIES_EXACT ? cox.kind == HY_FIT_SINGULAR : cox.kind == HY_FIT_KNOWN);
        hy_cox_clean_up(&cox);
    }
}

static void bad_input_is_refused(void **state)
{
    hy_lifetime rows[] = {{.time = 3, .event = 1, .weight = 1},
                          {.time = 4, .event = 1, .weight = 1}};
    double x[] = {0, NAN};
    hy_cox cox;
    hy_error error;
    hy_cox_data data = {rows, x, 2, 1};
    hy_cox_options options = {HY_TIES_EFRON, HY_COX_MODEL, 0.95};
    (void)state;
    assert_int_equal(hy_cox_fit(&data, &options, &cox, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "row 2: covariate 1"));
    x[1] = 1;
    rows[0].time = -1;
    assert_int_equal(hy_cox_fit(&data, &options, &cox, &error), HY_INVALID);
    rows[0].time = 1;
    options.confidence = 2;
    assert_int_equal(hy_cox_fit(&data, &options, &cox, &error), HY_INVALID);
    options = (hy_cox_options){HY_TIES_EXACT, HY_COX_ROBUST, 0.95};
    assert_int_equal(hy_cox_fit(&data, &options, &cox, &error), HY_INVALID);
    options.errors = HY_COX_MODEL;
    rows[0].weight = rows[1].weight = 1000000;
    assert_int_equal(hy_cox_fit(&data, &options, &cox, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "Efron"));
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
        cmocka_unit_test(ties_agree_with_golden),
        cmocka_unit_test(two_covariates_and_strata_agree_with_r),
        cmocka_unit_test(robust_errors_agree_with_r),
        cmocka_unit_test(test_of_proportional_hazards_agrees_with_r),
        cmocka_unit_test(weights_and_order_do_not_matter),
        cmocka_unit_test(two_binary_covariates_are_the_maximum),
        cmocka_unit_test(a_few_games_with_another_hazard_by_far),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_monotone_likelihood_is_named),
        cmocka_unit_test(a_large_effect_is_not_taken_for_infinite),
        cmocka_unit_test(what_cannot_be_told_apart_is_singular),
        cmocka_unit_test(nothing_ended),
        cmocka_unit_test(one_game_and_all_at_one_time),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
