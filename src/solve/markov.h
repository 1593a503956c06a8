/* Random play against random play as an absorbing Markov chain, exactly but for rounding.
 *
 * Every legal hole is equally likely. The blocks of the graph are solved one after the other.
 * Blocks of up to HY_MARKOV_DIRECT nodes are systems of linear equations for KLU (sparse LU with
 * block triangular form: Davis and Palamadai Natarajan, ACM TOMS 37(3), 2010); larger ones, whose
 * LU factors would be almost dense, are iterated until nothing but rounding is left.
 *
 * Forward: the probability that comes into a block is pushed along its edges until at most 1e-15 of
 * it has neither left nor ended; this gives the expected visits v of each node, with south's score,
 * and the ends. What has not been placed, summed over the blocks, bounds the error of every
 * probability. Backward: the expected plies m (turns, captures) still to come are m = 1 + Q m, with
 * Q the probabilities from node to node. If the computed m has |1 + Q m - m| <= e everywhere, then
 * m is right within the factor 1 ± e, since (I - Q)^-1 has no negative entries; a residual of r for
 * another quantity leaves at most r · m / (1 - e) there. The variance of a sum of rewards is the
 * sum over all edges of v · p · (reward + m at the target - m at the source)^2: the increments of a
 * martingale, so that nothing cancels. */
#ifndef HY_SOLVE_MARKOV_H
#define HY_SOLVE_MARKOV_H

#include "solve/reach_blocks.h"

#define HY_MARKOV_DIRECT 500u

/* What is counted along a game. */
typedef enum hy_reward {
    HY_REWARD_PLIES,
    HY_REWARD_TURNS,
    HY_REWARD_CAPTURES, /* plies in which at least one casa was taken, by anyone */
    HY_NUM_REWARDS,
} hy_reward;

typedef struct hy_markov {
    uint64_t states;                                   /* nodes, each with south's score */
    double share[HY_NUM_TERMINATIONS][HY_NUM_RESULTS]; /* probabilities */
    double never;                                      /* that a game never ends */
    double mean[HY_NUM_REWARDS], sd[HY_NUM_REWARDS];   /* not set where `never` > 0 */
    double probability_error;                          /* bound, absolute */
    double mean_error[HY_NUM_REWARDS];                 /* bounds, absolute */
} hy_markov;

/* HY_FAILED where the memory does not suffice. */
HY_MUST_CHECK hy_status hy_markov_solve(hy_markov *markov, const hy_graph *graph,
                                        const hy_blocks *blocks, hy_error *error);

/* The distribution of the number of plies. */
typedef struct hy_lengths {
    double *probability; /* of a game of i plies */
    size_t num;
    double ended; /* sum of them */
} hy_lengths;

/* Follows the distribution over the nodes ply by ply until games of probability `mass` have ended,
 * or for `max_plies` plies. Released with hy_lengths_clean_up, also after an error. */
HY_MUST_CHECK hy_status hy_lengths_init(hy_lengths *lengths, const hy_graph *graph, double mass,
                                        uint64_t max_plies, hy_error *error);
void hy_lengths_clean_up(hy_lengths *lengths);

/* The least number of plies within which games of probability `share` have ended; -1: more than
 * were followed. */
int64_t hy_lengths_quantile(const hy_lengths *lengths, double share);

#endif
