#include "store/store.h"

#include <stdlib.h>

#include "base/clock.h"
#include "store/internal.h"

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

hy_status hy_store_note_state(hy_store *store, hy_error *error)
{
    return read_data_version(store, &store->data_version, error);
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
hy_status hy_store_begin_writing(hy_store *store, hy_error *error)
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
        status = hy_store_note_state(store, error);
    store->page_size = (uint64_t)page_size;
    sqlite3_wal_hook(store->database.handle, on_commit, store);
    store->max_journal = MAX_JOURNAL;
    store->writable = true;
    store->committed = hy_now();
    return status;
}
