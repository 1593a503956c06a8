/* hoyito run: plays what is missing of an experiment and stores it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/words.h"
#include "cli/cli.h"
#include "cli/recorded_run.h"
#include "cli/tables.h"
#include "config/config.h"
#include "report/report.h"
#include "sim/threads.h"

static const char doc[] =
    "Plays the games of an experiment that are missing in the database, and stores them.\n\n"
    "  hoyito run experiments/quickstart/quickstart.yaml\n"
    "  hoyito run study.yaml -o study.db -j 4        four threads\n"
    "  hoyito run study.yaml --dry-run               what would be played\n"
    "  hoyito run study.yaml --games 100 -o try.db   fewer games, to try it out\n"
    "  hoyito run study.yaml --shard 2/8 -o 2.db     the second of eight shares\n\n"
    "A file with a key such as `stop: {metric: first_player_score, half_width: 0.005}` or `stop: "
    "{sprt: {elo0: 0, elo1: 10}}` ends each condition as soon as its games answer the question; "
    "`games` is then the most that are played, and the report says what stopped each one.\n\n"
    "An interrupted run (SIGINT, SIGTERM, kill) is taken up by the same command. The games do not "
    "depend on threads, shards or interruptions.";

static const struct argp_option options[] = {
    {"output", 'o', "DB", 0, "database to write; default: NAME.db in this folder", 0},
    {"threads", 'j', "N", 0,
     "threads; default: SLURM_CPUS_PER_TASK, else the processors allowed to this process", 0},
    {"games", HY_KEY_GAMES, "N", 0, "games per condition and seating, instead of the file's", 0},
    {"seed", HY_KEY_SEED, "S", 0, "seed, instead of the file's", 0},
    {"shard", HY_KEY_SHARD, "I/N", 0, "play only the I-th of N shares of the games", 0},
    {"dry-run", HY_KEY_DRY_RUN, NULL, 0, "only say what would be played", 0},
    {"json", HY_KEY_JSON, NULL, 0, "results as JSON", 0},
    {0},
};

typedef struct run_arguments {
    const char *experiment;
    const char *output;
    uint64_t threads;
    uint64_t games;
    bool seed_given;
    uint64_t seed;
    hy_shard shard;
    bool dry_run;
    bool json;
} run_arguments;

static hy_shard parse_shard(const struct argp_state *state, const char *text)
{
    char index[24];
    hy_shard shard = {0};
    size_t length = strcspn(text, "/");
    bool good = length < sizeof index && text[length] == '/';
    if (good) {
        memcpy(index, text, length);
        index[length] = '\0';
        good = hy_parse_u64(index, &shard.index) && hy_parse_u64(text + length + 1, &shard.count) &&
               shard.index >= 1 && shard.index <= shard.count && shard.count <= 1000000;
    }
    if (!good)
        argp_error(state, "--shard takes I/N with 1 <= I <= N <= 1000000, not '%s'", text);
    return shard;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    run_arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = text;
        return 0;
    case 'j':
        arguments->threads = hy_cli_number(state, "-j", text, 1, HY_LIMIT_THREADS);
        return 0;
    case HY_KEY_GAMES:
        arguments->games = hy_cli_number(state, "--games", text, 1, HY_LIMIT_GAMES);
        return 0;
    case HY_KEY_SEED:
        arguments->seed = hy_cli_number(state, "--seed", text, 0, UINT64_MAX);
        arguments->seed_given = true;
        return 0;
    case HY_KEY_SHARD:
        arguments->shard = parse_shard(state, text);
        return 0;
    case HY_KEY_DRY_RUN:
        arguments->dry_run = true;
        return 0;
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->experiment)
            argp_error(state, "one experiment file at a time; '%s' is too many", text);
        arguments->experiment = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "an experiment file is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* How much there is to do. */
typedef struct run_size {
    uint64_t missing; /* games of the shard; with a stop rule, at the most */
    uint64_t present;
    bool complete; /* nothing is missing, neither games nor decisions of the stop rule */
} run_size;

/* Compares with the database, if it is there. Writes to no file. A seed of `auto` becomes the
 * database's. */
