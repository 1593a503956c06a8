/* hoyito play: a game in a terminal, or piped, between people and policies. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/assessment.h"
#include "cli/board_text.h"
#include "cli/cli.h"
#include "cli/play_laps.h"
#include "cli/play_record.h"
#include "cli/play_session.h"
#include "cli/play_talk.h"

#define DEFAULT_VARIANT "hoyito-ii"
#define DEFAULT_POLICY "alphabeta:depth=6,nodes=1000000" /* a second at most */

static const char doc[] =
    "Plays a game: holes by their numbers, and commands (undo, hint, laps, board, record, help, "
    "quit), one a line from standard input.\n\n"
    "  hoyito play\n"
    "  hoyito play hoyito-ii-2x12 --south human --north alphabeta:depth=4\n"
    "  hoyito play ba-awa --south human --north human --record game.jsonl\n"
    "  hoyito play --south greedy --north random --seed 7 |\n"
    "    tail -n 1 | hoyito replay\n\n"
    "VARIANT is the name of a preset or a rules file. The last line is the game as a row that "
    "`hoyito replay` reads, also when the input ends before the game; with --record it is in the "
    "file instead.";

static const struct argp_option options[] = {
    {"south", HY_KEY_SOUTH, "WHO", 0, "who plays south: human or a policy (default human)", 0},
    {"north", HY_KEY_NORTH, "WHO", 0, "who plays north (default " DEFAULT_POLICY ")", 0},
    {"hint", HY_KEY_HINT, "POLICY", 0, "who gives hints (default " DEFAULT_POLICY ")", 0},
    {"seed", HY_KEY_SEED, "S", 0, "seed of the policies' random numbers (default: drawn)", 0},
    {"max-plies", HY_KEY_MAX_PLIES, "N", 0, "a game that is not over by then is truncated", 0},
    {"record", HY_KEY_RECORD, "FILE", 0, "write the game to a file, which is replaced", 0},
    {0},
};

typedef struct play_arguments {
    const char *variant;
    const char *seats[2];
    const char *hint;
    const char *record;
    uint64_t seed;
    bool seed_given;
    uint32_t max_plies;
} play_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    play_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_SOUTH:
        arguments->seats[HY_SOUTH] = text;
        return 0;
    case HY_KEY_NORTH:
        arguments->seats[HY_NORTH] = text;
        return 0;
    case HY_KEY_HINT:
        arguments->hint = text;
        return 0;
    case HY_KEY_SEED:
        arguments->seed = hy_cli_number(state, "--seed", text, 0, UINT64_MAX);
        arguments->seed_given = true;
        return 0;
    case HY_KEY_MAX_PLIES:
        arguments->max_plies =
            (uint32_t)hy_cli_number(state, "--max-plies", text, 1, HY_LIMIT_MAX_PLIES);
        return 0;
    case HY_KEY_RECORD:
        arguments->record = text;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->variant)
            argp_error(state, "one variant at a time; '%s' is too many", text);
        arguments->variant = text;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static hy_status read_seat(const char *option, const char *text, hy_policy_spec **spec,
                           hy_error *error)
{
    hy_error fault = {0};
    hy_policy_spec *made;
    if (strcmp(text, HY_HUMAN) == 0)
        return HY_OK;
    hy_status status = hy_policy_spec_parse(text, &made, &fault);
    if (status == HY_OK) {
        *spec = made;
        return HY_OK;
    }
    return hy_fail(error, status, "%s: %.600s; a person is '" HY_HUMAN "'", option, fault.text);
}

static hy_status read_hint(const char *text, hy_policy_spec **spec, hy_error *error)
{
    hy_policy_spec *made;
    hy_status status = hy_policy_spec_parse(text, &made, error);
    if (status != HY_OK)
        return status;
    *spec = made;
    return hy_policy_spec_check_analyst(made, error);
}

static hy_status read_seed(const play_arguments *arguments, uint64_t *seed, hy_error *error)
{
    *seed = arguments->seed;
    if (!arguments->seed_given && getentropy(seed, sizeof *seed) != 0)
        return hy_fail(error, HY_FAILED, "the system gives no seed; name one with --seed");
    return HY_OK;
}

