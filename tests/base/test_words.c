#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "support/dice.h"

#define NUM(array) (sizeof(array) / sizeof(array)[0])

static void integers_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t value;
    } rows[] = {
        {"0", 0},
        {"1", 1},
        {"10", 10},
        {"4294967297", 4294967297u},
        {"9007199254740993", 9007199254740993u},
        {"18446744073709551615", UINT64_MAX},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        uint64_t value = 99;
        assert_true(hy_parse_u64(rows[i].text, &value));
        assert_true(value == rows[i].value);
    }
}

static void integers_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        " ",
        "-1",
        "+1",
        "01",
        "010",
        "00",
        "1 ",
        " 1",
        "1.0",
        "1e3",
        "0x10",
        "1_0",
        "1,0",
        "one",
        "true",
        "1\n",
        "18446744073709551616",
        "18446744073709551620",
        "99999999999999999999999",
        "\xc2\xb2",
        "1\xd9\xa3",
    };
    for (size_t i = 0; i < NUM(texts); i++) {
        uint64_t value;
        if (hy_parse_u64(texts[i], &value))
            fail_msg("'%s' was taken", texts[i]);
    }
}

static void reals_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double value;
    } rows[] = {
        {"0", 0},           {"1", 1},      {"0.25", 0.25}, {"0.1", 0.1}, {"12.5", 12.5},
        {"1.5e-3", 1.5e-3}, {"2e3", 2000}, {"2e+3", 2000}, {"0.0", 0.0}, {"1e308", 1e308},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        double value = -1;
        assert_true(hy_parse_real(rows[i].text, &value));
        assert_memory_equal(&value, &rows[i].value, sizeof value);
    }
}

static void reals_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        ".5",
        "5.",
        "-0.5",
        "+1",
        "nan",
        "NaN",
        "inf",
        "infinity",
        "0x1p3",
        "1e",
        "1e+",
        "1e9x",
        "01.5",
        "00",
        "1,5",
        " 1",
        "1 ",
        "1e400",
        "0.1.2",
        "1.e3",
        "e3",
        "0.00000000000000000000000000000000000000000000000000000000000001",
    };
    for (size_t i = 0; i < NUM(texts); i++) {
        double value;
        if (hy_parse_real(texts[i], &value))
            fail_msg("'%s' was taken", texts[i]);
    }
}

static void assert_real_round_trip(double value)
{
    char text[64];
    double back = -1;
    hy_print_real(value, text, sizeof text);
    if (!hy_parse_real(text, &back) || memcmp(&back, &value, sizeof value) != 0)
        fail_msg("%.17g became '%s'", value, text);
    assert_true(strlen(text) <= 24);
}

static void reals_come_back(void **state)
{
    (void)state;
    char text[64];
    dice d = {1};
    hy_print_real(0.1, text, sizeof text);
    assert_string_equal(text, "0.1");
    hy_print_real(0.30000000000000004, text, sizeof text);
    assert_string_equal(text, "0.30000000000000004");
    hy_print_real(100, text, sizeof text);
    assert_string_equal(text, "100");
    hy_print_real(2500000, text, sizeof text);
    assert_string_equal(text, "2500000");
    hy_print_real(1e-7, text, sizeof text);
    assert_string_equal(text, "1e-07");
    assert_real_round_trip(0);
    assert_real_round_trip(1);
    for (int i = 0; i < 20000; i++) {
        assert_real_round_trip((double)(dice_u64(&d) >> 11) * 0x1p-53);
        assert_real_round_trip(dice_below(&d, 1000000) / 1000.0);
        assert_real_round_trip(
            ldexp(1.0 + dice_below(&d, 1000) / 1000.0, (int)dice_below(&d, 1900) - 950));
    }
}

/* Where the system has a locale with a decimal comma, numbers are as in C. */
static void the_locale_changes_nothing(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "es_ES.UTF-8"};
    const char *set = NULL;
    for (size_t i = 0; i < NUM(locales) && !set; i++)
        set = setlocale(LC_NUMERIC, locales[i]);
    if (!set)
        skip();
    char text[64];
    double value;
    hy_print_real(0.125, text, sizeof text);
    assert_string_equal(text, "0.125");
    assert_true(hy_parse_real("0.125", &value));
    assert_true(value * 8 >= 1 && value * 8 <= 1);
    assert_false(hy_parse_real("0,125", &value));
    setlocale(LC_NUMERIC, "C");
}

static const char *const words[] = {"holes", "seeds", "relay", "capture_side", "claim", "claim_by"};

static void a_slip_finds_its_word(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"holess", "holes"},
        {"hoels", "holes"},
        {"hole", "holes"},
        {"sedes", "seeds"},
        {"Relay", "relay"},
        {"captureside", "capture_side"},
        {"capture-side", "capture_side"},
        {"clam_by", "claim_by"},
        {"claim", "claim"},
    };
    for (size_t i = 0; i < NUM(pairs); i++)
        assert_string_equal(hy_nearest_word(pairs[i][0], words, NUM(words)), pairs[i][1]);
}

static void something_else_finds_none(void **state)
{
    (void)state;
    assert_null(hy_nearest_word("repetition", words, NUM(words)));
    assert_null(hy_nearest_word("xyz", words, NUM(words)));
    assert_null(hy_nearest_word("", words, NUM(words)));
    assert_null(hy_nearest_word("holes", words, 0));
}

static void a_very_long_word_finds_none(void **state)
{
    (void)state;
    char word[1001];
    for (size_t length = 20; length < sizeof word; length++) {
        memset(word, 'x', length);
        word[length] = '\0';
        if (hy_nearest_word(word, words, NUM(words)))
            fail_msg("a word of %zu letters", length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_are_read),
        cmocka_unit_test(integers_are_refused),
        cmocka_unit_test(reals_are_read),
        cmocka_unit_test(reals_are_refused),
        cmocka_unit_test(reals_come_back),
        cmocka_unit_test(the_locale_changes_nothing),
        cmocka_unit_test(a_slip_finds_its_word),
        cmocka_unit_test(something_else_finds_none),
        cmocka_unit_test(a_very_long_word_finds_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
