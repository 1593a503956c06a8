#include "stats/regression.h"

#include <string.h>

#include "stats/lifetimes.h"

static hy_regression fit(const hy_design *design, hy_family family, hy_regression_errors errors)
{
    hy_regression regression;
    hy_regression_options options = {family, errors, 0.95};
    assert_ok(hy_regression_fit(design, &options, &regression, error));
    return regression;
}

/* --- against R --- */

/* The made rows as cells: a constant, x1 and x2, with what each family is about. */
typedef struct made {
    double rows[3 * NUM_MADE], offsets[NUM_MADE];
    hy_cell_sums scores[NUM_MADE], counts[NUM_MADE];
} made;

static void make(made *all)
{
    hy_lifetime lifetimes[NUM_MADE];
    double x[2 * NUM_MADE];
    made_lifetimes(lifetimes, x);
    for (size_t i = 0; i < NUM_MADE; i++) {
        double n = (double)lifetimes[i].weight, time = lifetimes[i].time;
        double count = fmod(fmod(7 * time + 3 * x[2 * i + 1] + 5 * x[2 * i], 17) + 17, 17);
        double score = fmod(time + x[2 * i + 1] + 5, 3) / 2;
        memcpy(&all->rows[3 * i], (double[]){1, x[2 * i], x[2 * i + 1]}, 3 * sizeof(double));
        all->offsets[i] = log(time);
        all->counts[i] = (hy_cell_sums){lifetimes[i].weight, n * count, n * count * count};
        all->scores[i] = (hy_cell_sums){lifetimes[i].weight, n * score, n * score * score};
    }
}

/* r: the made rows repeated by weight, y = (7 time + 3 x2 + 5 x1) mod 17, sc = ((time + x2 + 5) mod
 * 3) / 2. R: lm(y ~ x1 + x2, r), glm(sc ~ x1 + x2, binomial, r), glm(y ~ x1 + x2 +
 * offset(log(time)), poisson, r): coef, vcov, HC2 by its formula, Pearson's dispersion. */
static const struct {
    hy_family family;
    double coefficients[3], model[3], robust[3], dispersion;
} fits[] = {
    {HY_FAMILY_LINEAR,
     {6.24555123991634, 2.45951000896325, 0.272243800418286},
     {0.397333465969043, 0.661661438706232, 0.0160004826112101},
     {0.343795243913689, 0.628437168926499, 0.013296501454183},
     23.8016067998756},
    {HY_FAMILY_LOGISTIC,
     {0.0929704838999982, -0.272648426945875, 0.0373673002092757},
     {0.0671636064373339, 0.112065730998595, 0.00272128855911041},
     {0.0372814899946554, 0.065667298391123, 0.00170035061353988},
     0.602086401801391},
    {HY_FAMILY_LOG_LINEAR,
     {-0.62897490686153, 0.262442826971436, 0.0378031498026466},
     {0.00271970571981393, 0.00396558137838646, 9.19615683877178e-05},
     {0.00866751136946634, 0.0146644977500228, 0.000547682671915059},
     7.95117723507984},
};

static void families_agree_with_r(void **state)
{
    made all;
    (void)state;
    make(&all);
    for (size_t i = 0; i < 3; i++) {
        hy_design design = {.rows = all.rows,
                            .cells = fits[i].family == HY_FAMILY_LOGISTIC ? all.scores : all.counts,
                            .offsets = fits[i].family == HY_FAMILY_LOG_LINEAR ? all.offsets : NULL,
                            .num_cells = NUM_MADE,
                            .num_terms = 3};
        hy_regression model = fit(&design, fits[i].family, HY_ERRORS_MODEL);
        hy_regression robust = fit(&design, fits[i].family, HY_ERRORS_ROBUST);
        hy_regression scaled = fit(&design, fits[i].family, HY_ERRORS_DISPERSION);
        assert_int_equal(model.num_games, 150);
        assert_near(model.degrees, 147);
        assert_relative(model.dispersion, fits[i].dispersion, 1e-8);
        for (size_t k = 0; k < 3; k++) {
            double more = fits[i].family == HY_FAMILY_LINEAR ? 1 : fits[i].dispersion;
            assert_relative(model.coefficients[k].value, fits[i].coefficients[k], 1e-8);
            assert_relative(model.covariance[4 * k], fits[i].model[k], 1e-8);
            assert_relative(robust.covariance[4 * k], fits[i].robust[k], 1e-8);
            assert_relative(scaled.covariance[4 * k], fits[i].model[k] * more, 1e-8);
        }
        hy_regression_clean_up(&model);
        hy_regression_clean_up(&robust);
        hy_regression_clean_up(&scaled);
    }
}

