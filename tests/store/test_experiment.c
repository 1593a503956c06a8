/* Every key changes games, and an experiment with another value of any is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/databases.h"
#include "store/internal.h"
#include "support/policies.h"
#include "support/variants.h"

#define GAMES 200u

static hy_experiment one_condition(const char *rules)
{
    hy_experiment experiment = experiment_new(GAMES, HY_RECORD_GAMES);
    experiment_add(&experiment, rules, "random", "random", false);
    return experiment;
}

/* Opening the database for the other experiment fails, says both words, and changes nothing. */
static void assert_mismatch(const char *path, hy_experiment *other, const char *own_word,
                            const char *other_word)
{
    hy_store *store;
    hy_error error = {0};
    const char *before = file_copy(path, "before.db");
    hy_status status = hy_store_open_same(path, other, &store, NULL);
    assert_int_equal(status, HY_MISMATCH);
    status = hy_store_open_for(path, other, &store, &error);
    if (status != HY_MISMATCH || !strstr(error.text, own_word) || !strstr(error.text, other_word))
        fail_msg("status %d, '%s' and '%s' not in: %s", status, own_word, other_word, error.text);
    assert_non_null(strstr(error.text, "another experiment needs another file"));
    assert_true(file_same(before, path));
    assert_false(file_has_company(path));
}

/* How many games of the first condition are not the same in the two databases. */
static unsigned count_differing(const char *a, const char *b)
{
    hy_store *x, *y;
    unsigned num = 0;
    assert_int_equal(hy_store_open(a, &x, NULL), HY_OK);
    assert_int_equal(hy_store_open(b, &y, NULL), HY_OK);
    for (uint64_t number = 0; number < GAMES; number++) {
        hy_game_record one, other;
        bool found;
        assert_int_equal(hy_store_game(x, 0, false, number, &one, NULL, &found, NULL), HY_OK);
        assert_true(found);
        assert_int_equal(hy_store_game(y, 0, false, number, &other, NULL, &found, NULL), HY_OK);
        assert_true(found);
        num += hy_record_difference(&one, &other) != NULL;
    }
    hy_store_abandon(x);
    hy_store_abandon(y);
    return num;
}

/* The two experiments play different games, and neither takes the other's database. */
static void check_two(hy_experiment *a, hy_experiment *b, const char *word_a, const char *word_b)
{
    const char *first = play_all("a.db", a, 1), *second = play_all("b.db", b, 1);
    digest digest_a = digest_of(first);
    assert_other_digest(second, &digest_a);
    if (count_differing(first, second) == 0)
        fail_msg("'%s' and '%s' give the same games", word_a, word_b);
    assert_mismatch(first, b, word_a, word_b);
    assert_mismatch(second, a, word_b, word_a);
    file_remove(first);
    file_remove(second);
    hy_experiment_clean_up(a);
    hy_experiment_clean_up(b);
}

static void every_field_of_the_rules(void **state)
{
    (void)state;
    static const char *const values[][4] = {
        {"holes", "3", "4", "seeds=4"},
        {"seeds", "4", "3", "holes=3"},
        {"relay", "true", "false", "holes=3"},
        {"skip_origin", "false", "true", "holes=3"},
        {"casa", "4", "3", "holes=3"},
        {"final_capture", "true", "false", "holes=3 chain_capture=false en_passant=sower"},
        {"chain_capture", "true", "false", "holes=3"},
        {"en_passant", "none", "sower", "holes=3"},
        {"en_passant", "sower", "owner", "holes=3"},
        {"capture_side", "any", "opponent", "holes=3"},
        {"capture_side", "opponent", "own", "holes=3"},
        {"extra_turn", "true", "false", "holes=3"},
        {"claim", "4", "0", "holes=3"},
        {"claim_by", "capturer", "starter", "holes=3"},
        {"no_move", "pass", "sweep", "holes=3"},
        {"endless", "annul", "forbid", "holes=3"},
        {"repetition", "0", "2", "holes=2 claim=0"},
        {"repetition", "2", "3", "holes=2 claim=0"},
        {"unfinished", "score", "void", "holes=3"},
    };
    size_t num_fields = 0;
    for (size_t i = 0; i < NUM(values); i++) {
        char rules[2][128], words[2][64];
        for (size_t j = 0; j < 2; j++) {
            snprintf(words[j], sizeof words[j], "'%s=%s'", values[i][0], values[i][1 + j]);
            snprintf(rules[j], sizeof rules[j], "%s %s=%s", values[i][3], values[i][0],
                     values[i][1 + j]);
        }
        hy_experiment a = one_condition(rules[0]), b = one_condition(rules[1]);
        check_two(&a, &b, words[0], words[1]);
        num_fields += i == 0 || strcmp(values[i][0], values[i - 1][0]) != 0;
    }
    assert_int_equal(num_fields, hy_num_fields);
}

