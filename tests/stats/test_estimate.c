#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "stats/estimate.h"
#include "support/dice.h"

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
        return; /* see the next test */
    assert_near(score.standard_error, number(answer, "se"));
    /* an end t is as far from the score p as z standard errors of t in games worth p(1 − p)/se² */
    double p = score.value, worth = p * (1 - p) / (score.standard_error * score.standard_error);
    const double ends[] = {score.low, score.high}, z = 1.959963984540054;
    for (size_t i = 0; i < 2; i++)
        assert_near((p - ends[i]) * (p - ends[i]), z * z * ends[i] * (1 - ends[i]) / worth);
    assert_true(score.low > 0 && score.low < p && score.high > p && score.high < 1);
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

/* How likely it is that the 95 % interval holds the truth, over all results of n games that have
 * some likelihood. */
static double score_holds(uint64_t n, double win, double draw)
{
    double loss = 1 - win - draw, truth = win + draw / 2, held = 0, all = 0;
    for (uint64_t d = 0; d <= n; d++) {
        for (uint64_t l = 0; d + l <= n; l++) {
            uint64_t w = n - d - l;
            double likelihood =
                exp(lgamma((double)n + 1) - lgamma((double)w + 1) - lgamma((double)d + 1) -
                    lgamma((double)l + 1) + (double)w * log(win) + (double)d * log(draw) +
                    (double)l * log(loss));
            if (likelihood < 1e-9)
                continue;
            hy_estimate score = hy_score(w, d, l, 0.95);
            all += likelihood;
            held += score.low <= truth && truth <= score.high ? likelihood : 0;
        }
    }
    assert_true(all > 0.999);
    return held;
}

