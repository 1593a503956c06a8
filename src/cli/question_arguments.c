#include "cli/question_arguments.h"

#include <strings.h>

#include "report/report.h"

enum { KEY_METRIC = 0x300, KEY_ADJUST, KEY_CONFIDENCE, KEY_HORIZON, KEY_LIST };

static const struct argp_option options[] = {
    {"metric", KEY_METRIC, "METRIC", 0, "what to ask; --list has all", 1},
    {"adjust", KEY_ADJUST, "METHOD", 0,
     "of p-values for how many there are: bonferroni, holm (default), hochberg, BH or BY", 1},
    {"confidence", KEY_CONFIDENCE, "C", 0, "of the intervals; default 0.95", 1},
    {"horizon", KEY_HORIZON, "PLIES", 0,
     "for restricted_plies; default: as far as all conditions are known", 1},
    {"list", KEY_LIST, NULL, 0, "list the metrics", 1},
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 1},
    {0},
};

hy_question hy_question_default(void)
{
    return (hy_question){.adjustment = HY_ADJUST_HOLM, .confidence = HY_CONFIDENCE};
}

static hy_adjustment adjustment_of(const struct argp_state *state, const char *text)
{
    for (size_t i = 0; i < HY_NUM_ADJUSTMENTS; i++) {
        if (strcasecmp(text, hy_adjustment_words[i]) == 0)
            return (hy_adjustment)i;
    }
    argp_error(state, "--adjust takes bonferroni, holm, hochberg, BH or BY, not '%s'", text);
    return HY_ADJUST_HOLM;
}

static const hy_metric *metric_of(const struct argp_state *state, const char *text)
{
    const hy_metric *metric = NULL;
    hy_error error;
    if (hy_metric_parse(text, &metric, &error) != HY_OK)
        argp_error(state, "%s", error.text);
    return metric;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    hy_question *question = state->input;
    switch (key) {
    case KEY_METRIC:
        question->metric = metric_of(state, text);
        return 0;
    case KEY_ADJUST:
        question->adjustment = adjustment_of(state, text);
        return 0;
    case KEY_CONFIDENCE:
        question->confidence = hy_cli_real(state, "--confidence", text, 0, 1);
        return 0;
    case KEY_HORIZON:
        question->horizon = hy_cli_real(state, "--horizon", text, 0, 1e9);
        return 0;
    case KEY_LIST:
        question->list = true;
        return 0;
    case ARGP_KEY_NO_ARGS:
        return question->list ? 0 : hy_parse_database_option(key, text, state);
    case ARGP_KEY_END:
        if (!question->list && !question->metric)
            argp_error(state, "--metric is needed; --list has the metrics");
        if (question->metric && question->horizon > 0 &&
            question->metric->kind != HY_METRIC_RESTRICTED)
            argp_error(state, "--horizon belongs to the metric restricted_plies");
        return 0;
    default:
        return hy_parse_database_option(key, text, state);
    }
}

const struct argp hy_question_argp = {options, parse_option, NULL, NULL, NULL, NULL, NULL};

hy_status hy_list_metrics(bool json, hy_error *error)
{
    json_t *array = json_array();
    for (size_t i = 0; i < hy_num_metrics; i++) {
        const hy_metric *metric = &hy_metrics[i];
        if (json)
            json_array_append_new(array, json_pack("{ssssssss}", "metric", metric->word, "unit",
                                                   metric->unit, "over", metric->denominator,
                                                   "meaning", metric->meaning));
        else
            printf("%-22s %s; %s, over %s\n", metric->word, metric->meaning, metric->unit,
                   metric->denominator);
    }
    if (json)
        return hy_print_json(array, JSON_INDENT(2), error);
    json_decref(array);
    return HY_OK;
}
