#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "config/folder.h"
#include "config/text_file.h"
#include "config/yaml_tree.h"

static hy_status parse(const char *text, size_t size, hy_error *error)
{
    hy_yaml_document document;
    hy_status status = hy_yaml_parse(text, size, "a.yaml", &document, error);
    if (status == HY_OK)
        hy_yaml_clean_up(&document);
    else
        assert_null(document.root);
    return status;
}

static void nodes_know_kind_and_place(void **state)
{
    (void)state;
    static const char text[] = "# comment\nname: 'x'\nlist: [6, \"12\"]\nü: {b: |\n  text\n  }\n";
    static const char good[] = "# comment\nname: 'x'\nlist: [6, \"12\"]\nü: {é: c}\n";
    hy_yaml_document document;
    hy_error error;
    assert_int_equal(hy_yaml_parse(text, sizeof text - 1, "f", &document, &error), HY_INVALID);
    assert_int_equal(hy_yaml_parse(good, sizeof good - 1, "f", &document, &error), HY_OK);
    const hy_yaml_node *root = document.root, *list = hy_yaml_get(root, "list");
    assert_int_equal(root->kind, HY_YAML_MAPPING);
    assert_int_equal(root->line, 2);
    assert_int_equal(root->num_items, 3);
    assert_false(hy_yaml_get(root, "name")->plain);
    assert_string_equal(hy_yaml_get(root, "name")->text, "x");
    assert_int_equal(list->kind, HY_YAML_SEQUENCE);
    assert_int_equal(list->key->column, 1);
    assert_true(list->items[0]->plain);
    assert_false(list->items[1]->plain);
    assert_int_equal(list->items[1]->line, 3);
    assert_int_equal(list->items[1]->column, 11);
    assert_int_equal(hy_yaml_get(hy_yaml_get(root, "ü"), "é")->column, 8);
    assert_string_equal(list->file, "f");
    assert_null(hy_yaml_get(root, "nam"));
    hy_yaml_clean_up(&document);
    assert_null(document.root);
}

static void what_is_no_plain_data_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned line, column;
        const char *word;
    } cases[] = {
        {"a: 1\nb: *x\n", 2, 4, "aliases"},
        {"a: &x 1\n", 1, 4, "anchors"},
        {"a: &x [1]\n", 1, 4, "anchors"},
        {"a: &x {b: 1}\n", 1, 4, "anchors"},
        {"a: !!int 1\n", 1, 4, "tags"},
        {"a: ! 1\n", 1, 4, "tags"},
        {"a: !x [1]\n", 1, 4, "tags"},
        {"--- !x {b: 1}\n", 1, 5, "tags"},
        {"a: 1\n---\nb: 1\n", 2, 1, "more than one document"},
        {"a: 1\n...\n---\n", 3, 1, "more than one document"},
        {"", 1, 1, "empty"},
        {" \n\n", 1, 1, "empty"},
        {"# only a comment\n", 1, 1, "empty"},
        {"---\n", 1, 1, "empty"},
        {"---\n...\n", 1, 1, "empty"},
        {"a: 1\nb:\n  c: 1\n  d: 2\n  c: 3\n", 5, 3, "'c' is given twice: in line 3 and in line 5"},
        {"{a: 1, 'a': 2}\n", 1, 8, "'a' is given twice: in line 1 and in line 1"},
        {"? [a]\n: 1\n", 1, 3, "a key cannot be a list or a mapping"},
        {"{{a: 1}: 1}\n", 1, 2, "a key cannot be a list or a mapping"},
        {"a: \"x\\0y\"\n", 1, 4, "NUL"},
        {"a: [1, 2\nb: 1\n", 2, 2, "invalid YAML"},
        {"a: 1\n\tb: 2\n", 2, 1, "invalid YAML"},
        {"a: b: c\n", 1, 5, "invalid YAML"},
        {"a: 'x\n", 2, 1, "invalid YAML"},
        {"a: 1\nb: \xff\n", 2, 4, "invalid YAML"},
        {"é: \xc3\x28\n", 1, 5, "invalid YAML"},
        {"a: \x01\n", 1, 4, "control characters"},
    };
    for (size_t i = 0; i < NUM(cases); i++) {
        hy_error error;
        hy_status status = parse(cases[i].text, strlen(cases[i].text), &error);
        assert_error(status, &error, "a.yaml", cases[i].line, cases[i].column,
                     WORDS(cases[i].word));
        assert_int_equal(parse(cases[i].text, strlen(cases[i].text), NULL), HY_INVALID);
    }
}

static void a_nul_byte_is_no_end(void **state)
{
    (void)state;
    static const char text[] = "a: 1\nb\0: 2\n";
    hy_error error;
    hy_status status = parse(text, sizeof text - 1, &error);
    assert_error(status, &error, "a.yaml", 2, 2, WORDS("control characters"));
    status = parse("a: 1\n\0", 6, &error);
    assert_error(status, &error, "a.yaml", 2, 1, WORDS("control characters"));
}

