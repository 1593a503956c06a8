/* hoyito plan: how many games a precision takes, by a pilot. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "cli/database_arguments.h"
#include "cli/plan_print.h"
#include "report/report.h"

static const char doc[] =
    "Says how many games, how much time and how much disk a precision takes, from the database of "
    "a pilot.\n\n"
    "  hoyito run study.yaml --games 500 -o pilot.db\n"
    "  hoyito plan pilot.db --half-width 0.005\n"
    "  hoyito plan pilot.db --metric plies --half-width 1 --json\n"
    "  hoyito plan pilot.db --difference 0.01 --power 0.9\n\n"
    "A pilot's variance is itself uncertain, so the upper end of a 95 % interval of what the run "
    "will show is used: from the fourth moment for the score; from the larger of that and an "
    "exponential distribution's (kurtosis 9) for the length; from the latter for captures and "
    "chains per capture; Wilson's limit for shares. The "
    "time is shared out by plies on the pilot's machine and threads, the disk by rows.";

enum { KEY_METRIC = 0x200, KEY_HALF_WIDTH, KEY_DIFFERENCE, KEY_POWER, KEY_CONFIDENCE };

typedef struct plan_arguments {
    hy_database_arguments database; /* first: for hy_parse_database_option */
    hy_plan_target target;
} plan_arguments;

static const struct argp_option options[] = {
    {"metric", KEY_METRIC, "METRIC", 0,
     "first_player_score (default), draw_share, endless_share, chains_per_capture, captures (a "
     "game), plies (a game)",
     0},
    {"half-width", KEY_HALF_WIDTH, "W", 0,
     "half the width of the interval that is wanted, in the metric's unit (shares: 0.01 is one per "
     "cent)",
     0},
    {"difference", KEY_DIFFERENCE, "D", 0,
     "instead: a difference between two conditions that is to be found", 0},
    {"power", KEY_POWER, "P", 0, "with that probability; default: 0.8", 0},
    {"confidence", KEY_CONFIDENCE, "C", 0,
     "of the interval, or one minus the level of the test; default: 0.95", 0},
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {0},
};

static hy_stop_metric metric_of(const struct argp_state *state, const char *text)
{
    for (size_t i = 0; i < HY_NUM_STOP_METRICS; i++) {
        if (strcmp(hy_stop_metric_words[i], text) == 0)
            return (hy_stop_metric)i;
    }
    const char *near = hy_nearest_word(text, hy_stop_metric_words, HY_NUM_STOP_METRICS);
    argp_error(state,
               "--metric takes first_player_score, draw_share, endless_share, chains_per_capture, "
               "captures or plies, not '%s'%s%s%s",
               text, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return HY_STOP_METRIC_FIRST_PLAYER_SCORE;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    plan_arguments *arguments = state->input;
    hy_plan_target *target = &arguments->target;
    switch (key) {
    case KEY_METRIC:
        target->metric = metric_of(state, text);
        return 0;
    case KEY_HALF_WIDTH:
        target->half_width = hy_cli_real(state, "--half-width", text, 0, 1e6);
        return 0;
    case KEY_DIFFERENCE:
        target->difference = hy_cli_real(state, "--difference", text, 0, 1e6);
        return 0;
    case KEY_POWER:
        target->power = hy_cli_real(state, "--power", text, 0, 1);
        return 0;
    case KEY_CONFIDENCE:
        target->confidence = hy_cli_real(state, "--confidence", text, 0, 1);
        return 0;
    case ARGP_KEY_END:
        if ((target->half_width > 0) == (target->difference > 0))
            argp_error(state, "give either --half-width or --difference");
        if (target->half_width > 0 && target->power > 0)
            argp_error(state, "--power goes with --difference");
        if (hy_stop_metric_is_bounded(target->metric) &&
            (target->half_width >= 0.5 || target->difference >= 1))
            argp_error(state,
                       "the %s lies between 0 and 1: --half-width must be below 0.5, "
                       "--difference below 1",
                       hy_stop_metric_names[target->metric]);
        return 0;
    default:
        return hy_parse_database_option(key, text, state);
    }
}

static hy_status print_plan(hy_store *store, const hy_plan_target *target, const char *path,
                            bool json, hy_error *error)
{
    hy_plan plan;
    hy_status status = hy_plan_build(store, target, &plan, error);
    if (status != HY_OK)
        return status;
    if (json)
        status = hy_print_json(hy_plan_json(&plan), JSON_INDENT(2), error);
    else
        hy_plan_print(&plan, stdout);
    if (status == HY_OK && plan.games == 0)
        status = hy_fail(error, HY_FAILED, "'%s' does not say how many games are needed", path);
    hy_plan_clean_up(&plan);
    return status;
}

hy_status hy_command_plan(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {options, parse_option, "PILOT.db", doc, NULL, NULL, NULL};
    plan_arguments arguments = {.target = {.confidence = HY_CONFIDENCE}};
    hy_store *store;
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
    if (arguments.target.difference > 0 && arguments.target.power <= 0)
        arguments.target.power = 0.8;
    hy_status status = hy_store_open(arguments.database.database, &store, error);
    if (status != HY_OK)
        return status;
    status = print_plan(store, &arguments.target, arguments.database.database,
                        arguments.database.json, error);
    hy_store_abandon(store);
    return status;
}
