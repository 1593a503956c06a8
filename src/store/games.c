/* Rows of `game`, `chain` and `move`, to the database and back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/internal.h"

static void bind_key(sqlite3_stmt *statement, hy_block_key key, uint64_t number)
{
    sqlite3_bind_int64(statement, 1, (int64_t)key.condition + 1);
    sqlite3_bind_int64(statement, 2, key.swapped);
    sqlite3_bind_int64(statement, 3, (int64_t)number);
}

static void bind_record(sqlite3_stmt *insert, const hy_game_record *record, char hash[20])
{
    snprintf(hash, 20, "%016" PRIx64, record->move_hash);
    sqlite3_bind_text(insert, 4, hy_termination_words[record->termination], -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 5, hy_result_words[record->result], -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 6, record->score[HY_SOUTH]);
    sqlite3_bind_int64(insert, 7, record->score[HY_NORTH]);
    sqlite3_bind_int64(insert, 8, record->plies);
    sqlite3_bind_int64(insert, 9, record->turns);
    sqlite3_bind_int64(insert, 10, record->passes);
    sqlite3_bind_int64(insert, 11, (int64_t)record->laps);
    sqlite3_bind_int64(insert, 12, (int64_t)record->counters);
    sqlite3_bind_int64(insert, 13, record->captures);
    sqlite3_bind_int64(insert, 14, record->casas);
    sqlite3_bind_int64(insert, 15, record->chains);
    sqlite3_bind_int64(insert, 16, record->longest_chain);
    sqlite3_bind_int64(insert, 17, record->longest_turn);
    sqlite3_bind_int64(insert, 18, record->lead_changes);
    sqlite3_bind_int64(insert, 19, record->legal_holes);
    sqlite3_bind_int64(insert, 20, record->decision_plies);
    sqlite3_bind_int64(insert, 21, record->south_captures);
    sqlite3_bind_int64(insert, 22, record->south_chains);
    sqlite3_bind_int64(insert, 23, record->claimed);
    sqlite3_bind_text(insert, 24, hash, 16, SQLITE_STATIC);
}

static hy_status put_chains(hy_store *store, hy_block_key key, const hy_game_record *record,
                            hy_error *error)
{
    sqlite3_stmt *insert;
    hy_status status = hy_store_query(store, HY_QUERY_PUT_CHAIN, &insert, error);
    for (unsigned length = 1; status == HY_OK && length <= record->longest_chain; length++) {
        if (record->chain_count[length] == 0)
            continue;
        bind_key(insert, key, record->number);
        sqlite3_bind_int64(insert, 4, length);
        sqlite3_bind_int64(insert, 5, record->chain_count[length]);
        status = hy_database_step(&store->database, insert, "write a chain", error);
    }
    return status;
}

static hy_status put_moves(hy_store *store, hy_block_key key, const hy_game_record *record,
                           const uint8_t *holes, hy_error *error)
{
    sqlite3_stmt *insert;
    hy_status status = hy_store_query(store, HY_QUERY_PUT_MOVE, &insert, error);
    if (status != HY_OK)
        return status;
    bind_key(insert, key, record->number);
    /* a game that is over before its first ply has no holes, but they are not NULL */
    sqlite3_bind_blob64(insert, 4, holes ? holes : (const uint8_t *)"", record->plies,
                        SQLITE_STATIC);
    status = hy_database_step(&store->database, insert, "write the holes of a game", error);
    sqlite3_clear_bindings(insert);
    return status;
}

hy_status hy_store_put_game(hy_store *store, hy_block_key key, const hy_game_record *record,
                            const uint8_t *holes, bool *added, hy_error *error)
{
    sqlite3_stmt *insert;
    char hash[20];
    hy_status status = hy_store_query(store, HY_QUERY_PUT_GAME, &insert, error);
    if (status != HY_OK)
        return status;
    bind_key(insert, key, record->number);
    bind_record(insert, record, hash);
    status = hy_database_step(&store->database, insert, "write a game", error);
    *added = status == HY_OK && sqlite3_changes(store->database.handle) == 1;
    if (*added && record->chains > 0)
        status = put_chains(store, key, record, error);
    if (*added && status == HY_OK && store->experiment.record == HY_RECORD_MOVES)
        status = put_moves(store, key, record, holes, error);
    return status;
}