/* --- closed forms: two rules, with and without each --- */

static const double factorial[4 * 4] = {1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1};

static double mean_of(const hy_cell_sums *cell)
{
    return cell->sum / (double)cell->n;
}

static double variance_of(const hy_cell_sums *cell)
{
    double n = (double)cell->n;
    return (cell->sum_squares - cell->sum * cell->sum / n) / (n - 1);
}

static void draw_cells(dice *d, hy_cell_sums cells[4], unsigned most)
{
    for (unsigned c = 0; c < 4; c++) {
        cells[c] = (hy_cell_sums){0};
        for (unsigned i = 0; i < 50 + 30 * c; i++) {
            double y = most == 3 ? dice_below(d, 3) / 2.0 : dice_below(d, most + 5 * c);
            cells[c].n++;
            cells[c].sum += y;
            cells[c].sum_squares += y * y;
        }
    }
}

static void two_rules_are_differences_of_means(void **state)
{
    dice d = {5};
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        hy_cell_sums cells[4];
        draw_cells(&d, cells, 20);
        hy_design design = {.rows = factorial, .cells = cells, .num_cells = 4, .num_terms = 4};
        hy_regression robust = fit(&design, HY_FAMILY_LINEAR, HY_ERRORS_ROBUST);
        hy_regression model = fit(&design, HY_FAMILY_LINEAR, HY_ERRORS_MODEL);
        double interaction =
            mean_of(&cells[3]) - mean_of(&cells[2]) - mean_of(&cells[1]) + mean_of(&cells[0]);
        double spread = 0, inverse = 0, within = 0, n = 0;
        for (unsigned c = 0; c < 4; c++) {
            spread += variance_of(&cells[c]) / (double)cells[c].n;
            inverse += 1 / (double)cells[c].n;
            within += variance_of(&cells[c]) * (double)(cells[c].n - 1);
            n += (double)cells[c].n;
            assert_near(robust.fitted[c], mean_of(&cells[c]));
        }
        assert_near(robust.coefficients[1].value, mean_of(&cells[1]) - mean_of(&cells[0]));
        assert_true(fabs(robust.coefficients[3].value - interaction) < 1e-9);
        assert_near(robust.coefficients[3].standard_error, sqrt(spread));
        assert_near(model.coefficients[3].standard_error, sqrt(within / (n - 4) * inverse));
        hy_combination both = hy_regression_contrast(&robust, (double[]){0, 1, 1, 1});
        assert_near(both.estimate.value, mean_of(&cells[3]) - mean_of(&cells[0]));
        assert_near(both.estimate.standard_error,
                    sqrt(variance_of(&cells[3]) / (double)cells[3].n +
                         variance_of(&cells[0]) / (double)cells[0].n));
        assert_near(both.statistic, both.estimate.value / both.estimate.standard_error);
        hy_regression_clean_up(&robust);
        hy_regression_clean_up(&model);
    }
}

/* The odds ratio of a saturated model; of scores the variance is the trinomial one. */
static void two_rules_are_odds(void **state)
{
    dice d = {6};
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        hy_cell_sums cells[4];
        double odds[4], model_variance = 0, robust_variance = 0;
        draw_cells(&d, cells, 3);
        for (unsigned c = 0; c < 4; c++) {
            double n = (double)cells[c].n, p = mean_of(&cells[c]);
            odds[c] = log(p / (1 - p));
            model_variance += 1 / (n * p * (1 - p));
            robust_variance += variance_of(&cells[c]) / n / pow(p * (1 - p), 2);
        }
        hy_design design = {.rows = factorial, .cells = cells, .num_cells = 4, .num_terms = 4};
        hy_regression model = fit(&design, HY_FAMILY_LOGISTIC, HY_ERRORS_MODEL);
        hy_regression robust = fit(&design, HY_FAMILY_LOGISTIC, HY_ERRORS_ROBUST);
        assert_true(fabs(model.coefficients[3].value - (odds[3] - odds[2] - odds[1] + odds[0])) <
                    1e-9);
        assert_near(model.coefficients[3].standard_error, sqrt(model_variance));
        assert_near(robust.coefficients[3].standard_error, sqrt(robust_variance));
        assert_true(fabs(model.deviance) < 1e-9);
        hy_regression_clean_up(&model);
        hy_regression_clean_up(&robust);
    }
}

