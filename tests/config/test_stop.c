#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "config/folder.h"

/* An experiment of eight lines; the rule stands in line 8. */
static hy_status read_file(const char *record, const char *swap, const char *stop,
                           hy_experiment *experiment, hy_error *error)
{
    char text[1024];
    snprintf(text, sizeof text,
             "experiment: a\nseed: 1\ngames: 5000\nrecord: %s\nrules: {}\npolicies:\n  - {south: "
             "greedy, north: random%s}\n%s%s\n",
             record, swap, stop ? "stop: " : "", stop ? stop : "");
    return hy_config_experiment(folder_write_text("e.yaml", text), experiment, error);
}

static hy_stop read_good(const char *stop)
{
    hy_experiment experiment;
    hy_error error;
    if (read_file("games", ", swap: true", stop, &experiment, &error) != HY_OK)
        fail_msg("%s: %s", stop, error.text);
    hy_stop read = experiment.stop;
    hy_experiment_clean_up(&experiment);
    return read;
}

static void there_is_no_rule_unless_one_is_given(void **state)
{
    (void)state;
    assert_int_equal(read_good(NULL).kind, HY_STOP_NEVER);
}

static void half_widths_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < HY_NUM_STOP_METRICS; i++) {
        char text[128];
        snprintf(text, sizeof text, "{metric: %s, half_width: 0.25}", hy_stop_metric_words[i]);
        hy_stop stop = read_good(text);
        assert_int_equal(stop.kind, HY_STOP_HALF_WIDTH);
        assert_int_equal(stop.metric, i);
        assert_true(stop.half_width == 0.25 && stop.confidence == 0.95 && stop.every == 1000);
    }
    hy_stop stop = read_good("{every: 7, confidence: 0.99, half_width: 3, metric: plies}");
    assert_true(stop.half_width == 3 && stop.confidence == 0.99 && stop.every == 7);
}

static void tests_are_read(void **state)
{
    (void)state;
    hy_stop stop = read_good("{sprt: {elo0: 0, elo1: 10}}");
    assert_int_equal(stop.kind, HY_STOP_SPRT);
    assert_true(stop.elo0 == 0 && stop.elo1 == 10 && stop.alpha == 0.05 && stop.beta == 0.05);
    assert_true(stop.scale == HY_SCALE_NORMALIZED && stop.every == 1000);
    stop = read_good("{sprt: {elo0: -2.5, elo1: 1, alpha: 0.01, beta: 0.1, model: logistic}, "
                     "every: 200}");
    assert_true(stop.elo0 == -2.5 && stop.elo1 == 1 && stop.alpha == 0.01 && stop.beta == 0.1);
    assert_true(stop.scale == HY_SCALE_LOGISTIC && stop.every == 200);
}

static void what_is_no_rule_is_refused_at_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *record, *swap, *stop;
        unsigned column;
        const char *words[3];
    } cases[] = {
        {"games", "", "{}", 7, {"either", "'metric'", "'sprt'"}},
        {"games", "", "soon", 7, {"'stop'", "mapping", "half_width"}},
        {"games", "", "{metric: draw_share}", 7, {"either", "half_width"}},
        {"games", "", "{half_width: 0.1}", 7, {"either", "metric"}},
        {"games", "", "{metrik: draws, half_width: 0.1}", 8, {"metrik", "did you mean 'metric'"}},
        {"games",
         "",
         "{metric: draw_shore, half_width: 0.1}",
         16,
         {"draw_shore", "did you mean 'draw_share'"}},
        {"games", "", "{metric: draw_share, half_width: 0.5}", 40, {"share of draws", "below 0.5"}},
        {"games", "", "{metric: draw_share, half_width: 0}", 40, {"'half_width' cannot be '0'"}},
        {"games", "", "{metric: plies, half_width: wide}", 35, {"'half_width'", "wide"}},
        {"games", "", "{metric: plies, half_width: 1, confidence: 95}", 50, {"0.5 … 0.999999"}},
        {"games", "", "{metric: plies, half_width: 1, every: 0}", 45, {"'every'"}},
        {"games", ", swap: true", "{sprt: {elo0: 0, elo1: 5}, metric: plies}", 7, {"either"}},
        {"games", ", swap: true", "{sprt: {elo0: 0, elo1: 5}, confidence: 0.9}", 7, {"either"}},
        {"games", ", swap: true", "{sprt: {elo0: 0}}", 14, {"'elo1' is missing"}},
        {"games", ", swap: true", "{sprt: {elo0: 5, elo1: 5}}", 30, {"'elo1'", "above 'elo0'"}},
        {"games", ", swap: true", "{sprt: {elo0: 0, elo: 5}}", 24, {"'elo'", "did you mean"}},
        {"games", ", swap: true", "{sprt: {elo0: 0, elo1: 5, alpha: 0.5}}", 40, {"'alpha'"}},
        {"games", ", swap: true", "{sprt: {elo0: 0, elo1: 5, model: log}}", 40, {"logistic"}},
        {"games",
         ", swap: false",
         "{sprt: {elo0: 0, elo1: 5}}",
         14,
         {"south: greedy", "north: random", "'swap: true'"}},
        {"summary", ", swap: true", "{sprt: {elo0: 0, elo1: 5}}", 14, {"'record: summary'"}},
    };
    for (size_t i = 0; i < NUM(cases); i++) {
        hy_experiment experiment;
        hy_error error;
        const char *words[4] = {cases[i].words[0], cases[i].words[1], cases[i].words[2], NULL};
        hy_status status =
            read_file(cases[i].record, cases[i].swap, cases[i].stop, &experiment, &error);
        assert_error(status, &error, folder_path("e.yaml"), 8, cases[i].column, words);
        assert_null(experiment.conditions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_no_rule_unless_one_is_given),
        cmocka_unit_test(half_widths_are_read),
        cmocka_unit_test(tests_are_read),
        cmocka_unit_test(what_is_no_rule_is_refused_at_its_place),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
