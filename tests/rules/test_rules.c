#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "rules/rules.h"
#include "support/variants.h"

#define NUM(array) (sizeof(array) / sizeof(array)[0])

static void the_table_is_complete(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "holes",         "seeds",      "relay",        "skip_origin", "casa",  "final_capture",
        "chain_capture", "en_passant", "capture_side", "extra_turn",  "claim", "claim_by",
        "no_move",       "endless",    "repetition",   "unfinished",
    };
    unsigned char reached[sizeof(hy_rules)] = {0};
    assert_int_equal(hy_num_fields, NUM(keys));
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        assert_string_equal(field->key, keys[i]);
        assert_true(strlen(field->meaning) > 10);
        assert_ptr_equal(hy_field_find(field->key), field);
        assert_int_equal(reached[field->offset]++, 0);
        for (unsigned w = 0; field->kind != HY_FIELD_INTEGER && w < HY_MAX_WORDS; w++)
            assert_int_equal(field->words[w] != NULL, w <= field->max);
    }
    assert_null(hy_field_find("hole"));
    assert_null(hy_field_find(""));
}

/* The column "default" of the page of rules. */
static void defaults_are_hoyito_ii(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    char text[HY_RULES_TEXT_SIZE];
    hy_rules_print(&rules, text);
    assert_string_equal(text, "holes=6 seeds=4 relay=true skip_origin=false casa=4 "
                              "final_capture=true chain_capture=true en_passant=none "
                              "capture_side=any extra_turn=true claim=4 claim_by=capturer "
                              "no_move=pass endless=annul repetition=0 unfinished=score");
    assert_int_equal(hy_rules_check(&rules, NULL, NULL), HY_OK);
    assert_int_equal(hy_rules_total(&rules), 48);
}

static void assert_takes(const hy_field *field, unsigned value)
{
    char buffer[HY_FIELD_TEXT_SIZE];
    const char *text = hy_field_text(field, value, buffer);
    hy_rules rules = hy_rules_default(), expected = rules;
    hy_error error = {0};
    ((uint8_t *)&expected)[field->offset] = (uint8_t)value;
    assert_int_equal(hy_field_set(field, text, &rules, &error), HY_OK);
    assert_int_equal(hy_field_get(field, &rules), value);
    assert_memory_equal(&rules, &expected, sizeof rules);
}

static void assert_refuses(const hy_field *field, const char *text)
{
    char buffer[HY_FIELD_TEXT_SIZE];
    hy_rules rules = hy_rules_default(), before = rules;
    hy_error error = {0};
    if (hy_field_set(field, text, &rules, &error) != HY_INVALID)
        fail_msg("'%s' took '%s'", field->key, text);
    assert_memory_equal(&rules, &before, sizeof rules);
    assert_int_equal(error.status, HY_INVALID);
    assert_non_null(strstr(error.text, field->key));
    assert_non_null(strstr(error.text, hy_field_allowed(field, buffer)));
}

static void every_allowed_value_is_taken(void **state)
{
    (void)state;
    unsigned taken = 0;
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        if (field->or_zero)
            assert_takes(field, 0);
        for (unsigned value = field->min; value <= field->max; value++, taken++)
            assert_takes(field, value);
    }
    assert_int_equal(taken, 32 + 32 + 15 + 33 + 254 + 5 * 2 + 2 * 3 + 4 * 2);
}

static void everything_else_is_refused(void **state)
{
    (void)state;
    static const char *const never[] = {
        "",
        " ",
        "-1",
        "+1",
        "010",
        "01",
        "1.0",
        "4.5",
        "1e1",
        "0x4",
        "True",
        "TRUE",
        "False",
        "yes",
        "no",
        "on",
        "off",
        "~",
        "null",
        "nan",
        "true ",
        " true",
        "4 ",
        " 4",
        "256",
        "257",
        "260",
        "4294967300",
        "18446744073709551620",
        "None",
        "ANY",
        "anyone",
    };
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        for (size_t j = 0; j < NUM(never); j++)
            assert_refuses(field, never[j]);
        if (field->kind != HY_FIELD_INTEGER) {
            assert_refuses(field, "0");
            assert_refuses(field, "1");
            assert_refuses(field, field->kind == HY_FIELD_BOOLEAN ? "none" : "true");
            continue;
        }
        char text[16];
        snprintf(text, sizeof text, "%u", field->max + 1);
        assert_refuses(field, text);
        assert_refuses(field, "true");
        if (field->min > 0 && !field->or_zero)
            assert_refuses(field, "0");
        if (field->min > 1) {
            snprintf(text, sizeof text, "%u", field->min - 1);
            assert_refuses(field, text);
        }
    }
}

static void a_misspelt_word_is_answered_with_the_right_one(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_error error = {0};
    assert_int_equal(hy_field_set(hy_field_find("en_passant"), "ownr", &rules, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "did you mean 'owner'?"));
    assert_int_equal(hy_field_set(hy_field_find("relay"), "True", &rules, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "did you mean 'true'?"));
}

static void what_is_allowed_is_said(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"holes", "1 … 32"},
        {"casa", "2 … 16"},
        {"claim", "0 … 32"},
        {"repetition", "0, 2 … 255"},
        {"relay", "true, false"},
        {"en_passant", "none, sower, owner"},
        {"capture_side", "any, opponent, own"},
    };
    for (size_t i = 0; i < NUM(pairs); i++) {
        char buffer[HY_FIELD_TEXT_SIZE];
        assert_string_equal(hy_field_allowed(hy_field_find(pairs[i][0]), buffer), pairs[i][1]);
    }
}

