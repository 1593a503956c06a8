/* One layer in work: what its threads share, and what each has. Private to src/solve. */
#ifndef HY_SOLVE_WORK_H
#define HY_SOLVE_WORK_H

#include <pthread.h>

#include "solve/codes.h"
#include "solve/tables.h"
#include "solve/team.h"

/* Positions by their handles: what an engine knows a position by. */
typedef struct hy_stack {
    uint64_t *items;
    size_t num, capacity;
} hy_stack;

/* Settled positions that wait for any thread to tell their predecessors. */
typedef struct hy_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    hy_stack stacks[2];
    unsigned members, idle;
    atomic_uint hungry; /* idle, for a look without the lock */
} hy_pool;

struct hy_worker;

/* How positions of a layer are played forward and backward. */
typedef struct hy_layer_engine {
    /* Step 1: the codes of the positions first … end − 1. */
    void (*expand)(struct hy_worker *worker, uint64_t first, uint64_t end);
    /* Step 2: settles those among them that settle by themselves at this level, and what follows.
     */
    void (*settle)(struct hy_worker *worker, uint64_t first, uint64_t end);
    /* Tells the predecessors of all positions on the worker's stacks, and so on. */
    void (*drain)(struct hy_worker *worker);
} hy_layer_engine;

typedef struct hy_layer_work {
    const hy_endgame *endgame; /* rules and smaller layers */
    unsigned counters;
    uint64_t num;
    uint64_t max_laps;
    unsigned num_threads;
    const atomic_int *stop; /* may be NULL */
    const hy_layer_engine *engine;
    const struct hy_packed *packed; /* of the engine of that name */
    hy_codes codes;
    unsigned level; /* in work; 0: step 1 */
    hy_news news;   /* of the level */
    uint8_t *table;
    hy_blocks blocks;
    hy_pool pool;
    atomic_int status;                                       /* HY_OK, or the first failure */
    hy_error failure;                                        /* its words */
    void (*tick)(struct hy_layer_work *work, uint64_t done); /* by member 0; may be NULL */
    void *context;
} hy_layer_work;

#define HY_NUM_PENDING 32u
#define HY_NO_PLACE UINT64_MAX

/* News on its way to a position, while memory fetches its code. */
typedef struct hy_pending {
    uint64_t place;
    uint64_t handle;
    const uint8_t *news;
} hy_pending;

typedef struct hy_worker {
    hy_layer_work *work;
    unsigned member;
    hy_stack stacks[2]; /* settled, predecessors not told: [0] lost by the mover, [1] won */
    hy_pending pending[HY_NUM_PENDING];
    unsigned head;
} hy_worker;

/* Notes a failure, unless there is one; all threads stop soon. */
void hy_work_fail(hy_layer_work *work, hy_status status, const char *format, ...) HY_PRINTF(3, 4);

/* Whether to stop; looks at the user's wish, too. */
bool hy_work_is_over(hy_layer_work *work);

/* Fails naming a sowing that nobody can follow. */
void hy_work_fail_unresolved(hy_layer_work *work, const hy_position *position, unsigned hole);

/* Makes room on a stack; false: the work has failed. */
bool hy_stack_grow(hy_worker *worker, hy_stack *stack);

/* Gives a part of a worker's large stack to those that have nothing to do. */
void hy_worker_share(hy_worker *worker, unsigned which);

/* The code of a position that has no move (see hy_settle in rules/ply.h). */
uint8_t hy_code_without_move(const hy_layer_work *work, const hy_position *position);

/* Whether a position of the layer, other than one without counters in its row, has no move: all its
 * sowings are endless, and forbidden. */
bool hy_all_forbidden(const hy_layer_work *work, const hy_position *position);

/* Solves a layer into `work->table`, as codes. */
void hy_work_run(hy_layer_work *work);

extern const hy_layer_engine hy_general_engine;
extern const hy_layer_engine hy_packed_engine;

#endif
