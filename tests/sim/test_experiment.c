#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sim/experiment.h"
#include "support/policies.h"
#include "support/variants.h"

static hy_condition condition_of(const char *first, const char *second)
{
    return (hy_condition){
        .rules = hy_rules_default(),
        .first = spec_of(first),
        .second = spec_of(second),
        .max_plies = HY_DEFAULT_MAX_PLIES,
        .max_laps = HY_DEFAULT_MAX_LAPS,
    };
}

static void condition_clean_up(hy_condition *condition)
{
    hy_policy_spec_destroy(condition->first);
    hy_policy_spec_destroy(condition->second);
}

static hy_experiment experiment_of(size_t num_conditions)
{
    hy_experiment experiment = {
        .name = strdup("name"),
        .question = strdup(""),
        .seed = 1,
        .games = 100,
        .record = HY_RECORD_GAMES,
        .num_conditions = num_conditions,
    };
    experiment.conditions = calloc(num_conditions, sizeof experiment.conditions[0]);
    assert_non_null(experiment.conditions);
    for (size_t i = 0; i < num_conditions; i++) {
        experiment.conditions[i] = condition_of("greedy", "random");
        experiment.conditions[i].rules.holes = (uint8_t)(6 + i);
    }
    return experiment;
}

static void the_text_of_a_condition_says_all(void **state)
{
    (void)state;
    hy_condition condition = condition_of("greedy", "epsilon:rate=0.1,policy=greedy");
    char text[HY_CONDITION_TEXT_SIZE], rules[HY_RULES_TEXT_SIZE], expected[HY_CONDITION_TEXT_SIZE];
    condition.swap = true;
    condition.opening_plies = 2;
    hy_rules_print(&condition.rules, rules);
    hy_condition_print(&condition, text);
    snprintf(expected, sizeof expected,
             "%s first=greedy second=epsilon:rate=0.1,policy=greedy swap=true opening_plies=2 "
             "max_plies=100000 max_laps=10000000",
             rules);
    assert_string_equal(text, expected);
    condition_clean_up(&condition);
}

static void assert_changes(const hy_condition *changed, const char *what)
{
    hy_condition plain = condition_of("greedy", "random");
    char one[HY_SHA256_HEX_SIZE], other[HY_SHA256_HEX_SIZE];
    hy_condition_hash(&plain, one);
    hy_condition_hash(changed, other);
    if (strcmp(one, other) == 0)
        fail_msg("another '%s' has the same hash", what);
    condition_clean_up(&plain);
}

static void everything_that_changes_games_changes_the_hash(void **state)
{
    (void)state;
    hy_condition condition = condition_of("greedy", "random"), changed;
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        changed = condition;
        unsigned value = hy_field_get(field, &changed.rules);
        ((uint8_t *)&changed.rules)[field->offset] =
            (uint8_t)(value == field->max ? 0 : field->max);
        assert_changes(&changed, field->key);
    }
    changed = condition;
    changed.first = condition.second;
    changed.second = condition.first;
    assert_changes(&changed, "order of policies");
    changed = condition;
    changed.swap = true;
    assert_changes(&changed, "swap");
    changed = condition;
    changed.opening_plies = 1;
    assert_changes(&changed, "opening_plies");
    changed = condition;
    changed.max_plies++;
    assert_changes(&changed, "max_plies");
    changed = condition;
    changed.max_laps++;
    assert_changes(&changed, "max_laps");
    condition_clean_up(&condition);
}

static void equal_conditions_have_equal_hashes(void **state)
{
    (void)state;
    hy_condition one = condition_of("greedy:ties=random", "epsilon:policy=random,rate=0.50");
    hy_condition other = condition_of("greedy", "epsilon:rate=0.5,policy=random");
    char hex[2][HY_SHA256_HEX_SIZE];
    hy_condition_hash(&one, hex[0]);
    hy_condition_hash(&other, hex[1]);
    assert_string_equal(hex[0], hex[1]);
    assert_int_equal(strlen(hex[0]), 64);
    condition_clean_up(&one);
    condition_clean_up(&other);
}