static hy_status damaged(const hy_store *store, uint64_t number, hy_error *error)
{
    if (hy_database_lacks_memory(&store->database))
        return hy_fail_memory(error);
    return hy_fail(error, HY_MISMATCH, "'%s' is damaged: the row of game %" PRIu64,
                   store->database.path, number);
}

static bool find_word(sqlite3_stmt *query, int column, const char *const *words, size_t num_words,
                      size_t *index)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    for (size_t i = 0; text && i < num_words; i++) {
        *index = i;
        if (strcmp(words[i], text) == 0)
            return true;
    }
    return false;
}

/* A count of 64 or 32 bits; *good is cleared where the column holds another number. */
static uint64_t count_of(sqlite3_stmt *query, int column, uint64_t max, bool *good)
{
    int64_t value = sqlite3_column_int64(query, column);
    *good &= value >= 0 && (uint64_t)value <= max;
    return (uint64_t)value;
}

static uint32_t u32_of(sqlite3_stmt *query, int column, bool *good)
{
    return (uint32_t)count_of(query, column, UINT32_MAX, good);
}

static uint64_t hash_of(sqlite3_stmt *query, int column, bool *good)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    if (!text || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) {
        *good = false;
        return 0;
    }
    return strtoull(text, NULL, 16);
}

/* The current row of a query over all columns of `game`; its chains are left at 0. */
static hy_status read_record(const hy_store *store, sqlite3_stmt *query, hy_game_record *record,
                             hy_error *error)
{
    size_t termination, result;
    bool good = true;
    *record = (hy_game_record){.number = (uint64_t)sqlite3_column_int64(query, 2)};
    if (!find_word(query, 3, hy_termination_words, HY_NUM_TERMINATIONS, &termination) ||
        termination == HY_GOES_ON || !find_word(query, 4, hy_result_words, HY_NUM_RESULTS, &result))
        return damaged(store, record->number, error);
    record->termination = (hy_termination)termination;
    record->result = (hy_result)result;
    record->score[HY_SOUTH] = u32_of(query, 5, &good);
    record->score[HY_NORTH] = u32_of(query, 6, &good);
    record->plies = u32_of(query, 7, &good);
    record->turns = u32_of(query, 8, &good);
    record->passes = u32_of(query, 9, &good);
    record->laps = count_of(query, 10, INT64_MAX, &good);
    record->counters = count_of(query, 11, INT64_MAX, &good);
    record->captures = u32_of(query, 12, &good);
    record->casas = u32_of(query, 13, &good);
    record->chains = u32_of(query, 14, &good);
    record->longest_chain = u32_of(query, 15, &good);
    record->longest_turn = u32_of(query, 16, &good);
    record->lead_changes = u32_of(query, 17, &good);
    record->legal_holes = u32_of(query, 18, &good);
    record->decision_plies = u32_of(query, 19, &good);
    record->south_captures = u32_of(query, 20, &good);
    record->south_chains = u32_of(query, 21, &good);
    record->claimed = u32_of(query, 22, &good);
    record->move_hash = hash_of(query, 23, &good);
    good &= record->number < HY_LIMIT_GAMES && record->plies <= HY_LIMIT_MAX_PLIES;
    if (!good || record->longest_chain > HY_MAX_CHAIN)
        return damaged(store, record->number, error);
    return HY_OK;
}

/* Adds a row (number, length, count) of `chain` to its game. */
static hy_status read_chain(const hy_store *store, sqlite3_stmt *query, hy_game_record *record,
                            hy_error *error)
{
    bool good = true;
    uint64_t length = count_of(query, 1, HY_MAX_CHAIN, &good);
    uint32_t count = u32_of(query, 2, &good);
    if (!good || length < 1 || count < 1)
        return damaged(store, record->number, error);
    record->chain_count[length] = count;
    return HY_OK;
}

