/* Threads that do one thing together. */
#ifndef HY_SOLVE_TEAM_H
#define HY_SOLVE_TEAM_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/status.h"

/* Calls `work(context, member)` for the members 0 … num_threads − 1, each in a thread of its own (0
 * in that of the caller), and waits for all. Where threads are refused, fewer members do the work:
 * `work` has to take what there is, not a share. */
void hy_team_run(unsigned num_threads, void (*work)(void *context, unsigned member), void *context);

/* Numbers from 0 on, dealt out in blocks. */
typedef struct hy_blocks {
    atomic_uint_fast64_t next;
    uint64_t total;
    uint64_t size;
} hy_blocks;

static inline void hy_blocks_init(hy_blocks *blocks, uint64_t total, uint64_t size)
{
    atomic_init(&blocks->next, 0);
    blocks->total = total;
    blocks->size = size;
}

/* The next block, *first … *end − 1; false: all are dealt. */
static inline _Bool hy_blocks_take(hy_blocks *blocks, uint64_t *first, uint64_t *end)
{
    *first = atomic_fetch_add_explicit(&blocks->next, blocks->size, memory_order_relaxed);
    *end = blocks->total - *first > blocks->size ? *first + blocks->size : blocks->total;
    return *first < blocks->total;
}

#endif
