/* hoyito effects: what each rule does, from a full factorial of rules. */
#include "cli/question_arguments.h"
#include "report/effects.h"

#include <string.h>

static const char doc[] =
    "Says what each rule does to a metric: main effects and two-way interactions of a database "
    "whose conditions are a full factorial (two or more rules with lists of values), with "
    "intervals, tests, and how much of the variation between variants each rule accounts for.\n\n"
    "  hoyito effects toggles.db --metric plies --scale ratio\n"
    "  hoyito effects toggles.db --metric first_player_score\n"
    "  hoyito effects toggles.db --metric hazard --json\n"
    "  hoyito effects --list\n\n"
    "A main effect is the change from the first value of the rule to another one, averaged over "
    "all combinations of the other rules. `hazard` is for lengths of which some were cut.";

enum { KEY_SCALE = 0x200 };

typedef struct effects_arguments {
    hy_question question; /* first: also the input of the parent */
    hy_scale scale;
} effects_arguments;

static const struct argp_option options[] = {
    {"scale", KEY_SCALE, "SCALE", 0,
     "difference (default), ratio (of positive values), odds (of shares and scores)", 0},
    {0},
};

static hy_scale scale_of(const struct argp_state *state, const char *text)
{
    for (size_t i = 0; i < HY_NUM_SCALES; i++) {
        if (strcmp(text, hy_scale_words[i]) == 0)
            return (hy_scale)i;
    }
    argp_error(state, "--scale takes difference, ratio or odds, not '%s'", text);
    return HY_SCALE_DIFFERENCE;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    effects_arguments *arguments = state->input;
    switch (key) {
    case KEY_SCALE:
        arguments->scale = scale_of(state, text);
        return 0;
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->question;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static hy_status print_effects(hy_store *store, const effects_arguments *arguments, hy_error *error)
{
    const hy_question *question = &arguments->question;
    hy_effects_options wanted = {
        .metric = question->metric,
        .scale = arguments->scale,
        .adjustment = question->adjustment,
        .confidence = question->confidence,
        .horizon = question->horizon,
    };
    hy_groups groups;
    hy_effects effects;
    hy_status status = hy_groups_load(store, &groups, error);
    if (status != HY_OK)
        return status;
    status = hy_effects_build(&groups, &wanted, &effects, error);
    if (status == HY_OK) {
        if (question->database.json)
            status = hy_print_json(hy_effects_json(&effects), JSON_INDENT(2), error);
        else
            hy_effects_print(&effects, stdout);
        hy_effects_clean_up(&effects);
    }
    hy_groups_clean_up(&groups);
    return status;
}

hy_status hy_command_effects(int argc, char **argv, hy_error *error)
{
    static const struct argp_child children[] = {{&hy_question_argp, 0, NULL, 0}, {0}};
    static const struct argp argp = {options, parse_option, "DB", doc, children, NULL, NULL};
    effects_arguments arguments = {.question = hy_question_default()};
    hy_store *store;
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
    if (arguments.question.list)
        return hy_list_metrics(arguments.question.database.json, error);
    hy_status status = hy_store_open(arguments.question.database.database, &store, error);
    if (status != HY_OK)
        return status;
    status = print_effects(store, &arguments, error);
    hy_store_abandon(store);
    return status;
}