static void rates_are_ratios_of_means(void **state)
{
    hy_cell_sums cells[2] = {{1000, 5000, 40000}, {4000, 10000, 90000}};
    double rows[] = {1, 0, 1, 1}, offsets[] = {log(2), log(8)};
    hy_design design = {
        .rows = rows, .cells = cells, .offsets = offsets, .num_cells = 2, .num_terms = 2};
    (void)state;
    hy_regression model = fit(&design, HY_FAMILY_LOG_LINEAR, HY_ERRORS_MODEL);
    assert_near(model.coefficients[1].value, log(2.5 / 8 / (5.0 / 2)));
    assert_near(model.coefficients[1].standard_error, sqrt(1 / 5000.0 + 1 / 10000.0));
    hy_regression robust = fit(&design, HY_FAMILY_LOG_LINEAR, HY_ERRORS_ROBUST);
    assert_near(robust.coefficients[1].standard_error,
                sqrt(variance_of(&cells[0]) / 1000 / 25 + variance_of(&cells[1]) / 4000 / 6.25));
    hy_regression_clean_up(&model);
    hy_regression_clean_up(&robust);
}

/* Cells split into single games, in another order, with empty cells between. */
static void cells_are_their_games(void **state)
{
    dice d = {12};
    hy_cell_sums cells[4], games[800] = {{0}};
    double rows[800 * 3], small[4 * 3];
    (void)state;
    for (unsigned round = 0; round < 3; round++) {
        size_t num = 0;
        for (unsigned c = 0; c < 4; c++) {
            memcpy(&small[3 * c], &factorial[4 * c], 3 * sizeof(double));
            cells[c] = (hy_cell_sums){0};
        }
        for (unsigned i = 0; i < 400; i++) {
            unsigned c = dice_below(&d, 4);
            double y = dice_below(&d, 3) / 2.0;
            cells[c].n++;
            cells[c].sum += y;
            cells[c].sum_squares += y * y;
            memcpy(&rows[3 * num], &small[3 * c], 3 * sizeof(double));
            games[num++] = (hy_cell_sums){1, y, y * y};
            memcpy(&rows[3 * num], (double[]){1, NAN, 5}, 3 * sizeof(double));
            games[num++] = (hy_cell_sums){0, 0, 0};
        }
        hy_design few = {.rows = small, .cells = cells, .num_cells = 4, .num_terms = 3};
        hy_design many = {.rows = rows, .cells = games, .num_cells = num, .num_terms = 3};
        for (unsigned errors = 0; errors < 3; errors++) {
            hy_regression a = fit(&few, (hy_family)round, (hy_regression_errors)errors);
            hy_regression b = fit(&many, (hy_family)round, (hy_regression_errors)errors);
            for (size_t i = 0; i < 9; i++)
                assert_relative(a.covariance[i], b.covariance[i], 1e-7);
            for (size_t i = 0; i < 3; i++)
                assert_true(fabs(a.coefficients[i].value - b.coefficients[i].value) < 1e-9);
            assert_near(a.dispersion, b.dispersion);
            hy_regression_clean_up(&a);
            hy_regression_clean_up(&b);
        }
    }
}

/* 10⁸ games: as exact as a hundred. */
static void many_games_are_as_exact(void **state)
{
    hy_cell_sums few[4], many[4];
    dice d = {9};
    (void)state;
    for (unsigned family = 0; family < 3; family++) {
        draw_cells(&d, few, family == 1 ? 3 : 20);
        for (unsigned c = 0; c < 4; c++)
            many[c] =
                (hy_cell_sums){few[c].n * 1000000, few[c].sum * 1e6, few[c].sum_squares * 1e6};
        hy_design a = {.rows = factorial, .cells = few, .num_cells = 4, .num_terms = 4};
        hy_design b = {.rows = factorial, .cells = many, .num_cells = 4, .num_terms = 4};
        hy_regression small = fit(&a, (hy_family)family, HY_ERRORS_ROBUST);
        hy_regression large = fit(&b, (hy_family)family, HY_ERRORS_ROBUST);
        for (size_t i = 0; i < 4; i++) {
            assert_true(fabs(small.coefficients[i].value - large.coefficients[i].value) < 1e-9);
            assert_relative(large.coefficients[i].standard_error * 1000,
                            small.coefficients[i].standard_error, 0.02); /* n against n − 1 */
        }
        hy_regression_clean_up(&small);
        hy_regression_clean_up(&large);
    }
}

/* --- tests of several --- */

