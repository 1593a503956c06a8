/* A rule held against stored games, and the same computed from the games one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sequential/runs.h"

typedef struct results {
    hy_result by_number[30000];
    uint64_t num;
} results;

static hy_status note(void *context, uint64_t number, hy_result result, uint64_t hash,
                      hy_error *error)
{
    results *all = context;
    (void)hash;
    (void)error;
    assert_int_equal(number, all->num);
    assert_true(number < NUM(all->by_number));
    all->by_number[all->num++] = result;
    return HY_OK;
}

static results *results_of(hy_store *store, uint32_t condition, bool swapped)
{
    results *all = calloc(1, sizeof *all);
    assert_non_null(all);
    assert_int_equal(hy_store_each_result(store, condition, swapped, note, all, NULL), HY_OK);
    return all;
}

static hy_store *store_of(const char *path)
{
    hy_store *store;
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    return store;
}

static void assert_same_interval(const hy_estimate *a, const hy_estimate *b)
{
    assert_true(a->known && b->known);
    assert_true(a->value == b->value && a->low == b->low && a->high == b->high);
}

/* Adds the games of one look. */
static void add_results(const results *all, hy_window window, hy_sequence *sequence)
{
    double n = 0, sum = 0, squares = 0;
    for (uint64_t i = window.first; i < window.end; i++) {
        hy_result result = all->by_number[i];
        double points = result == HY_RESULT_SOUTH ? 1 : result == HY_RESULT_DRAW ? 0.5 : 0;
        n += result != HY_RESULT_NONE;
        sum += points;
        squares += points * points;
    }
    hy_sequence_add(sequence, (uint64_t)n, sum, squares);
}

/* Of both seatings; the rule ends at the first look where both are narrow. Cut games have no result
 * and are not counted. */
