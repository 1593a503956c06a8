/* hoyito ladder: ratings of the policies of a database. */
#include "cli/database_arguments.h"
#include "policy/policy.h"
#include "report/ladder.h"

static const char doc[] =
    "Rates the policies of a database on one scale, a table for each variant: logistic Elo (400 "
    "points are a factor of 10), draws by Davidson's model, with the advantage of the first player "
    "and the classes of skill.\n\n"
    "  hoyito ladder strength.db\n"
    "  hoyito ladder strength.db --anchor greedy\n"
    "  hoyito ladder strength.db --json | jq '.tables[0].policies[0]'\n\n"
    "It takes experiments with a round robin (policies: {round_robin: [...]}) or any others in "
    "which policies meet. Scores of pairings have the interval of their pairs, ratings one that "
    "is clustered by game number. Games without a result are counted and left out. A policy that "
    "won or lost everything has a bound ('> 812') instead of a rating.";

enum { KEY_ANCHOR = 0x200 };

typedef struct ladder_arguments {
    hy_database_arguments database; /* first: for hy_parse_database_option */
    const char *anchor;
} ladder_arguments;

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {"anchor", KEY_ANCHOR, "POLICY", 0,
     "the policy whose rating is 0; default: random, or the first one where it does not play", 0},
    {0},
};

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    ladder_arguments *arguments = state->input;
    if (key != KEY_ANCHOR)
        return hy_parse_database_option(key, text, state);
    arguments->anchor = text;
    return 0;
}

static hy_status print_ladder(hy_store *store, const char *anchor, bool json, hy_error *error)
{
    hy_ladder ladder;
    hy_status status = hy_ladder_build(store, anchor, &ladder, error);
    if (status != HY_OK)
        return status;
    if (json)
        status = hy_print_json(hy_ladder_json(&ladder), JSON_INDENT(2), error);
    else
        hy_ladder_print(&ladder, stdout);
    hy_ladder_clean_up(&ladder);
    return status;
}

/* The canonical text of a policy. */
static hy_status read_anchor(const char *text, char name[HY_POLICY_TEXT_SIZE], hy_error *error)
{
    hy_policy_spec *spec;
    hy_status status = hy_policy_spec_parse(text, &spec, error);
    if (status != HY_OK)
        return status;
    hy_policy_spec_print(spec, name);
    hy_policy_spec_destroy(spec);
    return HY_OK;
}

hy_status hy_command_ladder(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {options, parse_option, "DB", doc, NULL, NULL, NULL};
    ladder_arguments arguments = {0};
    char anchor[HY_POLICY_TEXT_SIZE];
    hy_store *store;
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
    hy_status status = arguments.anchor ? read_anchor(arguments.anchor, anchor, error) : HY_OK;
    if (status == HY_OK)
        status = hy_store_open(arguments.database.database, &store, error);
    if (status != HY_OK)
        return status;
    status = print_ladder(store, arguments.anchor ? anchor : NULL, arguments.database.json, error);
    hy_store_abandon(store);
    return status;
}
