/* hoyito value: exact values of positions, from endgame tables. */
#include <string.h>

#include "cli/cli.h"
#include "cli/filter.h"
#include "cli/rules_json.h"
#include "config/config.h"
#include "solve/endgame.h"

static const char doc[] =
    "Reads positions as JSON Lines and adds their exact value, from the tables of `hoyito "
    "solve`.\n\n"
    "  hoyito value hoyito-ii --tables tables < positions.jsonl\n"
    "  hoyito value hoyito-ii --tables tables \\\n"
    "    <<<'{\"board\":[0,1,2,0,3,0,0,0,4,0,1,1],\"mover\":\"north\"}'\n\n"
    "Keys in: board (counters a hole, south's first), mover; rules, if there, have to be the "
    "variant's. Added: value (to the mover: the difference of counters still to be won), best (the "
    "holes that attain it; none where the mover has no legal hole). A row without an answer gives "
    "{\"error\", \"line\"}, and exit status 1 at the end.";

static const struct argp_option options[] = {
    {"tables", HY_KEY_TABLES, "DIR", 0, "folder of the tables", 0},
    {"json", HY_KEY_JSON, NULL, 0, "no change: the answers are JSON Lines anyway", 0},
    {0},
};

typedef struct value_arguments {
    const char *variant;
    const char *tables;
} value_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    value_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_TABLES:
        arguments->tables = text;
        return 0;
    case HY_KEY_JSON:
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->variant)
            argp_error(state, "one variant at a time; '%s' is too many", text);
        arguments->variant = text;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->variant)
            argp_error(state, "a variant is missing: a preset's name or a rules file");
        else if (!arguments->tables)
            argp_error(state, "--tables, the folder that 'hoyito solve' wrote, is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The tables that answer. Filters have no other place for them. */
static const hy_endgame *tables;

static hy_status check_rules(const json_t *row, hy_error *error)
{
    hy_rules rules;
    const json_t *given = json_object_get(row, "rules");
    if (!given)
        return HY_OK;
    hy_status status = hy_rules_from_json(given, &rules, error);
    if (status != HY_OK)
        return status;
    rules.seeds = hy_endgame_rules(tables)->seeds;
    if (memcmp(&rules, hy_endgame_rules(tables), sizeof rules) != 0)
        return hy_fail(error, HY_INVALID, "the row's rules are not those of the tables");
    return HY_OK;
}

static hy_status check_counters(const hy_position *position, hy_error *error)
{
    const hy_rules *rules = hy_endgame_rules(tables);
    if (hy_endgame_has(tables, position->left))
        return HY_OK;
    return hy_fail(
        error, HY_FAILED,
        "no table of positions with %u counters on the board; there are those of %u, %u, "
        "… %u",
        position->left, hy_rules_total(rules) % rules->casa,
        hy_rules_total(rules) % rules->casa + rules->casa, hy_endgame_max_counters(tables));
}

static hy_status answer(json_t *row, hy_error *error)
{
    hy_position position;
    hy_moves moves;
    int values[HY_MAX_HOLES];
    const hy_rules *rules = hy_endgame_rules(tables);
    json_t *best = NULL;
    hy_status status = check_rules(row, error);
    if (status == HY_OK)
        status = hy_position_from_json(row, rules, &position, error);
    if (status == HY_OK)
        status = check_counters(&position, error);
    if (status != HY_OK)
        return status;
    int value = hy_endgame_value(tables, position.board, position.mover);
    hy_legal_moves(rules, &position, HY_DEFAULT_MAX_LAPS, &moves);
    hy_endgame_holes(tables, &position, &moves, values);
    best = json_array();
    for (unsigned i = 0; i < moves.num; i++) {
        if (values[i] == value)
            json_array_append_new(best, json_integer(moves.hole[i]));
    }
    if (json_object_set_new(row, "value", json_integer(value)) != 0 ||
        json_object_set_new(row, "best", best) != 0)
        return hy_fail_memory(error);
    return HY_OK;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "VARIANT < POSITIONS.jsonl",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,          HY_EXIT_ROWS,
    HY_EXIT_USAGE_VARIANT, {"3", "the tables are of another variant or version"},
    HY_EXIT_STORAGE,       {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    value_arguments arguments = {0};
    hy_variant variant;
    hy_endgame *endgame;
    hy_parse_arguments(&hy_command_value, argc, argv, &arguments);
    hy_status status = hy_config_variant(arguments.variant, &variant, error);
    if (status == HY_OK)
        status = hy_endgame_open(arguments.tables, &variant.rules, &endgame, error);
    if (status != HY_OK)
        return status;
    tables = endgame;
    status = hy_filter(answer, error);
    hy_endgame_destroy(endgame);
    tables = NULL;
    return status;
}

const hy_command hy_command_value = {
    .name = "value",
    .summary = "exact values from endgame tables",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