static hy_status get_chains(hy_store *store, hy_block_key key, hy_game_record *record,
                            hy_error *error)
{
    sqlite3_stmt *query;
    bool row = true;
    hy_status status = hy_store_query(store, HY_QUERY_GET_CHAINS, &query, error);
    if (status != HY_OK)
        return status;
    bind_key(query, key, record->number);
    while (status == HY_OK && row) {
        status = hy_database_next(&store->database, query, &row, error);
        if (status == HY_OK && row)
            status = read_chain(store, query, record, error);
    }
    sqlite3_reset(query);
    return status;
}

static hy_status get_holes(hy_store *store, hy_block_key key, const hy_game_record *record,
                           hy_hole_list *holes, hy_error *error)
{
    sqlite3_stmt *query;
    bool row;
    holes->num = 0;
    hy_status status = hy_store_query(store, HY_QUERY_GET_MOVES, &query, error);
    if (status != HY_OK)
        return status;
    bind_key(query, key, record->number);
    status = hy_database_next(&store->database, query, &row, error);
    if (status == HY_OK && row) {
        size_t num = (size_t)sqlite3_column_bytes(query, 0);
        const void *bytes = sqlite3_column_blob(query, 0);
        status = hy_reserve(&holes->holes, &holes->capacity, num, 1, error);
        if (status == HY_OK && num > 0 && !bytes)
            status = hy_fail_memory(error);
        if (status == HY_OK && num > 0)
            memcpy(holes->holes, bytes, num);
        holes->num = status == HY_OK ? num : 0;
    }
    sqlite3_reset(query);
    return status;
}

hy_status hy_store_game(hy_store *store, uint32_t condition, bool swapped, uint64_t number,
                        hy_game_record *record, hy_hole_list *holes, bool *found, hy_error *error)
{
    sqlite3_stmt *query;
    hy_block_key key = {condition, swapped, number / HY_BLOCK_GAMES};
    hy_status status = hy_store_query(store, HY_QUERY_GET_GAME, &query, error);
    if (status != HY_OK)
        return status;
    bind_key(query, key, number);
    status = hy_database_next(&store->database, query, found, error);
    if (status == HY_OK && *found)
        status = read_record(store, query, record, error);
    sqlite3_reset(query);
    if (status == HY_OK && *found)
        status = get_chains(store, key, record, error);
    if (status == HY_OK && *found && holes)
        status = get_holes(store, key, record, holes, error);
    return status;
}

static hy_status prepare_ordered(hy_store *store, const char *sql, uint32_t condition, bool swapped,
                                 sqlite3_stmt **query, hy_error *error)
{
    hy_status status = hy_database_prepare(&store->database, sql, query, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(*query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(*query, 2, swapped);
    return HY_OK;
}

hy_status hy_game_cursor_open(hy_store *store, uint32_t condition, bool swapped,
                              hy_game_cursor *cursor, hy_error *error)
{
    *cursor = (hy_game_cursor){.store = store, .condition = condition, .swapped = swapped};
    hy_status status = prepare_ordered(
        store, "SELECT * FROM game WHERE condition_id = ?1 AND swapped = ?2 ORDER BY number",
        condition, swapped, &cursor->games, error);
    if (status == HY_OK)
        status = prepare_ordered(store,
                                 "SELECT number, length, count FROM chain WHERE condition_id = ?1 "
                                 "AND swapped = ?2 ORDER BY number, length",
                                 condition, swapped, &cursor->chains, error);
    if (status == HY_OK)
        status = hy_database_next(&store->database, cursor->chains, &cursor->more_chains, error);
    if (status != HY_OK)
        hy_game_cursor_close(cursor);
    return status;
}

hy_status hy_game_cursor_next(hy_game_cursor *cursor, hy_game_record *record, bool *found,
                              hy_error *error)
{
    const hy_database *database = &cursor->store->database;
    hy_status status = hy_database_next(database, cursor->games, found, error);
    if (status != HY_OK || !*found)
        return status;
    status = read_record(cursor->store, cursor->games, record, error);
    while (status == HY_OK && cursor->more_chains &&
           (uint64_t)sqlite3_column_int64(cursor->chains, 0) <= record->number) {
        if ((uint64_t)sqlite3_column_int64(cursor->chains, 0) == record->number)
            status = read_chain(cursor->store, cursor->chains, record, error);
        if (status == HY_OK)
            status = hy_database_next(database, cursor->chains, &cursor->more_chains, error);
    }
    return status;
}

void hy_game_cursor_close(hy_game_cursor *cursor)
{
    sqlite3_finalize(cursor->games);
    sqlite3_finalize(cursor->chains);
    *cursor = (hy_game_cursor){0};
}

hy_status hy_store_each_game(hy_store *store, uint32_t condition, bool swapped,
                             hy_game_visit *visit, void *context, hy_error *error)
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
            status = visit(context, &record, error);
    }
    hy_game_cursor_close(&cursor);
    return status;
}

