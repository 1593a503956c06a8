#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "config/folder.h"
#include "config/sample.h"
#include "rules/sowing.h"

/* Reads lines as a file; what is read is released again. */
static hy_status read_lines(const sample_line *lines, size_t num, hy_error *error)
{
    char text[SAMPLE_TEXT_SIZE];
    hy_experiment experiment;
    sample_print(lines, num, text);
    hy_status status = hy_config_experiment(folder_write_text("e.yaml", text), &experiment, error);
    if (status != HY_OK)
        assert_null(experiment.conditions);
    hy_experiment_clean_up(&experiment);
    return status;
}

static void the_sample_is_read(void **state)
{
    (void)state;
    sample_line lines[SAMPLE_MAX_LINES];
    char text[SAMPLE_TEXT_SIZE], condition[HY_CONDITION_TEXT_SIZE];
    hy_experiment experiment;
    sample_print(lines, sample_make(lines), text);
    const char *path = folder_write_text("e.yaml", text);
    assert_int_equal(hy_config_experiment(path, &experiment, NULL), HY_OK);
    assert_string_equal(experiment.name, "game_length");
    assert_string_equal(experiment.question, "How long is the game?");
    assert_true(experiment.seed == 20261129 && !experiment.seed_auto);
    assert_true(experiment.games == 20000);
    assert_int_equal(experiment.record, HY_RECORD_MOVES);
    assert_int_equal(experiment.num_conditions, 1);
    hy_condition_print(&experiment.conditions[0], condition);
    assert_non_null(strstr(condition, "holes=6 seeds=4"));
    assert_non_null(strstr(condition, " first=random second=epsilon:rate=0.25,policy="
                                      "(greedy:ties=first) swap=true opening_plies=2 "
                                      "max_plies=5000 max_laps=7000"));
    hy_experiment_clean_up(&experiment);
}

static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    hy_experiment experiment;
    const char *path =
        folder_write_text("e.yaml", "experiment: a\nseed: auto\ngames: 1\nrules: {}\n"
                                    "policies: [{south: random, north: random}]\n");
    assert_int_equal(hy_config_experiment(path, &experiment, NULL), HY_OK);
    const hy_condition *condition = &experiment.conditions[0];
    hy_rules rules = hy_rules_default();
    assert_string_equal(experiment.question, "");
    assert_true(experiment.seed_auto);
    assert_int_equal(experiment.record, HY_RECORD_GAMES);
    assert_int_equal(condition->max_plies, HY_DEFAULT_MAX_PLIES);
    assert_int_equal(condition->max_laps, HY_DEFAULT_MAX_LAPS);
    assert_int_equal(condition->opening_plies, 0);
    assert_false(condition->swap);
    assert_memory_equal(&condition->rules, &rules, sizeof rules);
    hy_experiment_clean_up(&experiment);
}

/* A letter too many, a letter missing, two letters swapped. */
static void misspell(const char *key, unsigned way, char *wrong)
{
    size_t size = strlen(key);
    strcpy(wrong, key);
    if (way == 0)
        strcpy(wrong + size, "x");
    else if (way == 1)
        strcpy(wrong + 1, key + 2);
    else {
        wrong[0] = key[1];
        wrong[1] = key[0];
    }
}

static void every_key_misspelt_is_refused_at_its_place(void **state)
{
    (void)state;
    sample_line lines[SAMPLE_MAX_LINES];
    size_t num = sample_make(lines);
    hy_error error;
    for (size_t i = 0; i < num; i++) {
        for (unsigned way = 0; way < 3; way++) {
            const char *key = lines[i].key;
            char wrong[64], quoted[80], meant[64];
            misspell(key, way, wrong);
            snprintf(quoted, sizeof quoted, "'%s'", wrong);
            snprintf(meant, sizeof meant, "did you mean '%s'?", key);
            lines[i].key = wrong;
            hy_status status = read_lines(lines, num, &error);
            assert_error(status, &error, folder_path("e.yaml"), (unsigned)i + 1,
                         sample_key_column(&lines[i]), WORDS("unknown", quoted, meant));
            lines[i].key = key;
        }
    }
    assert_int_equal(read_lines(lines, num, &error), HY_OK);
}