static void joint_test_of_one_is_its_square(void **state)
{
    hy_cell_sums cells[4];
    dice d = {10};
    hy_chi_square test;
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        draw_cells(&d, cells, family == 1 ? 3 : 20);
        hy_design design = {.rows = factorial, .cells = cells, .num_cells = 4, .num_terms = 4};
        hy_regression model = fit(&design, (hy_family)family, HY_ERRORS_MODEL);
        double weights[] = {0, 1, 0, 0.5, 0, -2, 0, -1, 0, 1, 0, 0, 0, 0, 0, 1};
        hy_combination one = hy_regression_contrast(&model, weights);
        assert_ok(hy_regression_joint(&model, weights, 2, &test, error)); /* the same twice */
        assert_int_equal(test.degrees, 1);
        assert_near(test.value, one.statistic * one.statistic);
        assert_near(test.p, one.p);
        hy_chi_square direct;
        assert_ok(hy_regression_joint(&model, weights, 4, &test, error));
        assert_ok(hy_regression_joint(&model, weights + 8, 2, &direct, error));
        assert_int_equal(test.degrees, 2);
        assert_near(test.value, direct.value);
        assert_ok(hy_regression_joint(&model, weights, 0, &test, error));
        assert_false(test.known);
        hy_regression_clean_up(&model);
    }
}

/* --- the ends --- */

/* A rule with which first always wins. */
static void separation_is_named(void **state)
{
    hy_cell_sums cells[] = {{10000000, 6000000, 5500000}, {10000000, 10000000, 10000000}};
    double rows[] = {1, 0, 1, 1}, turned[] = {1, 1, 1, 0};
    hy_design design = {.rows = rows, .cells = cells, .num_cells = 2, .num_terms = 2};
    (void)state;
    for (unsigned errors = 0; errors < 3; errors++) {
        hy_regression model = fit(&design, HY_FAMILY_LOGISTIC, (hy_regression_errors)errors);
        assert_int_equal(model.kind, HY_FIT_INFINITE);
        assert_int_equal(model.infinite[0], 0);
        assert_int_equal(model.infinite[1], 1);
        assert_false(model.coefficients[1].known);
        assert_true(isnan(model.coefficients[1].value) && isnan(model.covariance[1]));
        assert_relative(model.coefficients[0].value, log(1.5), 1e-6);
        assert_relative(model.fitted[1], 1, 1e-8);
        double variance = errors == HY_ERRORS_ROBUST  ? variance_of(&cells[0]) / pow(0.24, 2)
                          : errors == HY_ERRORS_MODEL ? 1 / 0.24
                                                      : model.dispersion / 0.24;
        assert_relative(model.coefficients[0].standard_error, sqrt(variance / 1e7), 1e-6);
        assert_true(hy_regression_contrast(&model, (double[]){1, 0}).estimate.known);
        assert_false(hy_regression_contrast(&model, (double[]){1, 1}).estimate.known);
        hy_chi_square test;
        assert_ok(hy_regression_joint(&model, (double[]){0, 1}, 1, &test, error));
        assert_false(test.known);
        hy_regression_clean_up(&model);
    }
    design.rows = turned;
    hy_regression both = fit(&design, HY_FAMILY_LOGISTIC, HY_ERRORS_MODEL);
    assert_int_equal(both.infinite[0], 1);
    assert_int_equal(both.infinite[1], -1);
    hy_regression_clean_up(&both);
    cells[1] = (hy_cell_sums){100, 0, 0}; /* never happened */
    design.rows = rows;
    hy_regression never = fit(&design, HY_FAMILY_LOG_LINEAR, HY_ERRORS_MODEL);
    assert_int_equal(never.kind, HY_FIT_INFINITE);
    assert_int_equal(never.infinite[1], -1);
    hy_regression_clean_up(&never);
}

static void a_rare_event_is_not_taken_for_none(void **state)
{
    hy_cell_sums cells[] = {{50000000, 20000000, 20000000}, {50000000, 1, 1}};
    double rows[] = {1, 0, 1, 1};
    hy_design design = {.rows = rows, .cells = cells, .num_cells = 2, .num_terms = 2};
    (void)state;
    for (unsigned family = 1; family < 3; family++) {
        hy_regression model = fit(&design, (hy_family)family, HY_ERRORS_MODEL);
        assert_int_equal(model.kind, HY_FIT_KNOWN);
        assert_relative(model.coefficients[1].standard_error, 1, 1e-6);
        hy_regression_clean_up(&model);
    }
}

