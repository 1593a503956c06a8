/* Databases of one experiment into one: several at the same time, in the order of conditions,
 * seatings and numbers, so that the target is written from its beginning to its end. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/merging.h"

static hy_status compare_game(hy_store *store, const hy_store *other, hy_block_key key,
                              const hy_game_record *record, const hy_hole_list *holes,
                              hy_error *error)
{
    hy_game_record own;
    hy_hole_list own_holes = {0};
    bool found;
    hy_status status = hy_store_game(store, key.condition, key.swapped, record->number, &own,
                                     &own_holes, &found, error);
    const char *column = NULL;
    if (status == HY_OK)
        column = found ? hy_record_difference(&own, record) : "number";
    bool same_holes = own_holes.num == holes->num &&
                      (holes->num == 0 || memcmp(own_holes.holes, holes->holes, holes->num) == 0);
    if (!column && !same_holes)
        column = "holes";
    free(own_holes.holes);
    if (status == HY_OK && column)
        status = hy_fail(error, HY_MISMATCH,
                         "game %" PRIu64 " of condition %" PRIu32 " differs between '%s' and '%s' "
                         "in '%s'",
                         record->number, key.condition + 1, store->database.path,
                         other->database.path, column);
    return status;
}

static hy_status merge_game(hy_store *store, hy_store *other, hy_block_key key,
                            const hy_game_record *record, hy_hole_list *holes, hy_error *error)
{
    hy_game_record again;
    bool found, added = false;
    hy_status status = HY_OK;
    if (store->experiment.record == HY_RECORD_MOVES)
        status = hy_store_game(other, key.condition, key.swapped, record->number, &again, holes,
                               &found, error);
    if (status == HY_OK && store->experiment.record == HY_RECORD_MOVES &&
        holes->num != record->plies)
        status = hy_fail(error, HY_MISMATCH, "'%s' is damaged: the holes of game %" PRIu64,
                         other->database.path, record->number);
    if (status == HY_OK)
        status = hy_store_begin(store, error);
    if (status == HY_OK)
        status = hy_store_put_game(store, key, record, holes->holes, &added, error);
    if (status == HY_OK && !added)
        status = compare_game(store, other, key, record, holes, error);
    return status == HY_OK ? hy_store_tick(store, error) : status;
}

/* The games of one of the databases that are still to be added. */
typedef struct hy_game_source {
    hy_game_cursor cursor;
    hy_game_record record;
    bool more; /* `record` is the next one */
} hy_game_source;

static hy_status next_game(hy_game_source *source, hy_error *error)
{
    return hy_game_cursor_next(&source->cursor, &source->record, &source->more, error);
}

static hy_game_source *first_game(hy_game_source *sources, size_t num)
{
    hy_game_source *first = NULL;
    for (size_t i = 0; i < num; i++) {
        if (sources[i].more && (!first || sources[i].record.number < first->record.number))
            first = &sources[i];
    }
    return first;
}

static hy_status add_games(const hy_merging *merging, hy_game_source *sources, hy_block_key key,
                           hy_hole_list *holes, hy_error *error)
{
    hy_game_source *source;
    hy_status status = HY_OK;
    while (status == HY_OK && (source = first_game(sources, merging->num_others))) {
        key.block = source->record.number / HY_BLOCK_GAMES;
        status = hy_merging_check_stop(merging, error);
        if (status == HY_OK)
            status = merge_game(merging->store, source->cursor.store, key, &source->record, holes,
                                error);
        if (status == HY_OK)
            status = next_game(source, error);
    }
    return status;
}

static hy_status merge_games(const hy_merging *merging, uint32_t condition, bool swapped,
                             hy_error *error)
{
    hy_hole_list holes = {0};
    hy_status status = HY_OK;
    hy_game_source *sources = hy_new_array(merging->num_others, sizeof *sources);
    if (!sources)
        return hy_fail_memory(error);
    for (size_t i = 0; status == HY_OK && i < merging->num_others; i++) {
        status =
            hy_game_cursor_open(merging->others[i], condition, swapped, &sources[i].cursor, error);
        if (status == HY_OK)
            status = next_game(&sources[i], error);
    }
    if (status == HY_OK)
        status = add_games(merging, sources, (hy_block_key){condition, swapped, 0}, &holes, error);
    for (size_t i = 0; i < merging->num_others; i++)
        hy_game_cursor_close(&sources[i].cursor);
    free(sources);
    free(holes.holes);
    return status;
}

static hy_status merge_provenance(hy_store *store, hy_store *other, hy_error *error)
{
    sqlite3_stmt *query, *insert;
    bool row = true;
    hy_status status = hy_database_prepare(&store->database,
                                           "INSERT INTO provenance (timestamp, record) SELECT ?1, "
                                           "?2 WHERE NOT EXISTS (SELECT 1 FROM provenance WHERE "
                                           "timestamp = ?1 AND record = ?2)",
                                           &insert, error);
    if (status != HY_OK)
        return status;
    status = hy_database_prepare(
        &other->database, "SELECT timestamp, record FROM provenance ORDER BY id", &query, error);
    while (status == HY_OK && row) {
        status = hy_database_next(&other->database, query, &row, error);
        if (status != HY_OK || !row)
            break;
        for (int i = 0; status == HY_OK && i < 2; i++)
            status = hy_database_bind_value(insert, i + 1, sqlite3_column_value(query, i), error);
        if (status == HY_OK)
            status = hy_database_step(&store->database, insert, "write provenance", error);
    }
    sqlite3_finalize(query);
    sqlite3_finalize(insert);
    return status;
}

hy_status hy_merging_check_stop(const hy_merging *merging, hy_error *error)
{
    if (!merging->stop || atomic_load_explicit(merging->stop, memory_order_relaxed) == 0)
        return HY_OK;
    return hy_fail(error, HY_INTERRUPTED, "interrupted; repeat the command to go on");
}

/* Refuses what does not belong together. Many databases are open at a time, each of which is read
 * once from its beginning to its end, which takes no room for pages. */
static hy_status prepare_other(const hy_store *store, hy_store *other, hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_status status = hy_store_check_same(other, experiment, error);
    if (status == HY_OK && experiment->stop.kind != HY_STOP_NEVER)
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' has a stop rule: one process decided which games are played, and "
                         "there is nothing to merge",
                         other->database.path);
    return status == HY_OK ? hy_database_run(&other->database, "PRAGMA cache_size = -64", error)
                           : status;
}

hy_status hy_store_merge(hy_store *store, hy_store *const *others, size_t num_others,
                         const atomic_int *stop, hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_merging merging = {store, others, num_others, stop};
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < num_others; i++)
        status = prepare_other(store, others[i], error);
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++)
            status = experiment->record == HY_RECORD_SUMMARY
                         ? hy_merge_blocks(&merging, i, s > 0, error)
                         : merge_games(&merging, i, s > 0, error);
    }
    if (status == HY_OK)
        status = hy_store_begin(store, error);
    for (size_t i = 0; status == HY_OK && i < num_others; i++)
        status = merge_provenance(store, others[i], error);
    return status == HY_OK ? hy_store_commit(store, error) : status;
}
