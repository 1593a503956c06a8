/* hoyito replay: games from their holes, and stored games as boards a person can read. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/filter.h"
#include "cli/game_row.h"
#include "cli/replay_stored.h"
#include "cli/rules_json.h"
#include "sim/game.h"

static const char doc[] =
    "Plays games from the holes played, as JSON Lines; or shows a stored game ply by ply.\n\n"
    "  echo '{\"rules\":{\"holes\":2},\"holes\":[1,3],\"max_plies\":2}' | hoyito replay\n"
    "  hoyito replay quickstart.db --condition 1 --game 0\n"
    "  hoyito replay quickstart.db --condition 2 --game 0 --swapped --json\n\n"
    "Keys in: rules (fields that are not at their default; also preset), holes, max_plies if there "
    "is a limit, max_laps if not 10000000. Added: score, plies, turns, passes, termination and "
    "result; the last two are null for a game that is not over. With --json a stored game is one "
    "such row. A row without an answer gives {\"error\", \"line\"}, and exit status 1 at the end.";

static const struct argp_option options[] = {
    {"condition", HY_KEY_CONDITION, "C", 0, "condition of the stored game, from 1", 0},
    {"game", HY_KEY_GAME, "N", 0, "its number, from 0", 0},
    {"swapped", HY_KEY_SWAPPED, NULL, 0, "the game with the policies' seats swapped", 0},
    {"json", HY_KEY_JSON, NULL, 0, "the stored game as a row of JSON", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    hy_stored_game *game = state->input;
    switch (key) {
    case HY_KEY_CONDITION:
        game->condition = hy_cli_number(state, "--condition", text, 1, HY_LIMIT_CONDITIONS);
        return 0;
    case HY_KEY_GAME:
        game->number = hy_cli_number(state, "--game", text, 0, HY_LIMIT_GAMES - 1);
        game->number_given = true;
        return 0;
    case HY_KEY_SWAPPED:
        game->swapped = true;
        return 0;
    case HY_KEY_JSON:
        game->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (game->database)
            argp_error(state, "one database at a time; '%s' is too many", text);
        game->database = text;
        return 0;
    case ARGP_KEY_END:
        if (game->database && (game->condition == 0 || !game->number_given))
            argp_error(state, "a stored game needs --condition and --game");
        if (!game->database && (game->condition > 0 || game->number_given || game->swapped))
            argp_error(state, "--condition, --game and --swapped go with a database");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static hy_status play_hole(hy_game *game, const json_t *value, uint64_t max_plies, hy_error *error)
{
    uint64_t hole;
    const hy_game_record *record = &game->record;
    hy_status status =
        hy_integer_from_json(value, "holes", 0, 2u * game->rules->holes - 1, &hole, error);
    if (status != HY_OK)
        return status;
    if (hy_game_is_over(game))
        return hy_fail(error, HY_INVALID, "the game is over after %" PRIu32 " plies (%s)",
                       record->plies, hy_termination_words[record->termination]);
    if (record->plies >= max_plies)
        return hy_fail(error, HY_INVALID, "more holes than 'max_plies' (%" PRIu64 ")", max_plies);
    if (!hy_game_allows(game, (unsigned)hole))
        return hy_fail(error, HY_INVALID, "ply %" PRIu32 ": hole %u is not legal for %s",
                       record->plies + 1, (unsigned)hole,
                       hy_player_words[hy_game_position(game)->mover]);
    return hy_game_ply(game, (unsigned)hole, error);
}

static hy_status play_holes(hy_game *game, const json_t *holes, uint64_t max_plies, hy_error *error)
{
    hy_status status = HY_OK;
    if (!json_is_array(holes))
        return hy_fail(error, HY_INVALID, "'holes' is an array of integers");
    for (size_t i = 0; status == HY_OK && i < json_array_size(holes); i++)
        status = play_hole(game, json_array_get(holes, i), max_plies, error);
    if (status == HY_OK && !hy_game_is_over(game) && game->record.plies >= max_plies)
        hy_game_truncate(game);
    return status;
}

static hy_status replay(const json_t *row, const hy_rules *rules, hy_history *history,
                        hy_game *game, hy_error *error)
{
    uint64_t max_plies = UINT64_MAX, max_laps = HY_DEFAULT_MAX_LAPS;
    const json_t *plies = json_object_get(row, "max_plies");
    const json_t *laps = json_object_get(row, "max_laps");
    hy_position start = hy_position_start(rules);
    hy_status status = HY_OK;
    if (plies)
        status = hy_integer_from_json(plies, "max_plies", 1, HY_LIMIT_MAX_PLIES, &max_plies, error);
    if (status == HY_OK && laps)
        status = hy_integer_from_json(laps, "max_laps", 1, HY_LIMIT_MAX_LAPS, &max_laps, error);
    if (status == HY_OK)
        status = hy_game_start(game, rules, max_laps, history, &start, error);
    if (status == HY_OK)
        status = play_holes(game, json_object_get(row, "holes"), max_plies, error);
    return status;
}

static hy_status answer(json_t *row, hy_error *error)
{
    static const char *const optional[] = {"max_plies", "max_laps"};
    hy_rules rules;
    hy_game game;
    hy_history history = {0};
    hy_status status = hy_rules_from_json(json_object_get(row, "rules"), &rules, error);
    if (status == HY_OK)
        status = hy_refuse_misspelt(row, optional, 2, error);
    if (status == HY_OK)
        status = replay(row, &rules, &history, &game, error);
    hy_history_clean_up(&history);
    if (status == HY_OK)
        hy_add_game_to_row(row, &game.record);
    return status;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "< GAMES.jsonl\nDB --condition C --game N",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    HY_EXIT_ROWS,
    {"2", "wrong usage, or no such game"},
    {"3", "the stored game is another one than its seed gives"},
    HY_EXIT_STORAGE,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    hy_stored_game game = {0};
    hy_parse_arguments(&hy_command_replay, argc, argv, &game);
    return game.database ? hy_replay_stored(&game, error) : hy_filter(answer, error);
}

const hy_command hy_command_replay = {
    .name = "replay",
    .summary = "play given holes, or show a stored game",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
