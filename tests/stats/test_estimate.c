#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "stats/estimate.h"

static json_t *golden;

static void assert_near(double value, double expected)
{
    double scale = fabs(expected) > 1e-300 ? fabs(expected) : 1;
    if (!(fabs(value - expected) <= 1e-9 * scale))
        fail_msg("%.17g is not %.17g", value, expected);
}

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static uint64_t count(const json_t *object, const char *key)
{
    return (uint64_t)number(object, key);
}

static double element(const json_t *object, const char *key, size_t index)
{
    return json_number_value(json_array_get(json_object_get(object, key), index));
}

/* Calls `check` for each golden case whose id starts with `prefix`; there has to be one. */
static void each_case(const char *prefix, void (*check)(const json_t *inputs, const json_t *answer))
{
    const json_t *cases = json_object_get(golden, "cases");
    size_t num = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *one = json_array_get(cases, i);
        if (strncmp(json_string_value(json_object_get(one, "id")), prefix, strlen(prefix)) != 0)
            continue;
        const json_t *answer = json_object_get(one, "expected");
        if (json_object_size(answer) == 0)
            answer = json_object_get(one, "expected_python_only");
        check(json_object_get(one, "inputs"), answer);
        num++;
    }
    assert_true(num > 0);
}

static void check_wilson(const json_t *inputs, const json_t *answer)
{
    hy_estimate share =
        hy_share(count(inputs, "successes"), count(inputs, "n"), number(inputs, "conf"));
    assert_true(share.known);
    assert_near(share.low, element(answer, "wilson", 0));
    assert_near(share.high, element(answer, "wilson", 1));
}

static void wilson_agrees_with_r(void **state)
{
    (void)state;
    each_case("prop/", check_wilson);
}

static void check_score(const json_t *inputs, const json_t *answer)
{
    hy_estimate score = hy_score(count(inputs, "W"), count(inputs, "D"), count(inputs, "L"), 0.95);
    assert_near(score.value, number(answer, "score"));
    if (!(number(answer, "se") > 0))
        return; /* golden has the plain interval, of no width; see the next test */
    assert_near(score.standard_error, number(answer, "se"));
    assert_near(score.low, element(answer, "ci95_wald", 0));
    assert_near(score.high, element(answer, "ci95_wald", 1));
}

static void score_agrees_with_the_trinomial(void **state)
{
    (void)state;
    each_case("wdl", check_score);
}

static void score_keeps_an_interval_where_all_games_end_alike(void **state)
{
    (void)state;
    hy_estimate won = hy_score(20, 0, 0, 0.95), drawn = hy_score(0, 20, 0, 0.95);
    hy_estimate lost = hy_score(0, 0, 20, 0.95);
    assert_true(won.low < 1 && won.low > 0.8);
    assert_near(won.high, 1);
    assert_true(lost.high > 0 && lost.high < 0.2);
    assert_true(fabs(lost.low) < 1e-15);
    assert_true(drawn.low < 0.5 && drawn.high > 0.5);
    assert_near(drawn.low + drawn.high, 1);
    assert_false(hy_score(0, 0, 0, 0.95).known);
}

static void check_ratio(const json_t *inputs, const json_t *answer)
{
    hy_ratio_sums sums = {0};
    const json_t *captures = json_object_get(inputs, "captures");
    for (size_t i = 0; i < json_array_size(captures); i++) {
        double x = element(inputs, "captures", i), y = element(inputs, "chain_captures", i);
        sums.n++;
        sums.x += x;
        sums.y += y;
        sums.xx += x * x;
        sums.yy += y * y;
        sums.xy += x * y;
    }
    hy_estimate ratio = hy_ratio(&sums, 0.95);
    assert_near(ratio.value, number(answer, "ratio"));
    assert_near(ratio.standard_error, number(answer, "se_cluster_linearised_n_over_n-1"));
}

static void ratio_is_clustered_by_game(void **state)
{
    (void)state;
    each_case("chain_rate", check_ratio);
}

static void check_mean(const json_t *inputs, const json_t *answer)
{
    const json_t *values = json_object_get(inputs, "x");
    double sum = 0, squares = 0, sd;
    for (size_t i = 0; i < json_array_size(values); i++) {
        double x = json_number_value(json_array_get(values, i));
        sum += x;
        squares += x * x;
    }
    hy_estimate mean = hy_mean(json_array_size(values), sum, squares, 0.95, &sd);
    assert_near(mean.value, number(answer, "mean"));
    assert_near(sd, number(answer, "sd"));
    assert_near(mean.low, number(answer, "t_ci95_lower"));
    assert_near(mean.high, number(answer, "t_ci95_upper"));
}

static void mean_agrees_with_r(void **state)
{
    (void)state;
    each_case("descriptive", check_mean);
}

static void shares_stay_within_bounds(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 200; n++) {
        for (uint64_t x = 0; x <= n; x++) {
            hy_estimate share = hy_share(x, n, 0.99);
            assert_true(share.low >= 0 && share.low <= share.value);
            assert_true(share.high <= 1 && share.high >= share.value);
            assert_true(share.low < share.high);
        }
    }
    assert_false(hy_share(0, 0, 0.95).known);
}

static void nothing_is_estimated_from_too_little(void **state)
{
    (void)state;
    hy_ratio_sums none = {.n = 10}, one = {.n = 1, .x = 3, .y = 1, .xx = 9, .yy = 1, .xy = 3};
    double sd;
    assert_false(hy_ratio(&none, 0.95).known);
    assert_false(hy_ratio(&one, 0.95).known);
    assert_false(hy_mean(1, 5, 25, 0.95, &sd).known);
    assert_true(isnan(sd));
}

static int load(void **state)
{
    (void)state;
    golden = json_load_file(HOYITO_GOLDEN "/statistics.json", 0, NULL);
    return golden ? 0 : -1;
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
        cmocka_unit_test(wilson_agrees_with_r),
        cmocka_unit_test(score_agrees_with_the_trinomial),
        cmocka_unit_test(score_keeps_an_interval_where_all_games_end_alike),
        cmocka_unit_test(ratio_is_clustered_by_game),
        cmocka_unit_test(mean_agrees_with_r),
        cmocka_unit_test(shares_stay_within_bounds),
        cmocka_unit_test(nothing_is_estimated_from_too_little),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
