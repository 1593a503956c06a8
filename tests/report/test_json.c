/* The report as JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/shown.h"
#include "sim/batch.h"

/* The parts of the JSON that a test looks at. */
static json_t *condition_of(const json_t *report, size_t index)
{
    json_t *condition = json_array_get(json_object_get(report, "conditions"), index);
    assert_non_null(condition);
    return condition;
}

/* Numbers are finite, nothing is missing, and what is null has its reason beside it. */
static void check_values(const json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    if (json_is_real(value))
        assert_true(isfinite(json_real_value(value)));
    json_array_foreach(value, i, member) check_values(member);
    json_object_foreach((json_t *)value, key, member)
    {
        assert_non_null(member);
        check_values(member);
        if (strcmp(key, "estimate") == 0 && json_is_null(member))
            assert_true(json_string_length(json_object_get(value, "reason")) > 0);
        if (strcmp(key, "quantiles") == 0) {
            const char *name;
            json_t *quantile;
            bool unknown = false;
            json_object_foreach(member, name, quantile) unknown |= json_is_null(quantile);
            assert_int_equal(unknown, json_object_get(value, "quantiles_reason") != NULL);
        }
    }
}

static void check_text(const json_t *report)
{
    char *text = json_dumps(report, JSON_SORT_KEYS);
    assert_non_null(text);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "NaN"));
    assert_null(strstr(text, "inf"));
    json_t *again = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(again);
    assert_true(json_equal(again, report));
    json_decref(again);
    free(text);
}

static void check(const char *path)
{
    json_t *report = shown_json(path);
    check_values(report);
    check_text(report);
    json_decref(report);
}

static void all_numbers_are_finite(void **state)
{
    (void)state;
    static const uint64_t games[] = {1, 2, 300};
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        for (size_t i = 0; i < NUM(games); i++) {
            hy_experiment experiment = experiment_small(games[i], record);
            experiment_add(&experiment, "holes=2", "greedy:ties=first", "greedy:ties=first", true);
            experiment_add(&experiment,
                           "holes=1 seeds=2 skip_origin=true casa=2 claim=0 endless=forbid",
                           "random", "random", false);
            experiment_add(&experiment, "holes=3", "random", "random", false)->max_plies = 1;
            check(shown_database("finite.db", &experiment));
            hy_experiment_clean_up(&experiment);
        }
    }
}

static void no_games_at_all(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_small(10, record);
        hy_store *store;
        const char *path = scratch_path("none.db");
        file_remove(path);
        assert_int_equal(hy_store_open_for(path, &experiment, &store, NULL), HY_OK);
        assert_int_equal(hy_store_close(store, NULL), HY_OK);
        check(path);
        hy_experiment_clean_up(&experiment);
    }
}

/* Sums over blocks answer as rows do; only the number of distinct games may be estimated. */
static void all_levels_of_record_give_one_report(void **state)
{
    (void)state;
    json_t *reports[HY_NUM_RECORDS];
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_small(1000, record);
        reports[record] = shown_json(shown_database("level.db", &experiment));
        for (size_t i = 0; i < 3; i++) {
            json_t *distinct = json_object_get(condition_of(reports[record], i), "distinct_games");
            double estimate = json_number_value(json_object_get(distinct, "estimate"));
            assert_true(estimate > 0 && estimate <= 1000);
            json_object_del(condition_of(reports[record], i), "distinct_games");
        }
        hy_experiment_clean_up(&experiment);
    }
    assert_true(json_equal(reports[HY_RECORD_GAMES], reports[HY_RECORD_MOVES]));
    assert_true(json_equal(reports[HY_RECORD_GAMES], reports[HY_RECORD_SUMMARY]));
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++)
        json_decref(reports[record]);
}

