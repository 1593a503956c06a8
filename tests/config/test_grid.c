#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/config.h"
#include "config/folder.h"

#define MATCH "policies: [{south: random, north: random}]\n"

/* Line 4 is "rules:". */
static hy_status read_rules(const char *rules, const char *policies, hy_experiment *experiment,
                            hy_error *error)
{
    size_t size = strlen(rules) + strlen(policies) + 100;
    char *text = hy_new_array(size, 1);
    assert_non_null(text);
    snprintf(text, size, "experiment: a\nseed: 1\ngames: 1\nrules:\n%s%s", rules, policies);
    hy_status status = hy_config_experiment(folder_write_text("e.yaml", text), experiment, error);
    free(text);
    return status;
}

static void a_grid_has_its_cells_in_the_order_of_the_file(void **state)
{
    (void)state;
    static const unsigned holes[] = {12, 6, 8};
    hy_experiment experiment;
    assert_int_equal(read_rules("  relay: [true, false]\n  holes: [12, 6, 8]\n  seeds: 5\n",
                                "policies:\n  - {south: greedy, north: random}\n"
                                "  - {south: random, north: greedy, swap: true}\n",
                                &experiment, NULL),
                     HY_OK);
    assert_int_equal(experiment.num_conditions, 12);
    for (size_t i = 0; i < 12; i++) {
        const hy_condition *condition = &experiment.conditions[i];
        char one[HY_CONDITION_TEXT_SIZE], other[HY_CONDITION_TEXT_SIZE];
        assert_int_equal(condition->rules.relay, i < 6);
        assert_int_equal(condition->rules.holes, holes[i / 2 % 3]);
        assert_int_equal(condition->rules.seeds, 5);
        assert_int_equal(condition->swap, i % 2);
        assert_string_equal(condition->first->type->name, i % 2 == 0 ? "greedy" : "random");
        hy_condition_print(condition, one);
        for (size_t j = 0; j < i; j++) {
            hy_condition_print(&experiment.conditions[j], other);
            assert_string_not_equal(one, other);
            assert_ptr_not_equal(condition->first, experiment.conditions[j].first);
        }
    }
    hy_experiment_clean_up(&experiment);
}

static void presets_set_the_base_wherever_they_stand(void **state)
{
    (void)state;
    hy_experiment experiment;
    folder_write_text("mine.yaml", "name: mine\nsource: A test.\nholes: 3\nseeds: 9\n");
    assert_int_equal(read_rules("  holes: [4, 5]\n  preset: [ba-awa, mine.yaml, ./mine.yaml]\n",
                                MATCH, &experiment, NULL),
                     HY_INVALID);
    assert_int_equal(
        read_rules("  holes: [4, 5]\n  preset: [ba-awa, mine.yaml]\n", MATCH, &experiment, NULL),
        HY_OK);
    assert_int_equal(experiment.num_conditions, 4);
    for (size_t i = 0; i < 4; i++) {
        const hy_rules *rules = &experiment.conditions[i].rules;
        assert_int_equal(rules->holes, i < 2 ? 4 : 5);
        assert_int_equal(rules->claim, i % 2 == 0 ? 8 : 4);
        assert_int_equal(rules->seeds, i % 2 == 0 ? 4 : 9);
    }
    hy_experiment_clean_up(&experiment);
}

static void wrong_lists_are_refused_at_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        unsigned line, column;
        const char *word;
    } cases[] = {
        {"  holes: []\n", 5, 10, "the list of 'holes' is empty"},
        {"  holes: [6, 33]\n", 5, 14, "'holes' cannot be '33'; allowed: 1 … 32"},
        {"  holes:\n    - 6\n    - 0\n", 7, 7, "'holes' cannot be '0'"},
        {"  holes: [6, '7']\n", 5, 14, "the quoted text '7'"},
        {"  holes: [[6]]\n", 5, 11, "'holes' cannot be a list"},
        {"  holes: [6, 7, 6]\n", 5, 17, "'holes' has 6 twice in its list"},
        {"  relay: [true, true]\n", 5, 17, "'relay' has true twice in its list"},
        {"  endless: [annul, 'annul']\n", 5, 20, "'endless' has annul twice in its list"},
        {"  preset: [hoyito-i, hoyito-i]\n", 5, 22, "'preset' has hoyito-i twice in its list"},
        {"  preset: []\n", 5, 11, "the list of 'preset' is empty"},
        {"  preset: [hoyito-i, hoyito-x]\n", 5, 22, "unknown preset 'hoyito-x'; known: ba-awa"},
        {"  preset: nix/a.yaml\n", 5, 11, "nix/a.yaml': No such file"},
        {"  preset: [hoyito-ii, hoyito-ii-2x12]\n  holes: [6, 8]\n", 4, 1,
         "two cells of the grid are the same condition: preset=hoyito-ii, holes=6, and "
         "preset=hoyito-ii-2x12, holes=6"},
    };
    for (size_t i = 0; i < NUM(cases); i++) {
        hy_experiment experiment;
        hy_error error;
        hy_status status = read_rules(cases[i].rules, MATCH, &experiment, &error);
        assert_error(status, &error, folder_path("e.yaml"), cases[i].line, cases[i].column,
                     WORDS(cases[i].word));
    }
}

