/* Stored games, played again and compared. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/internal.h"
#include "store/look_check.h"

/* A block whose games come back in parts, from several workers. */
typedef struct hy_open_block {
    hy_block_key key;
    hy_summary summary;
    bool used;
} hy_open_block;

typedef struct hy_verifying {
    hy_store *store;
    const hy_verification *verification;
    uint64_t num_games;
    hy_open_block *blocks; /* replayed in part */
    size_t num_blocks;
    size_t capacity;
    hy_hole_list holes;
    hy_look_check looks;
} hy_verifying;

static hy_status differs(const hy_store *store, hy_block_key key, const char *what, uint64_t number,
                         const char *column, hy_error *error)
{
    return hy_fail(
        error, HY_MISMATCH,
        "%s %" PRIu64 " of condition %" PRIu32 "%s in '%s' does not replay: '%s' differs", what,
        number, key.condition + 1, key.swapped ? " (swapped)" : "", store->database.path, column);
}

static hy_status check_games(hy_verifying *verifying, const hy_chunk *chunk, hy_error *error)
{
    hy_store *store = verifying->store;
    const uint8_t *holes = chunk->holes.holes;
    bool moves = store->experiment.record == HY_RECORD_MOVES;
    for (uint64_t i = 0; i < chunk->num_games; i++) {
        const hy_game_record *record = &chunk->records[i];
        hy_game_record stored;
        bool found;
        hy_status status = hy_store_game(store, chunk->key.condition, chunk->key.swapped,
                                         record->number, &stored, &verifying->holes, &found, error);
        if (status != HY_OK)
            return status;
        const char *column = found ? hy_record_difference(&stored, record) : "number";
        bool same_holes =
            !moves || (verifying->holes.num == record->plies &&
                       (record->plies == 0 ||
                        (holes && memcmp(verifying->holes.holes, holes, record->plies) == 0)));
        if (column || !same_holes)
            return differs(store, chunk->key, "game", record->number, column ? column : "holes",
                           error);
        if (moves && holes)
            holes += record->plies;
    }
    return HY_OK;
}

static hy_status open_block(hy_verifying *verifying, hy_block_key key, hy_open_block **block,
                            hy_error *error)
{
    hy_open_block *unused = NULL;
    for (size_t i = 0; i < verifying->num_blocks; i++) {
        *block = &verifying->blocks[i];
        if ((*block)->used && hy_block_same((*block)->key, key))
            return HY_OK;
        if (!(*block)->used)
            unused = *block;
    }
    if (!unused) {
        hy_status status = hy_reserve(&verifying->blocks, &verifying->capacity,
                                      verifying->num_blocks + 1, sizeof *unused, error);
        if (status != HY_OK)
            return status;
        unused = &verifying->blocks[verifying->num_blocks++];
        *unused = (hy_open_block){0};
    }
    hy_summary_clear(&unused->summary);
    unused->key = key;
    unused->used = true;
    *block = unused;
    return HY_OK;
}

static hy_status check_summary(hy_verifying *verifying, const hy_chunk *chunk, hy_error *error)
{
    hy_store *store = verifying->store;
    hy_open_block *block;
    uint64_t played[HY_BLOCK_WORDS];
    bool found;
    const char *column;
    hy_status status = open_block(verifying, chunk->key, &block, error);
    if (status == HY_OK)
        status = hy_summary_merge(&block->summary, &chunk->summary, error);
    if (status == HY_OK)
        status = hy_store_get_block(store, chunk->key, &store->block, played, &found, error);
    if (status != HY_OK || block->summary.games < store->block.games)
        return status;
    block->used = false;
    status = hy_summary_difference(&store->block, &block->summary, &column, error);
    if (status == HY_OK && column)
        status = differs(store, chunk->key, "block", chunk->key.block, column, error);
    return status;
}

static hy_status check(void *context, const hy_chunk *chunk, hy_error *error)
{
    hy_verifying *verifying = context;
    hy_status status = verifying->store->experiment.record == HY_RECORD_SUMMARY
                           ? check_summary(verifying, chunk, error)
                           : check_games(verifying, chunk, error);
    hy_look_check_add(&verifying->looks, chunk);
    if (status == HY_OK)
        verifying->num_games += chunk->num_games;
    return status;
}

static hy_status tick(void *context, hy_error *error)
{
    const hy_verifying *verifying = context;
    const hy_verification *verification = verifying->verification;
    return verification->tick
               ? verification->tick(verification->context, verifying->num_games, error)
               : HY_OK;
}

