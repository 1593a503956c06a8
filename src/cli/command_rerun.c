/* hoyito rerun: a database, played again from itself. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/rerun.h"
#include "sim/threads.h"

static const char doc[] =
    "Plays the games of a database again, from nothing but the database, and compares.\n\n"
    "  hoyito rerun study.db -o again.db\n"
    "  hoyito rerun study.db --check -j 4       keeps no new database\n"
    "  hoyito rerun old.db -o new.db            for a database of an older hoyito\n\n"
    "Rules, policies, seed, record and stop rule are those stored in the database; no other file "
    "is "
    "read but the endgame tables that a policy names. Those games are played that the database "
    "holds, be it whole, a shard, a merge of shards or an interrupted run; with a stop rule, those "
    "that the rule asks for. All columns that both databases have are compared, then their "
    "digests.\n\n"
    "A database that was made with other rules, another generator or other policies than this "
    "program's is refused. An interrupted rerun is taken up by the same command.";

static const struct argp_option options[] = {
    {"output", 'o', "NEW.db", 0, "database to write", 0},
    {"check", HY_KEY_CHECK, NULL, 0, "compare only; the new database is a temporary one", 0},
    {"threads", 'j', "N", 0,
     "threads; default: SLURM_CPUS_PER_TASK, else the processors allowed to this process", 0},
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {0},
};

typedef struct rerun_arguments {
    const char *database;
    const char *output;
    uint64_t threads;
    bool check;
    bool json;
} rerun_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    rerun_arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = text;
        return 0;
    case 'j':
        arguments->threads = hy_cli_number(state, "-j", text, 1, HY_LIMIT_THREADS);
        return 0;
    case HY_KEY_CHECK:
        arguments->check = true;
        return 0;
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->database)
            argp_error(state, "one database at a time; '%s' is too many", text);
        arguments->database = text;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->database)
            argp_error(state, "a database is missing");
        if (!arguments->output == !arguments->check)
            argp_error(state, "either -o NEW.db or --check is needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static json_t *rerun_json(const hy_rerun *rerun)
{
    bool same = rerun->difference.status == HY_OK;
    return json_pack("{s:I, s:I, s:I, s:s, s:b, s:b, s:s?, s:s, s:b, s:o}", "schema_version",
                     (json_int_t)rerun->version, "games", (json_int_t)rerun->num_games, "rows",
                     (json_int_t)rerun->comparison.num_rows, "lacking", rerun->comparison.lacking,
                     "finished", !rerun->unfinished, "reproducible", rerun->reproducible,
                     "digest_before", rerun->has_digest ? rerun->before : NULL, "digest",
                     rerun->after, "equal", same, "difference",
                     same ? json_null() : hy_json_text(rerun->difference.text));
}

static void print_what_was_compared(const hy_rerun *rerun)
{
    const char *lacking = rerun->comparison.lacking;
    printf("%" PRIu64 " games; %" PRIu64 " rows of results compared\n", rerun->num_games,
           rerun->comparison.num_rows);
    if (lacking[0])
        printf("not compared, or in part, because schema version %" PRId64
               " does not have them: %s\n",
               rerun->version, lacking);
    if (!rerun->reproducible)
        printf("conditions with a policy limited by time were left out: they cannot be repeated\n");
    if (rerun->unfinished)
        printf("'%s' was interrupted before its stop rule had ended all conditions; the new one "
               "holds what the rule asked for\n",
               rerun->database);
}

static void print_rerun(const hy_rerun *rerun, bool keep)
{
    print_what_was_compared(rerun);
    printf("%-64s  %s\n", rerun->has_digest ? rerun->before : "no digest: older rows lack columns",
           rerun->database);
    printf("%-64s  %s\n", rerun->after, keep ? rerun->output : "played again");
    if (rerun->difference.status != HY_OK)
        printf("different: %s\n", rerun->difference.text);
    else
        puts(hy_rerun_has_same_games(rerun) ? "equal" : "equal in all that was compared");
}

static hy_status do_and_print(hy_rerun *rerun, bool keep, bool json, hy_error *error)
{
    hy_status status = hy_rerun_do(rerun, error);
    if (status != HY_OK)
        return status;
    if (json)
        status = hy_print_json(rerun_json(rerun), JSON_INDENT(2), error);
    else
        print_rerun(rerun, keep);
    if (status == HY_OK && rerun->difference.status != HY_OK) {
        *error = rerun->difference;
        return HY_MISMATCH;
    }
    return status;
}

/* Into a folder that is gone afterwards. */
static hy_status check_only(hy_rerun *rerun, bool json, hy_error *error)
{
    const char *place = getenv("TMPDIR");
    char folder[512], path[560];
    snprintf(folder, sizeof folder, "%.480s/hoyito-rerun-XXXXXX", place && *place ? place : "/tmp");
    if (!mkdtemp(folder))
        return hy_fail(error, HY_STORAGE, "cannot make a folder '%s' (TMPDIR)", folder);
    snprintf(path, sizeof path, "%s/rerun.db", folder);
    rerun->output = path;
    hy_status status = do_and_print(rerun, false, json, error);
    hy_store_remove(path);
    rmdir(folder);
    if (status == HY_INTERRUPTED)
        return hy_fail(error, HY_INTERRUPTED, "interrupted; nothing is kept with --check");
    return status;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "DB",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    HY_EXIT_FAILED,
    HY_EXIT_USAGE,
    {"3", "something differs, or the database is of other rules or policies"},
    HY_EXIT_STORAGE,
    HY_EXIT_RESUME,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    rerun_arguments arguments = {0};
    hy_parse_arguments(&hy_command_rerun, argc, argv, &arguments);
    hy_catch_signals();
    hy_rerun rerun = {
        .database = arguments.database,
        .output = arguments.output,
        .threads = hy_thread_count((unsigned)arguments.threads),
        .argc = argc,
        .argv = argv,
    };
    return arguments.check ? check_only(&rerun, arguments.json, error)
                           : do_and_print(&rerun, true, arguments.json, error);
}

const hy_command hy_command_rerun = {
    .name = "rerun",
    .summary = "play a whole database again, from itself alone",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .environment = hy_environment_threads,
    .files = hy_files_database,
};
