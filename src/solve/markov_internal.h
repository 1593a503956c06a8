/* What the two directions of a chain share. Private to src/solve. */
#ifndef HY_SOLVE_MARKOV_INTERNAL_H
#define HY_SOLVE_MARKOV_INTERNAL_H

#include "solve/markov.h"
#include "solve/markov_system.h"

typedef struct hy_chain {
    const hy_graph *graph;
    const hy_blocks *blocks;
    hy_system system;
    hy_markov *markov;
    double *visits;                    /* expected, of each node */
    double (*to_come)[HY_NUM_REWARDS]; /* expected, from each node on */
} hy_chain;

/* Visits, ends, states, the probability that play never ends. */
HY_MUST_CHECK hy_status hy_chain_forward(hy_chain *chain, hy_error *error);

/* What is still to come, and the bounds of its errors; of chains whose games all end. */
HY_MUST_CHECK hy_status hy_chain_backward(hy_chain *chain, hy_error *error);

static inline double hy_reward_of(const hy_edge *edge, hy_reward reward)
{
    switch (reward) {
    case HY_REWARD_PLIES:
        return 1;
    case HY_REWARD_TURNS:
        return edge->new_turn; /* of the target; the start's own turn is added at the end */
    case HY_REWARD_CAPTURES:
        return edge->captured;
    case HY_NUM_REWARDS:
        break;
    }
    return 0;
}

#endif
