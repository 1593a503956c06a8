/* hoyito analyse: the value of every hole of a position, and the best line. */
#include <stdio.h>
#include <string.h>

#include "cli/assessment.h"
#include "cli/board_text.h"
#include "cli/cli.h"
#include "cli/filter.h"
#include "cli/rules_json.h"
#include "config/config.h"
#include "report/report.h"

#define DEFAULT_POLICY "alphabeta:depth=8,nodes=10000000" /* some seconds at most */

static const char doc[] =
    "Says what every hole of a position is worth to the player to move, and how play goes on: of "
    "one position of a variant, or of positions read as JSON Lines.\n\n"
    "  hoyito analyse hoyito-ii --policy alphabeta:depth=6\n"
    "  hoyito analyse hoyito-ii --position '0 1 2 0 3 0 0 0 4 0 1 1/20 16 north'\n"
    "  hoyito analyse ba-awa --policy alphabeta:depth=2 --json\n"
    "  hoyito analyse < positions.jsonl\n\n"
    "A position is the counters of all holes (south's first), a slash, what south and north have "
    "captured, and the player to move; without --position it is the start. VARIANT is the name of "
    "a preset or a rules file. A value is the counters still to be "
    "won, less those of the opponent.\n\n"
    "Keys in: rules (fields that are not at their default; also preset), board, score ([south, "
    "north]; may be left out), mover; max_laps if not 10000000. Added: termination (not null: the "
    "game is over already), to_move (the other player where the mover has no hole and passes), "
    "value (of the position to that player), values (of each hole; null where it is not legal), "
    "best (hole), line (holes of best play), depth, nodes (plies searched), exact (searched to the "
    "end of the game), policy. A row without an answer gives {\"error\", \"line\"}, and exit "
    "status 1 at the end.";

static const struct argp_option options[] = {
    {"policy", HY_KEY_POLICY, "POLICY", 0, "who analyses (default " DEFAULT_POLICY ")", 0},
    {"position", HY_KEY_POSITION, "TEXT", 0, "the position, instead of the start", 0},
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {0},
};

typedef struct analyse_arguments {
    const char *variant;
    const char *policy;
    const char *position;
    bool json;
} analyse_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    analyse_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_POLICY:
        arguments->policy = text;
        return 0;
    case HY_KEY_POSITION:
        arguments->position = text;
        return 0;
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->variant)
            argp_error(state, "one variant at a time; '%s' is too many", text);
        arguments->variant = text;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->variant && arguments->position)
            argp_error(state, "--position needs a variant");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Who analyses; set up anew where the rules change. Filters have no other place for it. */
static struct analyst {
    hy_policy_spec *spec;
    hy_policy *policy; /* NULL: not set up yet */
    hy_rules rules;    /* that it is set up for */
    hy_history history;
} analyst;

static hy_status analyst_init(const char *text, hy_error *error)
{
    hy_policy_spec *spec;
    hy_status status = hy_policy_spec_parse(text, &spec, error);
    if (status != HY_OK)
        return status;
    analyst.spec = spec;
    return hy_policy_spec_check_analyst(spec, error);
}

static void analyst_clean_up(void)
{
    hy_policy_destroy(analyst.policy);
    hy_policy_spec_destroy(analyst.spec);
    hy_history_clean_up(&analyst.history);
    analyst = (struct analyst){0};
}

static hy_status set_up_for(const hy_rules *rules, hy_error *error)
{
    if (!analyst.policy || memcmp(&analyst.rules, rules, sizeof *rules) != 0) {
        hy_policy_destroy(analyst.policy);
        analyst.policy = NULL;
        analyst.rules = *rules;
        hy_status status = hy_policy_new(analyst.spec, &analyst.rules, &analyst.policy, error);
        if (status != HY_OK)
            return status;
    }
    hy_policy_new_game(analyst.policy);
    return HY_OK;
}

/* Starts a game at the position, and assesses it unless it is over by then. */
static hy_status assess(const hy_rules *rules, const hy_position *position, uint64_t max_laps,
                        hy_game *game, hy_assessment *assessment, hy_error *error)
{
    hy_stream stream = hy_stream_make(0, 0, HY_PURPOSE_SOUTH);
    hy_status status = set_up_for(rules, error);
    if (status == HY_OK)
        status = hy_game_start(game, &analyst.rules, max_laps, &analyst.history, position, error);
    if (status == HY_OK && !hy_game_is_over(game))
        status = hy_assess(analyst.policy, game, &stream, assessment, error);
    return status;
}

