/* Rows of `block`, to the database and back. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

/* The value, unless something could not be added to it for want of memory: then none. */
static json_t *whole(json_t *json, bool complete)
{
    if (complete)
        return json;
    json_decref(json);
    return NULL;
}

/* An object of counts by word. */
static json_t *counts_to_json(const uint64_t *counts, const char *const *words, size_t num_words)
{
    json_t *object = json_object();
    bool added = true;
    for (size_t i = 0; i < num_words; i++)
        added &= json_object_set_new(object, words[i], json_integer((json_int_t)counts[i])) == 0;
    return whole(object, added);
}

static json_t *pair_to_json(uint64_t first, uint64_t second)
{
    return json_pack("[I, I]", (json_int_t)first, (json_int_t)second);
}

static json_t *lengths_to_json(const hy_length_count *lengths, size_t num_lengths)
{
    json_t *object = json_object();
    bool added = true;
    for (size_t i = 0; i < num_lengths; i++) {
        const char *word = hy_termination_words[lengths[i].termination];
        json_t *array = json_object_get(object, word);
        if (!array) {
            array = json_array();
            added &= json_object_set_new(object, word, array) == 0;
        }
        added = added &&
                json_array_append_new(array, pair_to_json(lengths[i].plies, lengths[i].games)) == 0;
    }
    return whole(object, added);
}

static json_t *chains_to_json(const uint64_t *chain_count)
{
    json_t *array = json_array();
    bool added = true;
    for (size_t i = 1; i <= HY_MAX_CHAIN; i++) {
        if (chain_count[i] > 0)
            added &= json_array_append_new(array, pair_to_json(i, chain_count[i])) == 0;
    }
    return whole(array, added);
}

/* Binds a JSON value as text and releases it. */
static hy_status bind_json(sqlite3_stmt *statement, int index, json_t *json, hy_error *error)
{
    char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    if (!text)
        return hy_fail_memory(error);
    sqlite3_bind_text(statement, index, text, -1, free);
    return HY_OK;
}

static hy_status bind_sketch(sqlite3_stmt *insert, int index, const hy_sketch *sketch,
                             hy_error *error)
{
    uint8_t bytes[8 * HY_SKETCH_SIZE];
    for (size_t i = 0; i < sketch->num; i++) {
        for (size_t j = 0; j < 8; j++)
            bytes[8 * i + j] = (uint8_t)(sketch->hashes[i] >> (8 * j));
    }
    sqlite3_bind_int64(insert, index + 1, sketch->overflowed);
    return hy_database_bind_blob(insert, index, bytes, 8 * sketch->num, error);
}

/* A block of which all games are there has no bitmap. */
static hy_status bind_played(sqlite3_stmt *insert, int index, uint64_t num_games,
                             const uint64_t *played, hy_error *error)
{
    if (num_games == HY_BLOCK_GAMES) {
        sqlite3_bind_null(insert, index);
        return HY_OK;
    }
    uint8_t bytes[8 * HY_BLOCK_WORDS];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(played[i / 8] >> (8 * (i % 8)));
    return hy_database_bind_blob(insert, index, bytes, sizeof bytes, error);
}

static hy_status bind_summary(sqlite3_stmt *insert, const hy_summary *summary, hy_error *error)
{
    hy_length_count *lengths;
    sqlite3_bind_int64(insert, 4, (int64_t)summary->games);
    sqlite3_bind_int64(insert, 9, (int64_t)summary->max_plies);
    sqlite3_bind_int64(insert, 10, (int64_t)summary->longest_turn);
    sqlite3_bind_int64(insert, 11, (int64_t)summary->longest_chain);
    hy_status status = bind_sketch(insert, 14, &summary->sketch, error);
    if (status == HY_OK)
        status = hy_summary_lengths(summary, &lengths, error);
    if (status != HY_OK)
        return status;
    status = bind_json(insert, 12, lengths_to_json(lengths, summary->num_lengths), error);
    free(lengths);
    if (status == HY_OK)
        status = bind_json(
            insert, 5, counts_to_json(summary->results, hy_result_words, HY_NUM_RESULTS), error);
    if (status == HY_OK)
        status = bind_json(insert, 6,
                           counts_to_json(summary->terminations + 1, hy_termination_words + 1,
                                          HY_NUM_TERMINATIONS - 1),
                           error);
    if (status == HY_OK)
        status = bind_json(
            insert, 7, counts_to_json(summary->sums, hy_quantity_words, HY_NUM_QUANTITIES), error);
    if (status == HY_OK)
        status = bind_json(
            insert, 8, counts_to_json(summary->products, hy_product_words, HY_NUM_PRODUCTS), error);
    if (status == HY_OK)
        status = bind_json(insert, 13, chains_to_json(summary->chain_count), error);
    return status;
}

