/* Hands out the games of a batch in small runs. Private to src/sim.
 *
 * Each worker has a block of its own as long as there are blocks, so that summaries are joined
 * seldom; after that it helps with the blocks of others. Runs get shorter towards the end. */
#ifndef HY_SIM_DISPENSER_H
#define HY_SIM_DISPENSER_H

#include <pthread.h>

#include "sim/batch.h"

/* Some of 64 games in a row. */
typedef struct hy_run {
    hy_block_key key;
    uint64_t first; /* number of the game of bit 0 */
    uint64_t games; /* bits */
} hy_run;

/* A block being handed out. */
typedef struct hy_cursor {
    hy_block_key key;
    uint64_t word;
    uint64_t games; /* bits of that word that are left */
    bool open;
} hy_cursor;

typedef struct hy_dispenser {
    const hy_batch *batch;
    pthread_mutex_t mutex;
    uint64_t num_left;
    hy_block_key next_block; /* to open */
    bool blocks_left;
    hy_cursor *cursors; /* one a worker */
} hy_dispenser;

HY_MUST_CHECK hy_status hy_dispenser_init(hy_dispenser *dispenser, const hy_batch *batch,
                                          hy_error *error);
void hy_dispenser_clean_up(hy_dispenser *dispenser);

/* The next run for that worker; false: there is none. */
bool hy_dispenser_take(hy_dispenser *dispenser, unsigned worker, hy_run *run);

#endif
