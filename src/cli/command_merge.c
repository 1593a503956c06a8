/* hoyito merge: the databases of shards into one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/provenance.h"
#include "store/store.h"

static const char doc[] =
    "Joins databases of the same experiment into one.\n\n"
    "  hoyito run study.yaml --shard 1/2 -o 1.db\n"
    "  hoyito run study.yaml --shard 2/2 -o 2.db\n"
    "  hoyito merge study.db 1.db 2.db\n\n"
    "The same game twice is once. Databases of different experiments are refused (exit status 3) "
    "before anything is written. A game that contradicts one that is there already stops the "
    "merge (exit status 3): one of the two is wrong, and 'hoyito verify' of the inputs says which. "
    "Games that were joined before it stay in OUT.db; merge the right inputs into a new file. "
    "OUT.db may exist already, and an interrupted merge is repeated.";

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

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Every input is looked at before anything is written. The experiment is that of `first`, with the
 * most games that any input asks for. */
static hy_status check_inputs(const merge_arguments *arguments, hy_experiment *experiment,
                              hy_error *error)
{
    hy_status status = HY_OK;
    for (int i = 0; status == HY_OK && i < arguments->num_inputs; i++) {
        hy_store *store;
        if (is_same_file(arguments->output, arguments->inputs[i]))
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

static hy_status merge_inputs(hy_store *store, const merge_arguments *arguments, hy_error *error)
{
    hy_status status = HY_OK;
    for (int i = 0; status == HY_OK && i < arguments->num_inputs; i++) {
        hy_store *other;
        if (atomic_load(&hy_signal) != 0)
            return hy_fail(error, HY_INTERRUPTED, "interrupted; repeat the command to go on");
        status = hy_store_open(arguments->inputs[i], &other, error);
        if (status != HY_OK)
            return status;
        status = hy_store_merge(store, other, error);
        hy_store_abandon(other);
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
    return hy_store_close(store, error);
}

static hy_status print_count(const merge_arguments *arguments, hy_error *error)
{
    hy_store *store;
    hy_progress progress;
    hy_status status = hy_store_open(arguments->output, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_progress_init(&progress, hy_store_experiment(store), error);
    if (status == HY_OK)
        status = hy_store_load_progress(store, &progress, error);
    uint64_t total = hy_experiment_num_games(hy_store_experiment(store));
    if (status == HY_OK && arguments->json)
        status = hy_print_json(json_pack("{s:I, s:I}", "games", (json_int_t)progress.num_played,
                                         "games_asked_for", (json_int_t)total),
                               JSON_INDENT(2), error);
    else if (status == HY_OK)
        printf("'%s' holds %" PRIu64 " of %" PRIu64 " games\n", arguments->output,
               progress.num_played, total);
    hy_progress_clean_up(&progress);
    hy_store_abandon(store);
    return status;
}

hy_status hy_command_merge(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {options, parse_option, "OUT.db DB...", doc, NULL, NULL, NULL};
    merge_arguments arguments = {0};
    hy_store *first;
    hy_cli_parse(&argp, argc, argv, 0, &arguments);
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