/* Whether the database's signed integers hold all sums. */
static bool fits_row(const hy_summary *summary)
{
    uint64_t bits = 0, carries = 0;
    for (size_t i = 0; i < HY_NUM_QUANTITIES; i++)
        bits |= summary->sums[i];
    for (size_t i = 0; i < HY_NUM_PRODUCTS; i++)
        carries |= summary->carries[i];
    return bits <= INT64_MAX && carries == 0;
}

static void bind_block_key(sqlite3_stmt *statement, hy_block_key key)
{
    sqlite3_bind_int64(statement, 1, (int64_t)key.condition + 1);
    sqlite3_bind_int64(statement, 2, key.swapped);
    sqlite3_bind_int64(statement, 3, (int64_t)key.block);
}

hy_status hy_store_put_block(hy_store *store, hy_block_key key, const hy_summary *summary,
                             const uint64_t *played, hy_error *error)
{
    sqlite3_stmt *insert;
    if (!fits_row(summary))
        return hy_fail(error, HY_FAILED,
                       "a sum over the games of block %" PRIu64 " of condition %" PRIu32
                       " does not fit into 63 bits; lower max_laps or max_plies",
                       key.block, key.condition + 1);
    hy_status status = hy_store_query(store, HY_QUERY_PUT_BLOCK, &insert, error);
    if (status != HY_OK)
        return status;
    bind_block_key(insert, key);
    status = bind_summary(insert, summary, error);
    if (status == HY_OK)
        status = bind_played(insert, 16, summary->games, played, error);
    if (status == HY_OK)
        status = hy_database_step(&store->database, insert, "write a block", error);
    sqlite3_clear_bindings(insert);
    return status;
}

static bool same(const uint64_t *a, const uint64_t *b, size_t num)
{
    return memcmp(a, b, num * sizeof a[0]) == 0;
}

static json_t *read_json(sqlite3_stmt *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
}

/* A count that fits a signed 64-bit integer and is not negative. */
static bool read_count(const json_t *json, uint64_t *count)
{
    if (!json_is_integer(json) || json_integer_value(json) < 0)
        return false;
    *count = (uint64_t)json_integer_value(json);
    return true;
}

static bool read_counts(sqlite3_stmt *query, int column, const char *const *words, size_t num_words,
                        uint64_t *counts)
{
    json_t *object = read_json(query, column);
    bool good = object && json_object_size(object) == num_words;
    for (size_t i = 0; good && i < num_words; i++)
        good = read_count(json_object_get(object, words[i]), &counts[i]);
    json_decref(object);
    return good;
}

static bool read_pair(const json_t *pair, uint64_t *first, uint64_t *second)
{
    return json_array_size(pair) == 2 && read_count(json_array_get(pair, 0), first) &&
           read_count(json_array_get(pair, 1), second);
}

/* Games of one termination: pairs of plies and games. *good becomes false for anything else. */
static hy_status add_lengths(const json_t *array, uint8_t termination, hy_summary *summary,
                             bool *good, hy_error *error)
{
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && *good && i < json_array_size(array); i++) {
        uint64_t plies, games;
        *good = read_pair(json_array_get(array, i), &plies, &games) && plies <= HY_LIMIT_MAX_PLIES;
        if (*good)
            status = hy_summary_add_length(summary, termination, (uint32_t)plies, games, error);
    }
    return status;
}

