#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/plain.h"

#define NUM(array) (sizeof(array) / sizeof(array)[0])

static void plain_texts_stay(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "Is it?\nA second line\tand a tab",
        "~!\"$%&/()=?`{[]}\\",
        "2×6, größer",
        "\xc2\xa0", /* the first behind the control characters */
        "\xe2\x82\xac",
        "\xed\x9f\xbf",
        "\xee\x80\x80",
        "\xf0\x9f\x8e\xb2",
        "\xf4\x8f\xbf\xbf",
    };
    for (size_t i = 0; i < NUM(texts); i++) {
        char copy[64];
        snprintf(copy, sizeof copy, "%s", texts[i]);
        assert_true(hy_text_is_plain(copy));
        hy_text_make_plain(copy);
        assert_string_equal(copy, texts[i]);
    }
}

static void other_texts_are_made_plain(void **state)
{
    (void)state;
    static const struct {
        const char *text, *plain;
    } rows[] = {
        {"a\x1b[2Jb", "a?[2Jb"},
        {"\r", "?"},
        {"\x01\x7f", "??"},
        {"\xc2\x9b"
         "2J",
         "??2J"}, /* an 8-bit escape */
        {"\xff\xfe", "??"},
        {"\xc0\xaf", "??"}, /* overlong */
        {"\xe0\x80\xaf", "???"},
        {"\xf0\x80\x80\xaf", "????"},
        {"\xed\xa0\x80", "???"},
        {"\xf4\x90\x80\x80", "????"}, /* half a pair; too large */
        {"\xe2\x82", "??"},
        {"\xe2\x82x", "??x"}, /* cut short */
        {"\xf5\x80\x80\x80", "????"},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        char copy[64];
        snprintf(copy, sizeof copy, "%s", rows[i].text);
        assert_false(hy_text_is_plain(copy));
        hy_text_make_plain(copy);
        assert_string_equal(copy, rows[i].plain);
        assert_true(hy_text_is_plain(copy));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_texts_stay),
        cmocka_unit_test(other_texts_are_made_plain),
    };
    return cmocka_run_group_tests_name("base/plain", tests, NULL, NULL);
}
