/* What has been played, and the sums over it. */
#include "store/internal.h"
#include "store/older.h"

static hy_status mark_block(void *context, hy_block_key key, const hy_summary *summary,
                            const uint64_t *played, hy_error *error)
{
    hy_progress *progress = context;
    if (key.block < progress->blocks_each)
        return hy_progress_mark_block(progress, key, played, error);
    progress->num_extra += summary->games;
    return HY_OK;
}

static hy_status mark_games(hy_store *store, uint32_t condition, bool swapped,
                            hy_progress *progress, hy_error *error)
{
    sqlite3_stmt *query;
    bool row = true;
    hy_status status = hy_database_prepare(
        &store->database,
        "SELECT number FROM game WHERE condition_id = ?1 AND swapped = ?2 ORDER BY number", &query,
        error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(query, 2, swapped);
    while (status == HY_OK && row) {
        status = hy_database_next(&store->database, query, &row, error);
        if (status != HY_OK || !row)
            break;
        uint64_t number = (uint64_t)sqlite3_column_int64(query, 0);
        hy_block_key key = {condition, swapped, number / HY_BLOCK_GAMES};
        status = hy_progress_mark(progress, key, number, error);
    }
    sqlite3_finalize(query);
    return status;
}

static hy_status mark_blocks(hy_store *store, uint32_t condition, bool swapped,
                             hy_progress *progress, hy_error *error)
{
    return store->version < HY_VERSION_OF_ROWS
               ? hy_store_each_bitmap(store, condition, swapped, mark_block, progress, error)
               : hy_store_each_block(store, condition, swapped, mark_block, progress, error);
}

hy_status hy_store_load_progress(hy_store *store, hy_progress *progress, hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_status status = HY_OK;
    for (uint32_t i = 0; i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++)
            status = experiment->record == HY_RECORD_SUMMARY
                         ? mark_blocks(store, i, s > 0, progress, error)
                         : mark_games(store, i, s > 0, progress, error);
    }
    return status;
}

/* No games beyond those that are asked for are in a block that holds some of them: the number asked
 * for only grows. */
static hy_status count_of_seating(hy_store *store, uint32_t condition, bool swapped,
                                  uint64_t *games, hy_error *error)
{
    bool summary = store->experiment.record == HY_RECORD_SUMMARY;
    uint64_t end = store->experiment.games;
    sqlite3_stmt *query;
    bool row;
    hy_status status = hy_database_prepare(
        &store->database,
        summary ? "SELECT sum(games) FROM block WHERE condition_id = ?1 AND swapped = ?2 AND block "
                  "< ?3"
                : "SELECT count(*) FROM game WHERE condition_id = ?1 AND swapped = ?2 AND number < "
                  "?3",
        &query, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(query, 2, swapped);
    sqlite3_bind_int64(query, 3,
                       (int64_t)(summary ? (end + HY_BLOCK_GAMES - 1) / HY_BLOCK_GAMES : end));
    status = hy_database_next(&store->database, query, &row, error);
    *games += (uint64_t)sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return status;
}

hy_status hy_store_count(hy_store *store, uint64_t *games, hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_status status = HY_OK;
    *games = 0;
    for (uint32_t i = 0; i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++)
            status = count_of_seating(store, i, s > 0, games, error);
    }
    return status;
}

static hy_status add_block(void *context, hy_block_key key, const hy_summary *summary,
                           const uint64_t *played, hy_error *error)
{
    (void)key;
    (void)played;
    return hy_summary_merge(context, summary, error);
}

static hy_status add_games(hy_store *store, uint32_t condition, bool swapped, hy_summary *summary,
                           hy_error *error)
{
    hy_game_cursor cursor;
    hy_game_record record;
    bool found = true;
    hy_status status = hy_game_cursor_open(store, condition, swapped, &cursor, error);
    if (status != HY_OK)
        return status;
    while (status == HY_OK && found) {
        status = hy_game_cursor_next(&cursor, &record, &found, error);
        if (status == HY_OK && found)
            status = hy_summary_add(summary, &record, error);
    }
    hy_game_cursor_close(&cursor);
    return status;
}

hy_status hy_store_summary(hy_store *store, uint32_t condition, bool swapped, hy_summary *summary,
                           hy_error *error)
{
    hy_summary_clear(summary);
    if (store->experiment.record == HY_RECORD_SUMMARY)
        return hy_store_each_block(store, condition, swapped, add_block, summary, error);
    return add_games(store, condition, swapped, summary, error);
}

hy_status hy_store_distinct(hy_store *store, uint32_t condition, bool swapped,
                            const hy_summary *summary, hy_distinct *distinct, hy_error *error)
{
    sqlite3_stmt *query;
    bool row;
    *distinct = hy_sketch_distinct(&summary->sketch);
    if (distinct->estimate > (double)summary->games)
        distinct->estimate = (double)summary->games;
    if (store->experiment.record == HY_RECORD_SUMMARY)
        return HY_OK;
    hy_status status = hy_database_prepare(&store->database,
                                           "SELECT count(DISTINCT move_hash) FROM game WHERE "
                                           "condition_id = ?1 AND swapped = ?2",
                                           &query, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(query, 2, swapped);
    status = hy_database_next(&store->database, query, &row, error);
    if (status == HY_OK)
        *distinct = (hy_distinct){.estimate = (double)sqlite3_column_int64(query, 0)};
    sqlite3_finalize(query);
    return status;
}
