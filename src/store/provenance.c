/* Rows of `provenance`: which run of which program wrote to the file. */
#include <time.h>

#include "store/internal.h"

hy_status hy_store_add_provenance(hy_store *store, const char *json, int64_t *id, hy_error *error)
{
    sqlite3_stmt *insert;
    char timestamp[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(timestamp, sizeof timestamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
    hy_status status = hy_store_begin(store, error);
    if (status == HY_OK)
        status = hy_database_prepare(&store->database,
                                     "INSERT INTO provenance (timestamp, record) VALUES (?1, ?2)",
                                     &insert, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_text(insert, 1, timestamp, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, json, -1, SQLITE_STATIC);
    status = hy_database_step(&store->database, insert, "write provenance", error);
    sqlite3_finalize(insert);
    *id = sqlite3_last_insert_rowid(store->database.handle);
    return status == HY_OK ? hy_store_commit(store, error) : status;
}

hy_status hy_store_set_provenance(hy_store *store, int64_t id, const char *json, hy_error *error)
{
    sqlite3_stmt *update;
    hy_status status = hy_store_begin(store, error);
    if (status == HY_OK)
        status = hy_database_prepare(
            &store->database, "UPDATE provenance SET record = ?2 WHERE id = ?1", &update, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(update, 1, id);
    sqlite3_bind_text(update, 2, json, -1, SQLITE_STATIC);
    status = hy_database_step(&store->database, update, "write provenance", error);
    sqlite3_finalize(update);
    return status == HY_OK ? hy_store_commit(store, error) : status;
}

hy_status hy_store_each_provenance(hy_store *store, hy_provenance_visit *visit, void *context,
                                   hy_error *error)
{
    sqlite3_stmt *query;
    bool row = true;
    hy_status status = hy_database_prepare(
        &store->database, "SELECT timestamp, record FROM provenance ORDER BY id", &query, error);
    if (status != HY_OK)
        return status;
    while (status == HY_OK && row) {
        status = hy_database_next(&store->database, query, &row, error);
        if (status != HY_OK || !row)
            break;
        const char *timestamp = (const char *)sqlite3_column_text(query, 0);
        const char *record = (const char *)sqlite3_column_text(query, 1);
        status = visit(context, timestamp ? timestamp : "", record ? record : "", error);
    }
    sqlite3_finalize(query);
    return status;
}
