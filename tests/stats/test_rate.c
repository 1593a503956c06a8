#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/rate.h"

static void check_poisson(const json_t *inputs, const json_t *answers)
{
    uint64_t events = count_of(inputs, "events");
    double exposure = number_of(inputs, "exposure");
    hy_estimate usual = hy_rate(events, exposure, 0.95), wide = hy_rate(events, exposure, 0.99);
    assert_near(usual.value, number_of(answers, "rate"));
    assert_near(usual.low, element_of(answers, "exact_ci95", 0));
    assert_near(usual.high, element_of(answers, "exact_ci95", 1));
    assert_near(wide.low, element_of(answers, "exact_ci99", 0));
    assert_near(wide.high, element_of(answers, "exact_ci99", 1));
}

static void rates_agree_with_r(void **state)
{
    (void)state;
    each_case("poisson", 4, check_poisson);
}

static void ends_rise_with_the_events(void **state)
{
    (void)state;
    for (uint64_t x = 0; x < 3000; x += 1 + x / 10) {
        hy_estimate less = hy_rate(x, 10, 0.95), more = hy_rate(x + 1, 10, 0.95);
        assert_true(less.low < more.low || x == 0);
        assert_true(less.high < more.high && less.low <= less.value && less.value < less.high);
        assert_close(hy_rate(x, 20, 0.95).high * 2, less.high, 1e-14);
    }
    assert_true(hy_rate(0, 10, 0.95).low == 0);
    assert_false(hy_rate(3, 0, 0.95).known || hy_rate(3, NAN, 0.95).known);
}

/* Wilson and Hilferty's approximation is good to 1e-6 of the half-width for this many events. */
static void many_events_are_near_normal(void **state)
{
    (void)state;
    for (double x = 1e5; x < 1e16; x *= 13) {
        hy_estimate rate = hy_rate((uint64_t)x, 1, 0.95);
        double n = floor(x), z = 1.959963984540054, more = n + 1;
        double low = n * pow(1 - 1 / (9 * n) - z / (3 * sqrt(n)), 3);
        double high = more * pow(1 - 1 / (9 * more) + z / (3 * sqrt(more)), 3);
        assert_true(fabs(rate.low - low) < 1e-5 * z * sqrt(n) + 1e-15 * n);
        assert_true(fabs(rate.high - high) < 1e-5 * z * sqrt(n) + 1e-15 * n);
    }
}

/* At least the confidence, summed over the events. */
static void interval_covers_every_rate(void **state)
{
    (void)state;
    for (double mean = 0.05; mean < 12; mean += 0.31) {
        double probability = exp(-mean), covered = 0;
        for (uint64_t x = 0; x < 60; x++) {
            hy_estimate rate = hy_rate(x, 1, 0.95);
            covered += rate.low <= mean && mean <= rate.high ? probability : 0;
            probability *= mean / (double)(x + 1);
        }
        assert_true(covered >= 0.95 - 1e-12);
    }
}

static void check_ratio(const json_t *inputs, const json_t *answers)
{
    hy_rate_comparison rates =
        hy_rate_ratio((uint64_t)element_of(inputs, "x", 0), element_of(inputs, "T", 0),
                      (uint64_t)element_of(inputs, "x", 1), element_of(inputs, "T", 1), 0.95);
    assert_near(rates.ratio.value, number_of(answers, "rate_ratio"));
    assert_near(rates.ratio.low, element_of(answers, "ci95_conditional_exact", 0));
    assert_near(rates.ratio.high, element_of(answers, "ci95_conditional_exact", 1));
    assert_near(rates.p, number_of(answers, "p_two_sided"));
}

static void ratios_of_rates_agree_with_r(void **state)
{
    (void)state;
    each_case("poisson_ratio", 2, check_ratio);
    hy_rate_comparison one = hy_rate_ratio(7, 3, 11, 5, 0.9),
                       other = hy_rate_ratio(11, 5, 7, 3, 0.9);
    assert_near(one.ratio.low, 1 / other.ratio.high);
    assert_near(one.p, other.p);
    assert_true(isinf(hy_rate_ratio(4, 1, 0, 1, 0.95).ratio.high));
    assert_false(hy_rate_ratio(0, 1, 0, 1, 0.95).ratio.known);
}

static hy_ratio_sums sums_of(const json_t *inputs)
{
    hy_ratio_sums sums = {0};
    for (size_t i = 0; i < size_of(inputs, "captures"); i++) {
        double x = element_of(inputs, "captures", i), y = element_of(inputs, "chain_captures", i);
        sums.n++;
        sums.x += x;
        sums.y += y;
        sums.xx += x * x;
        sums.yy += y * y;
        sums.xy += x * y;
    }
    return sums;
}

