#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "store/internal.h"
#include "store/schema.h"

#define COMMIT_SECONDS 1.0

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

hy_status hy_store_commit(hy_store *store, hy_error *error)
{
    store->committed = hy_now();
    if (!store->in_transaction)
        return HY_OK;
    hy_status status = hy_database_run(&store->database, "COMMIT", error);
    if (status == HY_OK)
        store->in_transaction = false;
    return status;
}

hy_status hy_store_tick(hy_store *store, hy_error *error)
{
    if (hy_now() - store->committed < COMMIT_SECONDS)
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
 * mode, which the next writer puts right. */
static hy_status finish_file(hy_store *store, hy_error *error)
{
    for (size_t i = 0; i < HY_NUM_QUERIES; i++) {
        sqlite3_finalize(store->queries[i]);
        store->queries[i] = NULL;
    }
    sqlite3_busy_timeout(store->database.handle, 0);
    int code =
        sqlite3_exec(store->database.handle, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
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
            status = finish_file(store, error);
    }
    if (status != HY_OK)
        hy_store_abandon(store);
    else
        release(store);
    return status;
}

/* With the usual cache of 2 MiB pages that rows still go to are written out and read back before a
 * transaction ends. */
static hy_status begin_writing(hy_store *store, hy_error *error)
{
    hy_status status = hy_database_run(&store->database,
                                       "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                                       "PRAGMA journal_size_limit = 67108864;"
                                       "PRAGMA cache_size = -65536",
                                       error);
    if (status == HY_OK)
        status = read_data_version(store, &store->data_version, error);
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

hy_status hy_store_open(const char *path, hy_store **store, hy_error *error)
{
    hy_store *opened = hy_new_array(1, sizeof *opened);
    if (!opened)
        return hy_fail_memory(error);
    hy_status status = hy_database_open(path, HY_ACCESS_READ, &opened->database, error);
    if (status == HY_OK)
        status = roll_back_journal(opened, path, error);
    if (status == HY_OK)
        status = hy_database_run(&opened->database, "BEGIN", error);
    opened->in_transaction = status == HY_OK;
    if (status == HY_OK)
        status = hy_schema_check(&opened->database, error);
    if (status == HY_OK)
        status = hy_store_load_experiment(opened, error);
    if (status != HY_OK) {
        hy_store_abandon(opened);
        return status;
    }
    *store = opened;
    return HY_OK;
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
        status = hy_store_load_experiment(store, error);
    if (status == HY_OK)
        status = hy_store_check_same(store, experiment, error);
    if (status == HY_OK)
        status = raise_games(store, experiment->games, error);
    return status;
}

/* Writes a whole new database to `path`, which nobody else knows. */
static hy_status write_new(const char *path, const hy_experiment *experiment, hy_error *error)
{
    hy_store *store = hy_new_array(1, sizeof *store);
    if (!store)
        return hy_fail_memory(error);
    hy_status status = hy_database_open(path, HY_ACCESS_CREATE, &store->database, error);
    if (status == HY_OK)
        status = read_data_version(store, &store->data_version, error);
    if (status == HY_OK)
        status = hy_store_create(store, experiment, error);
    hy_store_abandon(store);
    return status;
}

/* Gives a draft its name, unless that is taken. Some file systems know no second names. */
static bool give_name(const char *draft, const char *path)
{
    if (link(draft, path) == 0)
        return true;
    bool unknown = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
    return unknown && renameat2(AT_FDCWD, draft, AT_FDCWD, path, RENAME_NOREPLACE) == 0;
}

/* Makes the database under another name and gives it its own when it is complete, so that a kill
 * leaves no half-made one. */
static hy_status make_new(const char *path, hy_experiment *experiment, hy_error *error)
{
    char *draft;
    if (experiment->seed_auto && getentropy(&experiment->seed, sizeof experiment->seed) != 0)
        return hy_fail(error, HY_FAILED, "the system gives no entropy to draw a seed from");
    experiment->seed_auto = false;
    if (asprintf(&draft, "%s.new-%ld", path, (long)getpid()) < 0)
        return hy_fail_memory(error);
    hy_status status = write_new(draft, experiment, error);
    bool named = status == HY_OK && give_name(draft, path);
    if (status == HY_OK && !named)
        status = hy_fail(error, HY_STORAGE, "cannot make '%s': %s", path, strerror(errno));
    else if (status != HY_OK && error && error->status == HY_STORAGE)
        status = hy_fail(error, HY_STORAGE,
                         "cannot make '%s': is its folder there, writable and not "
                         "full?",
                         path);
    unlink(draft);
    free(draft);
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
