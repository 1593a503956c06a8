/* The two sides' claims of one position, searched until the bounds meet. Private to src/solve. */
#ifndef HY_SOLVE_CONTEST_H
#define HY_SOLVE_CONTEST_H

#include <pthread.h>

#include "solve/prove.h"

/* One side's claims. */
typedef struct hy_contender {
    int proved;          /* wins at least so much */
    int step;            /* how much more is claimed next */
    unsigned level;      /* at which */
    unsigned at;         /* level of the last proof */
    uint64_t nodes;      /* spent */
    unsigned workers;    /* searching now */
    int claimed;         /* what they search, or searched last */
    atomic_uint version; /* changes when that has lost its sense */
} hy_contender;

/* What is to be found out. */
typedef enum hy_goal {
    HY_GOAL_VALUE,
    HY_GOAL_SIGN,  /* whether it is above, below or 0 */
    HY_GOAL_CLAIM, /* whether south wins at least `claim` */
} hy_goal;

typedef struct hy_contest {
    const hy_rules *rules;
    const hy_value_source *source;
    const hy_prove_options *options;
    const hy_position *position;
    hy_proof_table *table;
    hy_goal goal;
    int claim;
    uint64_t max_laps;
    unsigned max_level;
    double started;
    double deadline;      /* 0: none */
    uint64_t node_limit;  /* 0: none */
    pthread_mutex_t lock; /* of what follows */
    hy_contender side[2];
    uint64_t nodes;
    double reported;     /* when progress was shown */
    uint64_t unresolved; /* sowings that outlasted max_laps */
} hy_contest;

/* Searches until the value (or with `sign` its sign) is known, or something stops it. `contest` is
 * set up by the caller as far as the lock, which must be initialised. */
HY_MUST_CHECK hy_status hy_contest_run(hy_contest *contest, hy_error *error);

/* Sets the parts behind the lock. */
void hy_contest_reset(hy_contest *contest);

static inline int hy_contest_lower(const hy_contest *contest)
{
    return contest->side[HY_SOUTH].proved;
}

static inline int hy_contest_upper(const hy_contest *contest)
{
    return -contest->side[HY_NORTH].proved;
}

#endif
