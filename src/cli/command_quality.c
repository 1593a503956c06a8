/* hoyito quality: the measures of a game's evaluation. */
#include <stdio.h>

#include "cli/database_arguments.h"
#include "cli/progress_bar.h"
#include "report/quality.h"

#define DEFAULT_GAMES 1000
#define DEFAULT_EVALUATOR "alphabeta:depth=4"

static const char doc[] =
    "Says how good a game is: fairness, length, choice, drama, decisiveness, clarity, repetition, "
    "and where on the board captures and chains happen, each with interval and denominator.\n\n"
    "  hoyito quality quickstart.db\n"
    "  hoyito quality quickstart.db --games 0\n"
    "  hoyito quality quickstart.db --condition 1 --games 100 --evaluate alphabeta:depth=2\n"
    "  hoyito quality quickstart.db --games 50 --json | jq "
    "'.conditions[0].replayed.measures.drama'\n\n"
    "Cheap measures come from all stored games. The others need the positions: the stored games of "
    "the lowest numbers are played again, and each position with a choice is valued by a policy "
    "that can analyse, within a fixed budget, never a time. The value of a position to a player is "
    "the final difference that is expected, as a share of all counters. south_win_share is what "
    "Ludii calls AdvantageP1: draws count as none there, as a half in first_player_score.";

enum { KEY_EVALUATE = 0x200 };

typedef struct quality_arguments {
    hy_database_arguments database; /* first: for hy_parse_database_option */
    uint64_t condition;             /* 0: all */
    uint64_t games;
    const char *evaluator;
} quality_arguments;

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {"condition", HY_KEY_CONDITION, "C", 0, "this condition only, from 1", 0},
    {"games", HY_KEY_GAMES, "N", 0,
     "games to play again, per condition and seating (default 1000); 0: none", 0},
    {"evaluate", KEY_EVALUATE, "POLICY", 0, "who values positions (default " DEFAULT_EVALUATOR ")",
     0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    quality_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_CONDITION:
        arguments->condition = hy_cli_number(state, "--condition", text, 1, HY_LIMIT_CONDITIONS);
        return 0;
    case HY_KEY_GAMES:
        arguments->games = hy_cli_number(state, "--games", text, 0, HY_LIMIT_GAMES);
        return 0;
    case KEY_EVALUATE:
        arguments->evaluator = text;
        return 0;
    default:
        return hy_parse_database_option(key, text, state);
    }
}

static void show(void *context, uint64_t games)
{
    hy_progress_bar_show(context, games);
}

static hy_status build(hy_store *store, hy_quality_options *asked, hy_quality_report *report,
                       hy_error *error)
{
    hy_progress_bar bar;
    uint64_t total;
    hy_status status = hy_quality_count(store, asked, &total, error);
    if (status != HY_OK)
        return status;
    hy_progress_bar_start(&bar, 0, total);
    asked->tick = show;
    asked->context = &bar;
    status = hy_quality_build(store, asked, report, error);
    if (status == HY_OK)
        hy_progress_bar_end(&bar, total);
    return status;
}

static hy_status answer(const quality_arguments *arguments, const hy_policy_spec *evaluator,
                        hy_error *error)
{
    hy_store *store;
    hy_quality_report report;
    hy_quality_options asked = {.condition = (uint32_t)arguments->condition,
                                .games = arguments->games,
                                .evaluator = evaluator,
                                .stop = &hy_signal};
    hy_status status = hy_store_open(arguments->database.database, &store, error);
    if (status != HY_OK)
        return status;
    status = build(store, &asked, &report, error);
    if (status == HY_OK) {
        if (arguments->database.json)
            status = hy_print_json(hy_quality_json(&report), JSON_INDENT(2), error);
        else
            hy_quality_print(&report, stdout);
        hy_quality_report_clean_up(&report);
    }
    hy_store_abandon(store);
    return status;
}

hy_status hy_command_quality(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {options, parse_option, "DB", doc, NULL, NULL, NULL};
    quality_arguments arguments = {.games = DEFAULT_GAMES, .evaluator = DEFAULT_EVALUATOR};
    hy_policy_spec *evaluator;
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
    hy_status status = hy_policy_spec_parse(arguments.evaluator, &evaluator, error);
    if (status != HY_OK)
        return status;
    status = hy_quality_check(evaluator, error);
    hy_catch_signals();
    if (status == HY_OK)
        status = answer(&arguments, evaluator, error);
    hy_policy_spec_destroy(evaluator);
    return status;
}