static void games_are_counted_by_seating(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of(3);
    assert_true(hy_experiment_num_games(&experiment) == 300);
    experiment.conditions[1].swap = true;
    assert_int_equal(hy_num_seatings(&experiment.conditions[0]), 1);
    assert_int_equal(hy_num_seatings(&experiment.conditions[1]), 2);
    assert_true(hy_experiment_num_games(&experiment) == 400);
    experiment.games = HY_LIMIT_GAMES;
    assert_true(hy_experiment_num_games(&experiment) == 4 * (uint64_t)HY_LIMIT_GAMES);
    hy_experiment_clean_up(&experiment);
    assert_null(experiment.conditions);
    assert_null(experiment.name);
    assert_int_equal(experiment.num_conditions, 0);
    hy_experiment_clean_up(&experiment);
}

/* The identity leaves out what does not change a game: name, question, number of games. */
static void what_identifies_an_experiment(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of(2);
    char plain[HY_SHA256_HEX_SIZE], hex[HY_SHA256_HEX_SIZE];
    hy_experiment_hash(&experiment, plain);
    experiment.games = 7;
    experiment.name[0] = 'N';
    hy_experiment_hash(&experiment, hex);
    assert_string_equal(plain, hex);
    experiment.seed = 4294967297u;
    hy_experiment_hash(&experiment, hex);
    assert_string_not_equal(plain, hex);
    experiment.seed = 1;
    experiment.record = HY_RECORD_MOVES;
    hy_experiment_hash(&experiment, hex);
    assert_string_not_equal(plain, hex);
    experiment.record = HY_RECORD_GAMES;
    hy_condition swapped = experiment.conditions[0];
    experiment.conditions[0] = experiment.conditions[1];
    experiment.conditions[1] = swapped;
    hy_experiment_hash(&experiment, hex);
    assert_string_not_equal(plain, hex);
    experiment.conditions[1] = experiment.conditions[0];
    experiment.conditions[0] = swapped;
    hy_experiment_hash(&experiment, hex);
    assert_string_equal(plain, hex);
    hy_experiment_clean_up(&experiment);
}

static void every_record_has_its_word(void **state)
{
    (void)state;
    static const char *const words[] = {"summary", "games", "moves"};
    for (int i = 0; i < HY_NUM_RECORDS; i++)
        assert_string_equal(hy_record_words[i], words[i]);
}

static void memory_that_is_not_there_is_refused(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of(2);
    hy_error error = {0};
    assert_int_equal(hy_experiment_check_memory(&experiment, 1024, &error), HY_OK);
    hy_policy_spec_destroy(experiment.conditions[1].first);
    experiment.conditions[1].first = spec_of("epsilon:rate=0.5,policy=(alphabeta:table=65536)");
    unsigned threads = (unsigned)(hy_memory_limit() >> 36) + 1;
    assert_int_equal(hy_experiment_check_memory(&experiment, threads, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "condition 2 take 65536 MiB"));
    assert_int_equal(hy_experiment_check_memory(&experiment, 0, &error), HY_OK);
    hy_experiment_clean_up(&experiment);
}

static void a_policy_says_what_it_takes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double low, high; /* MiB */
    } rows[] = {
        {"random", 0, 0},
        {"alphabeta:table=16", 16, 16},
        {"mcts:iterations=100000000,memory=64", 63.9, 64},
        {"mcts:iterations=1000,memory=64", 0.1, 1},
        {"epsilon:rate=0.5,policy=(mcts:iterations=100000000,memory=64)", 63.9, 64},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        hy_rules rules = hy_rules_default();
        hy_policy_spec *spec = spec_of(rows[i].text);
        double mib = hy_policy_spec_memory(spec, &rules) / 1048576;
        assert_true(mib >= rows[i].low && mib <= rows[i].high);
        hy_policy_spec_destroy(spec);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_of_a_condition_says_all),
        cmocka_unit_test(everything_that_changes_games_changes_the_hash),
        cmocka_unit_test(equal_conditions_have_equal_hashes),
        cmocka_unit_test(games_are_counted_by_seating),
        cmocka_unit_test(what_identifies_an_experiment),
        cmocka_unit_test(every_record_has_its_word),
        cmocka_unit_test(memory_that_is_not_there_is_refused),
        cmocka_unit_test(a_policy_says_what_it_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
