/* hoyito merge: the databases of shards into one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/database_arguments.h"
#include "cli/provenance.h"
#include "store/store.h"

static const char doc[] =
    "Joins databases of the same experiment into one.\n\n"
    "  hoyito run study.yaml --shard 1/2 -o 1.db\n"
    "  hoyito run study.yaml --shard 2/2 -o 2.db\n"
    "  hoyito merge study.db 1.db 2.db\n\n"
    "A game that several of them hold counts once. Databases of different experiments are refused "
    "before anything is written. A game that contradicts one that is there already stops the "
    "merge (exit status 3): one of the two is wrong, and 'hoyito verify' of the inputs says which. "
    "Games that were joined before it stay in OUT.db; merge the right inputs into a new file. "
    "OUT.db may exist already, and an interrupted merge goes on with the same command.";

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {0},
};

typedef struct merge_arguments {
    const char *output;
    char **inputs;
    int num_inputs;
    bool json;
} merge_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    merge_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->output)
            return ARGP_ERR_UNKNOWN; /* and so for ARGP_KEY_ARGS */
        arguments->output = text;
        return 0;
    case ARGP_KEY_ARGS:
        arguments->inputs = state->argv + state->next;
        arguments->num_inputs = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->output || arguments->num_inputs == 0)
            argp_error(state, "an output and at least one database to merge are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Every input is looked at before anything is written. The experiment is that of `first`, with the
 * most games that any input asks for. */
static hy_status check_inputs(const merge_arguments *arguments, hy_experiment *experiment,
                              hy_error *error)
{
    hy_status status = HY_OK;
    for (int i = 0; status == HY_OK && i < arguments->num_inputs; i++) {
        hy_store *store;
        if (hy_is_same_file(arguments->output, arguments->inputs[i]))
            return hy_fail(error, HY_INVALID, "'%s' is both the output and an input",
                           arguments->output);
        status = hy_store_open_same(arguments->inputs[i], experiment, &store, error);
        if (status != HY_OK)
            return status;
        if (hy_store_experiment(store)->games > experiment->games)
            experiment->games = hy_store_experiment(store)->games;
        hy_store_abandon(store);
    }
    return HY_OK;
}

/* Databases that are open at the same time. Each pass over the output joins so many. */
#define MAX_OPEN 64

static hy_status merge_some(hy_store *store, char **inputs, size_t num, hy_error *error)
{
    hy_store *others[MAX_OPEN];
    size_t num_open = 0;
    hy_status status = HY_OK;
    for (; status == HY_OK && num_open < num; num_open += status == HY_OK)
        status = hy_store_open(inputs[num_open], &others[num_open], error);
    if (status == HY_OK)
        status = hy_store_merge(store, others, num, &hy_signal, error);
    for (size_t i = 0; i < num_open; i++)
        hy_store_abandon(others[i]);
    return status;
}

static hy_status merge_inputs(hy_store *store, const merge_arguments *arguments, hy_error *error)
{
    size_t num_inputs = (size_t)arguments->num_inputs;
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < num_inputs; i += MAX_OPEN) {
        size_t num = num_inputs - i < MAX_OPEN ? num_inputs - i : MAX_OPEN;
        status = merge_some(store, arguments->inputs + i, num, error);
    }
    return status;
}

static hy_status merge(const merge_arguments *arguments, hy_experiment *experiment, int argc,
                       char **argv, hy_error *error)
{
    hy_store *store;
    hy_provenance provenance = {.argc = argc, .argv = argv, .experiment = experiment, .threads = 1};
    hy_status status = hy_store_open_for(arguments->output, experiment, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_provenance_begin(&provenance, store, error);
    if (status == HY_OK)
        status = merge_inputs(store, arguments, error);
    if (status == HY_OK)
        status = hy_provenance_end(&provenance, store, error);
    if (status != HY_OK) {
        hy_store_abandon(store);
        return status;
    }
    status = hy_store_close(store, error);
    if (status == HY_OK)
        hy_note_journal(arguments->output);
    return status;
}

static hy_status print_count(const merge_arguments *arguments, hy_error *error)
{
    hy_store *store;
    uint64_t games;
    hy_status status = hy_store_open(arguments->output, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_store_count(store, &games, error);
    uint64_t total = hy_experiment_num_games(hy_store_experiment(store));
    if (status == HY_OK && arguments->json)
        status = hy_print_json(json_pack("{s:I, s:I}", "games", (json_int_t)games,
                                         "games_asked_for", (json_int_t)total),
                               JSON_INDENT(2), error);
    else if (status == HY_OK)
        printf("'%s' holds %" PRIu64 " of %" PRIu64 " games\n", arguments->output, games, total);
    hy_store_abandon(store);
    return status;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "OUT.db DB...",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    HY_EXIT_FAILED,
    HY_EXIT_USAGE,
    {"3", "the databases are of different experiments, or contradict each other"},
    HY_EXIT_STORAGE,
    HY_EXIT_RESUME,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    merge_arguments arguments = {0};
    hy_store *first;
    hy_parse_arguments(&hy_command_merge, argc, argv, &arguments);
    hy_catch_signals();
    hy_status status = hy_store_open(arguments.inputs[0], &first, error);
    if (status != HY_OK)
        return status;
    hy_experiment experiment = *hy_store_experiment(first); /* shares what the store owns */
    status = check_inputs(&arguments, &experiment, error);
    if (status == HY_OK)
        status = merge(&arguments, &experiment, argc, argv, error);
    hy_store_abandon(first);
    return status == HY_OK ? print_count(&arguments, error) : status;
}

const hy_command hy_command_merge = {
    .name = "merge",
    .summary = "join the databases of shards",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .files = hy_files_database,
};
