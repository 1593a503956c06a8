/* Chunks of a batch into the database. */
#include <inttypes.h>
#include <string.h>

#include "store/internal.h"

static hy_status take_games(hy_store *store, const hy_chunk *chunk, hy_error *error)
{
    const uint8_t *holes = chunk->holes.holes;
    hy_status status = HY_OK;
    for (uint64_t i = 0; status == HY_OK && i < chunk->num_games; i++) {
        const hy_game_record *record = &chunk->records[i];
        bool added;
        status = hy_store_put_game(store, chunk->key, record, holes, &added, error);
        if (status == HY_OK && !added)
            status = hy_fail(error, HY_MISMATCH, "game %" PRIu64 " is in '%s' already",
                             record->number, store->database.path);
        if (holes)
            holes += record->plies;
    }
    return status;
}

/* Joins the chunk's summary with the part of its block that is stored already. */
static hy_status take_summary(hy_store *store, const hy_chunk *chunk, hy_error *error)
{
    uint64_t played[HY_BLOCK_WORDS];
    bool found;
    hy_status status = hy_store_get_block(store, chunk->key, &store->block, played, &found, error);
    if (status != HY_OK)
        return status;
    if (!found) {
        hy_summary_clear(&store->block);
        memset(played, 0, sizeof played);
    }
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++) {
        if (played[i] & chunk->played[i])
            return hy_fail(error, HY_MISMATCH, "games of block %" PRIu64 " are in '%s' already",
                           chunk->key.block, store->database.path);
        played[i] |= chunk->played[i];
    }
    status = hy_summary_merge(&store->block, &chunk->summary, error);
    if (status == HY_OK)
        status = hy_store_put_block(store, chunk->key, &store->block, played, error);
    return status;
}

hy_status hy_store_take(hy_store *store, const hy_chunk *chunk, hy_error *error)
{
    hy_status status = hy_store_begin(store, error);
    if (status != HY_OK)
        return status;
    status = store->experiment.record == HY_RECORD_SUMMARY ? take_summary(store, chunk, error)
                                                           : take_games(store, chunk, error);
    return status == HY_OK ? hy_store_tick(store, error) : status;
}
