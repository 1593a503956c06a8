#include "stats/coverage.h"

#include "stats/competing.h"
#include "stats/cox.h"
#include "stats/lifetimes.h"
#include "stats/regression.h"
#include "stats/survival.h"

#define LEVEL 0.9
#define GAMES 300

static void count(unsigned *held, const hy_estimate *estimate, double truth)
{
    assert_true(estimate->known);
    *held += estimate->low <= truth && truth <= estimate->high;
}

static void check_share(const char *what, unsigned held, unsigned rounds)
{
    double share = held / (double)rounds;
    double allowed = 0.015 + 3.9 * sqrt(LEVEL * (1 - LEVEL) / rounds);
    if (fabs(share - LEVEL) > allowed)
        fail_msg("%s: held by %.4f of %u intervals, not %.2f", what, share, rounds, LEVEL);
}

/* Exponential lengths with a rate, cut at a time from 1 to 3. */
static void draw_games(dice *d, double rate, hy_lifetime *games, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        double end = -log(draw_uniform(d)) / rate, cut = 1 + 2 * draw_uniform(d);
        games[i] = (hy_lifetime){.time = fmin(end, cut), .event = end <= cut, .weight = 1};
    }
}

static double mean_to(double rate, double tau)
{
    return (1 - exp(-rate * tau)) / rate;
}

void check_coverage_of_survival(unsigned rounds)
{
    static const char *const names[] = {"survival at 1, log-log", "survival at 1, log",
                                        "survival at 1, plain"};
    dice d = {1001};
    unsigned at[3] = {0}, median = 0, mean = 0, difference = 0, ratio = 0;
    for (unsigned round = 0; round < rounds; round++) {
        hy_lifetime fast[GAMES], slow[GAMES];
        hy_survival first, second;
        draw_games(&d, 1, fast, GAMES);
        draw_games(&d, 0.6, slow, GAMES);
        for (unsigned band = 0; band < 3; band++) {
            assert_ok(hy_survival_fit(fast, GAMES, (hy_band)band, LEVEL, &first, error));
            hy_estimate estimate = hy_survival_at(&first, 1);
            count(&at[band], &estimate, exp(-1));
            hy_survival_clean_up(&first);
        }
        assert_ok(hy_survival_fit(fast, GAMES, HY_BAND_LOG_LOG, LEVEL, &first, error));
        assert_ok(hy_survival_fit(slow, GAMES, HY_BAND_LOG_LOG, LEVEL, &second, error));
        hy_estimate half = hy_survival_quantile(&first, 0.5), two = hy_restricted_mean(&first, 2);
        hy_contrast minus = hy_restricted_mean_difference(&first, &second, 2, LEVEL);
        hy_contrast over = hy_restricted_mean_ratio(&first, &second, 2, LEVEL);
        count(&median, &half, log(2));
        count(&mean, &two, mean_to(1, 2));
        count(&difference, &minus.estimate, mean_to(1, 2) - mean_to(0.6, 2));
        count(&ratio, &over.estimate, mean_to(1, 2) / mean_to(0.6, 2));
        hy_survival_clean_up(&first);
        hy_survival_clean_up(&second);
    }
    for (unsigned band = 0; band < 3; band++)
        check_share(names[band], at[band], rounds);
    check_share("median", median, rounds);
    check_share("restricted mean", mean, rounds);
    check_share("difference of restricted means", difference, rounds);
    check_share("ratio of restricted means", ratio, rounds);
}

/* Two causes with rates 1 and 0.5; the truth at 1 is (rate / 1.5)(1 − e^−1.5). */
void check_coverage_of_incidence(unsigned rounds)
{
    dice d = {1002};
    unsigned held[2] = {0};
    for (unsigned round = 0; round < rounds; round++) {
        hy_lifetime games[GAMES];
        hy_incidence incidence;
        draw_games(&d, 1.5, games, GAMES);
        for (size_t i = 0; i < GAMES; i++)
            games[i].event *= dice_one_in(&d, 3) ? 2 : 1;
        assert_ok(hy_incidence_fit(games, GAMES, 2, LEVEL, &incidence, error));
        for (size_t cause = 0; cause < 2; cause++) {
            hy_estimate estimate = hy_incidence_at(&incidence, cause, 1);
            count(&held[cause], &estimate, (cause == 0 ? 2 : 1) / 3.0 * (1 - exp(-1.5)));
        }
        hy_incidence_clean_up(&incidence);
    }
    check_share("incidence of the first cause", held[0], rounds);
    check_share("incidence of the second cause", held[1], rounds);
}

/* Single games for the model's errors; for clustered ones pairs that are the same game twice, which
 * the model's errors would take for two. */