static void every_key_given_twice_is_refused_at_its_place(void **state)
{
    (void)state;
    sample_line lines[SAMPLE_MAX_LINES + 1];
    hy_error error;
    size_t num = sample_make(lines);
    for (size_t i = 0; i < num; i++) {
        char text[96];
        num = sample_make(lines);
        memmove(lines + i + 1, lines + i, (num - i) * sizeof lines[0]);
        lines[i].value = "1";
        if (lines[i + 1].item) {
            lines[i + 1].item = false;
            lines[i + 1].indent += 2;
        }
        snprintf(text, sizeof text, "'%s' is given twice: in line %zu and in line %zu",
                 lines[i].key, i + 1, i + 2);
        hy_status status = read_lines(lines, num + 1, &error);
        assert_error(status, &error, folder_path("e.yaml"), (unsigned)i + 2,
                     sample_key_column(&lines[i + 1]), WORDS(text));
    }
}

static void every_required_key_is_missed(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        size_t size; /* lines to leave out */
        unsigned column;
        const char *where;
    } required[] = {
        {"experiment", 1, 1, "experiment"}, {"seed", 1, 1, "experiment"},
        {"games", 1, 1, "experiment"},      {"rules", 2 + sizeof(hy_rules), 1, "experiment"},
        {"policies", 9, 1, "experiment"},   {"north", 6, 5, "south"},
        {"rate", 1, 7, "epsilon"},          {"policy", 3, 7, "epsilon"},
    };
    sample_line lines[SAMPLE_MAX_LINES];
    hy_error error;
    for (size_t i = 0; i < NUM(required); i++) {
        size_t num = sample_make(lines), at = sample_find(lines, num, required[i].key);
        char quoted[64];
        snprintf(quoted, sizeof quoted, "'%s'", required[i].key);
        num -= required[i].size;
        memmove(lines + at, lines + at + required[i].size, (num - at) * sizeof lines[0]);
        hy_status status = read_lines(lines, num, &error);
        size_t place = strcmp(required[i].where, "experiment") == 0
                           ? 0
                           : sample_find(lines, num, required[i].where);
        assert_error(status, &error, folder_path("e.yaml"), (unsigned)place + 1, required[i].column,
                     WORDS(quoted));
    }
}

/* Sets one line's value and expects an error there. */
static void expect_wrong_value(const char *key, const char *value, const char *allowed)
{
    sample_line lines[SAMPLE_MAX_LINES];
    size_t num = sample_make(lines), at = sample_find(lines, num, key);
    char quoted[64];
    hy_error error;
    snprintf(quoted, sizeof quoted, "'%s'", key);
    lines[at].value = value;
    hy_status status = read_lines(lines, num, &error);
    assert_error(status, &error, folder_path("e.yaml"), (unsigned)at + 1,
                 sample_value_column(&lines[at]), WORDS(quoted, allowed));
}

static void fields_are_refused_out_of_range_and_of_a_wrong_kind(void **state)
{
    (void)state;
    static const char *const wrong[] = {"{a: 1}", "'6'", "\"true\"", "010",  "+5",  "1e3", "1_000",
                                        "0x10",   "on",  "yes",      "True", "6.5", "null"};
    char allowed[HY_FIELD_TEXT_SIZE], value[32];
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        const char *text = hy_field_allowed(field, allowed);
        for (size_t w = 0; w < NUM(wrong); w++)
            expect_wrong_value(field->key, wrong[w], text);
        snprintf(value, sizeof value, "%d", (int)field->min - 1);
        if (!(field->or_zero && field->min == 1))
            expect_wrong_value(field->key, value, text);
        snprintf(value, sizeof value, "%u", field->max + 1);
        expect_wrong_value(field->key, value, text);
        expect_wrong_value(field->key, field->kind == HY_FIELD_INTEGER ? "true" : "7", text);
    }
}

