#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "config/folder.h"

/* Reads an experiment with these policies, which stand in line 5 from column 11 on. */
static hy_status read_with(const char *rules, const char *policies, hy_experiment *experiment,
                           hy_error *error)
{
    size_t size = strlen(policies) + 200;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "experiment: a\nseed: 1\ngames: 1\nrules: %s\npolicies: %s\n", rules,
             policies);
    hy_status status = hy_config_experiment(folder_write_text("e.yaml", text), experiment, error);
    free(text);
    return status;
}

static void assert_match(const hy_condition *condition, const char *first, const char *second,
                         bool swap)
{
    char printed[HY_POLICY_TEXT_SIZE];
    hy_policy_spec_print(condition->first, printed);
    assert_string_equal(printed, first);
    hy_policy_spec_print(condition->second, printed);
    assert_string_equal(printed, second);
    assert_int_equal(condition->swap, swap);
}

#define HALF "epsilon:rate=0.5,policy=greedy"

static void a_round_robin_is_all_pairs_with_swapped_seats(void **state)
{
    (void)state;
    hy_experiment experiment;
    assert_int_equal(read_with("{}",
                               "{round_robin: [random, {epsilon: {rate: 0.5, policy: greedy}}, "
                               "greedy]}",
                               &experiment, NULL),
                     HY_OK);
    assert_int_equal(experiment.num_conditions, 3);
    assert_match(&experiment.conditions[0], "random", HALF, true);
    assert_match(&experiment.conditions[1], "random", "greedy", true);
    assert_match(&experiment.conditions[2], HALF, "greedy", true);
    hy_experiment_clean_up(&experiment);
}

static void self_adds_games_against_oneself(void **state)
{
    (void)state;
    hy_experiment experiment;
    assert_int_equal(read_with("{holes: [4, 6]}", "{self: true, round_robin: [random, greedy]}",
                               &experiment, NULL),
                     HY_OK);
    assert_int_equal(experiment.num_conditions, 6);
    for (size_t i = 0; i < 6; i += 3) {
        const hy_condition *conditions = &experiment.conditions[i];
        assert_int_equal(conditions->rules.holes, i == 0 ? 4 : 6);
        assert_match(&conditions[0], "random", "random", false);
        assert_match(&conditions[1], "random", "greedy", true);
        assert_match(&conditions[2], "greedy", "greedy", false);
    }
    hy_experiment_clean_up(&experiment);
    assert_int_equal(
        read_with("{}", "{round_robin: [random, greedy], self: false}", &experiment, NULL), HY_OK);
    assert_int_equal(experiment.num_conditions, 1);
    hy_experiment_clean_up(&experiment);
}

/* A round robin and its list are the same experiment. */
static void a_round_robin_is_short_for_a_list(void **state)
{
    (void)state;
    hy_experiment robin, list;
    char one[HY_SHA256_HEX_SIZE], other[HY_SHA256_HEX_SIZE];
    assert_int_equal(read_with("{}", "{round_robin: [random, greedy], self: true}", &robin, NULL),
                     HY_OK);
    assert_int_equal(read_with("{}",
                               "[{south: random, north: random}, {south: random, north: greedy, "
                               "swap: true}, {south: greedy, north: greedy}]",
                               &list, NULL),
                     HY_OK);
    hy_experiment_hash(&robin, one);
    hy_experiment_hash(&list, other);
    assert_string_equal(one, other);
    hy_experiment_clean_up(&robin);
    hy_experiment_clean_up(&list);
}

static void faults_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned column;
        const char *word;
    } cases[] = {
        {"{}", 11, "the key 'round_robin' is missing in 'policies'"},
        {"{self: true}", 11, "the key 'round_robin' is missing"},
        {"{round_robbin: [random, greedy]}", 12, "did you mean 'round_robin'?"},
        {"{round_robin: [random, greedy], selff: true}", 43, "did you mean 'self'?"},
        {"{round_robin: [random, greedy], self: yes}", 49, "true, false"},
        {"{round_robin: random}", 25, "'round_robin' cannot be 'random'"},
        {"{round_robin: {greedy: {}}}", 25, "'round_robin' cannot be a mapping"},
        {"{round_robin: []}", 25, "has 0 policies; it must have two or more"},
        {"{round_robin: [random]}", 25, "has 1 policies; it must have two or more"},
        {"{round_robin: [random, randon]}", 34, "did you mean 'random'?"},
        {"{round_robin: [random, [greedy]]}", 34, "a policy cannot be a list"},
        {"{round_robin: [random, greedy, random]}", 42,
         "the policy 'random' is given twice: in line 5 and in line 5"},
        {"{round_robin: [greedy, random, {greedy: {ties: random}}]}", 42,
         "the policy 'greedy' is given twice"},
        {"{round_robin: [random, greedy, {epsilon: {rate: 1}}]}", 43,
         "needs its parameter 'policy'"},
    };
    for (size_t i = 0; i < NUM(cases); i++) {
        hy_experiment experiment;
        hy_error error;
        hy_status status = read_with("{}", cases[i].text, &experiment, &error);
        assert_error(status, &error, folder_path("e.yaml"), 5, cases[i].column,
                     WORDS(cases[i].word));
    }
}

/* 500 policies are 124,750 pairs, more than the conditions of an experiment. */
static void the_number_of_pairs_has_a_bound(void **state)
{
    (void)state;
    size_t size = 500 * 48 + 64, used = 0;
    char *text = malloc(size);
    hy_experiment experiment;
    hy_error error;
    assert_non_null(text);
    used += (size_t)snprintf(text, size, "{round_robin: [");
    for (unsigned i = 1; i <= 500; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "'epsilon:rate=0.%03u,policy=greedy', ", i);
    snprintf(text + used, size - used, "random]}");
    assert_int_equal(read_with("{}", text, &experiment, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "125250 conditions; at most 100000"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_robin_is_all_pairs_with_swapped_seats),
        cmocka_unit_test(self_adds_games_against_oneself),
        cmocka_unit_test(a_round_robin_is_short_for_a_list),
        cmocka_unit_test(faults_are_refused_at_their_place),
        cmocka_unit_test(the_number_of_pairs_has_a_bound),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
