/* hoyito migrate: the rows of an older database into a new one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/draft.h"
#include "cli/database_arguments.h"
#include "cli/provenance.h"
#include "store/store.h"

static const char doc[] =
    "Copies a database of an older schema version into a new file of this program's version.\n\n"
    "  hoyito migrate old.db -o new.db\n"
    "  hoyito migrate old.db -o new.db --json\n\n"
    "The old file is not changed, and the digest stays the same. A file whose rows lack what only "
    "playing again gives is refused (exit status 3), with the command that plays them: 'hoyito "
    "rerun'.";

static const struct argp_option options[] = {
    {"output", 'o', "NEW.db", 0, "database to write; it must not be there yet", 0},
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {0},
};

typedef struct migrate_arguments {
    const char *database;
    const char *output;
    bool json;
} migrate_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    migrate_arguments *arguments = state->input;
    switch (key) {
    case 'o':
        arguments->output = text;
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
        if (!arguments->database || !arguments->output)
            argp_error(state, "a database and -o NEW.db are needed");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What was migrated. */
typedef struct migration {
    int64_t version;
    uint64_t num_games;
    char digest[HY_SHA256_HEX_SIZE];
    int argc;
    char **argv;
} migration;

static hy_status copy_recorded(const migration *done, const migrate_arguments *arguments,
                               hy_store *store, hy_store *older, hy_error *error)
{
    json_t *origin = json_pack("{s:o, s:I, s:s}", "database", hy_json_text(arguments->database),
                               "schema_version", (json_int_t)done->version, "digest", done->digest);
    hy_provenance provenance = {.argc = done->argc,
                                .argv = done->argv,
                                .experiment = hy_store_experiment(store),
                                .threads = 1,
                                .origin = origin};
    hy_status status = hy_store_migrate(store, older, &hy_signal, error);
    if (status == HY_OK)
        status = hy_provenance_begin(&provenance, store, error);
    if (status == HY_OK)
        status = hy_provenance_end(&provenance, store, error);
    json_decref(origin);
    return status;
}

static hy_status write_draft(const migration *done, const migrate_arguments *arguments,
                             const char *draft, hy_store *older, hy_error *error)
{
    hy_experiment experiment = *hy_store_experiment(older); /* shares what `older` owns */
    hy_store *store;
    hy_status status = hy_store_open_for(draft, &experiment, &store, error);
    if (status != HY_OK)
        return status;
    status = copy_recorded(done, arguments, store, older, error);
    if (status != HY_OK) {
        hy_store_abandon(store);
        return status;
    }
    return hy_store_close(store, error);
}

/* The copy has the digest that the old rows have. */
static hy_status check_draft(migration *done, const migrate_arguments *arguments, const char *draft,
                             hy_error *error)
{
    hy_store *store;
    hy_progress progress;
    char digest[HY_SHA256_HEX_SIZE];
    hy_status status = hy_store_open(draft, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_progress_init(&progress, hy_store_experiment(store), error);
    if (status == HY_OK)
        status = hy_store_load_progress(store, &progress, error);
    done->num_games = progress.num_played;
    hy_progress_clean_up(&progress);
    if (status == HY_OK)
        status = hy_store_digest(store, digest, error);
    hy_store_abandon(store);
    if (status == HY_OK && strcmp(digest, done->digest) != 0)
        status = hy_fail(error, HY_MISMATCH, "the copy of '%s' has another digest: %s, not %s",
                         arguments->database, digest, done->digest);
    return status;
}

/* The hidden name beside the new file under which it is made. */
static char *draft_name(const char *path)
{
    char *name;
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    return asprintf(&name, "%.*s.%s.hoyito", (int)(last - path), path, last) < 0 ? NULL : name;
}

/* What a migration that was killed has left under that name is thrown away, and nothing else. */
static hy_status clear_draft(const char *draft, const char *input, hy_error *error)
{
    struct stat file;
    hy_store *store;
    if (lstat(draft, &file) != 0)
        return HY_OK;
    bool ours = S_ISREG(file.st_mode) && !hy_is_same_file(draft, input) &&
                hy_store_open(draft, &store, NULL) == HY_OK;
    if (!ours)
        return hy_fail(error, HY_STORAGE, "'%s' is in the way: remove it, or choose another output",
                       draft);
    hy_store_abandon(store);
    hy_store_remove(draft);
    return HY_OK;
}

/* Under another name first, so that a new file that is there is a whole one. */
static hy_status write_new(migration *done, const migrate_arguments *arguments, hy_store *older,
                           hy_error *error)
{
    char *draft;
    struct stat file;
    if (stat(arguments->output, &file) == 0)
        return hy_fail(error, HY_INVALID, "'%s' is there already; choose another name",
                       arguments->output);
    draft = draft_name(arguments->output);
    if (!draft)
        return hy_fail_memory(error);
    hy_status status = clear_draft(draft, arguments->database, error);
    if (status != HY_OK) {
        free(draft);
        return status;
    }
    status = write_draft(done, arguments, draft, older, error);
    if (status == HY_OK)
        status = check_draft(done, arguments, draft, error);
    if (status == HY_OK)
        status = hy_draft_rename(draft, arguments->output, error);
    hy_store_remove(draft);
    free(draft);
    if (status == HY_STORAGE && error) {
        char text[sizeof error->text];
        memcpy(text, error->text, sizeof text);
        return hy_fail(error, status, "'%s' was not made: %s", arguments->output, text);
    }
    return status;
}

static hy_status migrate(migration *done, const migrate_arguments *arguments, hy_error *error)
{
    hy_store *older;
    hy_status status = hy_store_open_older(arguments->database, &older, error);
    if (status != HY_OK)
        return status;
    done->version = hy_store_version(older);
    status = hy_store_check_migration(older, error);
    if (status == HY_OK)
        status = hy_store_digest(older, done->digest, error);
    if (status == HY_OK)
        status = write_new(done, arguments, older, error);
    hy_store_abandon(older);
    return status;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "OLD.db",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    HY_EXIT_FAILED,
    HY_EXIT_USAGE,
    {"3", "the file is not an older database, or must be played again"},
    HY_EXIT_STORAGE,
    HY_EXIT_INTERRUPTED,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    migrate_arguments arguments = {0};
    migration done = {.argc = argc, .argv = argv};
    hy_parse_arguments(&hy_command_migrate, argc, argv, &arguments);
    hy_catch_signals();
    hy_status status = migrate(&done, &arguments, error);
    if (status != HY_OK)
        return status;
    if (arguments.json)
        return hy_print_json(json_pack("{s:I, s:I, s:s}", "schema_version",
                                       (json_int_t)done.version, "games",
                                       (json_int_t)done.num_games, "digest", done.digest),
                             JSON_INDENT(2), error);
    printf("'%s' holds the %" PRIu64 " games of '%s' (schema version %" PRId64 "); digest %s\n",
           arguments.output, done.num_games, arguments.database, done.version, done.digest);
    return HY_OK;
}

const hy_command hy_command_migrate = {
    .name = "migrate",
    .summary = "copy a database of an older hoyito into a new file",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .files = hy_files_database,
};