static void printed_rules_come_back(void **state)
{
    (void)state;
    dice d = {2};
    size_t longest = 0;
    for (int i = 0; i < 20000; i++) {
        hy_rules rules = variant_random(&d, HY_MAX_HOLES, HY_MAX_SEEDS), back;
        char text[HY_RULES_TEXT_SIZE];
        hy_error error = {0};
        hy_rules_print(&rules, text);
        if (strlen(text) > longest)
            longest = strlen(text);
        if (hy_rules_parse(text, &back, &error) != HY_OK)
            fail_msg("'%s': %s", text, error.text);
        assert_memory_equal(&back, &rules, sizeof rules);
    }
    assert_true(longest < HY_RULES_TEXT_SIZE - 1);
}

/* Every field at its longest text at once still has room. */
static void the_longest_text_has_room(void **state)
{
    (void)state;
    size_t size = 0;
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        size_t longest = 0;
        for (unsigned value = 0; value <= field->max; value++) {
            char buffer[HY_FIELD_TEXT_SIZE];
            size_t length = strlen(hy_field_text(field, value, buffer));
            longest = length > longest ? length : longest;
        }
        size += strlen(field->key) + 1 + longest + 1;
    }
    assert_true(size <= HY_RULES_TEXT_SIZE);
}

static void pairs_come_in_any_order_with_any_spaces(void **state)
{
    (void)state;
    hy_rules rules = variant_of("  claim=0   holes=12 "), expected = hy_rules_default();
    expected.claim = 0;
    expected.holes = 12;
    assert_memory_equal(&rules, &expected, sizeof rules);
    rules = variant_of("");
    expected = hy_rules_default();
    assert_memory_equal(&rules, &expected, sizeof rules);
}

static void wrong_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"holes", "holes"},
        {"holes=", "holes"},
        {"=6", "unknown field"},
        {"hole=6", "hole"},
        {"holes=6=6", "6=6"},
        {"holes=06", "06"},
        {"holes=6,seeds=4", "holes"},
        {"relay=yes", "relay"},
        {"Holes=6", "Holes"},
        {"claim=33", "claim"},
        {"casa=17", "casa"},
        {"casa=1", "casa"},
        {"repetition=1", "repetition"},
        {"holes=6 seeds=4 holes=6", "the field 'holes' is given twice"},
        {"unfinished=void unfinished=score", "the field 'unfinished' is given twice"},
    };
    char longer[HY_RULES_TEXT_SIZE + 1];
    hy_rules rules;
    hy_error error = {0};
    for (size_t i = 0; i < NUM(texts); i++) {
        if (hy_rules_parse(texts[i][0], &rules, &error) != HY_INVALID)
            fail_msg("'%s' was taken", texts[i][0]);
        assert_non_null(strstr(error.text, texts[i][1]));
    }
    memset(longer, ' ', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(hy_rules_parse(longer, &rules, &error), HY_INVALID);
}

static void fields_that_cannot_go_together_are_named(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"final_capture=false en_passant=sower", "chain_capture"},
        {"final_capture=false chain_capture=false", "final_capture"},
        {"holes=1 seeds=1", "casa"},
        {"holes=1 seeds=7 casa=15", "casa"},
        {"holes=2 seeds=1", "claim"},
        {"holes=1 seeds=16 claim=32", "claim"},
    };
    for (size_t i = 0; i < NUM(texts); i++) {
        hy_rules rules;
        hy_error error = {0};
        const char *key = NULL;
        assert_int_equal(hy_rules_parse(texts[i][0], &rules, &error), HY_INVALID);
        assert_int_equal(hy_rules_check(&rules, &key, &error), HY_INVALID);
        assert_string_equal(key, texts[i][1]);
        assert_non_null(strstr(error.text, texts[i][1]));
    }
}

/* The refusals as the page of rules words them, over many variants. */
static void nothing_else_is_refused_together(void **state)
{
    (void)state;
    dice d = {3};
    unsigned refused = 0;
    for (int i = 0; i < 100000; i++) {
        hy_rules rules = hy_rules_default();
        for (size_t f = 0; f < hy_num_fields; f++) {
            const hy_field *field = &hy_fields[f];
            unsigned value = field->min + dice_below(&d, field->max - field->min + 1);
            ((uint8_t *)&rules)[field->offset] = (uint8_t)value;
        }
        rules.holes = (uint8_t)(1 + dice_below(&d, 4));
        rules.seeds = (uint8_t)(1 + dice_below(&d, 4));
        unsigned total = 2u * rules.holes * rules.seeds;
        bool wrong = (rules.chain_capture && !rules.final_capture) ||
                     (!rules.final_capture && rules.en_passant == HY_EN_PASSANT_NONE) ||
                     total <= rules.claim || total < rules.casa;
        assert_int_equal(hy_rules_check(&rules, NULL, NULL), wrong ? HY_INVALID : HY_OK);
        refused += wrong;
    }
    assert_in_range(refused, 1000, 99000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_complete),
        cmocka_unit_test(defaults_are_hoyito_ii),
        cmocka_unit_test(every_allowed_value_is_taken),
        cmocka_unit_test(everything_else_is_refused),
        cmocka_unit_test(a_misspelt_word_is_answered_with_the_right_one),
        cmocka_unit_test(what_is_allowed_is_said),
        cmocka_unit_test(printed_rules_come_back),
        cmocka_unit_test(the_longest_text_has_room),
        cmocka_unit_test(pairs_come_in_any_order_with_any_spaces),
        cmocka_unit_test(wrong_texts_are_refused),
        cmocka_unit_test(fields_that_cannot_go_together_are_named),
        cmocka_unit_test(nothing_else_is_refused_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
