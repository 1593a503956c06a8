/* Chunks of a batch into the database. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/internal.h"

typedef struct hy_game_to_put {
    const hy_game_record *record;
    const uint8_t *holes;
} hy_game_to_put;

static int compare_numbers(const void *a, const void *b)
{
    const hy_game_to_put *x = a, *y = b;
    return (x->record->number > y->record->number) - (x->record->number < y->record->number);
}

/* In the order of their keys, which is quicker and leaves fuller pages. */
static size_t in_order(const hy_chunk *chunk, hy_game_to_put games[HY_CHUNK_GAMES])
{
    const uint8_t *holes = chunk->holes.holes;
    for (uint64_t i = 0; i < chunk->num_games; i++) {
        games[i] = (hy_game_to_put){&chunk->records[i], holes};
        if (holes)
            holes += chunk->records[i].plies;
    }
    qsort(games, chunk->num_games, sizeof games[0], compare_numbers);
    return chunk->num_games;
}

static hy_status take_games(hy_store *store, const hy_chunk *chunk, hy_error *error)
{
    hy_game_to_put games[HY_CHUNK_GAMES];
    size_t num = in_order(chunk, games);
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < num; i++) {
        const hy_game_record *record = games[i].record;
        bool added;
        status = hy_store_put_game(store, chunk->key, record, games[i].holes, &added, error);
        if (status == HY_OK && !added)
            status = hy_fail(error, HY_MISMATCH, "game %" PRIu64 " is in '%s' already",
                             record->number, store->database.path);
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