static void other_numbers_are_refused_out_of_range_and_of_a_wrong_kind(void **state)
{
    (void)state;
    static const char *const wrong[] = {"{a: 1}", "[1, 2]", "'6'",  "010", "+5",  "-1",   "1e3",
                                        "1_000",  "0x10",   "true", "on",  "6.5", "null", "1 2"};
    static const struct {
        const char *key, *below, *above, *allowed;
    } numbers[] = {
        {"seed", "-1", "18446744073709551616", "0 … 18446744073709551615, auto"},
        {"games", "0", "1000000000001", "1 … 1000000000000"},
        {"max_plies", "0", "10000001", "1 … 10000000"},
        {"max_laps", "0", "1000000000001", "1 … 1000000000000"},
        {"random_plies", "-1", "1001", "0 … 1000"},
    };
    for (size_t i = 0; i < NUM(numbers); i++) {
        expect_wrong_value(numbers[i].key, numbers[i].below, numbers[i].allowed);
        expect_wrong_value(numbers[i].key, numbers[i].above, numbers[i].allowed);
        for (size_t w = 0; w < NUM(wrong); w++)
            expect_wrong_value(numbers[i].key, wrong[w], numbers[i].allowed);
    }
}

static void other_values_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *text;
    } cases[] = {
        {"experiment", "a b", "letters"},
        {"experiment", "é", "letters"},
        {"experiment", "2026", "'2026'; allowed: a text (in quotes"},
        {"experiment", "[a]", "a list"},
        {"experiment", "''", "1 … 64 bytes"},
        {"question", "[a]", "a list"},
        {"question", "12", "a text"},
        {"record", "game", "summary, games, moves; did you mean 'games'?"},
        {"record", "[games]", "summary, games, moves"},
        {"record", "1", "summary, games, moves"},
        {"seed", "Auto", "did you mean 'auto'?"},
        {"swap", "yes", "true, false"},
        {"swap", "'true'", "true, false"},
        {"swap", "[true, false]", "true, false"},
        {"swap", "True", "did you mean 'true'?"},
        {"rate", "1.5", "0 … 1"},
        {"rate", "-0.1", "0 … 1"},
        {"rate", "'0.1'", "the quoted text"},
        {"rate", ".5", "0 … 1"},
        {"rate", "[0.1, 0.2]", "a list"},
        {"rate", "nan", "0 … 1"},
        {"ties", "frist", "random, first"},
        {"ties", "{first: 1}", "random, first"},
        {"preset", "{a: 1}", "a mapping"},
    };
    for (size_t i = 0; i < NUM(cases); i++)
        expect_wrong_value(cases[i].key, cases[i].value, cases[i].text);
}

/* Cases whose message or place do not name the key. */
static void policies_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned column;
        const char *word;
    } cases[] = {
        {"[]", 11, "the list of 'policies' is empty"},
        {"random", 11, "'policies' cannot be 'random'"},
        {"{south: random, north: random}", 12, "unknown key 'south' in 'policies'"},
        {"[random]", 12, "an entry of 'policies' cannot be 'random'"},
        {"[{south: [random], north: random}]", 20, "a policy cannot be a list"},
        {"[{south: {}, north: random}]", 20, "a policy cannot be a mapping of several or no names"},
        {"[{south: {greedy: {}, random: {}}, north: random}]", 20, "several or no names"},
        {"[{south: , north: random}]", 20, "a policy cannot be empty"},
        {"[{south: randon, north: random}]", 20, "did you mean 'random'?"},
        {"[{south: {greedy: first}, north: random}]", 29, "the parameters of 'greedy'"},
        {"[{south: {random: {ties: first}}, north: random}]", 30, "'random' has no parameters"},
        {"[{south: {epsilon: {rate: 1}}, north: random}]", 21, "needs its parameter 'policy'"},
        {"[{south: epsilon, north: random}]", 20, "needs its parameter 'rate'"},
        {"[{south: greedy:ties=frist, north: random}]", 20, "random, first"},
        {"[{south: \"grüdy\", north: random}]", 20, "unknown policy 'grüdy'"},
        {"[{south: random, north: random}, {north: random, south: random}]", 44,
         "the same policies are given twice: in line 5 and in line 5"},
        {"[{south: greedy, north: random}, {north: random, south: {greedy: {ties: random}}}]", 44,
         "the same policies are given twice"},
    };
    for (size_t i = 0; i < NUM(cases); i++) {
        char text[512];
        hy_experiment experiment;
        hy_error error;
        snprintf(text, sizeof text, "experiment: a\nseed: 1\ngames: 1\nrules: {}\npolicies: %s\n",
                 cases[i].text);
        hy_status status =
            hy_config_experiment(folder_write_text("e.yaml", text), &experiment, &error);
        assert_error(status, &error, folder_path("e.yaml"), 5, cases[i].column,
                     WORDS(cases[i].word));
    }
}