static void every_key_of_a_condition(void **state)
{
    (void)state;
    static const char *const words[][2] = {
        {"'first=random'", "'first=greedy'"},
        {"'second=random'", "'second=greedy:ties=first'"},
        {"'second=random'", "'second=epsilon:rate=0.5,policy=greedy'"},
        {"'opening_plies=0'", "'opening_plies=3'"},
        {"'max_plies=1000'", "'max_plies=10'"},
        {"'max_laps=100000'", "'max_laps=3'"},
    };
    for (size_t i = 0; i < NUM(words); i++) {
        hy_experiment a = one_condition("holes=3"), b = one_condition("holes=3");
        hy_condition *changed = &b.conditions[0];
        char text[64];
        snprintf(text, sizeof text, "%s", strchr(words[i][1], '=') + 1);
        text[strlen(text) - 1] = '\0';
        if (i < 3) {
            hy_policy_spec **spec = i == 0 ? &changed->first : &changed->second;
            hy_policy_spec_destroy(*spec);
            *spec = spec_of(text);
        } else {
            unsigned value = (unsigned)strtoul(text, NULL, 10);
            *(i == 3 ? &changed->opening_plies : &changed->max_plies) = i == 5 ? 1000 : value;
            changed->max_laps = i == 5 ? value : changed->max_laps;
        }
        if (i == 3) { /* random play from a random opening is random play from the start */
            hy_policy_spec_destroy(a.conditions[0].first);
            hy_policy_spec_destroy(changed->first);
            a.conditions[0].first = spec_of("greedy");
            changed->first = spec_of("greedy");
        }
        check_two(&a, &b, words[i][0], words[i][1]);
    }
}

/* The seat is a function of `swapped`: with seats swapped, south plays as the second policy. */
static void swapping_is_a_part_of_the_experiment(void **state)
{
    (void)state;
    hy_experiment one = experiment_new(GAMES, HY_RECORD_GAMES), both = one;
    both.name = strdup("");
    both.question = strdup("");
    experiment_add(&one, "holes=3", "greedy", "random", false);
    experiment_add(&both, "holes=3", "greedy", "random", true);
    const char *first = play_all("a.db", &one, 1), *second = play_all("b.db", &both, 1);
    assert_int_equal(count_differing(first, second), 0);
    assert_mismatch(first, &both, "'swap=false'", "'swap=true'");
    assert_mismatch(second, &one, "'swap=true'", "'swap=false'");
    int64_t south = sql_integer(second, "SELECT sum(result = 'south') FROM game WHERE swapped = 0");
    int64_t north = sql_integer(second, "SELECT sum(result = 'north') FROM game WHERE swapped = 1");
    assert_true(south > GAMES / 2 && north > GAMES / 2);
    assert_int_equal(sql_integer(second, "SELECT sum(south_policy = 'greedy') FROM v_game WHERE "
                                         "swapped = 0"),
                     GAMES);
    assert_int_equal(sql_integer(second, "SELECT sum(north_policy = 'greedy') FROM v_game WHERE "
                                         "swapped = 1"),
                     GAMES);
    file_remove(first);
    file_remove(second);
    hy_experiment_clean_up(&one);
    hy_experiment_clean_up(&both);
}