static hy_status measure(hy_experiment *experiment, const char *path, hy_shard shard,
                         run_size *size, hy_error *error)
{
    struct stat file;
    hy_store *store = NULL;
    hy_progress progress;
    size_t num_open = 0;
    hy_status status = HY_OK;
    if (stat(path, &file) == 0)
        status = hy_store_open_same(path, experiment, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_progress_init(&progress, experiment, error);
    if (status == HY_OK && store)
        status = hy_store_limit_progress(store, &progress, &num_open, error);
    if (status == HY_OK && store)
        status = hy_store_load_progress(store, &progress, error);
    if (status == HY_OK) {
        size->missing = hy_progress_count(&progress, shard, false);
        size->present = hy_progress_count(&progress, shard, true);
        size->complete = size->missing == 0 &&
                         (experiment->stop.kind == HY_STOP_NEVER || (store && num_open == 0));
    }
    hy_progress_clean_up(&progress);
    hy_store_abandon(store);
    return status;
}

static hy_status play_and_store(hy_experiment *experiment, const char *path,
                                const run_arguments *arguments, int argc, char **argv,
                                hy_error *error)
{
    hy_store *store;
    hy_provenance provenance = {.argc = argc,
                                .argv = argv,
                                .experiment = experiment,
                                .threads = hy_thread_count((unsigned)arguments->threads),
                                .shard = arguments->shard};
    hy_status status = hy_store_open_for(path, experiment, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_recorded_run(store, &provenance, NULL, error);
    return hy_recorded_run_close(store, status, path, error);
}

/* A run that was killed in its last moment may have left nothing to play, but a journal. Where that
 * cannot be put into the file, it is read from there all the same. */
static void tidy(hy_experiment *experiment, const char *path)
{
    hy_store *store;
    char *journal;
    if (asprintf(&journal, "%s-wal", path) < 0)
        return;
    if (access(journal, F_OK) == 0 && hy_store_open_for(path, experiment, &store, NULL) == HY_OK)
        (void)!hy_store_close(store, NULL);
    free(journal);
}

static hy_status run_experiment(hy_experiment *experiment, const char *path,
                                const run_arguments *arguments, int argc, char **argv,
                                hy_error *error)
{
    run_size size = {0};
    hy_catch_signals();
    hy_status status = measure(experiment, path, arguments->shard, &size, error);
    if (status != HY_OK)
        return status;
    if (!size.complete)
        status = play_and_store(experiment, path, arguments, argc, argv, error);
    else {
        tidy(experiment, path);
        fprintf(stderr, "nothing to play: all %" PRIu64 " games are there\n", size.present);
    }
    if (status == HY_OK)
        status = hy_print_report(path, arguments->json, error);
    if (status == HY_OK)
        fprintf(stderr, "next: hoyito report %s\n", path);
    return status;
}

/* The stop rule as the database has it; null for none. */
static json_t *stop_json(const hy_stop *stop)
{
    char text[HY_STOP_TEXT_SIZE];
    hy_stop_print(stop, text);
    return stop->kind == HY_STOP_NEVER ? json_null() : json_loads(text, 0, NULL);
}

static json_t *plan_json(const hy_experiment *experiment, const char *path, uint64_t missing)
{
    char seed[24], text[HY_CONDITION_TEXT_SIZE];
    json_t *conditions = json_array();
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        const hy_condition *condition = &experiment->conditions[i];
        uint64_t games = experiment->games * hy_num_seatings(condition);
        hy_condition_print(condition, text);
        json_array_append_new(conditions,
                              json_pack("{s:I, s:s, s:I}", "condition", (json_int_t)i + 1,
                                        "canonical", text, "games", (json_int_t)games));
    }
    snprintf(seed, sizeof seed, "%" PRIu64, experiment->seed);
    return json_pack("{s:s, s:s, s:o, s:o, s:I, s:o, s:I, s:I}", "experiment", experiment->name,
                     "seed", experiment->seed_auto ? "auto" : seed, "database", hy_json_text(path),
                     "stop", stop_json(&experiment->stop), "max_plies",
                     (json_int_t)experiment->conditions[0].max_plies, "conditions", conditions,
                     "games", (json_int_t)hy_experiment_num_games(experiment), "games_to_play",
                     (json_int_t)missing);
}

static void print_plan(const hy_experiment *experiment, const char *path, uint64_t missing)
{
    char label[HY_LABEL_SIZE], first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        const hy_condition *condition = &experiment->conditions[i];
        hy_variant_label(&condition->rules, label);
        hy_policy_spec_print(condition->first, first);
        hy_policy_spec_print(condition->second, second);
        printf("condition %zu: %s; south %s, north %s%s; %" PRIu64 " games\n", i + 1, label, first,
               second, condition->swap ? ", and with seats swapped" : "",
               experiment->games * hy_num_seatings(condition));
        if (hy_condition_repeats_swapped(condition))
            printf("  warning: both policies are the same, so the games with swapped seats are the "
                   "same games once more; take 'swap: true' out\n");
    }
    printf("%zu conditions, %s%" PRIu64 " games, of which %" PRIu64
           " would be played into '%s'%s\n",
           experiment->num_conditions, experiment->stop.kind == HY_STOP_NEVER ? "" : "at most ",
           hy_experiment_num_games(experiment), missing, path,
           experiment->stop.kind == HY_STOP_NEVER ? "" : " unless the stop rule ends them earlier");
    printf("a game that is not over after %" PRIu32 " plies is truncated\n",
           experiment->conditions[0].max_plies);
}

