#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "config/config.h"
#include "config/folder.h"

#define HEAD "name: mine\nsource: A test.\n"

static hy_status read_text(const char *text, hy_variant *variant, hy_error *error)
{
    return hy_config_variant(folder_write_text("rules.yaml", text), variant, error);
}

/* The table of presets on the page of rules. */
static void presets_are_the_recorded_games(void **state)
{
    (void)state;
    static const struct {
        const char *name, *fields;
    } presets[] = {
        {"ba-awa",
         "chain_capture=false en_passant=owner extra_turn=false claim=8 claim_by=starter"},
        {"hoyito-i", "chain_capture=false en_passant=sower extra_turn=false"},
        {"hoyito-ii", ""},
        {"hoyito-ii-2x12", "holes=12"},
        {"hoyito-ii-opponent-side", "capture_side=opponent"},
        {"hoyito-iii", "chain_capture=false"},
    };
    hy_variant variant, named, file;
    hy_rules rules;
    char path[512];
    assert_int_equal(hy_num_presets(), NUM(presets));
    for (size_t i = 0; i < NUM(presets); i++) {
        assert_int_equal(hy_preset(i, &variant, NULL), HY_OK);
        assert_string_equal(variant.name, presets[i].name);
        assert_true(strlen(variant.source) > 20);
        assert_int_equal(hy_rules_parse(presets[i].fields, &rules, NULL), HY_OK);
        assert_memory_equal(&variant.rules, &rules, sizeof rules);
        assert_int_equal(hy_config_variant(presets[i].name, &named, NULL), HY_OK);
        assert_memory_equal(&named.rules, &rules, sizeof rules);
        snprintf(path, sizeof path, HOYITO_SOURCE "/configs/rules/%s.yaml", presets[i].name);
        assert_int_equal(hy_config_variant(path, &file, NULL), HY_OK);
        assert_string_equal(file.name, variant.name);
        assert_string_equal(file.source, variant.source);
        assert_memory_equal(&file.rules, &rules, sizeof rules);
    }
    assert_int_equal(hy_preset(hy_num_presets(), &variant, NULL), HY_INVALID);
}

static void an_unknown_preset_is_answered_with_the_names(void **state)
{
    (void)state;
    hy_variant variant;
    hy_error error;
    hy_status status = hy_config_variant("hoyto-ii", &variant, &error);
    assert_error(status, &error, "", 0, 0,
                 WORDS("'hoyto-ii'", "ba-awa, hoyito-i, ", "did you mean 'hoyito-ii'"));
    status = hy_config_variant("chess", &variant, &error);
    assert_error(status, &error, "", 0, 0, WORDS("'chess'", "hoyito-iii"));
    status = hy_config_variant("", &variant, &error);
    assert_error(status, &error, "", 0, 0, WORDS("hoyito-iii"));
    status = read_text(HEAD "preset: hoyito-iv\n", &variant, &error);
    assert_error(status, &error, folder_path("rules.yaml"), 3, 9, WORDS("'hoyito-iv'", "known:"));
}

static void every_value_of_a_field_comes_back(void **state)
{
    (void)state;
    hy_variant variant;
    hy_error error;
    char text[128], value[HY_FIELD_TEXT_SIZE];
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        for (unsigned v = field->or_zero ? 0 : field->min; v <= field->max; v++) {
            if (v > 0 && v < field->min)
                continue;
            hy_rules rules = hy_rules_default();
            const char *word = hy_field_text(field, v, value);
            snprintf(text, sizeof text, HEAD "%s: %s\n", field->key, word);
            assert_int_equal(hy_field_set(field, word, &rules, NULL), HY_OK);
            const char *named = NULL;
            hy_status expected = hy_rules_check(&rules, &named, NULL);
            hy_status status = read_text(text, &variant, &error);
            assert_int_equal(status, expected);
            if (status == HY_OK)
                assert_memory_equal(&variant.rules, &rules, sizeof rules);
            else
                assert_int_equal(error.line, strcmp(named, field->key) == 0 ? 3 : 1);
        }
    }
}