static hy_status read_lengths(sqlite3_stmt *query, int column, hy_summary *summary, bool *good,
                              hy_error *error)
{
    json_t *object = read_json(query, column);
    size_t num_known = 0;
    hy_status status = HY_OK;
    *good = json_is_object(object);
    for (uint8_t t = HY_GOES_ON + 1; status == HY_OK && *good && t < HY_NUM_TERMINATIONS; t++) {
        const json_t *array = json_object_get(object, hy_termination_words[t]);
        num_known += array != NULL;
        status = add_lengths(array, t, summary, good, error);
    }
    *good &= json_object_size(object) == num_known;
    json_decref(object);
    return status;
}

static bool read_chains(sqlite3_stmt *query, int column, hy_summary *summary)
{
    json_t *array = read_json(query, column);
    bool good = json_is_array(array);
    for (size_t i = 0; good && i < json_array_size(array); i++) {
        uint64_t length, count;
        good = read_pair(json_array_get(array, i), &length, &count) && length >= 1 &&
               length <= HY_MAX_CHAIN && count >= 1 && summary->chain_count[length] == 0;
        if (good)
            summary->chain_count[length] = count;
    }
    json_decref(array);
    return good;
}

static bool read_sketch(sqlite3_stmt *query, int column, hy_sketch *sketch)
{
    const uint8_t *bytes = sqlite3_column_blob(query, column);
    size_t size = (size_t)sqlite3_column_bytes(query, column);
    int64_t full = sqlite3_column_int64(query, column + 1);
    if (size % 8 != 0 || size > 8 * HY_SKETCH_SIZE || full < 0 || full > 1)
        return false;
    for (size_t i = 0; i < size / 8; i++) {
        uint64_t hash = 0;
        for (size_t j = 8; j > 0; j--)
            hash = hash << 8 | bytes[8 * i + j - 1];
        hy_sketch_add(sketch, hash);
    }
    sketch->overflowed = full == 1;
    return sketch->num == size / 8;
}

static bool read_played(sqlite3_stmt *query, int column, uint64_t *played)
{
    if (sqlite3_column_type(query, column) == SQLITE_NULL) {
        memset(played, 0xff, HY_BLOCK_WORDS * sizeof played[0]);
        return true;
    }
    const uint8_t *bytes = sqlite3_column_blob(query, column);
    if (sqlite3_column_bytes(query, column) != 8 * HY_BLOCK_WORDS)
        return false;
    memset(played, 0, HY_BLOCK_WORDS * sizeof played[0]);
    for (size_t i = 0; i < 8 * HY_BLOCK_WORDS; i++)
        played[i / 8] |= (uint64_t)bytes[i] << (8 * (i % 8));
    return true;
}

static uint64_t count_bits(const uint64_t *words)
{
    uint64_t count = 0;
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++)
        count += (uint64_t)__builtin_popcountll(words[i]);
    return count;
}

static uint64_t total(const uint64_t *counts, size_t num)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < num; i++)
        sum += counts[i];
    return sum;
}

/* The column that does not go with the lengths: games by termination, plies in all and at the most.
 */
static const char *lengths_disagree(const hy_summary *summary)
{
    uint64_t games[HY_NUM_TERMINATIONS] = {0}, plies = 0, longest = 0;
    for (size_t i = 0; i < summary->length_capacity; i++) {
        const hy_length_count *length = &summary->lengths[i];
        if (length->termination == HY_GOES_ON)
            continue;
        if (length->games > summary->games)
            return "lengths";
        games[length->termination] += length->games;
        plies += length->plies * length->games;
        if (length->plies > longest)
            longest = length->plies;
    }
    if (!same(games + 1, summary->terminations + 1, HY_NUM_TERMINATIONS - 1))
        return "lengths";
    if (longest != summary->max_plies)
        return "max_plies";
    return plies == summary->sums[HY_QUANTITY_PLIES] ? NULL : "sums";
}

static bool add_up(const uint64_t *counts, size_t num, uint64_t games)
{
    for (size_t i = 0; i < num; i++) {
        if (counts[i] > games)
            return false;
    }
    return total(counts, num) == games;
}