void check_coverage_of_cox(unsigned rounds)
{
    dice d = {1003};
    unsigned model = 0, robust = 0, clustered = 0;
    for (unsigned round = 0; round < rounds; round++) {
        hy_lifetime games[2 * GAMES];
        double x[4 * GAMES];
        for (uint32_t i = 0; i < 2 * GAMES; i += 2) {
            x[2 * i] = dice_below(&d, 2);
            x[2 * i + 1] = draw_uniform(&d);
            draw_games(&d, exp(0.5 * x[2 * i] - x[2 * i + 1]), &games[i], 1);
            games[i].group = i;
            games[i + 1] = games[i];
            x[2 * i + 2] = x[2 * i];
            x[2 * i + 3] = x[2 * i + 1];
        }
        for (unsigned errors = 0; errors < 3; errors++) {
            hy_cox_options options = {HY_TIES_BRESLOW, (hy_cox_errors)errors, LEVEL};
            hy_cox cox;
            if (errors == HY_COX_CLUSTERED) {
                hy_cox_data twice = {games, x, 2 * GAMES, 2};
                assert_ok(hy_cox_fit(&twice, &options, &cox, error));
                count(&clustered, &cox.coefficients[0], 0.5);
            } else {
                hy_lifetime single[GAMES];
                double half[2 * GAMES];
                for (size_t i = 0; i < GAMES; i++) {
                    single[i] = games[2 * i];
                    half[2 * i] = x[4 * i];
                    half[2 * i + 1] = x[4 * i + 1];
                }
                hy_cox_data once = {single, half, GAMES, 2};
                assert_ok(hy_cox_fit(&once, &options, &cox, error));
                count(errors == HY_COX_MODEL ? &model : &robust, &cox.coefficients[0], 0.5);
            }
            hy_cox_clean_up(&cox);
        }
    }
    check_share("Cox, model", model, rounds);
    check_share("Cox, robust", robust, rounds);
    check_share("Cox, clustered", clustered, rounds);
}

/* Four cells with spreads of 1 to 4 and 40 to 160 games; scores with draws; exponential counts. */
static void draw_cells(dice *d, hy_family family, hy_cell_sums cells[4])
{
    for (unsigned c = 0; c < 4; c++) {
        cells[c] = (hy_cell_sums){0};
        for (unsigned i = 0; i < 40 * (c + 1); i++) {
            double u = draw_uniform(d), y = 0;
            switch (family) {
            case HY_FAMILY_LINEAR:
                y = 10 + c + (4.0 - c) * sqrt(12) * (u - 0.5);
                break;
            case HY_FAMILY_LOGISTIC:
                y = u < 0.3 + 0.05 * c ? 1 : u < 0.5 + 0.05 * c ? 0.5 : 0;
                break;
            case HY_FAMILY_LOG_LINEAR:
                y = -(2.0 + c) * log(u);
                break;
            }
            cells[c].n++;
            cells[c].sum += y;
            cells[c].sum_squares += y * y;
        }
    }
}

static double truth_of(hy_family family)
{
    switch (family) {
    case HY_FAMILY_LINEAR:
        return 0; /* 13 − 12 − 11 + 10 */
    case HY_FAMILY_LOGISTIC:
        return log(0.55 / 0.45) - log(0.5 / 0.5) - log(0.45 / 0.55) + log(0.4 / 0.6);
    case HY_FAMILY_LOG_LINEAR:
        return log(5.0) - log(4.0) - log(3.0) + log(2.0);
    }
    return NAN;
}

void check_coverage_of_regression(unsigned rounds)
{
    static const double rows[] = {1, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 1, 1};
    static const char *const names[] = {"interaction, linear", "interaction, logistic",
                                        "interaction, log-linear"};
    dice d = {1004};
    unsigned held[3] = {0}, pooled = 0;
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned family = 0; family < 3; family++) {
            hy_cell_sums cells[4];
            draw_cells(&d, (hy_family)family, cells);
            hy_design design = {.rows = rows, .cells = cells, .num_cells = 4, .num_terms = 4};
            hy_regression_options options = {(hy_family)family, HY_ERRORS_ROBUST, LEVEL};
            hy_regression model;
            assert_ok(hy_regression_fit(&design, &options, &model, error));
            count(&held[family], &model.coefficients[3], truth_of((hy_family)family));
            hy_regression_clean_up(&model);
            if (family != HY_FAMILY_LINEAR)
                continue;
            options.errors = HY_ERRORS_MODEL;
            assert_ok(hy_regression_fit(&design, &options, &model, error));
            count(&pooled, &model.coefficients[1], 1);
            hy_regression_clean_up(&model);
        }
    }
    for (unsigned family = 0; family < 3; family++)
        check_share(names[family], held[family], rounds);
    /* the common variance is too small for the cells that vary most, which have the fewest games */
    assert_true(pooled < 0.85 * rounds);
}