static hy_status read_south(const char *policy, char *printed)
{
    char text[512];
    hy_experiment experiment;
    snprintf(text, sizeof text,
             "experiment: a\nseed: 1\ngames: 1\nrules: {}\npolicies: [{south: %s, north: "
             "random}]\n",
             policy);
    hy_status status = hy_config_experiment(folder_write_text("e.yaml", text), &experiment, NULL);
    if (status == HY_OK)
        hy_policy_spec_print(experiment.conditions[0].first, printed);
    hy_experiment_clean_up(&experiment);
    return status;
}

static void policies_have_several_spellings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *printed;
    } cases[] = {
        {"greedy", "greedy"},
        {"'greedy'", "greedy"},
        {"{greedy: {}}", "greedy"},
        {"{greedy: {ties: random}}", "greedy"},
        {"greedy:ties=first", "greedy:ties=first"},
        {"'epsilon:rate=0.1,policy=greedy'", "epsilon:rate=0.1,policy=greedy"},
        {"{epsilon: {policy: greedy, rate: 0.1}}", "epsilon:rate=0.1,policy=greedy"},
        {"{epsilon: {policy: greedy:ties=first, rate: 1}}",
         "epsilon:rate=1,policy=(greedy:ties=first)"},
        {"{epsilon: {rate: 0.5, policy: {greedy: {ties: first}}}}",
         "epsilon:rate=0.5,policy=(greedy:ties=first)"},
    };
    char printed[HY_POLICY_TEXT_SIZE];
    for (size_t i = 0; i < NUM(cases); i++) {
        assert_int_equal(read_south(cases[i].text, printed), HY_OK);
        assert_string_equal(printed, cases[i].printed);
    }
}

static void policies_within_policies_have_a_bound(void **state)
{
    (void)state;
    char text[512], next[512], printed[HY_POLICY_TEXT_SIZE];
    strcpy(text, "greedy");
    for (unsigned depth = 1; depth < 8; depth++) {
        assert_int_equal(read_south(text, printed),
                         depth <= HY_MAX_POLICY_DEPTH ? HY_OK : HY_INVALID);
        snprintf(next, sizeof next, "{epsilon: {rate: 0.1, policy: %.400s}}", text);
        strcpy(text, next);
    }
    /* Three in the tree, and a text of three at the end of them. */
    assert_int_equal(
        read_south("{epsilon: {rate: 0, policy: {epsilon: {rate: 0, policy: 'epsilon:rate=0,"
                   "policy=(epsilon:rate=0,policy=greedy)'}}}}",
                   printed),
        HY_INVALID);
}

static void what_is_no_experiment_is_refused(void **state)
{
    (void)state;
    hy_experiment experiment;
    hy_error error;
    assert_int_equal(hy_config_experiment(folder_path("no.yaml"), &experiment, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "no.yaml"));
    assert_int_equal(hy_config_experiment(folder_path("."), &experiment, &error), HY_INVALID);
    hy_status status = hy_config_experiment(folder_write("e.yaml", "", 0), &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 1, 1, WORDS("empty"));
    status = hy_config_experiment(folder_write_text("e.yaml", "[1]"), &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 1, 1, WORDS("cannot be a list", "games"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_is_read),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(every_key_misspelt_is_refused_at_its_place),
        cmocka_unit_test(every_key_given_twice_is_refused_at_its_place),
        cmocka_unit_test(every_required_key_is_missed),
        cmocka_unit_test(fields_are_refused_out_of_range_and_of_a_wrong_kind),
        cmocka_unit_test(other_numbers_are_refused_out_of_range_and_of_a_wrong_kind),
        cmocka_unit_test(other_values_are_refused_at_their_place),
        cmocka_unit_test(policies_are_refused_at_their_place),
        cmocka_unit_test(policies_have_several_spellings),
        cmocka_unit_test(policies_within_policies_have_a_bound),
        cmocka_unit_test(what_is_no_experiment_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