static void check_chain_rate(const json_t *inputs, const json_t *answers)
{
    hy_ratio_sums sums = sums_of(inputs);
    hy_ratio_errors errors = hy_ratio_errors_of(&sums);
    hy_dispersion dispersion = hy_dispersion_of(sums.n, sums.y, sums.yy);
    assert_near(errors.binomial, number_of(answers, "se_naive_binomial_on_captures"));
    assert_near(errors.poisson, number_of(answers, "se_naive_poisson"));
    assert_near(errors.clustered_0, number_of(answers, "se_cluster_linearised_CR0"));
    assert_near(errors.clustered, number_of(answers, "se_cluster_linearised_n_over_n-1"));
    assert_near(errors.log_robust,
                number_of(answers, "se_log_ratio_sandwich_HC0(glm_poisson_offset)"));
    assert_near(errors.log_poisson, number_of(answers, "se_log_ratio_model_poisson"));
    assert_near(dispersion.index, number_of(answers, "dispersion_index_var_over_mean(n-1)"));
    assert_near(dispersion.chi_square, number_of(answers, "dispersion_chisq"));
    assert_near(dispersion.p_upper, number_of(answers, "dispersion_p_upper"));
    assert_near(dispersion.p_lower, number_of(answers, "dispersion_p_lower"));
}

static void chain_rate_agrees_with_r(void **state)
{
    (void)state;
    each_case("chain_rate", 1, check_chain_rate);
}

/* Games that differ: what is counted within one is alike. The naive interval misses, that over
 * games covers. 1,000 experiments, standard error 0.007. */
static void clusters_widen_the_interval(void **state)
{
    (void)state;
    hy_stream stream = dice(1);
    int naive = 0, clustered = 0;
    for (int i = 0; i < 1000; i++) {
        hy_ratio_sums sums = {0};
        for (int game = 0; game < 80; game++) {
            double share = hy_stream_below(&stream, 2) ? 0.05 : 0.35, x = 12;
            double y = (double)draw_binomial(&stream, 12, share);
            sums.n++;
            sums.x += x;
            sums.y += y;
            sums.xx += x * x;
            sums.yy += y * y;
            sums.xy += x * y;
        }
        hy_estimate ratio = hy_ratio(&sums, 0.95);
        double half = 1.96 * hy_ratio_errors_of(&sums).binomial;
        naive += fabs(ratio.value - 0.2) <= half;
        clustered += ratio.low <= 0.2 && 0.2 <= ratio.high;
    }
    assert_in_range(clustered, 920, 980);
    assert_true(naive < 850);
}

/* p of Poisson counts is uniform; of counts more and less spread it is at one end. */
static void dispersion_is_told(void **state)
{
    (void)state;
    hy_stream stream = dice(2);
    int low = 0, spread = 0, even = 0;
    for (int i = 0; i < 1000; i++) {
        double sums[3] = {0}, squares[3] = {0};
        for (int game = 0; game < 100; game++) {
            double counts[] = {(double)draw_poisson(&stream, 4),
                               (double)draw_poisson(&stream, hy_stream_below(&stream, 2) ? 1 : 7),
                               (double)draw_binomial(&stream, 8, 0.5)};
            for (int k = 0; k < 3; k++) {
                sums[k] += counts[k];
                squares[k] += counts[k] * counts[k];
            }
        }
        low += hy_dispersion_of(100, sums[0], squares[0]).p_upper < 0.1;
        spread += hy_dispersion_of(100, sums[1], squares[1]).p_upper < 0.001;
        even += hy_dispersion_of(100, sums[2], squares[2]).p_lower < 0.01;
    }
    assert_in_range(low, 70, 130);
    assert_true(spread == 1000 && even > 950);
    assert_true(isnan(hy_dispersion_of(1, 3, 9).p_upper) && isnan(hy_dispersion_of(5, 0, 0).index));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_agree_with_r),
        cmocka_unit_test(ends_rise_with_the_events),
        cmocka_unit_test(many_events_are_near_normal),
        cmocka_unit_test(interval_covers_every_rate),
        cmocka_unit_test(ratios_of_rates_agree_with_r),
        cmocka_unit_test(chain_rate_agrees_with_r),
        cmocka_unit_test(clusters_widen_the_interval),
        cmocka_unit_test(dispersion_is_told),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