/* The normal interval holds with 86 % in the first two. */
static void the_score_is_held_near_0_and_1(void **state)
{
    (void)state;
    static const struct {
        uint64_t n;
        double win, draw;
    } cases[] = {{1000, 0.998, 0.001}, {20, 0.9, 0.05}, {1000, 0.001, 0.001}, {20, 0.05, 0.05},
                 {100, 0.98, 0.01},    {50, 0.4, 0.2},  {200, 0.45, 0.1},     {30, 0.05, 0.9}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double held = score_holds(cases[i].n, cases[i].win, cases[i].draw);
        if (!(held > 0.925))
            fail_msg("case %zu: held with %.4f", i, held);
    }
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

static double uniform(dice *d)
{
    return (double)(dice_u64(d) >> 11) * 0x1p-53;
}

/* Games with 5 to 15 things each, some of which are events: a game has any with probability
 * `chance`, and then `cluster` on average (geometric, cut at the things). */
static hy_ratio_sums draw_games(dice *d, unsigned games, double chance, double cluster)
{
    hy_ratio_sums sums = {.n = games};
    for (unsigned i = 0; i < games; i++) {
        double x = 5 + dice_below(d, 11), y = 0;
        if (uniform(d) < chance) {
            for (y = 1; y < x && uniform(d) < 1 - 1 / cluster;)
                y++;
        }
        sums.x += x;
        sums.y += y;
        sums.xx += x * x;
        sums.xy += x * y;
        sums.yy += y * y;
    }
    return sums;
}

static bool holds(const hy_estimate *estimate, double truth)
{
    assert_true(estimate->known && estimate->low < estimate->high && estimate->low >= 0);
    return estimate->low <= truth && truth <= estimate->high;
}

/* Of few events in clusters; the normal interval holds with 9 to 92 % of these, and has no width
 * without events. */
static void few_clustered_events_are_held(void **state)
{
    (void)state;
    const unsigned rounds = 4000;
    static const unsigned num_games[] = {10, 60, 200};
    static const double events[] = {0.3, 1, 2, 5}, clusters[] = {1, 1.5, 3};
    dice d = {20261129};
    for (size_t i = 0; i < 3 * 4 * 3; i++) {
        unsigned games = num_games[i % 3];
        double cluster = clusters[i / 12], chance = events[i / 3 % 4] / cluster / games;
        hy_ratio_sums many = draw_games(&d, 300000, chance, cluster);
        double truth = many.y / many.x;
        unsigned as_share = 0, as_rate = 0, rest = 0;
        for (unsigned round = 0; round < rounds; round++) {
            hy_ratio_sums sums = draw_games(&d, games, chance, cluster), left = sums;
            hy_estimate share = hy_clustered_share(&sums, 0.95), rate = hy_ratio(&sums, 0.95);
            left.y = sums.x - sums.y; /* the things that are no events */
            left.xy = sums.xx - sums.xy;
            left.yy = sums.xx - 2 * sums.xy + sums.yy;
            hy_estimate other = hy_clustered_share(&left, 0.95);
            as_share += holds(&share, truth);
            as_rate += holds(&rate, truth);
            rest += holds(&other, 1 - truth);
            assert_true(share.high <= 1 && other.high <= 1);
        }
        if (as_share < 0.91 * rounds || as_rate < 0.91 * rounds || rest < 0.91 * rounds)
            fail_msg("%u games, %g events in clusters of %g: held by %u, %u, %u of %u", games,
                     chance * cluster * games, cluster, as_share, as_rate, rest, rounds);
    }
}

/* With many events the intervals are the normal ones. */
static void many_events_have_the_normal_interval(void **state)
{
    (void)state;
    dice d = {7};
    hy_ratio_sums sums = draw_games(&d, 100000, 0.9, 2);
    hy_estimate share = hy_clustered_share(&sums, 0.95), rate = hy_ratio(&sums, 0.95);
    double half = 1.959963984540054 * rate.standard_error;
    assert_near(share.standard_error, rate.standard_error);
    assert_true(fabs(rate.high - rate.value - half) < 0.01 * half);
    assert_true(fabs(rate.value - rate.low - half) < 0.01 * half);
    assert_true(fabs(share.high - share.value - half) < 0.01 * half);
    assert_true(fabs(share.value - share.low - half) < 0.01 * half);
}

/* None, all, or the same share in every game: a width, and no standard error. */
static void shares_that_are_alike_keep_an_interval(void **state)
{
    (void)state;
    for (unsigned y = 0; y <= 4; y++) {
        hy_ratio_sums sums = {
            .n = 50, .x = 200, .y = 50. * y, .xx = 800, .yy = 50. * y * y, .xy = 200. * y};
        hy_estimate share = hy_clustered_share(&sums, 0.95);
        assert_true(share.known && isnan(share.standard_error));
        assert_true(share.high - share.low > 0.03);
        assert_true(share.low >= 0 && share.low <= share.value);
        assert_true(share.high <= 1 && share.high >= share.value);
        assert_true((share.low == 0) == (y == 0) && (share.high == 1) == (y == 4));
    }
}

/* Rounding leaves nothing of it, also where parts of things are counted. */
static void games_of_one_ratio_have_no_error(void **state)
{
    (void)state;
    for (unsigned n = 2; n < 3000; n = 2 * n + 1) {
        for (unsigned x = 3; x < 60; x += 7) {
            for (unsigned y = 1; y < x; y += 2) {
                hy_ratio_sums sums = {.n = n};
                for (unsigned i = 0; i < n; i++) {
                    double times = 1 + i % 5, a = times * x, b = times * y;
                    sums.x += a, sums.y += b;
                    sums.xx += a * a, sums.yy += b * b, sums.xy += a * b;
                }
                sums.y /= 3, sums.xy /= 3, sums.yy /= 9;
                hy_estimate ratio = hy_ratio(&sums, 0.95);
                assert_true(ratio.standard_error == 0);
                assert_true(ratio.low == ratio.value && ratio.high == ratio.value);
                assert_true(isnan(hy_clustered_share(&sums, 0.95).standard_error));
                sums.yy += 1e-6 * sums.yy; /* but a small difference is one */
                assert_true(hy_ratio(&sums, 0.95).standard_error > 0);
            }
        }
    }
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
        cmocka_unit_test(the_score_is_held_near_0_and_1),
        cmocka_unit_test(ratio_is_clustered_by_game),
        cmocka_unit_test(few_clustered_events_are_held),
        cmocka_unit_test(many_events_have_the_normal_interval),
        cmocka_unit_test(shares_that_are_alike_keep_an_interval),
        cmocka_unit_test(games_of_one_ratio_have_no_error),
        cmocka_unit_test(mean_agrees_with_r),
        cmocka_unit_test(shares_stay_within_bounds),
        cmocka_unit_test(nothing_is_estimated_from_too_little),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