static void the_score_is_looked_at_in_order(void **state)
{
    (void)state;
    hy_stop stop = stop_half_width(HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.04, 150);
    hy_experiment experiment = experiment_new(29000, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=3 seeds=2", "greedy", "random", true)->max_plies = 14;
    experiment.stop = stop;
    const char *path = run_all("score.db", &experiment, 2);
    hy_store *store = store_of(path);
    results *all[2] = {results_of(store, 0, false), results_of(store, 0, true)};
    hy_sequence sequences[2] = {{0}, {0}};
    hy_rule rule;
    bool found = true, ended = false;
    assert_int_equal(hy_rule_init(&rule, hy_store_experiment(store), 0, NULL), HY_OK);
    assert_false(hy_rule_interval(&rule, false).known);
    while (!ended) {
        hy_window window = hy_rule_window(&rule);
        assert_int_equal(hy_rule_look(&rule, store, &found, NULL), HY_OK);
        assert_true(found);
        ended = true;
        for (unsigned s = 0; s < 2; s++) {
            add_results(all[s], window, &sequences[s]);
            hy_estimate expected = hy_sequence_interval(&sequences[s], 0.95);
            hy_estimate interval = hy_rule_interval(&rule, s > 0);
            assert_same_interval(&interval, &expected);
            ended &= expected.high - expected.low <= 0.08;
        }
        assert_int_equal(rule.ended, ended);
    }
    assert_true(sequences[0].n < rule.games); /* some were cut */
    for (unsigned s = 0; s < 2; s++) {
        char query[160];
        hy_estimate interval = hy_rule_interval(&rule, s > 0);
        snprintf(query, sizeof query,
                 "SELECT count(*) FROM stop WHERE swapped = %u AND counted = %llu AND "
                 "abs(low - %.17g) + abs(high - %.17g) < 1e-9",
                 s, (unsigned long long)sequences[s].n, interval.low, interval.high);
        assert_int_equal(sql_integer(path, query), 1);
    }
    assert_int_equal(rule.reason, HY_STOPPED_HALF_WIDTH);
    assert_int_equal(rule.games, all[0]->num);
    assert_in_range(rule.looks, 4, 30);
    assert_int_equal(hy_rule_look(&rule, store, &found, NULL), HY_OK);
    assert_false(found);
    free(all[0]);
    free(all[1]);
    hy_store_abandon(store);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

/* Half points of a player with that colour. */
static int half_points(hy_result result, hy_result won)
{
    return result == won ? 2 : result == HY_RESULT_DRAW;
}

static void add_pairs(results *const all[2], hy_window window, uint64_t counts[5])
{
    for (uint64_t i = window.first; i < window.end; i++) {
        hy_result first = all[0]->by_number[i], second = all[1]->by_number[i];
        if (first != HY_RESULT_NONE && second != HY_RESULT_NONE)
            counts[half_points(first, HY_RESULT_SOUTH) + half_points(second, HY_RESULT_NORTH)]++;
    }
}

/* The test is of the first policy, wherever it sat, and ends where the ratio leaves the bounds. */
static void pairs_are_looked_at_in_order(void **state)
{
    (void)state;
    hy_stop stop = stop_sprt(0, 12, 60);
    hy_experiment experiment = experiment_new(29000, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=3 seeds=4", "greedy", "epsilon:rate=0.1,policy=greedy", true)
        ->max_plies = 20;
    experiment.conditions[0].opening_plies = 2;
    experiment.stop = stop;
    const char *path = run_all("pairs.db", &experiment, 2);
    hy_store *store = store_of(path);
    results *all[2] = {results_of(store, 0, false), results_of(store, 0, true)};
    hy_sprt_bounds bounds = hy_sprt_bounds_of(0.05, 0.05);
    hy_sprt_results seen = {.num = 5};
    hy_rule rule;
    bool found, ended = false;
    assert_int_equal(hy_rule_init(&rule, hy_store_experiment(store), 0, NULL), HY_OK);
    while (!ended) {
        hy_window window = hy_rule_window(&rule);
        assert_int_equal(hy_rule_look(&rule, store, &found, NULL), HY_OK);
        assert_true(found);
        add_pairs(all, window, seen.counts);
        double llr = hy_sprt_llr(&seen, HY_ELO_NORMALIZED, 0, 12);
        assert_true(fabs(rule.sprt.llr - llr) < 1e-9);
        ended = llr <= bounds.lower || llr >= bounds.upper;
        assert_int_equal(rule.ended, ended);
        if (ended)
            assert_int_equal(rule.reason, llr > 0 ? HY_STOPPED_H1 : HY_STOPPED_H0);
    }
    assert_true(rule.looks > 3);
    assert_true(seen.counts[0] + seen.counts[1] + seen.counts[2] + seen.counts[3] + seen.counts[4] <
                rule.games); /* pairs with a cut game are left out */
    assert_int_equal(rule.games, all[1]->num);
    uint64_t counted = 0;
    for (size_t i = 0; i < 5; i++)
        counted += seen.counts[i];
    assert_int_equal(hy_rule_counted(&rule, false).counted, counted);
    assert_int_equal(hy_rule_counted(&rule, false).left_out, rule.games - counted);
    assert_int_equal(sql_integer(path, "SELECT count(*) FROM stop"), 2);
    assert_int_equal(sql_integer(path, "SELECT min(counted) FROM stop"), counted);
    assert_int_equal(sql_integer(path, "SELECT max(left_out) FROM stop"), rule.games - counted);
    free(all[0]);
    free(all[1]);
    hy_store_abandon(store);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

/* A mean length over cut games is not given, so no number of them is enough. */
static void cut_games_do_not_end_a_length(void **state)
{
    (void)state;
    hy_stop stop = stop_half_width(HY_STOP_METRIC_PLIES, 100, 50);
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_new(400, record);
        experiment_add(&experiment, "holes=2 seeds=4", "random", "random", false)->max_plies = 6;
        experiment.stop = stop;
        const char *path = run_all("cut.db", &experiment, 1);
        assert_string_equal(
            sql_text(path, "SELECT reason || games || coalesce(low, '-') FROM stop"), "games400-");
        file_remove(path);
        experiment.conditions[0].max_plies = 1000;
        path = run_all("cut.db", &experiment, 1);
        assert_string_equal(sql_text(path, "SELECT reason || games FROM stop"), "half_width50");
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

/* Games that are all alike have an interval without width, which says nothing about others. */
static void games_that_are_alike_end_nothing(void **state)
{
    (void)state;
    hy_stop stop = stop_half_width(HY_STOP_METRIC_PLIES, 1, 50);
    hy_experiment experiment = experiment_new(400, HY_RECORD_SUMMARY);
    experiment_add(&experiment, "holes=3 seeds=4", "greedy:ties=first", "greedy:ties=first", false);
    experiment.stop = stop;
    const char *path = run_all("alike.db", &experiment, 1);
    assert_string_equal(sql_text(path, "SELECT reason || games FROM stop"), "games400");
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

/* From sums, the estimates of the report. */
static void estimates_are_those_of_the_report(void **state)
{
    (void)state;
    hy_stop_metric_sums score = {
        .n = 100, .x = 100, .y = 2 * 31 + 20, .xx = 100, .yy = 4 * 31 + 20};
    hy_estimate a = hy_stop_metric_estimate(HY_STOP_METRIC_FIRST_PLAYER_SCORE, &score, 0.9);
    hy_estimate b = hy_score(31, 20, 49, 0.9);
    assert_same_interval(&a, &b);
    hy_stop_metric_sums share = {.n = 100, .x = 100, .y = 7, .xx = 100, .yy = 7};
    a = hy_stop_metric_estimate(HY_STOP_METRIC_ENDLESS, &share, 0.95);
    b = hy_share(7, 100, 0.95);
    assert_same_interval(&a, &b);
    hy_stop_metric_sums length = {.n = 100, .x = 100, .y = 700, .xx = 100, .yy = 5100};
    a = hy_stop_metric_estimate(HY_STOP_METRIC_PLIES, &length, 0.95);
    b = hy_mean(100, 700, 5100, 0.95, NULL);
    assert_same_interval(&a, &b);
    length.cut = 1;
    assert_false(hy_stop_metric_estimate(HY_STOP_METRIC_PLIES, &length, 0.95).known);
    assert_false(hy_stop_metric_estimate(HY_STOP_METRIC_CAPTURES, &length, 0.95).known);
    hy_stop_metric_sums two = {.n = 2, .x = 2, .y = 66, .xx = 2, .yy = 2500};
    assert_true(hy_stop_metric_estimate(HY_STOP_METRIC_PLIES, &two, 0.95).low == 0);
    hy_stop_metric_sums chains = {.n = 100, .x = 700, .y = 70, .xx = 5100, .xy = 520, .yy = 90};
    hy_ratio_sums sums = {.n = 100, .x = 700, .y = 70, .xx = 5100, .yy = 90, .xy = 520};
    a = hy_stop_metric_estimate(HY_STOP_METRIC_CHAINS, &chains, 0.95);
    b = hy_clustered_share(&sums, 0.95);
    assert_same_interval(&a, &b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_score_is_looked_at_in_order),
        cmocka_unit_test(pairs_are_looked_at_in_order),
        cmocka_unit_test(cut_games_do_not_end_a_length),
        cmocka_unit_test(games_that_are_alike_end_nothing),
        cmocka_unit_test(estimates_are_those_of_the_report),
    };
    return cmocka_run_group_tests_name("sequential/rule", tests, scratch_make, scratch_remove);
}