static void nesting_has_a_bound(void **state)
{
    (void)state;
    char text[64];
    hy_error error;
    for (unsigned depth = 14; depth <= 18; depth++) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        hy_status status = parse(text, 2 * depth, &error);
        if (depth <= HY_YAML_MAX_DEPTH)
            assert_int_equal(status, HY_OK);
        else
            assert_error(status, &error, "a.yaml", 1, HY_YAML_MAX_DEPTH + 1,
                         WORDS("more than 16 levels"));
    }
}

static void mappings_have_a_bound(void **state)
{
    (void)state;
    char text[200 * 8];
    hy_error error;
    size_t used = 0, last = 0;
    for (unsigned i = 0; i < HY_YAML_MAX_KEYS + 1; i++) {
        last = used;
        used += (size_t)snprintf(text + used, sizeof text - used, "k%u: 1\n", i);
    }
    assert_int_equal(parse(text, last, &error), HY_OK);
    hy_status status = parse(text, used, &error);
    assert_error(status, &error, "a.yaml", HY_YAML_MAX_KEYS + 1, 1, WORDS("more than 128 keys"));
}

/* Text that makes parsers slow: brackets, dashes, keys, quotes, a long line; noise. */
static void a_large_text_is_answered_soon(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "[",     "{",   "- ",   "? ",  "a: ", "'", "\"",     "a",       "a\n",
        "- a\n", "[a,", "{a: ", "&a ", "!a ", "%", "a: |\n", "\xf0\x9f"};
    const size_t size = HY_TEXT_FILE_LIMIT;
    char *text = malloc(size);
    hy_error error;
    assert_non_null(text);
    for (size_t i = 0; i < NUM(pieces); i++) {
        size_t piece = strlen(pieces[i]);
        for (size_t at = 0; at < size; at++)
            text[at] = pieces[i][at % piece];
        clock_t start = clock();
        (void)!parse(text, size, &error);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    }
    free(text);
}

static void files_are_read_with_a_bound(void **state)
{
    (void)state;
    const size_t size = 10u << 20;
    char *noise = malloc(size);
    hy_yaml_document document;
    hy_error error;
    assert_non_null(noise);
    for (size_t i = 0; i < size; i++)
        noise[i] = (char)(i * 2654435761u >> 13);
    const char *path = folder_write("noise.yaml", noise, size);
    assert_int_equal(hy_yaml_read(path, &document, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "noise.yaml"));
    assert_non_null(strstr(error.text, "larger than 1 MiB"));
    path = folder_write("less.yaml", noise, HY_TEXT_FILE_LIMIT);
    assert_int_equal(hy_yaml_read(path, &document, &error), HY_INVALID);
    assert_string_equal(error.file, path);
    memset(noise, ' ', size);
    memcpy(noise, "a: 1 #", 6);
    path = folder_write("limit.yaml", noise, HY_TEXT_FILE_LIMIT);
    assert_int_equal(hy_yaml_read(path, &document, &error), HY_OK);
    hy_yaml_clean_up(&document);
    path = folder_write("over.yaml", noise, HY_TEXT_FILE_LIMIT + 1);
    assert_int_equal(hy_yaml_read(path, &document, &error), HY_INVALID);
    assert_int_equal(hy_yaml_read("/dev/zero", &document, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "larger than 1 MiB"));
    free(noise);
}

static void what_is_no_file_is_named(void **state)
{
    (void)state;
    hy_yaml_document document;
    hy_error error;
    assert_int_equal(hy_yaml_read(folder_path("missing.yaml"), &document, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "missing.yaml': No such file"));
    assert_int_equal(hy_yaml_read(folder_path("."), &document, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "directory"));
    /* It opens, but nothing is mapped at its begin. */
    assert_int_equal(hy_yaml_read("/proc/self/mem", &document, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "cannot read '/proc/self/mem': "));
    const char *path = folder_write("empty.yaml", "", 0);
    hy_status status = hy_yaml_read(path, &document, &error);
    assert_error(status, &error, path, 1, 1, WORDS("empty"));
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    char text[200], brief[HY_BRIEF_SIZE];
    for (size_t size = 0; size + 2 < sizeof text; size += 2) {
        for (size_t i = 0; i < size; i += 2)
            memcpy(text + i, "é", 2);
        text[size] = '\0';
        hy_yaml_brief(text, brief);
        assert_true(strlen(brief) < HY_BRIEF_SIZE);
        if (strlen(text) <= 36)
            assert_string_equal(brief, text);
        else
            assert_string_equal(brief + strlen(brief) - strlen("é…"), "é…");
    }
    assert_string_equal(hy_yaml_brief("a\033[31m\n", brief), "a?[31m?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_know_kind_and_place),
        cmocka_unit_test(what_is_no_plain_data_is_refused_at_its_place),
        cmocka_unit_test(a_nul_byte_is_no_end),
        cmocka_unit_test(nesting_has_a_bound),
        cmocka_unit_test(mappings_have_a_bound),
        cmocka_unit_test(a_large_text_is_answered_soon),
        cmocka_unit_test(files_are_read_with_a_bound),
        cmocka_unit_test(what_is_no_file_is_named),
        cmocka_unit_test(long_texts_are_cut_between_characters),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
