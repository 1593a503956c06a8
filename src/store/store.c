#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/draft.h"
#include "base/memory.h"
#include "store/internal.h"
#include "store/older.h"
#include "store/schema.h"

#define COMMIT_SECONDS 1.0

/* A reader who holds on to one state of the database keeps the WAL from being emptied. Games are
 * then committed less and less often, a second later for each of these, and in the end not at all.
 */
#define JOURNAL_STEP (UINT64_C(64) << 20)
#define MAX_JOURNAL (UINT64_C(4) << 30)

#define CHECKPOINT_PAGES 1000 /* as SQLite's own hook has it */

static const char *const query_sql[HY_NUM_QUERIES] = {
    [HY_QUERY_PUT_GAME] =
        "INSERT INTO game VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, "
        "?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24) ON CONFLICT (condition_id, swapped, "
        "number) DO NOTHING",
    /* Rows of a game that somebody deleted from `game` alone are taken over. */
    [HY_QUERY_PUT_CHAIN] = "INSERT INTO chain VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT "
                           "(condition_id, swapped, number, length) DO UPDATE SET count = ?5",
    [HY_QUERY_PUT_MOVE] = "INSERT INTO move VALUES (?1, ?2, ?3, ?4) ON CONFLICT (condition_id, "
                          "swapped, number) DO UPDATE SET holes = ?4",
    [HY_QUERY_PUT_BLOCK] =
        "INSERT OR REPLACE INTO block VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
        "?13, ?14, ?15, ?16)",
    [HY_QUERY_GET_GAME] =
        "SELECT * FROM game WHERE condition_id = ?1 AND swapped = ?2 AND number = ?3",
    [HY_QUERY_GET_CHAINS] = "SELECT number, length, count FROM chain WHERE condition_id = ?1 AND "
                            "swapped = ?2 AND number = ?3 ORDER BY length",
    [HY_QUERY_GET_MOVES] =
        "SELECT holes FROM move WHERE condition_id = ?1 AND swapped = ?2 AND number = ?3",
    [HY_QUERY_GET_BLOCK] =
        "SELECT * FROM block WHERE condition_id = ?1 AND swapped = ?2 AND block = ?3",
    [HY_QUERY_PUT_LOOK] = "INSERT INTO look VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    [HY_QUERY_PUT_STOP] = "INSERT INTO stop VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    [HY_QUERY_GET_LOOK] =
        "SELECT * FROM look WHERE condition_id = ?1 AND swapped = ?2 AND games = ?3",
    [HY_QUERY_GET_STOP] = "SELECT * FROM stop WHERE condition_id = ?1 ORDER BY swapped",
    [HY_QUERY_DATA_VERSION] = "PRAGMA data_version",
};

hy_status hy_store_query(hy_store *store, hy_query query, sqlite3_stmt **statement, hy_error *error)
{
    *statement = store->queries[query];
    if (*statement) {
        sqlite3_reset(*statement);
        return HY_OK;
    }
    hy_status status = hy_database_prepare(&store->database, query_sql[query], statement, error);
    if (status == HY_OK)
        store->queries[query] = *statement;
    return status;
}

static hy_status read_data_version(hy_store *store, int64_t *version, hy_error *error)
{
    sqlite3_stmt *query;
    bool row;
    hy_status status = hy_store_query(store, HY_QUERY_DATA_VERSION, &query, error);
    if (status == HY_OK)
        status = hy_database_next(&store->database, query, &row, error);
    if (status == HY_OK)
        *version = sqlite3_column_int64(query, 0);
    if (status == HY_OK)
        sqlite3_reset(query);
    return status;
}

hy_status hy_store_begin(hy_store *store, hy_error *error)
{
    int64_t version;
    if (store->in_transaction)
        return HY_OK;
    hy_status status = hy_database_run(&store->database, "BEGIN IMMEDIATE", error);
    if (status != HY_OK)
        return status;
    store->in_transaction = true;
    status = read_data_version(store, &version, error);
    if (status == HY_OK && store->data_version != version)
        status = hy_fail(error, HY_STORAGE, "another process has written to '%s'; stopping",
                         store->database.path);
    return status;
}

/* Whether the file still has its name: whoever removes or replaces it leaves this process a file
 * that nobody will find. */
