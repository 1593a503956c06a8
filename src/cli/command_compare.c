/* hoyito compare: one metric across one axis. */
#include "cli/question_arguments.h"
#include "report/compare.h"

static const char doc[] =
    "Compares one metric across one axis of a database: effects with their intervals first, then "
    "tests, with p-values adjusted for how many there are.\n\n"
    "  hoyito compare game_length.db --metric restricted_plies --by holes\n"
    "  hoyito compare game_length.db --metric first_player_score --by south --margin 0.01\n"
    "  hoyito compare game_length.db --metric chains_per_capture --by holes --json\n"
    "  hoyito compare --list\n\n"
    "Conditions are compared where they are alike in everything but the axis. A metric that the "
    "games cannot carry is refused (a mean over truncated games), with what to ask for instead.";

enum { KEY_BY = 0x200, KEY_BASELINE, KEY_ALL_PAIRS, KEY_MARGIN };

typedef struct compare_arguments {
    hy_question question; /* first: also the input of the parent */
    const char *by;
    hy_compare_options options;
} compare_arguments;

static const struct argp_option options[] = {
    {"by", KEY_BY, "AXIS", 0,
     "a field of the rules, south or north (the policy there), opening_plies, max_plies, max_laps "
     "or swapped",
     0},
    {"baseline", KEY_BASELINE, "LEVEL", 0,
     "the level of the axis that others are compared with; default: the first", 0},
    {"all-pairs", KEY_ALL_PAIRS, NULL, 0, "compare every level with every other one", 0},
    {"margin", KEY_MARGIN, "D", 0,
     "also test that the difference is within ±D (two one-sided tests)", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    compare_arguments *arguments = state->input;
    switch (key) {
    case KEY_BY:
        arguments->by = text;
        return 0;
    case KEY_BASELINE:
        arguments->options.baseline = text;
        return 0;
    case KEY_ALL_PAIRS:
        arguments->options.all_pairs = true;
        return 0;
    case KEY_MARGIN:
        arguments->options.margin = hy_cli_real(state, "--margin", text, 0, 1e9);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->question;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->question.list && !arguments->by)
            argp_error(state, "--by is needed: the axis to compare along");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static hy_status print_comparison(hy_store *store, const compare_arguments *arguments,
                                  hy_error *error)
{
    hy_groups groups;
    hy_compare compare;
    hy_status status = hy_groups_load(store, &groups, error);
    if (status != HY_OK)
        return status;
    status = hy_compare_build(&groups, &arguments->options, &compare, error);
    if (status == HY_OK) {
        if (arguments->question.database.json)
            status = hy_print_json(hy_compare_json(&compare), JSON_INDENT(2), error);
        else
            hy_compare_print(&compare, stdout);
        hy_compare_clean_up(&compare);
    }
    hy_groups_clean_up(&groups);
    return status;
}

hy_status hy_command_compare(int argc, char **argv, hy_error *error)
{
    static const struct argp_child children[] = {{&hy_question_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "DB", doc, children, NULL, NULL};
    compare_arguments arguments = {.question = hy_question_default()};
    hy_store *store;
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
    const hy_question *question = &arguments.question;
    if (question->list)
        return hy_list_metrics(question->database.json, error);
    arguments.options.metric = question->metric;
    arguments.options.adjustment = question->adjustment;
    arguments.options.confidence = question->confidence;
    arguments.options.horizon = question->horizon;
    hy_status status = hy_axis_parse(arguments.by, &arguments.options.axis, error);
    if (status == HY_OK)
        status = hy_store_open(question->database.database, &store, error);
    if (status != HY_OK)
        return status;
    status = print_comparison(store, &arguments, error);
    hy_store_abandon(store);
    return status;
}
