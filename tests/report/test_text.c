/* The report as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "report/shown.h"
#include "support/variants.h"

static char *text_of(hy_experiment *experiment)
{
    char *text = shown_text(shown_database("text.db", experiment));
    hy_experiment_clean_up(experiment);
    return text;
}

/* The line that begins with the name, behind `from`. */
static const char *line_of(const char *from, const char *name)
{
    const char *line = strstr(from, name);
    if (!line)
        fail_msg("no '%s' in:\n%s", name, from);
    return line;
}

static void the_head_says_what_it_is_of(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(20, HY_RECORD_GAMES);
    experiment.seed = UINT64_MAX;
    char *text = text_of(&experiment);
    assert_non_null(strstr(text, "test: does it hold?\n"));
    assert_non_null(strstr(text, "seed 18446744073709551615; 60 of 60 games"));
    assert_non_null(strstr(text, "condition 1: 2×3, 4 counters a hole\n"));
    assert_non_null(strstr(text, "condition 2: 2×2, 5 counters a hole, claim=0, endless=forbid\n"));
    assert_non_null(strstr(text, "condition 2 (seats swapped)"));
    assert_non_null(strstr(text, "south random, north greedy; opening: 2 random plies\n"));
    assert_null(strstr(text, "warning"));
    free(text);
}

/* Numbers are as in the report, and can be read back. */
static void numbers_can_be_read_back(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(1200, HY_RECORD_SUMMARY);
    const char *path = shown_database("numbers.db", &experiment);
    char *text = shown_text(path);
    hy_store *store;
    hy_report report;
    double value, low, high;
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    assert_int_equal(hy_report_build(store, &report, NULL), HY_OK);
    const hy_condition_report *row = &report.conditions[0];
    assert_int_equal(
        sscanf(line_of(text, "south wins"), "south wins %lf %% [%lf, %lf]", &value, &low, &high),
        3);
    assert_true(fabs(value - 100 * row->shares[HY_RESULT_SOUTH].value) < 0.0051);
    assert_true(fabs(low - 100 * row->shares[HY_RESULT_SOUTH].low) < 0.0051);
    assert_true(fabs(high - 100 * row->shares[HY_RESULT_SOUTH].high) < 0.0051);
    assert_int_equal(
        sscanf(line_of(text, "mean length"), "mean length %lf [%lf, %lf]", &value, &low, &high), 3);
    assert_true(fabs(value - row->length.mean.value) < 0.0051);
    assert_true(fabs(low - row->length.mean.low) < 0.0051);
    assert_non_null(strstr(text, " 1,200; "));
    assert_non_null(strstr(text, "3,600 of 3,600 games"));
    hy_report_clean_up(&report);
    hy_store_abandon(store);
    free(text);
    hy_experiment_clean_up(&experiment);
}

static void games_that_were_cut_are_told(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(50, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=4", "random", "random", false)->max_plies = 2;
    char *text = text_of(&experiment);
    assert_non_null(strstr(line_of(text, "mean length"), "not given"));
    assert_non_null(strstr(line_of(text, "median length"), "not reached"));
    assert_non_null(strstr(line_of(text, "length, quantiles"), "50 %: not reached"));
    assert_non_null(strstr(line_of(text, "captures  "), "not given"));
    assert_null(strstr(text, "casas a game"));
    line_of(text, "captures a ply");
    assert_non_null(strstr(line_of(text, "ended by"), "truncated"));
    assert_null(strstr(text, "nan"));
    free(text);
}

/* The sample is one game, however often it is played. */
static void repeated_games_are_warned_of(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_new(50, record);
        experiment_add(&experiment, "holes=4", "greedy:ties=first", "greedy:ties=first", false);
        char *text = text_of(&experiment);
        assert_non_null(strstr(text, "50; 1 of them distinct\n"));
        assert_non_null(strstr(text, "warning"));
        assert_null(strstr(text, "nan"));
        free(text);
    }
}

static void nothing_yet(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(20, HY_RECORD_GAMES);
    const char *path = shown_database("nothing.db", &experiment);
    sql(path, "DELETE FROM game; DELETE FROM chain");
    char *text = shown_text(path);
    assert_non_null(strstr(text, "no games yet"));
    assert_non_null(strstr(text, "0 of 60 games"));
    assert_null(strstr(text, "nan"));
    free(text);
    hy_experiment_clean_up(&experiment);
}

/* The label of a variant names what is not default, and all of it fits. */
static void labels_say_what_differs(void **state)
{
    (void)state;
    dice d = {11};
    char label[HY_LABEL_SIZE];
    hy_rules rules = variant_of("holes=12 seeds=1 claim=2");
    hy_variant_label(&rules, label);
    assert_string_equal(label, "2×12, 1 counter a hole, claim=2");
    for (unsigned i = 0; i < 1000; i++) {
        hy_rules defaults = hy_rules_default();
        rules = variant_random(&d, HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_variant_label(&rules, label);
        assert_true(strlen(label) < HY_LABEL_SIZE - 1);
        for (size_t f = 2; f < hy_num_fields; f++) {
            char pair[128], value[HY_FIELD_TEXT_SIZE];
            unsigned number = hy_field_get(&hy_fields[f], &rules);
            snprintf(pair, sizeof pair, ", %s=%s", hy_fields[f].key,
                     hy_field_text(&hy_fields[f], number, value));
            assert_int_equal(strstr(label, pair) != NULL,
                             number != hy_field_get(&hy_fields[f], &defaults));
        }
    }
}

static void the_locale_does_not_matter(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(300, HY_RECORD_GAMES);
    const char *path = shown_database("locale.db", &experiment);
    hy_experiment_clean_up(&experiment);
    char *text = shown_text(path);
    if (!shown_with_comma()) {
        free(text);
        skip();
    }
    char *with_comma = shown_text(path);
    assert_true(localeconv()->decimal_point[0] == ',');
    setlocale(LC_ALL, "C");
    assert_string_equal(text, with_comma);
    free(text);
    free(with_comma);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_says_what_it_is_of),
        cmocka_unit_test(numbers_can_be_read_back),
        cmocka_unit_test(games_that_were_cut_are_told),
        cmocka_unit_test(repeated_games_are_warned_of),
        cmocka_unit_test(nothing_yet),
        cmocka_unit_test(labels_say_what_differs),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests_name("report/text", tests, scratch_make, scratch_remove);
}