/* Denominators are named and add up. */
static void outcomes_are_partitions(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(400, HY_RECORD_SUMMARY);
    json_t *report = shown_json(shown_database("parts.db", &experiment));
    for (size_t i = 0; i < 3; i++) {
        const char *key;
        json_t *member, *condition = condition_of(report, i);
        json_int_t results = 0, terminations = 0;
        double shares = 0;
        json_object_foreach(json_object_get(condition, "results"), key, member)
        {
            results += json_integer_value(json_object_get(member, "games"));
            shares += json_number_value(json_object_get(member, "estimate"));
            assert_int_equal(json_integer_value(json_object_get(member, "of")), 400);
        }
        json_object_foreach(json_object_get(condition, "terminations"), key, member) terminations +=
            json_integer_value(member);
        assert_int_equal(results, 400);
        assert_int_equal(terminations, 400);
        assert_true(fabs(shares - 1) < 1e-12);
        json_t *score = json_object_get(condition, "first_player_score");
        json_t *none = json_object_get(json_object_get(condition, "results"), "none");
        assert_int_equal(json_integer_value(json_object_get(score, "of")),
                         400 - json_integer_value(json_object_get(none, "games")));
    }
    assert_int_equal(json_integer_value(json_object_get(report, "games")), 1200);
    assert_int_equal(json_integer_value(json_object_get(report, "games_asked_for")), 1200);
    json_decref(report);
    hy_experiment_clean_up(&experiment);
}

static void seeds_are_text(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {0, ((uint64_t)1 << 53) + 1, UINT64_MAX};
    for (size_t i = 0; i < NUM(seeds); i++) {
        char text[24];
        hy_experiment experiment = experiment_small(5, HY_RECORD_GAMES);
        experiment.seed = seeds[i];
        json_t *report = shown_json(shown_database("seed.db", &experiment));
        snprintf(text, sizeof text, "%" PRIu64, seeds[i]);
        assert_string_equal(json_string_value(json_object_get(report, "seed")), text);
        json_decref(report);
        hy_experiment_clean_up(&experiment);
    }
}

/* A condition says what it is: all fields of its rules, and who sits where. */
static void conditions_say_what_they_are(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(20, HY_RECORD_GAMES);
    json_t *report = shown_json(shown_database("what.db", &experiment));
    static const char *const policies[3][2] = {
        {"random", "random"}, {"greedy", "random"}, {"random", "greedy"}};
    for (size_t i = 0; i < 3; i++) {
        json_t *condition = condition_of(report, i), *rules = json_object_get(condition, "rules");
        assert_int_equal(json_object_size(rules), hy_num_fields);
        assert_int_equal(json_integer_value(json_object_get(rules, "holes")), i == 0 ? 3 : 2);
        assert_string_equal(json_string_value(json_object_get(rules, "endless")),
                            i == 0 ? "annul" : "forbid");
        assert_string_equal(json_string_value(json_object_get(condition, "south_policy")),
                            policies[i][0]);
        assert_string_equal(json_string_value(json_object_get(condition, "north_policy")),
                            policies[i][1]);
        assert_int_equal(json_is_true(json_object_get(condition, "swapped")), i == 2);
    }
    json_decref(report);
    hy_experiment_clean_up(&experiment);
}

/* A decimal comma changes neither a number nor a key. */
static void the_locale_does_not_matter(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(300, HY_RECORD_SUMMARY);
    const char *path = shown_database("locale.db", &experiment);
    json_t *report = shown_json(path);
    char *text = json_dumps(report, JSON_SORT_KEYS);
    hy_experiment_clean_up(&experiment);
    if (!shown_with_comma()) {
        json_decref(report);
        free(text);
        skip();
    }
    json_t *with_comma = shown_json(path);
    char *text_with_comma = json_dumps(with_comma, JSON_SORT_KEYS);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, text_with_comma);
    assert_true(json_equal(report, with_comma));
    json_decref(report);
    json_decref(with_comma);
    free(text);
    free(text_with_comma);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_numbers_are_finite),
        cmocka_unit_test(no_games_at_all),
        cmocka_unit_test(all_levels_of_record_give_one_report),
        cmocka_unit_test(outcomes_are_partitions),
        cmocka_unit_test(seeds_are_text),
        cmocka_unit_test(conditions_say_what_they_are),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("report/json", tests, scratch_make, scratch_remove);
}