/* What the end of a game that is over brings to the player who was to move. */
static int value_of_end(const hy_position *start, const hy_position *end)
{
    hy_player mover = start->mover, other = hy_opponent(mover);
    return (end->score[mover] - start->score[mover]) - (end->score[other] - start->score[other]);
}

static void add_to_row(json_t *row, const hy_position *position, const hy_game *game,
                       const hy_assessment *assessment)
{
    bool over = hy_game_is_over(game);
    char policy[HY_POLICY_TEXT_SIZE];
    hy_policy_spec_print(analyst.spec, policy);
    json_object_set_new(row, "termination",
                        over ? json_string(hy_termination_words[game->record.termination])
                             : json_null());
    json_object_set_new(row, "to_move",
                        over ? json_null() : json_string(hy_player_words[assessment->player]));
    hy_add_assessment_to_row(row, game->rules, over ? NULL : assessment);
    if (over)
        json_object_set_new(row, "value",
                            json_integer(value_of_end(position, hy_game_position(game))));
    json_object_set_new(row, "policy", json_string(policy));
}

static hy_status answer(json_t *row, hy_error *error)
{
    hy_rules rules;
    hy_position position;
    hy_game game;
    hy_assessment assessment;
    static const char *const optional[] = {"score", "max_laps"};
    uint64_t max_laps = HY_DEFAULT_MAX_LAPS;
    const json_t *laps = json_object_get(row, "max_laps");
    hy_status status = hy_rules_from_json(json_object_get(row, "rules"), &rules, error);
    if (status == HY_OK)
        status = hy_position_from_json(row, &rules, &position, error);
    if (status == HY_OK && laps)
        status = hy_integer_from_json(laps, "max_laps", 1, HY_LIMIT_MAX_LAPS, &max_laps, error);
    if (status == HY_OK)
        status = hy_refuse_misspelt(row, optional, 2, error);
    if (status == HY_OK)
        status = assess(&rules, &position, max_laps, &game, &assessment, error);
    if (status == HY_OK)
        add_to_row(row, &position, &game, &assessment);
    return status;
}

static void print_text(const hy_variant *variant, const hy_game *game,
                       const hy_assessment *assessment)
{
    hy_board_marks marks = {.colour = hy_colour_wanted(), .moves = &game->moves};
    printf("%s\n", variant->name);
    hy_print_board(game->rules, hy_game_position(game), &marks);
    if (hy_game_is_over(game)) {
        hy_print_end(&game->record);
        return;
    }
    if (game->last_passes > 0)
        printf("%s has no hole to play and passes\n",
               hy_player_words[hy_opponent(assessment->player)]);
    hy_print_assessment(analyst.spec, assessment);
}

static hy_status analyse_one(const analyse_arguments *arguments, hy_error *error)
{
    hy_variant variant;
    hy_position position;
    hy_game game;
    hy_assessment assessment;
    hy_status status = hy_config_variant(arguments->variant, &variant, error);
    if (status != HY_OK)
        return status;
    position = hy_position_start(&variant.rules);
    if (arguments->position)
        status = hy_position_parse(&variant.rules, arguments->position, &position, error);
    if (status == HY_OK)
        status = assess(&variant.rules, &position, HY_DEFAULT_MAX_LAPS, &game, &assessment, error);
    if (status != HY_OK)
        return status;
    if (!arguments->json) {
        print_text(&variant, &game, &assessment);
        return HY_OK;
    }
    json_t *row = json_pack("{s:o, s:o, s:o, s:s}", "rules", hy_rules_json(&variant.rules), "board",
                            hy_board_to_json(&variant.rules, &position), "score",
                            hy_score_to_json(&position), "mover", hy_player_words[position.mover]);
    if (row)
        add_to_row(row, &position, &game, &assessment);
    return hy_print_json(row, JSON_COMPACT, error);
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "VARIANT\n< POSITIONS.jsonl",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE, HY_EXIT_ROWS, HY_EXIT_USAGE_VARIANT, HY_EXIT_STORAGE, {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    analyse_arguments arguments = {.policy = DEFAULT_POLICY};
    hy_parse_arguments(&hy_command_analyse, argc, argv, &arguments);
    hy_status status = analyst_init(arguments.policy, error);
    if (status == HY_OK)
        status = arguments.variant ? analyse_one(&arguments, error) : hy_filter(answer, error);
    analyst_clean_up();
    return status;
}

const hy_command hy_command_analyse = {
    .name = "analyse",
    .summary = "value of every hole of a position, best line",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .environment = hy_environment_colour,
};