static void what_cannot_be_told_apart_is_singular(void **state)
{
    hy_cell_sums cells[4];
    dice d = {1};
    double rows[] = {1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0};
    hy_design design = {.rows = rows, .cells = cells, .num_cells = 4, .num_terms = 3};
    (void)state;
    draw_cells(&d, cells, 3);
    for (unsigned family = 0; family < 3; family++) {
        hy_regression model = fit(&design, (hy_family)family, HY_ERRORS_ROBUST);
        assert_int_equal(model.kind, HY_FIT_SINGULAR);
        assert_false(model.coefficients[0].known);
        assert_false(hy_regression_contrast(&model, (double[]){0, 0, 0}).estimate.known);
        hy_regression_clean_up(&model);
    }
}

static void too_few_games(void **state)
{
    hy_cell_sums cells[] = {{0, 0, 0}, {1, 1, 1}, {1, 0, 0}, {5, 2, 2}};
    hy_design design = {.rows = factorial, .cells = cells, .num_cells = 0, .num_terms = 4};
    (void)state;
    for (size_t num = 0; num < 4; num++) {
        design.num_cells = num;
        hy_regression model = fit(&design, HY_FAMILY_LINEAR, HY_ERRORS_MODEL);
        assert_int_equal(model.kind, HY_FIT_NO_DATA);
        assert_false(hy_regression_contrast(&model, (double[]){1, 0, 0, 0}).estimate.known);
        hy_regression_clean_up(&model);
    }
    /* one game alone decides a coefficient */
    dice d = {4};
    for (unsigned round = 0; round < 20; round++) {
        double low = draw_uniform(&d), high = 1 + draw_uniform(&d), y = draw_uniform(&d);
        double rows[] = {1, low, 1, low, 1, high, 1, low};
        cells[2] = (hy_cell_sums){1, y, y * y};
        design = (hy_design){.rows = rows, .cells = cells, .num_cells = 4, .num_terms = 2};
        hy_regression robust = fit(&design, HY_FAMILY_LINEAR, HY_ERRORS_ROBUST);
        assert_true(robust.coefficients[1].known && isnan(robust.coefficients[1].standard_error));
        hy_regression_clean_up(&robust);
    }
}

static void bad_input_is_refused(void **state)
{
    double rows[] = {1, 0, 1, 1}, offsets[] = {0, 0};
    static const struct {
        hy_family family;
        hy_cell_sums cell;
    } bad[] = {
        {HY_FAMILY_LINEAR, {10, NAN, 1}},    {HY_FAMILY_LINEAR, {10, 1, INFINITY}},
        {HY_FAMILY_LINEAR, {10, 100, 999}},  {HY_FAMILY_LOGISTIC, {10, 11, 13}},
        {HY_FAMILY_LOGISTIC, {10, -1, 1}},   {HY_FAMILY_LOGISTIC, {10, 5, 5.1}},
        {HY_FAMILY_LOG_LINEAR, {10, -1, 1}},
    };
    hy_regression model;
    hy_error error;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hy_cell_sums cells[] = {{10, 5, 5}, bad[i].cell};
        hy_design design = {rows, cells, offsets, 2, 2};
        hy_regression_options options = {bad[i].family, HY_ERRORS_ROBUST, 0.95};
        assert_int_equal(hy_regression_fit(&design, &options, &model, &error), HY_INVALID);
        assert_non_null(strstr(error.text, "cell 2"));
    }
    hy_cell_sums cells[] = {{10, 5, 5}, {10, 4, 4}};
    hy_design design = {rows, cells, offsets, 2, 2};
    hy_regression_options options = {HY_FAMILY_LINEAR, HY_ERRORS_ROBUST, 1};
    assert_int_equal(hy_regression_fit(&design, &options, &model, &error), HY_INVALID);
    options.confidence = 0.9;
    offsets[1] = NAN;
    assert_int_equal(hy_regression_fit(&design, &options, &model, &error), HY_INVALID);
    offsets[1] = 0;
    rows[3] = INFINITY;
    assert_int_equal(hy_regression_fit(&design, &options, &model, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "cell 2: term 2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_agree_with_r),
        cmocka_unit_test(two_rules_are_differences_of_means),
        cmocka_unit_test(two_rules_are_odds),
        cmocka_unit_test(rates_are_ratios_of_means),
        cmocka_unit_test(cells_are_their_games),
        cmocka_unit_test(many_games_are_as_exact),
        cmocka_unit_test(joint_test_of_one_is_its_square),
        cmocka_unit_test(separation_is_named),
        cmocka_unit_test(a_rare_event_is_not_taken_for_none),
        cmocka_unit_test(what_cannot_be_told_apart_is_singular),
        cmocka_unit_test(too_few_games),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
