/* Batches: the games of an experiment, played by threads and handed to one consumer.
 *
 * Workers share nothing but the dispenser of work and the queue of finished chunks; the consumer
 * runs in the thread of the caller. A game's outcome depends on the seed, the condition and its
 * number alone, so threads, shards, order and restarts change nothing. */
#ifndef HY_SIM_BATCH_H
#define HY_SIM_BATCH_H

#include <stdatomic.h>

#include "sim/progress.h"
#include "sim/summary.h"

#define HY_CHUNK_GAMES 256u /* records a chunk at the most */

/* Games of one block that a worker has finished. */
typedef struct hy_chunk {
    hy_block_key key;
    uint64_t num_games;
    uint64_t num_plies;
    /* record: games | moves */
    hy_game_record *records; /* [num_games] */
    hy_hole_list holes;      /* record: moves; of all games in a row, record->plies each */
    /* record: summary */
    hy_summary summary;
    uint64_t *played; /* [HY_BLOCK_WORDS] the games in `summary` */
    struct hy_chunk *next;
} hy_chunk;

/* Who takes the chunks. Both functions are called in the caller's thread only; a failure stops the
 * batch after the games in hand, which are then dropped. */
typedef struct hy_consumer {
    void *context;
    /* Required: takes what it wants; the chunk stays the batch's. */
    hy_status (*take)(void *context, const hy_chunk *chunk, hy_error *error);
    /* Optional: called about ten times a second. */
    hy_status (*tick)(void *context, hy_error *error);
} hy_consumer;

typedef struct hy_batch {
    const hy_experiment *experiment;
    const hy_progress *progress; /* not changed */
    hy_shard shard;
    bool replay;      /* plays what has been played, instead of what is missing */
    unsigned threads; /* at least 1 */
    hy_record record; /* what chunks hold */
    atomic_int *stop; /* may be NULL; not 0: finish the game in hand, or drop those in lanes */
    hy_consumer consumer;
} hy_batch;

/* Plays. HY_INTERRUPTED where `stop` was set before everything was played; what was finished has
 * been consumed then. */
HY_MUST_CHECK hy_status hy_batch_run(const hy_batch *batch, hy_error *error);

#endif