static void cells_that_cannot_go_together_are_named(void **state)
{
    (void)state;
    hy_experiment experiment;
    hy_error error;
    hy_status status =
        read_rules("  holes: [6, 1]\n  seeds: [4, 2]\n  claim: 4\n", MATCH, &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 7, 3,
                 WORDS("with holes=1, seeds=2: 'claim' is 4"));
    status = read_rules("  holes: [6, 1]\n  seeds: [4, 1]\n", MATCH, &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 5, 3,
                 WORDS("with holes=1, seeds=1: 'casa' is 4"));
    status =
        read_rules("  chain_capture: true\n  final_capture: false\n", MATCH, &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 5, 3, WORDS("'chain_capture' needs"));
    assert_null(strstr(error.text, "with "));
}

/* Appends "  key: [low, …, high]". */
static void append_range(char *text, const char *key, unsigned low, unsigned high)
{
    sprintf(text + strlen(text), "  %s: [", key);
    for (unsigned i = low; i <= high; i++)
        sprintf(text + strlen(text), "%s%u", i > low ? ", " : "", i);
    strcat(text, "]\n");
}

static void a_grid_has_a_bound(void **state)
{
    (void)state;
    char text[4096] = "";
    hy_experiment experiment;
    hy_error error;
    append_range(text, "holes", 3, 32);
    append_range(text, "seeds", 3, 32);
    append_range(text, "casa", 2, 16);
    strcat(text, "  relay: [true, false]\n  extra_turn: [true, false]\n");
    hy_status status = read_rules(text, MATCH, &experiment, &error);
    assert_int_equal(status, HY_OK);
    assert_int_equal(experiment.num_conditions, 30 * 30 * 15 * 4);
    hy_experiment_clean_up(&experiment);
    strcat(text, "  skip_origin: [true, false]\n");
    status = read_rules(text, MATCH, &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 4, 1,
                 WORDS("has 108000 conditions; at most 100000 are allowed"));
    append_range(text, "repetition", 2, 255);
    append_range(text, "claim", 0, 32);
    strcat(text, "  en_passant: [none, sower, owner]\n  capture_side: [any, opponent, own]\n");
    status = read_rules(text, MATCH, &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 4, 1,
                 WORDS("has 8147304000 conditions; at most 100000 are allowed"));
}

static void a_long_list_has_a_bound(void **state)
{
    (void)state;
    char *text = hy_new_array(1u << 19, 1);
    hy_experiment experiment;
    hy_error error;
    assert_non_null(text);
    size_t used = (size_t)sprintf(text, "  preset: [");
    for (unsigned i = 0; i < 20000; i++)
        used += (size_t)sprintf(text + used, "a%u.yaml,", i);
    strcat(text, "]\n");
    hy_status status = read_rules(text, MATCH, &experiment, &error);
    assert_error(status, &error, folder_path("e.yaml"), 5, 11,
                 WORDS("has 20000 values; at most 256 are allowed"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_grid_has_its_cells_in_the_order_of_the_file),
        cmocka_unit_test(presets_set_the_base_wherever_they_stand),
        cmocka_unit_test(wrong_lists_are_refused_at_their_place),
        cmocka_unit_test(cells_that_cannot_go_together_are_named),
        cmocka_unit_test(a_grid_has_a_bound),
        cmocka_unit_test(a_long_list_has_a_bound),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