static hy_status visit_result(const hy_store *store, sqlite3_stmt *query, hy_result_visit *visit,
                              void *context, hy_error *error)
{
    size_t result;
    bool good = true;
    uint64_t number = count_of(query, 0, INT64_MAX, &good), hash = hash_of(query, 2, &good);
    if (!good || !find_word(query, 1, hy_result_words, HY_NUM_RESULTS, &result))
        return damaged(store, number, error);
    return visit(context, number, (hy_result)result, hash, error);
}

hy_status hy_store_each_result(hy_store *store, uint32_t condition, bool swapped,
                               hy_result_visit *visit, void *context, hy_error *error)
{
    sqlite3_stmt *query;
    bool row = true;
    hy_status status = prepare_ordered(store,
                                       "SELECT number, result, move_hash FROM game WHERE "
                                       "condition_id = ?1 AND swapped = ?2 ORDER BY number",
                                       condition, swapped, &query, error);
    if (status != HY_OK)
        return status;
    while (status == HY_OK && row) {
        status = hy_database_next(&store->database, query, &row, error);
        if (status == HY_OK && row)
            status = visit_result(store, query, visit, context, error);
    }
    sqlite3_finalize(query);
    return status;
}

const char *hy_record_difference(const hy_game_record *a, const hy_game_record *b)
{
    if (a->termination != b->termination)
        return "termination";
    if (a->result != b->result)
        return "result";
    if (a->score[HY_SOUTH] != b->score[HY_SOUTH])
        return "south_score";
    if (a->score[HY_NORTH] != b->score[HY_NORTH])
        return "north_score";
    if (a->plies != b->plies)
        return "plies";
    if (a->turns != b->turns)
        return "turns";
    if (a->passes != b->passes)
        return "passes";
    if (a->laps != b->laps)
        return "laps";
    if (a->counters != b->counters)
        return "counters";
    if (a->captures != b->captures)
        return "captures";
    if (a->casas != b->casas)
        return "casas";
    if (a->chains != b->chains)
        return "chains";
    if (a->longest_chain != b->longest_chain)
        return "longest_chain";
    if (a->longest_turn != b->longest_turn)
        return "longest_turn";
    if (a->lead_changes != b->lead_changes)
        return "lead_changes";
    if (a->legal_holes != b->legal_holes)
        return "legal_holes";
    if (a->decision_plies != b->decision_plies)
        return "decision_plies";
    if (a->south_captures != b->south_captures)
        return "south_captures";
    if (a->south_chains != b->south_chains)
        return "south_chains";
    if (a->claimed != b->claimed)
        return "claimed";
    if (a->move_hash != b->move_hash)
        return "move_hash";
    return memcmp(a->chain_count, b->chain_count, sizeof a->chain_count) == 0 ? NULL : "chain";
}