/* Look by look, where looks have sums of their own. */
static hy_status replay(hy_verifying *verifying, const hy_progress *progress, hy_error *error)
{
    hy_batch batch = {
        .experiment = &verifying->store->experiment,
        .progress = progress,
        .shard = HY_WHOLE_SHARD,
        .replay = true,
        .threads = verifying->verification->threads,
        .record = verifying->store->experiment.record,
        .stop = verifying->verification->stop,
        .consumer = {.context = verifying, .take = check, .tick = tick},
    };
    hy_status status = HY_OK;
    while (status == HY_OK && hy_look_check_step(&verifying->looks)) {
        status = hy_batch_run(&batch, error);
        if (status == HY_OK)
            status = hy_look_check_compare(&verifying->looks, error);
    }
    if (status == HY_OK)
        status = hy_look_check_end(&verifying->looks, error);
    for (size_t i = 0; i < verifying->num_blocks; i++) {
        if (status == HY_OK && verifying->blocks[i].used)
            status = differs(verifying->store, verifying->blocks[i].key, "block",
                             verifying->blocks[i].key.block, "games", error);
        hy_summary_clean_up(&verifying->blocks[i].summary);
    }
    return status;
}

/* Rows in tables that the level of record does not use. */
static const char *const foreign[HY_NUM_RECORDS] = {
    [HY_RECORD_SUMMARY] = ("SELECT (SELECT count(*) FROM game) + (SELECT count(*) FROM chain) + "
                           "(SELECT count(*) FROM move)"),
    [HY_RECORD_GAMES] = "SELECT (SELECT count(*) FROM block) + (SELECT count(*) FROM move)",
    [HY_RECORD_MOVES] = "SELECT count(*) FROM block",
};

/* Rows that no replay reaches: games past those asked for, and loose rows of other tables. */
static hy_status check_loose(hy_store *store, const hy_progress *progress, hy_error *error)
{
    const char *const queries[] = {
        "SELECT count(*) FROM chain AS c WHERE NOT EXISTS (SELECT 1 FROM game AS g WHERE "
        "g.condition_id = c.condition_id AND g.swapped = c.swapped AND g.number = c.number)",
        "SELECT count(*) FROM move AS m WHERE NOT EXISTS (SELECT 1 FROM game AS g WHERE "
        "g.condition_id = m.condition_id AND g.swapped = m.swapped AND g.number = m.number)",
        "SELECT count(*) FROM game AS g WHERE NOT EXISTS (SELECT 1 FROM condition AS c WHERE c.id "
        "= g.condition_id AND g.swapped BETWEEN 0 AND c.swap)",
        "SELECT count(*) FROM block AS b WHERE NOT EXISTS (SELECT 1 FROM condition AS c WHERE c.id "
        "= b.condition_id AND b.swapped BETWEEN 0 AND c.swap)",
        foreign[store->experiment.record],
    };
    int64_t loose = (int64_t)progress->num_extra;
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && loose == 0 && i < sizeof queries / sizeof queries[0]; i++)
        status = hy_database_integer(&store->database, queries[i], &loose, error);
    if (status == HY_OK && loose > 0)
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' holds %" PRId64 " rows that belong to no game of its experiment",
                         store->database.path, loose);
    return status;
}

/* The file as SQLite sees it: pages, order of rows, types. */
static hy_status check_file(hy_store *store, hy_error *error)
{
    sqlite3_stmt *query;
    bool row;
    hy_status status =
        hy_database_prepare(&store->database, "PRAGMA quick_check (1)", &query, error);
    if (status != HY_OK)
        return status;
    status = hy_database_next(&store->database, query, &row, error);
    const char *answer = row ? (const char *)sqlite3_column_text(query, 0) : NULL;
    if (status == HY_OK && (!answer || strcmp(answer, "ok") != 0))
        status = hy_fail(error, HY_STORAGE, "'%s' is damaged: %.200s", store->database.path,
                         answer ? answer : "it cannot be checked");
    sqlite3_finalize(query);
    return status;
}

hy_status hy_store_verify(hy_store *store, const hy_verification *verification, uint64_t *num_games,
                          hy_error *error)
{
    hy_progress progress;
    hy_verifying verifying = {.store = store, .verification = verification};
    hy_status status = check_file(store, error);
    if (status == HY_OK)
        status = hy_progress_init(&progress, &store->experiment, error);
    if (status != HY_OK)
        return status;
    status = hy_store_limit_progress(store, &progress, NULL, error);
    if (status == HY_OK)
        status = hy_store_load_progress(store, &progress, error);
    if (status == HY_OK)
        status = check_loose(store, &progress, error);
    for (uint32_t i = 0; status == HY_OK && i < store->experiment.num_conditions; i++) {
        if (!hy_condition_is_reproducible(&store->experiment.conditions[i]))
            hy_progress_forget(&progress, i);
    }
    if (status == HY_OK)
        status = hy_look_check_init(&verifying.looks, store, &progress, error);
    if (status == HY_OK)
        status = replay(&verifying, &progress, error);
    hy_look_check_clean_up(&verifying.looks);
    *num_games = verifying.num_games;
    free(verifying.blocks);
    free(verifying.holes.holes);
    hy_progress_clean_up(&progress);
    return status;
}