static void values_of_a_wrong_kind_are_refused_at_their_place(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "[6]",    "{a: 1}", "'6'",  "\"true\"", "010",  "+5",
        "1e3",    "1_000",  "0x10", "-1",       "6.0",  "on",
        "yes",    "True",   "1000", "~",        "null", "99999999999999999999",
        "|\n  6",
    };
    hy_variant variant;
    hy_error error;
    char text[128], allowed[HY_FIELD_TEXT_SIZE], quoted[64];
    for (size_t i = 0; i < hy_num_fields; i++) {
        for (size_t w = 0; w < NUM(wrong); w++) {
            const char *key = hy_fields[i].key;
            snprintf(text, sizeof text, HEAD "%s: %s\n", key, wrong[w]);
            snprintf(quoted, sizeof quoted, "'%s'", key);
            hy_status status = read_text(text, &variant, &error);
            assert_error(status, &error, folder_path("rules.yaml"), 3, (unsigned)strlen(key) + 3,
                         WORDS(quoted, hy_field_allowed(&hy_fields[i], allowed)));
        }
    }
}

static void fields_that_cannot_go_together_are_pointed_at(void **state)
{
    (void)state;
    hy_variant variant;
    hy_error error;
    hy_status status = read_text(HEAD "final_capture: false\n", &variant, &error);
    assert_error(status, &error, folder_path("rules.yaml"), 1, 1, WORDS("'chain_capture' needs"));
    status = read_text(HEAD "chain_capture: true\nfinal_capture: false\n", &variant, &error);
    assert_error(status, &error, folder_path("rules.yaml"), 3, 1, WORDS("'chain_capture' needs"));
    status = read_text(HEAD "holes: 1\nseeds: 2\nclaim: 4\n", &variant, &error);
    assert_error(status, &error, folder_path("rules.yaml"), 5, 1, WORDS("'claim' is 4"));
}

static void the_head_of_a_file_is_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
        const char *word;
    } cases[] = {
        {"source: x y\n", 1, 1, "the key 'name' is missing"},
        {"name: x\n", 1, 1, "the key 'source' is missing"},
        {"name: x\nsource: ''\n", 2, 9, "'source' cannot be"},
        {"name: x\nsource:\n", 2, 8, "'source' cannot be empty"},
        {"name: x y\nsource: s\n", 1, 7, "letters"},
        {"name: x_y\nsource: s\n", 1, 7, "letters"},
        {"name: é\nsource: s\n", 1, 7, "letters"},
        {"name: 12\nsource: s\n", 1, 7, "'name' cannot be '12'; allowed: a text (in quotes"},
        {"name: true\nsource: s\n", 1, 7, "'name' cannot be 'true'"},
        {"name: [a]\nsource: s\n", 1, 7, "'name' cannot be a list"},
        {"name: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nsource: s\n", 1,
         7, "1 … 63 bytes"},
        {HEAD "hoels: 6\n", 3, 1, "unknown key 'hoels' in a rules file; allowed: name, source, "},
        {HEAD "hoels: 6\n", 3, 1, "did you mean 'holes'?"},
        {HEAD "holes: 6\nholes: 7\n", 4, 1, "'holes' is given twice: in line 3 and in line 4"},
        {HEAD "preset: [hoyito-i]\n", 3, 9, "'preset' cannot be a list"},
        {HEAD "preset: 6\n", 3, 9, "unknown preset '6'"},
        {"hoyito-ii\n", 1, 1, "a rules file cannot be 'hoyito-ii'; it must be a mapping"},
        {"- 1\n", 1, 1, "a rules file cannot be a list"},
    };
    for (size_t i = 0; i < NUM(cases); i++) {
        hy_variant variant;
        hy_error error;
        hy_status status = read_text(cases[i].text, &variant, &error);
        assert_error(status, &error, folder_path("rules.yaml"), cases[i].line, cases[i].column,
                     WORDS(cases[i].word));
    }
}

