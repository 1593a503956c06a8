/* What the runs of a database took: time from `provenance`, disk from its pages. */
#include <math.h>

#include "store/internal.h"

static hy_status read_time(hy_store *store, hy_costs *costs, hy_error *error)
{
    sqlite3_stmt *query;
    bool row;
    hy_status status =
        hy_database_prepare(&store->database,
                            "WITH run AS (SELECT id, record ->> '$.parameters.threads' AS threads,"
                            " record ->> '$.resources.elapsed_time' AS seconds FROM provenance"
                            " WHERE record ->> '$.parameters.command[0]' LIKE '%run')"
                            " SELECT sum(threads * seconds), sum(seconds IS NULL),"
                            " (SELECT threads FROM run ORDER BY id DESC LIMIT 1) FROM run",
                            &query, error);
    if (status != HY_OK)
        return status;
    status = hy_database_next(&store->database, query, &row, error);
    costs->thread_seconds =
        sqlite3_column_type(query, 0) == SQLITE_NULL ? NAN : sqlite3_column_double(query, 0);
    costs->num_cut = (uint64_t)sqlite3_column_int64(query, 1);
    costs->threads = sqlite3_column_int(query, 2) > 0 ? (unsigned)sqlite3_column_int(query, 2) : 1;
    sqlite3_finalize(query);
    return status;
}

/* Not every SQLite has `dbstat`; without it nothing is known. */
static hy_status read_space(hy_store *store, hy_costs *costs, hy_error *error)
{
    sqlite3_stmt *query;
    bool row, summary = store->experiment.record == HY_RECORD_SUMMARY;
    hy_status status = hy_database_prepare(
        &store->database,
        "SELECT sum(pgsize * (name IN ('game', 'chain', 'move', 'block'))), sum(pgsize),"
        " (SELECT count(*) FROM game) + (SELECT count(*) FROM block) FROM dbstat",
        &query, NULL);
    if (status != HY_OK)
        return hy_database_lacks_memory(&store->database) ? hy_fail_memory(error) : HY_OK;
    status = hy_database_next(&store->database, query, &row, error);
    double of_rows = sqlite3_column_double(query, 0), all = sqlite3_column_double(query, 1);
    double rows = sqlite3_column_double(query, 2);
    sqlite3_finalize(query);
    if (status != HY_OK || rows < (summary ? 1 : 100))
        return status;
    costs->row_bytes = of_rows / rows;
    costs->fixed_bytes = all - of_rows;
    return HY_OK;
}

hy_status hy_store_costs(hy_store *store, hy_costs *costs, hy_error *error)
{
    *costs = (hy_costs){.row_bytes = NAN, .fixed_bytes = NAN};
    hy_status status = read_time(store, costs, error);
    return status == HY_OK ? read_space(store, costs, error) : status;
}
