#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/status.h"

static void failure_fills_the_error(void **state)
{
    (void)state;
    hy_error error;
    memset(&error, 0xff, sizeof error);
    assert_int_equal(hy_fail(&error, HY_INVALID, "unknown key '%s' in %d", "holess", 3),
                     HY_INVALID);
    assert_int_equal(error.status, HY_INVALID);
    assert_string_equal(error.text, "unknown key 'holess' in 3");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.column, 0);
}

static void nobody_has_to_listen(void **state)
{
    (void)state;
    for (int status = HY_FAILED; status <= HY_INTERRUPTED; status++)
        assert_int_equal(hy_fail(NULL, (hy_status)status, "%d", 1), status);
    assert_int_equal(hy_fail_memory(NULL), HY_NO_MEMORY);
    hy_error_locate(NULL, "file", 1, 1);
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    char text[2 * HY_ERROR_TEXT_SIZE];
    hy_error error;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(hy_fail(&error, HY_STORAGE, "%s", text), HY_STORAGE);
    assert_int_equal(strlen(error.text), HY_ERROR_TEXT_SIZE - 1);
    hy_error_locate(&error, text, 1, 2);
    assert_int_equal(strlen(error.file), HY_ERROR_FILE_SIZE - 1);
}

static void the_first_place_stays(void **state)
{
    (void)state;
    hy_error error;
    hy_status status = hy_fail(&error, HY_INVALID, "wrong");
    hy_error_locate(&error, "inner.yaml", 3, 7);
    hy_error_locate(&error, "outer.yaml", 1, 1);
    assert_int_equal(status, HY_INVALID);
    assert_string_equal(error.file, "inner.yaml");
    assert_int_equal(error.line, 3);
    assert_int_equal(error.column, 7);
}

static void as_much_of_the_place_as_is_known(void **state)
{
    (void)state;
    hy_error error;
    char text[100], little[6];
    hy_status status = hy_fail(&error, HY_INVALID, "wrong");
    assert_int_equal(status, HY_INVALID);
    hy_error_format(&error, text, sizeof text);
    assert_string_equal(text, "wrong");
    hy_error_locate(&error, "a.yaml", 0, 0);
    hy_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a.yaml: wrong");
    error.line = 12;
    error.column = 4;
    hy_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a.yaml:12:4: wrong");
    hy_error_format(&error, little, sizeof little);
    assert_string_equal(little, "a.yam");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failure_fills_the_error),
        cmocka_unit_test(nobody_has_to_listen),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(the_first_place_stays),
        cmocka_unit_test(as_much_of_the_place_as_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
