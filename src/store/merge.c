/* Databases of one experiment into one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

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

static hy_status merge_games(hy_store *store, hy_store *other, uint32_t condition, bool swapped,
                             hy_error *error)
{
    hy_game_cursor cursor;
    hy_game_record record;
    hy_hole_list holes = {0};
    bool found = true;
    hy_status status = hy_game_cursor_open(other, condition, swapped, &cursor, error);
    if (status != HY_OK)
        return status;
    while (status == HY_OK && found) {
        status = hy_game_cursor_next(&cursor, &record, &found, error);
        hy_block_key key = {condition, swapped, record.number / HY_BLOCK_GAMES};
        if (status == HY_OK && found)
            status = merge_game(store, other, key, &record, &holes, error);
    }
    hy_game_cursor_close(&cursor);
    free(holes.holes);
    return status;
}

/* How the games of two blocks lie to each other. */
typedef struct hy_overlap {
    bool common, only_a, only_b;
} hy_overlap;

static hy_overlap overlap_of(const uint64_t *a, const uint64_t *b)
{
    hy_overlap overlap = {false, false, false};
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++) {
        overlap.common |= (a[i] & b[i]) != 0;
        overlap.only_a |= (a[i] & ~b[i]) != 0;
        overlap.only_b |= (b[i] & ~a[i]) != 0;
    }
    return overlap;
}

/* What a visit of the other database's blocks needs. */
typedef struct hy_merging {
    hy_store *store;
    const hy_store *other;
} hy_merging;

static hy_status join_block(const hy_merging *merging, hy_block_key key, const hy_summary *summary,
                            uint64_t *own, const uint64_t *played, hy_error *error)
{
    hy_store *store = merging->store;
    hy_status status = hy_summary_merge(&store->block, summary, error);
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++)
        own[i] |= played[i];
    return status == HY_OK ? hy_store_put_block(store, key, &store->block, own, error) : status;
}

static hy_status compare_block(const hy_merging *merging, hy_block_key key,
                               const hy_summary *summary, hy_error *error)
{
    const char *column;
    hy_status status = hy_summary_difference(&merging->store->block, summary, &column, error);
    if (status == HY_OK && column)
        status = hy_fail(error, HY_MISMATCH,
                         "block %" PRIu64 " of condition %" PRIu32 " differs between '%s' and '%s' "
                         "in '%s'",
                         key.block, key.condition + 1, merging->store->database.path,
                         merging->other->database.path, column);
    return status;
}

static hy_status merge_block(void *context, hy_block_key key, const hy_summary *summary,
                             const uint64_t *played, hy_error *error)
{
    const hy_merging *merging = context;
    hy_store *store = merging->store;
    uint64_t own[HY_BLOCK_WORDS];
    bool found;
    hy_status status = hy_store_begin(store, error);
    if (status == HY_OK)
        status = hy_store_get_block(store, key, &store->block, own, &found, error);
    if (status == HY_OK && !found)
        status = hy_store_put_block(store, key, summary, played, error);
    if (status != HY_OK || !found)
        return status == HY_OK ? hy_store_tick(store, error) : status;
    hy_overlap overlap = overlap_of(own, played);
    if (!overlap.common)
        status = join_block(merging, key, summary, own, played, error);
    else if (!overlap.only_a && !overlap.only_b)
        status = compare_block(merging, key, summary, error);
    else if (!overlap.only_a) /* the other one went on from ours */
        status = hy_store_put_block(store, key, summary, played, error);
    else if (overlap.only_b)
        status = hy_fail(
            error, HY_MISMATCH,
            "block %" PRIu64 " of condition %" PRIu32 " in '%s' and '%s' have games in "
            "common, and each has others; sums cannot be taken apart",
            key.block, key.condition + 1, store->database.path, merging->other->database.path);
    return status == HY_OK ? hy_store_tick(store, error) : status;
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
        sqlite3_bind_value(insert, 1, sqlite3_column_value(query, 0));
        sqlite3_bind_value(insert, 2, sqlite3_column_value(query, 1));
        status = hy_database_step(&store->database, insert, "write provenance", error);
    }
    sqlite3_finalize(query);
    sqlite3_finalize(insert);
    return status;
}

hy_status hy_store_merge(hy_store *store, hy_store *other, hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_merging merging = {store, other};
    hy_status status = hy_store_check_same(other, experiment, error);
    if (status == HY_OK && experiment->stop.kind != HY_STOP_NEVER)
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' has a stop rule: one process decided which games are played, and "
                         "there is nothing to merge",
                         other->database.path);
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++)
            status = experiment->record == HY_RECORD_SUMMARY
                         ? hy_store_each_block(other, i, s > 0, merge_block, &merging, error)
                         : merge_games(store, other, i, s > 0, error);
    }
    if (status == HY_OK)
        status = hy_store_begin(store, error);
    if (status == HY_OK)
        status = merge_provenance(store, other, error);
    return status == HY_OK ? hy_store_commit(store, error) : status;
}
