/* Opening: databases that are there, read or taken up, and new ones. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/draft.h"
#include "base/memory.h"
#include "store/internal.h"
#include "store/older.h"
#include "store/schema.h"

/* A writer that is killed while it changes the mode of the journal leaves one that has to be rolled
 * back before anybody reads; a connection for reading may not do that. */
static hy_status roll_back_journal(const hy_store *reader, const char *path, hy_error *error)
{
    hy_database database;
    int64_t application;
    int code = sqlite3_exec(reader->database.handle, "PRAGMA application_id", NULL, NULL, NULL);
    if ((code & 0xff) != SQLITE_READONLY)
        return HY_OK;
    hy_status status = hy_database_open(path, HY_ACCESS_WRITE, &database, error);
    if (status != HY_OK)
        return status;
    if (sqlite3_db_readonly(database.handle, "main") == 1)
        status = hy_database_fail(&reader->database, "read", error);
    else
        status = hy_database_integer(&database, "PRAGMA application_id", &application, error);
    hy_database_close(&database);
    return status;
}

/* Older files are taken where they are asked for, newer ones never. */
static hy_status check_schema(hy_store *store, bool older, hy_error *error)
{
    const hy_database *database = &store->database;
    hy_status status = hy_schema_version(database, &store->version, error);
    if (status != HY_OK)
        return status;
    bool old = store->version >= 1 && store->version < HY_SCHEMA_VERSION;
    if (store->version != HY_SCHEMA_VERSION && !(old && older))
        return hy_older_refuse(database, store->version, error);
    bool known = true;
    if (old)
        status = hy_older_has(database, "experiment", "policies_version", &known, error);
    store->before_policies = !known;
    if (status == HY_OK)
        status = old ? hy_older_adapt(database, error) : hy_schema_match(database, error);
    return status == HY_OK ? hy_schema_check_identifiers(database, error) : status;
}

static hy_status open_reader(const char *path, bool older, hy_store **store, hy_error *error)
{
    hy_store *opened = hy_new_array(1, sizeof *opened);
    if (!opened)
        return hy_fail_memory(error);
    int64_t nothing;
    hy_status status = hy_database_open(path, HY_ACCESS_READ, &opened->database, error);
    if (status == HY_OK)
        status = roll_back_journal(opened, path, error);
    if (status == HY_OK) /* the file has a wish for the size of the cache */
        status =
            hy_database_integer(&opened->database, "PRAGMA cache_size = -2000", &nothing, error);
    if (status == HY_OK)
        status = hy_database_run(&opened->database, "BEGIN", error);
    opened->in_transaction = status == HY_OK;
    if (status == HY_OK)
        status = check_schema(opened, older, error);
    if (status == HY_OK)
        status = hy_store_load_experiment(opened, error);
    if (status != HY_OK) {
        hy_store_abandon(opened);
        return status;
    }
    *store = opened;
    return HY_OK;
}

hy_status hy_store_open(const char *path, hy_store **store, hy_error *error)
{
    return open_reader(path, false, store, error);
}

hy_status hy_store_open_older(const char *path, hy_store **store, hy_error *error)
{
    return open_reader(path, true, store, error);
}

int64_t hy_store_version(const hy_store *store)
{
    return store->version;
}

bool hy_store_has_digest(const hy_store *store)
{
    return store->version >= HY_VERSION_OF_ROWS;
}

hy_status hy_store_open_same(const char *path, hy_experiment *experiment, hy_store **store,
                             hy_error *error)
{
    hy_status status = hy_store_open(path, store, error);
    if (status != HY_OK)
        return status;
    if (experiment->seed_auto)
        experiment->seed = (*store)->experiment.seed;
    experiment->seed_auto = false;
    status = hy_store_check_same(*store, experiment, error);
    if (status != HY_OK)
        hy_store_abandon(*store);
    return status;
}

