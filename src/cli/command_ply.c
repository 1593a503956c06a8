/* hoyito ply: what a ply does to a position. */
#include "cli/cli.h"
#include "cli/filter.h"
#include "cli/rules_json.h"
#include "rules/ply.h"

static const char doc[] =
    "Reads positions as JSON Lines and adds what the ply of a hole does to them.\n\n"
    "  hoyito ply <<<'{\"rules\":{\"holes\":1},\"board\":[4,4],\"mover\":\"south\",\"hole\":0}'\n"
    "  hoyito ply < positions.jsonl > answers.jsonl\n\n"
    "Keys in: rules (fields that are not at their default; also preset), board (counters a hole, "
    "south's first), score ([south, north]; may be left out), mover, hole; max_laps if not "
    "10000000. Added: after, with board, score, laps, counters (dropped), casas (taken by the "
    "final "
    "counter), en_passant (casas taken in mid-sowing), ending (empty, capture, occupied, endless, "
    "unresolved), again (the same player moves again), termination (null: the game goes on). A row "
    "without an answer gives {\"error\", \"line\"}, and exit status 1 at the end.";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    (void)state;
    (void)text;
    return key == ARGP_KEY_ARG ? (argp_error(state, "positions are read from standard input"), 0)
                               : ARGP_ERR_UNKNOWN;
}

static hy_status check_hole(const hy_rules *rules, const hy_position *position, uint64_t hole,
                            hy_error *error)
{
    if (hy_owner(rules, (unsigned)hole) != position->mover)
        return hy_fail(error, HY_INVALID, "hole %u is not one of %s's", (unsigned)hole,
                       hy_player_words[position->mover]);
    if (position->board[hole] == 0)
        return hy_fail(error, HY_INVALID, "hole %u is empty", (unsigned)hole);
    return HY_OK;
}

static json_t *after_json(const hy_rules *rules, const hy_position *after, const hy_ply *ply)
{
    const hy_sowing *sowing = &ply->sowing;
    json_t *termination = ply->termination == HY_GOES_ON
                              ? json_null()
                              : json_string(hy_termination_words[ply->termination]);
    return json_pack(
        "{s:o, s:o, s:I, s:I, s:i, s:i, s:s, s:b, s:o}", "board", hy_board_to_json(rules, after),
        "score", hy_score_to_json(after), "laps", (json_int_t)sowing->laps, "counters",
        (json_int_t)sowing->counters, "casas", (int)sowing->casas, "en_passant",
        sowing->en_passant[HY_SOUTH] + sowing->en_passant[HY_NORTH], "ending",
        hy_ending_words[sowing->ending], "again", (int)ply->again, "termination", termination);
}

static hy_status answer(json_t *row, hy_error *error)
{
    static const char *const optional[] = {"score", "max_laps"};
    hy_rules rules;
    hy_position before, after;
    hy_ply ply;
    uint64_t hole, max_laps = HY_DEFAULT_MAX_LAPS;
    const json_t *laps = json_object_get(row, "max_laps");
    hy_status status = hy_rules_from_json(json_object_get(row, "rules"), &rules, error);
    if (status == HY_OK)
        status = hy_position_from_json(row, &rules, &before, error);
    if (status == HY_OK)
        status = hy_integer_from_json(json_object_get(row, "hole"), "hole", 0, 2u * rules.holes - 1,
                                      &hole, error);
    if (status == HY_OK && laps)
        status = hy_integer_from_json(laps, "max_laps", 1, HY_LIMIT_MAX_LAPS, &max_laps, error);
    if (status == HY_OK)
        status = hy_refuse_misspelt(row, optional, 2, error);
    if (status == HY_OK)
        status = check_hole(&rules, &before, hole, error);
    if (status != HY_OK)
        return status;
    hy_ply_play(&rules, &before, (unsigned)hole, max_laps, &after, &ply);
    if (ply.termination == HY_ENDLESS && rules.endless == HY_ENDLESS_FORBID)
        return hy_fail(error, HY_INVALID, "hole %u is not legal: its sowing never ends",
                       (unsigned)hole);
    json_t *json = after_json(&rules, &after, &ply);
    return json_object_set_new(row, "after", json) == 0 ? HY_OK : hy_fail_memory(error);
}

static const struct argp argp = {
    .parser = parse_option,
    .args_doc = "< POSITIONS.jsonl",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE, HY_EXIT_ROWS, HY_EXIT_USAGE, HY_EXIT_STORAGE, {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    hy_parse_arguments(&hy_command_ply, argc, argv, NULL);
    return hy_filter(answer, error);
}

const hy_command hy_command_ply = {
    .name = "ply",
    .summary = "answer single plies, JSON Lines in and out",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