static hy_status read_options(const play_arguments *arguments, hy_play_options *play,
                              hy_error *error)
{
    const char *variant = arguments->variant ? arguments->variant : DEFAULT_VARIANT;
    play->max_plies = arguments->max_plies;
    play->record_path = arguments->record;
    play->prompts = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    play->colour = hy_colour_wanted();
    hy_status status = hy_config_variant(variant, &play->variant, error);
    if (status == HY_OK)
        status = read_seat("--south", arguments->seats[HY_SOUTH], &play->seats[HY_SOUTH], error);
    if (status == HY_OK)
        status = read_seat("--north", arguments->seats[HY_NORTH], &play->seats[HY_NORTH], error);
    if (status == HY_OK)
        status = read_hint(arguments->hint, &play->hint, error);
    if (status == HY_OK)
        status = read_seed(arguments, &play->seed, error);
    if (status == HY_OK && arguments->record)
        status = hy_record_check(arguments->record, error);
    return status;
}

static void print_header(const hy_play_options *play, bool drawn)
{
    printf("%s", play->variant.name);
    for (int seat = HY_SOUTH; seat <= HY_NORTH; seat++) {
        char text[HY_POLICY_TEXT_SIZE] = HY_HUMAN;
        if (play->seats[seat])
            hy_policy_spec_print(play->seats[seat], text);
        printf("%s %s %s", seat == HY_SOUTH ? ":" : ",", hy_player_words[seat], text);
    }
    printf("; seed %" PRIu64 "%s\n", play->seed, drawn ? " (drawn)" : "");
    if (!play->seats[HY_SOUTH] || !play->seats[HY_NORTH])
        puts("a number plays a hole, 'help' lists the commands");
}

/* Says how the game stands or ended. */
static void print_outcome(const hy_session *session)
{
    const hy_game *game = &session->game;
    const hy_rules *rules = &session->options->variant.rules;
    if (!hy_game_is_over(game)) {
        printf("the game is unfinished after %" PRIu32 " %s\n", game->record.plies,
               game->record.plies == 1 ? "ply" : "plies");
        return;
    }
    putchar('\n');
    hy_print_board(rules, hy_game_position(game), NULL);
    if (game->record.termination == HY_ENDLESS)
        hy_print_endless(rules, hy_session_before(session),
                         session->holes.holes[session->holes.num - 1]);
    printf("game over: ");
    hy_print_end(&game->record);
}

/* Writes the record where it is wanted; to stdout if that fails. */
static hy_status save(const hy_session *session, hy_error *error)
{
    const char *path = session->options->record_path;
    json_t *row = hy_session_row(session);
    char *text = row ? json_dumps(row, JSON_COMPACT) : NULL;
    hy_status status = HY_OK;
    json_decref(row);
    if (!text)
        return hy_fail_memory(error);
    if (path)
        status = hy_record_write(path, text, error);
    if (path && status == HY_OK)
        printf("the record is in '%s'\n", path);
    else
        puts(text);
    free(text);
    return status;
}

static hy_status play_and_save(const hy_play_options *play, hy_error *error)
{
    hy_session session;
    hy_error fault = {0};
    hy_status status = hy_session_init(&session, play, error);
    if (status == HY_OK) {
        status = hy_talk(&session, error);
        print_outcome(&session);
        hy_status saved = save(&session, &fault);
        if (status == HY_OK && saved != HY_OK) {
            status = saved;
            *error = fault;
        }
    }
    hy_session_clean_up(&session);
    return status;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "[VARIANT]",
    .doc = doc,
};

static const hy_help_row exits[] = {
    {"0", "done, also when the input ended before the game"},
    HY_EXIT_FAILED,
    HY_EXIT_USAGE_VARIANT,
    HY_EXIT_STORAGE,
    HY_EXIT_INTERRUPTED,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    play_arguments arguments = {
        .seats = {HY_HUMAN, DEFAULT_POLICY},
        .hint = DEFAULT_POLICY,
        .max_plies = HY_DEFAULT_MAX_PLIES,
    };
    hy_play_options play = {0};
    hy_parse_arguments(&hy_command_play, argc, argv, &arguments);
    hy_status status = read_options(&arguments, &play, error);
    if (status == HY_OK) {
        hy_catch_signals();
        print_header(&play, !arguments.seed_given);
        status = play_and_save(&play, error);
    }
    hy_policy_spec_destroy(play.seats[HY_SOUTH]);
    hy_policy_spec_destroy(play.seats[HY_NORTH]);
    hy_policy_spec_destroy(play.hint);
    return status;
}

const hy_command hy_command_play = {
    .name = "play",
    .summary = "play a game in a terminal",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .environment = hy_environment_colour,
};