static hy_status check_place(const hy_store *store, hy_error *error)
{
    int moved = 0;
    (void)sqlite3_file_control(store->database.handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    if (!moved)
        return HY_OK;
    return hy_fail(error, HY_STORAGE,
                   "'%s' has been removed or replaced while it was written to; stopping",
                   store->database.path);
}

static hy_status check_journal(const hy_store *store, hy_error *error)
{
    if (store->max_journal == 0 || store->journal <= store->max_journal)
        return HY_OK;
    return hy_fail(
        error, HY_STORAGE,
        "the journal '%s-wal' has grown to %.0f MiB, because another process holds on to "
        "an old state of the database; end that one, and the same command goes on",
        store->database.path, (double)store->journal / (1 << 20));
}

hy_status hy_store_commit(hy_store *store, hy_error *error)
{
    store->committed = hy_now();
    if (!store->in_transaction)
        return HY_OK;
    hy_status status = check_place(store, error);
    if (status == HY_OK)
        status = hy_database_run(&store->database, "COMMIT", error);
    if (status != HY_OK)
        return status;
    store->in_transaction = false;
    return check_journal(store, error);
}

hy_status hy_store_tick(hy_store *store, hy_error *error)
{
    uint64_t steps = store->journal / JOURNAL_STEP;
    if (hy_now() - store->committed < COMMIT_SECONDS * (double)(1 + steps))
        return HY_OK;
    return hy_store_commit(store, error);
}

const hy_experiment *hy_store_experiment(const hy_store *store)
{
    return &store->experiment;
}

static void release(hy_store *store)
{
    for (size_t i = 0; i < HY_NUM_QUERIES; i++)
        sqlite3_finalize(store->queries[i]);
    hy_database_close(&store->database);
    hy_experiment_clean_up(&store->experiment);
    hy_summary_clean_up(&store->block);
    free(store);
}

void hy_store_abandon(hy_store *store)
{
    if (!store)
        return;
    if (store->in_transaction)
        sqlite3_exec(store->database.handle, "ROLLBACK", NULL, NULL, NULL);
    release(store);
}

/* Leaves the file as a single one. Somebody who reads it can be in the way; then it stays in WAL
 * mode, with as much as possible in the file itself, and the next writer puts that right. */
static hy_status finish_file(hy_store *store, hy_error *error)
{
    for (size_t i = 0; i < HY_NUM_QUERIES; i++) {
        sqlite3_finalize(store->queries[i]);
        store->queries[i] = NULL;
    }
    sqlite3_busy_timeout(store->database.handle, 0);
    int code =
        sqlite3_exec(store->database.handle, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    if ((code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED)
        code = sqlite3_wal_checkpoint_v2(store->database.handle, "main", SQLITE_CHECKPOINT_TRUNCATE,
                                         NULL, NULL);
    if (code != SQLITE_OK && (code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_LOCKED)
        return hy_database_fail(&store->database, "finish the file", error);
    return HY_OK;
}

hy_status hy_store_close(hy_store *store, hy_error *error)
{
    if (!store)
        return HY_OK;
    hy_status status = HY_OK;
    if (store->writable) {
        status = hy_store_commit(store, error);
        if (status == HY_OK)
            status = check_place(store, error);
        if (status == HY_OK)
            status = finish_file(store, error);
    }
    if (status != HY_OK)
        hy_store_abandon(store);
    else
        release(store);
    return status;
}

/* In the place of SQLite's own hook: keeps the size, and empties the WAL as that does. */
static int on_commit(void *context, sqlite3 *handle, const char *name, int pages)
{
    hy_store *store = context;
    store->journal = (uint64_t)pages * store->page_size;
    if (pages >= CHECKPOINT_PAGES)
        (void)sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    return SQLITE_OK;
}

/* With the usual cache of 2 MiB pages that rows still go to are written out and read back before a
 * transaction ends. */
static hy_status begin_writing(hy_store *store, hy_error *error)
{
    int64_t page_size = 0;
    hy_status status =
        hy_database_run(&store->database,
                        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                        "PRAGMA journal_size_limit = 67108864; PRAGMA cache_size = -65536",
                        error);
    if (status == HY_OK)
        status = hy_database_integer(&store->database, "PRAGMA page_size", &page_size, error);
    if (status == HY_OK)
        status = read_data_version(store, &store->data_version, error);
    store->page_size = (uint64_t)page_size;
    sqlite3_wal_hook(store->database.handle, on_commit, store);
    store->max_journal = MAX_JOURNAL;
    store->writable = true;
    store->committed = hy_now();
    return status;
}

/* Whether the file's own header says that it is a database of this program. */
static bool has_own_header(const char *path)
{
    uint8_t header[72] = {0};
    FILE *file = fopen(path, "rbe");
    bool read = file && fread(header, sizeof header, 1, file) == 1;
    if (file)
        fclose(file);
    uint32_t application = (uint32_t)header[68] << 24 | (uint32_t)header[69] << 16 |
                           (uint32_t)header[70] << 8 | header[71];
    return read && application == HY_APPLICATION_ID;
}

/* A writer that is killed while it changes the mode of the journal leaves one that has to be rolled
 * back before anybody reads; a connection for reading may not do that. */
static hy_status roll_back_journal(const hy_store *reader, const char *path, hy_error *error)
{
    hy_database database;
    int64_t application;
    int code = sqlite3_exec(reader->database.handle, "PRAGMA application_id", NULL, NULL, NULL);
    if ((code & 0xff) != SQLITE_READONLY || !has_own_header(path))
        return HY_OK;
    hy_status status = hy_database_open(path, HY_ACCESS_WRITE, &database, error);
    if (status == HY_OK)
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
        status = begin_writing(store, error);
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
        status = read_data_version(store, &store->data_version, error);
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

/* Makes the database complete before it has its name, so that a kill leaves no half-made one. */
static hy_status make_new(const char *path, hy_experiment *experiment, hy_error *error)
{
    hy_draft draft;
    if (experiment->seed_auto && getentropy(&experiment->seed, sizeof experiment->seed) != 0)
        return hy_fail(error, HY_FAILED, "the system gives no entropy to draw a seed from");
    experiment->seed_auto = false;
    hy_status status = check_no_journal(path, error);
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

hy_status hy_store_open_for(const char *path, hy_experiment *experiment, hy_store **store,
                            hy_error *error)
{
    struct stat file;
    hy_status status = stat(path, &file) == 0 ? HY_OK : make_new(path, experiment, error);
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