/* The column that does not agree with the others as far as answers rest on it, or NULL. */
static const char *disagrees(const hy_summary *summary)
{
    if (!add_up(summary->results, HY_NUM_RESULTS, summary->games))
        return "results";
    if (!add_up(summary->terminations, HY_NUM_TERMINATIONS, summary->games))
        return "terminations";
    if (summary->longest_chain > HY_MAX_CHAIN)
        return "longest_chain";
    for (size_t i = 0; i <= HY_MAX_CHAIN; i++) {
        if (summary->chain_count[i] > summary->games * HY_LIMIT_MAX_PLIES)
            return "chains";
    }
    return lengths_disagree(summary);
}

/* The current row of a query over all columns of `block`. */
static hy_status read_block(const hy_store *store, sqlite3_stmt *query, hy_summary *summary,
                            uint64_t *played, hy_error *error)
{
    hy_summary_clear(summary);
    summary->games = (uint64_t)sqlite3_column_int64(query, 3);
    summary->max_plies = (uint64_t)sqlite3_column_int64(query, 8);
    summary->longest_turn = (uint64_t)sqlite3_column_int64(query, 9);
    summary->longest_chain = (uint64_t)sqlite3_column_int64(query, 10);
    bool good;
    hy_status status = read_lengths(query, 11, summary, &good, error);
    if (status != HY_OK)
        return status;
    good = good && read_counts(query, 4, hy_result_words, HY_NUM_RESULTS, summary->results) &&
           read_counts(query, 5, hy_termination_words + 1, HY_NUM_TERMINATIONS - 1,
                       summary->terminations + 1) &&
           read_counts(query, 6, hy_quantity_words, HY_NUM_QUANTITIES, summary->sums) &&
           read_counts(query, 7, hy_product_words, HY_NUM_PRODUCTS, summary->products) &&
           read_chains(query, 12, summary) && read_sketch(query, 13, &summary->sketch) &&
           read_played(query, 15, played) && count_bits(played) == summary->games;
    int64_t block = sqlite3_column_int64(query, 2);
    good = good && block >= 0 && block < (int64_t)(HY_LIMIT_GAMES / HY_BLOCK_GAMES + 1);
    if (!good && hy_database_lacks_memory(&store->database))
        return hy_fail_memory(error);
    const char *column = good ? disagrees(summary) : NULL;
    if (!good || column)
        return hy_fail(
            error, HY_MISMATCH, "'%s' is damaged: block %lld of condition %lld%s%s%s%s",
            store->database.path, (long long)block, (long long)sqlite3_column_int64(query, 0),
            sqlite3_column_int64(query, 1) != 0 ? " (swapped)" : "", column ? ": its '" : "",
            column ? column : "", column ? "' do not go with the others" : "");
    return HY_OK;
}

hy_status hy_store_get_block(hy_store *store, hy_block_key key, hy_summary *summary,
                             uint64_t played[HY_BLOCK_WORDS], bool *found, hy_error *error)
{
    sqlite3_stmt *query;
    hy_status status = hy_store_query(store, HY_QUERY_GET_BLOCK, &query, error);
    if (status != HY_OK)
        return status;
    bind_block_key(query, key);
    status = hy_database_next(&store->database, query, found, error);
    if (status == HY_OK && *found)
        status = read_block(store, query, summary, played, error);
    sqlite3_reset(query);
    return status;
}

hy_status hy_block_cursor_next(hy_block_cursor *cursor, hy_error *error)
{
    hy_status status =
        hy_database_next(&cursor->store->database, cursor->query, &cursor->more, error);
    cursor->more &= status == HY_OK;
    cursor->block = cursor->more ? (uint64_t)sqlite3_column_int64(cursor->query, 2) : 0;
    return status;
}