/* Says what would be played; touches no file. */
static hy_status dry_run(hy_experiment *experiment, const char *path,
                         const run_arguments *arguments, hy_error *error)
{
    run_size size = {0};
    hy_status status = measure(experiment, path, arguments->shard, &size, error);
    if (status != HY_OK)
        return status;
    if (arguments->json)
        return hy_print_json(plan_json(experiment, path, size.missing), JSON_INDENT(2), error);
    print_plan(experiment, path, size.missing);
    return HY_OK;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "EXPERIMENT.yaml",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    HY_EXIT_FAILED,
    {"2", "wrong usage, or an error in the experiment file"},
    {"3", "the database holds another experiment, or is not one of hoyito"},
    HY_EXIT_STORAGE,
    HY_EXIT_RESUME,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    run_arguments arguments = {.shard = HY_WHOLE_SHARD};
    hy_experiment experiment;
    char path[512];
    hy_parse_arguments(&hy_command_run, argc, argv, &arguments);
    hy_status status = hy_config_experiment(arguments.experiment, &experiment, error);
    if (status != HY_OK)
        return status;
    if (arguments.games > 0)
        experiment.games = arguments.games;
    if (arguments.seed_given) {
        experiment.seed = arguments.seed;
        experiment.seed_auto = false;
    }
    if (experiment.stop.kind != HY_STOP_NEVER && arguments.shard.count > 1) {
        hy_experiment_clean_up(&experiment);
        return hy_fail(error, HY_INVALID,
                       "'%s' has a stop rule, which needs all games and not those of one shard; "
                       "ask 'hoyito plan' for a number of games, and take 'stop' out of the file",
                       arguments.experiment);
    }
    snprintf(path, sizeof path, "%s.db", experiment.name);
    const char *database = arguments.output ? arguments.output : path;
    status = hy_experiment_check_memory(&experiment, hy_thread_count((unsigned)arguments.threads),
                                        error);
    if (status == HY_OK) /* before a database is made that names them */
        status = hy_tables_check(&experiment, NULL, error);
    if (status != HY_OK) {
        hy_experiment_clean_up(&experiment);
        return status;
    }
    if (arguments.dry_run)
        status = dry_run(&experiment, database, &arguments, error);
    else
        status = run_experiment(&experiment, database, &arguments, argc, argv, error);
    hy_experiment_clean_up(&experiment);
    return status;
}

const hy_command hy_command_run = {
    .name = "run",
    .summary = "play an experiment and store its games",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .files = hy_files_database,
    .environment = hy_environment_threads,
};