static void files_start_from_presets_and_files(void **state)
{
    (void)state;
    hy_variant variant;
    hy_error error;
    mkdir(folder_path("sub"), 0700);
    folder_write_text("sub/base.yaml",
                      "name: base\nsource: A base.\npreset: hoyito-i\nholes: 3\nseeds: 5\n");
    hy_status status = read_text(HEAD "seeds: 7\npreset: sub/base.yaml\n", &variant, &error);
    assert_int_equal(status, HY_OK);
    assert_string_equal(variant.name, "mine");
    assert_string_equal(variant.source, "A test.");
    assert_int_equal(variant.rules.holes, 3);
    assert_int_equal(variant.rules.seeds, 7);
    assert_int_equal(variant.rules.en_passant, HY_EN_PASSANT_SOWER);
    folder_write_text("sub/bad.yaml", "name: base\nsource: A base.\nholes: 0\n");
    status = read_text(HEAD "preset: sub/bad.yaml\n", &variant, &error);
    assert_error(status, &error, folder_path("sub/bad.yaml"), 3, 8, WORDS("'holes'"));
    status = read_text(HEAD "preset: sub/no.yaml\n", &variant, &error);
    assert_error(status, &error, folder_path("rules.yaml"), 3, 9, WORDS("sub/no.yaml': No such"));
}

static void a_circle_of_files_is_found(void **state)
{
    (void)state;
    hy_variant variant;
    hy_error error;
    char text[128], name[32];
    hy_status status = read_text(HEAD "preset: rules.yaml\n", &variant, &error);
    assert_error(status, &error, folder_path("rules.yaml"), 3, 9, WORDS("starts from itself"));
    folder_write_text("other.yaml", HEAD "preset: ./rules.yaml\n");
    status = read_text(HEAD "preset: other.yaml\n", &variant, &error);
    assert_int_equal(status, HY_INVALID);
    assert_int_equal(error.line, 3);
    for (unsigned i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "step%u.yaml", i);
        snprintf(text, sizeof text, HEAD "preset: step%u.yaml\n", i + 1);
        folder_write_text(name, i < 19 ? text : HEAD);
    }
    status = hy_config_variant(folder_path("step19.yaml"), &variant, &error);
    assert_int_equal(status, HY_OK);
    status = hy_config_variant(folder_path("step15.yaml"), &variant, &error);
    assert_int_equal(status, HY_OK);
    status = hy_config_variant(folder_path("step0.yaml"), &variant, &error);
    assert_int_equal(status, HY_INVALID);
    assert_non_null(strstr(error.text, "more than 8 variants"));
}

static void what_is_no_rules_file_is_refused(void **state)
{
    (void)state;
    hy_variant variant;
    hy_error error;
    assert_int_equal(hy_config_variant(folder_path("missing.yml"), &variant, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "missing.yml"));
    assert_int_equal(hy_config_variant(folder_path("."), &variant, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "directory"));
    hy_status status = read_text("", &variant, &error);
    assert_error(status, &error, folder_path("rules.yaml"), 1, 1, WORDS("empty"));
}

static void a_path_has_a_bound(void **state)
{
    (void)state;
    static char text[2 * PATH_MAX], name[PATH_MAX];
    hy_variant variant;
    hy_error error;
    size_t folder = strlen(folder_path("rules.yaml")) - strlen("rules.yaml");
    for (size_t more = 0; more < 2; more++) {
        size_t size = PATH_MAX - 1 - folder + more;
        memset(name, 'x', size);
        strcpy(name + size - strlen(".yaml"), ".yaml");
        snprintf(text, sizeof text, HEAD "preset: %s\n", name);
        hy_status status = read_text(text, &variant, &error);
        assert_error(status, &error, folder_path("rules.yaml"), 3, 9,
                     WORDS(more ? "a path of more than 4095 bytes" : "cannot read"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_are_the_recorded_games),
        cmocka_unit_test(an_unknown_preset_is_answered_with_the_names),
        cmocka_unit_test(every_value_of_a_field_comes_back),
        cmocka_unit_test(values_of_a_wrong_kind_are_refused_at_their_place),
        cmocka_unit_test(fields_that_cannot_go_together_are_pointed_at),
        cmocka_unit_test(the_head_of_a_file_is_checked),
        cmocka_unit_test(files_start_from_presets_and_files),
        cmocka_unit_test(a_circle_of_files_is_found),
        cmocka_unit_test(what_is_no_rules_file_is_refused),
        cmocka_unit_test(a_path_has_a_bound),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