static void seed_record_and_conditions(void **state)
{
    (void)state;
    hy_experiment a = one_condition("holes=3"), b = one_condition("holes=3");
    b.seed = UINT64_MAX;
    check_two(&a, &b, "20261129", "18446744073709551615");

    hy_experiment own = experiment_small(20, HY_RECORD_GAMES), other = experiment_copy(&own);
    const char *path = play_all("own.db", &own, 1);
    other.record = HY_RECORD_SUMMARY;
    assert_mismatch(path, &other, "'record: games'", "'summary'");
    other.record = HY_RECORD_MOVES;
    assert_mismatch(path, &other, "'record: games'", "'moves'");
    other.record = HY_RECORD_GAMES;
    experiment_add(&other, "holes=4", "random", "random", false);
    assert_mismatch(path, &other, "2 conditions", "not 3");
    hy_experiment_clean_up(&other);

    other = experiment_copy(&own);
    hy_condition first = other.conditions[0];
    other.conditions[0] = other.conditions[1];
    other.conditions[1] = first;
    assert_mismatch(path, &other, "'holes=3'", "'holes=2'");
    file_remove(path);
    hy_experiment_clean_up(&own);
    hy_experiment_clean_up(&other);
}

/* What the database gives back is what was put in, for all sorts of rules and policies. */
static void an_experiment_comes_back(void **state)
{
    (void)state;
    static const char *const policies[] = {
        "random",
        "greedy",
        "greedy:ties=first",
        "epsilon:rate=0.1,policy=greedy",
        "epsilon:rate=0.25,policy=(greedy:ties=first)",
    };
    dice d = {7};
    hy_experiment experiment = experiment_new(HY_LIMIT_GAMES, HY_RECORD_SUMMARY);
    for (unsigned i = 0; i < 60; i++) {
        char rules[HY_RULES_TEXT_SIZE];
        hy_rules variant = variant_random(&d, HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_rules_print(&variant, rules);
        hy_condition *condition =
            experiment_add(&experiment, rules, policies[dice_below(&d, NUM(policies))],
                           policies[dice_below(&d, NUM(policies))], dice_one_in(&d, 2));
        condition->max_plies = i == 0 ? HY_LIMIT_MAX_PLIES : 1 + i;
        condition->max_laps = i == 0 ? HY_LIMIT_MAX_LAPS : 1 + i;
        condition->opening_plies = i == 0 ? HY_LIMIT_OPENING_PLIES : i;
    }
    hy_store *store;
    const char *path = scratch_path("back.db");
    char own[HY_SHA256_HEX_SIZE], back[HY_SHA256_HEX_SIZE];
    assert_int_equal(hy_store_open_for(path, &experiment, &store, NULL), HY_OK);
    assert_int_equal(hy_store_close(store, NULL), HY_OK);
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    const hy_experiment *read = hy_store_experiment(store);
    hy_experiment_hash(&experiment, own);
    hy_experiment_hash(read, back);
    assert_string_equal(own, back);
    assert_string_equal(read->name, experiment.name);
    assert_string_equal(read->question, experiment.question);
    assert_int_equal(read->games, HY_LIMIT_GAMES);
    hy_store_abandon(store);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_of_the_rules),
        cmocka_unit_test(every_key_of_a_condition),
        cmocka_unit_test(swapping_is_a_part_of_the_experiment),
        cmocka_unit_test(seed_record_and_conditions),
        cmocka_unit_test(an_experiment_comes_back),
    };
    return cmocka_run_group_tests_name("store/experiment", tests, scratch_make, scratch_remove);
}