static hy_status raise_games(hy_store *store, uint64_t games, hy_error *error)
{
    if (games <= store->experiment.games)
        return HY_OK;
    sqlite3_stmt *update;
    hy_status status = hy_store_begin(store, error);
    if (status == HY_OK)
        status = hy_database_prepare(&store->database, "UPDATE experiment SET games = ?1", &update,
                                     error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(update, 1, (int64_t)games);
    status = hy_database_step(&store->database, update, "write the number of games", error);
    sqlite3_finalize(update);
    if (status == HY_OK)
        status = hy_store_commit(store, error);
    store->experiment.games = games;
    return status;
}

/* The database is looked at by a reader first, so that one which is refused is not changed. */
static hy_status open_existing(hy_store *store, const char *path, hy_experiment *experiment,
                               hy_error *error)
{
    hy_store *reader = NULL;
    hy_status status = hy_store_open_same(path, experiment, &reader, error);
    if (status != HY_OK)
        return status;
    hy_store_abandon(reader);
    status = hy_database_open(path, HY_ACCESS_WRITE, &store->database, error);
    if (status == HY_OK)
        status = hy_store_begin_writing(store, error);
    if (status == HY_OK)
        status = check_schema(store, false, error);
    if (status == HY_OK)
        status = hy_store_load_experiment(store, error);
    if (status == HY_OK)
        status = hy_store_check_same(store, experiment, error);
    if (status == HY_OK)
        status = raise_games(store, experiment->games, error);
    return status;
}

/* Writes a whole new database, which is made in memory; `path` is what messages call it. */
static hy_status write_new(const char *path, const hy_experiment *experiment, FILE *file,
                           hy_error *error)
{
    hy_store *store = hy_new_array(1, sizeof *store);
    if (!store)
        return hy_fail_memory(error);
    hy_status status = hy_database_open(path, HY_ACCESS_MEMORY, &store->database, error);
    if (status == HY_OK)
        status = hy_store_note_state(store, error);
    if (status == HY_OK)
        status = hy_store_create(store, experiment, error);
    if (status == HY_OK)
        status = hy_database_copy(&store->database, file, error);
    hy_store_abandon(store);
    return status;
}

/* A journal is of no use without its database, but the database may have been moved away by
 * mistake: it is not thrown away. A new database would be taken to be the one that it belongs to.
 */
static hy_status check_no_journal(const char *path, hy_error *error)
{
    static const char *const suffixes[] = {"-wal", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char *journal;
        struct stat file;
        if (asprintf(&journal, "%s%s", path, suffixes[i]) < 0)
            return hy_fail_memory(error);
        bool there = stat(journal, &file) == 0;
        free(journal);
        if (there)
            return hy_fail(
                error, HY_STORAGE,
                "'%s' is not there, but its journal '%s%s' is; put the database back, or "
                "remove the journal",
                path, path, suffixes[i]);
    }
    return HY_OK;
}

/* SQLite names journals by what it adds to the name. */
static hy_status check_name(const char *path, hy_error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t most = NAME_MAX - strlen("-journal");
    if (strlen(name) <= most)
        return HY_OK;
    return hy_fail(error, HY_INVALID,
                   "the name '%.40s…' has %zu bytes; at most %zu leave room for "
                   "that of a journal",
                   name, strlen(name), most);
}

/* Makes the database complete before it has its name, so that a kill leaves no half-made one. */
static hy_status make_new(const char *path, hy_experiment *experiment, hy_error *error)
{
    hy_draft draft;
    if (experiment->seed_auto && getentropy(&experiment->seed, sizeof experiment->seed) != 0)
        return hy_fail(error, HY_FAILED, "the system gives no entropy to draw a seed from");
    experiment->seed_auto = false;
    hy_status status = check_name(path, error);
    if (status == HY_OK)
        status = check_no_journal(path, error);
    if (status == HY_OK)
        status = hy_draft_open(path, &draft, error);
    if (status != HY_OK)
        return status;
    status = write_new(path, experiment, draft.file, error);
    if (status == HY_OK)
        return hy_draft_keep(&draft, false, error);
    hy_draft_drop(&draft);
    return status;
}

/* Makes the file unless it is there, which it may be by another process's doing meanwhile. */
static hy_status make_if_missing(const char *path, hy_experiment *experiment, hy_error *error)
{
    struct stat file;
    bool by_lot = experiment->seed_auto;
    if (stat(path, &file) == 0)
        return HY_OK;
    hy_status status = make_new(path, experiment, error);
    if (status == HY_OK)
        return HY_OK;
    if (stat(path, &file) == 0) {
        experiment->seed_auto = by_lot;
        return HY_OK;
    }
    if (lstat(path, &file) == 0 && S_ISLNK(file.st_mode))
        return hy_fail(error, HY_STORAGE,
                       "cannot write '%s': it is a link to a file that is not there", path);
    return status;
}

hy_status hy_store_open_for(const char *path, hy_experiment *experiment, hy_store **store,
                            hy_error *error)
{
    hy_status status = make_if_missing(path, experiment, error);
    if (status != HY_OK)
        return status;
    hy_store *opened = hy_new_array(1, sizeof *opened);
    if (!opened)
        return hy_fail_memory(error);
    status = open_existing(opened, path, experiment, error);
    if (status != HY_OK) {
        hy_store_abandon(opened);
        return status;
    }
    *store = opened;
    return HY_OK;
}

void hy_store_remove(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        char *file;
        if (asprintf(&file, "%s%s", path, suffixes[i]) < 0)
            return;
        unlink(file);
        free(file);
    }
}
