#include "sim/dispenser.h"

#include <stdlib.h>

#include "base/memory.h"

/* Goes to the first block of the window of next_block's seating, or of one behind it. */
static void enter_seating(hy_dispenser *dispenser)
{
    const hy_experiment *experiment = dispenser->batch->experiment;
    const hy_window *windows = dispenser->batch->progress->windows;
    hy_block_key *key = &dispenser->next_block;
    while (key->condition < experiment->num_conditions &&
           windows[key->condition].first >= windows[key->condition].end)
        key->condition++;
    dispenser->blocks_left = key->condition < experiment->num_conditions;
    if (dispenser->blocks_left)
        key->block = windows[key->condition].first / HY_BLOCK_GAMES;
}

hy_status hy_dispenser_init(hy_dispenser *dispenser, const hy_batch *batch, hy_error *error)
{
    *dispenser = (hy_dispenser){.batch = batch};
    dispenser->num_left = hy_progress_count(batch->progress, batch->shard, batch->replay);
    enter_seating(dispenser);
    dispenser->cursors = hy_new_array(batch->threads, sizeof dispenser->cursors[0]);
    if (!dispenser->cursors)
        return hy_fail_memory(error);
    if (pthread_mutex_init(&dispenser->mutex, NULL) != 0) {
        free(dispenser->cursors);
        return hy_fail(error, HY_FAILED, "cannot make a mutex");
    }
    return HY_OK;
}

void hy_dispenser_clean_up(hy_dispenser *dispenser)
{
    pthread_mutex_destroy(&dispenser->mutex);
    free(dispenser->cursors);
}

/* Moves to the next word with games to play; closes the cursor where there is none. */
static void advance(const hy_dispenser *dispenser, hy_cursor *cursor)
{
    const hy_batch *batch = dispenser->batch;
    while (cursor->open && cursor->games == 0) {
        cursor->word++;
        cursor->open = cursor->word < HY_BLOCK_WORDS;
        if (cursor->open)
            cursor->games = hy_progress_word(batch->progress, cursor->key, cursor->word,
                                             batch->shard, batch->replay);
    }
}

/* Blocks come in the order of conditions, seatings, numbers. */
static void step_block(hy_dispenser *dispenser)
{
    hy_block_key *key = &dispenser->next_block;
    key->block++;
    if (key->block * HY_BLOCK_GAMES < dispenser->batch->progress->windows[key->condition].end)
        return;
    key->swapped = !key->swapped && dispenser->batch->experiment->conditions[key->condition].swap;
    key->condition += !key->swapped;
    enter_seating(dispenser);
}

/* Where games are replayed, blocks without any are passed over as a whole: a database can ask for
 * more games than there are words to look at in a day. */
static void skip_blank_blocks(hy_dispenser *dispenser)
{
    const hy_batch *batch = dispenser->batch;
    while (batch->replay && dispenser->blocks_left &&
           hy_progress_is_blank(batch->progress, dispenser->next_block))
        step_block(dispenser);
}

static void open_block(hy_dispenser *dispenser, hy_cursor *cursor)
{
    const hy_batch *batch = dispenser->batch;
    skip_blank_blocks(dispenser);
    while (!cursor->open && dispenser->blocks_left) {
        if (!hy_shard_has_block(batch->shard, dispenser->next_block.block)) {
            step_block(dispenser);
            continue;
        }
        *cursor = (hy_cursor){.key = dispenser->next_block, .open = true};
        cursor->games =
            hy_progress_word(batch->progress, cursor->key, 0, batch->shard, batch->replay);
        step_block(dispenser);
        advance(dispenser, cursor);
        if (!cursor->open)
            skip_blank_blocks(dispenser);
    }
}

/* The open cursor that is furthest from its end, or NULL. */
static hy_cursor *someone_elses(hy_dispenser *dispenser)
{
    hy_cursor *best = NULL;
    for (unsigned i = 0; i < dispenser->batch->threads; i++) {
        hy_cursor *cursor = &dispenser->cursors[i];
        if (cursor->open && (!best || cursor->word < best->word))
            best = cursor;
    }
    return best;
}

static uint64_t lowest_bits(uint64_t bits, uint64_t num)
{
    uint64_t rest = bits;
    for (; num > 0 && rest; num--)
        rest &= rest - 1;
    return bits ^ rest;
}

bool hy_dispenser_take(hy_dispenser *dispenser, unsigned worker, hy_run *run)
{
    pthread_mutex_lock(&dispenser->mutex);
    hy_cursor *cursor = &dispenser->cursors[worker];
    if (!cursor->open)
        open_block(dispenser, cursor);
    if (!cursor->open)
        cursor = someone_elses(dispenser);
    if (cursor) {
        uint64_t share = dispenser->num_left / (4u * dispenser->batch->threads) + 1;
        *run = (hy_run){
            .key = cursor->key,
            .first = cursor->key.block * HY_BLOCK_GAMES + cursor->word * 64,
            .games = share < 64 ? lowest_bits(cursor->games, share) : cursor->games,
        };
        cursor->games ^= run->games;
        dispenser->num_left -= (uint64_t)__builtin_popcountll(run->games);
        advance(dispenser, cursor);
    }
    pthread_mutex_unlock(&dispenser->mutex);
    return cursor != NULL;
}