hy_status hy_block_cursor_open(hy_store *store, uint32_t condition, bool swapped,
                               hy_block_cursor *cursor, hy_error *error)
{
    *cursor = (hy_block_cursor){.store = store};
    hy_status status = hy_database_prepare(
        &store->database,
        "SELECT * FROM block WHERE condition_id = ?1 AND swapped = ?2 ORDER BY block",
        &cursor->query, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(cursor->query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(cursor->query, 2, swapped);
    return hy_block_cursor_next(cursor, error);
}

hy_status hy_block_cursor_read(const hy_block_cursor *cursor, hy_summary *summary,
                               uint64_t played[HY_BLOCK_WORDS], hy_error *error)
{
    return read_block(cursor->store, cursor->query, summary, played, error);
}

void hy_block_cursor_close(hy_block_cursor *cursor)
{
    sqlite3_finalize(cursor->query);
    *cursor = (hy_block_cursor){0};
}

hy_status hy_store_each_block(hy_store *store, uint32_t condition, bool swapped,
                              hy_block_visit *visit, void *context, hy_error *error)
{
    hy_block_cursor cursor;
    hy_summary summary = {0};
    uint64_t played[HY_BLOCK_WORDS];
    hy_status status = hy_block_cursor_open(store, condition, swapped, &cursor, error);
    while (status == HY_OK && cursor.more) {
        hy_block_key key = {condition, swapped, cursor.block};
        status = hy_block_cursor_read(&cursor, &summary, played, error);
        if (status == HY_OK)
            status = visit(context, key, &summary, played, error);
        if (status == HY_OK)
            status = hy_block_cursor_next(&cursor, error);
    }
    hy_block_cursor_close(&cursor);
    hy_summary_clean_up(&summary);
    return status;
}

hy_status hy_store_each_bitmap(hy_store *store, uint32_t condition, bool swapped,
                               hy_block_visit *visit, void *context, hy_error *error)
{
    sqlite3_stmt *query;
    hy_summary summary = {0};
    uint64_t played[HY_BLOCK_WORDS];
    bool row = true;
    hy_status status = hy_database_prepare(
        &store->database,
        "SELECT block, games, played FROM block WHERE condition_id = ?1 AND swapped = ?2", &query,
        error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(query, 2, swapped);
    while (status == HY_OK && row) {
        status = hy_database_next(&store->database, query, &row, error);
        if (status != HY_OK || !row)
            break;
        hy_block_key key = {condition, swapped, (uint64_t)sqlite3_column_int64(query, 0)};
        summary.games = (uint64_t)sqlite3_column_int64(query, 1);
        status = read_played(query, 2, played) && count_bits(played) == summary.games
                     ? visit(context, key, &summary, played, error)
                     : hy_fail(error, HY_MISMATCH, "'%s' is damaged: the games of block %" PRIu64,
                               store->database.path, key.block);
    }
    sqlite3_finalize(query);
    return status;
}

static const char *plain_difference(const hy_summary *a, const hy_summary *b)
{
    if (a->games != b->games)
        return "games";
    if (!same(a->results, b->results, HY_NUM_RESULTS))
        return "results";
    if (!same(a->terminations, b->terminations, HY_NUM_TERMINATIONS))
        return "terminations";
    if (!same(a->sums, b->sums, HY_NUM_QUANTITIES))
        return "sums";
    if (!same(a->products, b->products, HY_NUM_PRODUCTS) ||
        !same(a->carries, b->carries, HY_NUM_PRODUCTS))
        return "products";
    if (a->max_plies != b->max_plies)
        return "max_plies";
    if (a->longest_turn != b->longest_turn)
        return "longest_turn";
    if (a->longest_chain != b->longest_chain)
        return "longest_chain";
    if (!same(a->chain_count, b->chain_count, HY_MAX_CHAIN + 1))
        return "chains";
    if (a->sketch.num != b->sketch.num || a->sketch.overflowed != b->sketch.overflowed ||
        !same(a->sketch.hashes, b->sketch.hashes, a->sketch.num))
        return "sketch";
    return NULL;
}

hy_status hy_summary_difference(const hy_summary *a, const hy_summary *b, const char **column,
                                hy_error *error)
{
    hy_length_count *x = NULL, *y = NULL;
    *column = plain_difference(a, b);
    hy_status status = hy_summary_lengths(a, &x, error);
    if (status == HY_OK)
        status = hy_summary_lengths(b, &y, error);
    bool equal = status == HY_OK && a->num_lengths == b->num_lengths;
    for (size_t i = 0; equal && i < a->num_lengths; i++)
        equal = x[i].plies == y[i].plies && x[i].termination == y[i].termination &&
                x[i].games == y[i].games;
    if (status == HY_OK && !*column && !equal)
        *column = "lengths";
    free(x);
    free(y);
    return status;
}
