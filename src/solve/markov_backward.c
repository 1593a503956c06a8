#include <float.h>
#include <math.h>

#include "solve/markov_internal.h"
#include "solve/markov_speed.h"

#define GOAL 4e-15 /* the largest change of a sweep, relative */

/* A node's equation: rewards, and what comes after its edges; inner targets of a block only where
 * `inner` is true. Leaves the share of edges back to the node itself out where `alone` is true. */
static void sum_edges(const hy_chain *chain, uint32_t node, bool inner, bool alone,
                      double sum[HY_NUM_REWARDS])
{
    const hy_node *n = &chain->graph->nodes[node];
    const hy_edge *edges = hy_node_edges(chain->graph, node);
    uint32_t block = chain->blocks->block_of[node];
    for (unsigned r = 0; r < HY_NUM_REWARDS; r++)
        sum[r] = 0;
    for (unsigned e = 0; e < n->num_edges; e++) {
        uint32_t target = edges[e].target;
        bool counts = target != HY_NO_NODE && !(alone && target == node) &&
                      (inner || !hy_edge_is_inner(chain->blocks, block, &edges[e]));
        for (unsigned r = 0; r < HY_NUM_REWARDS; r++)
            sum[r] +=
                hy_reward_of(&edges[e], (hy_reward)r) + (counts ? chain->to_come[target][r] : 0);
    }
    for (unsigned r = 0; r < HY_NUM_REWARDS && n->num_edges > 0; r++)
        sum[r] /= n->num_edges;
}

static double share_back(const hy_chain *chain, uint32_t node)
{
    const hy_node *n = &chain->graph->nodes[node];
    unsigned num = 0;
    for (unsigned e = 0; e < n->num_edges; e++)
        num += hy_node_edges(chain->graph, node)[e].target == node;
    return num > 0 ? (double)num / n->num_edges : 0;
}

/* Solves one node given the others; adds to `change` what that changed. */
static void relax(hy_chain *chain, uint32_t node, double change[HY_NUM_REWARDS])
{
    double sum[HY_NUM_REWARDS], away = 1 - share_back(chain, node);
    sum_edges(chain, node, true, true, sum);
    for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
        double *value = &chain->to_come[node][r];
        change[r] = sum[r] / away - *value;
        *value = sum[r] / away;
    }
}

/* One sweep; says by how much a value changed at most, relative to the plies to come. */
static double sweep(hy_chain *chain, uint32_t block, double (*changes)[HY_NUM_REWARDS],
                    hy_speed *speed)
{
    const hy_blocks *blocks = chain->blocks;
    double most = 0;
    for (uint32_t i = 0; i < hy_block_size(blocks, block); i++) {
        uint32_t node = blocks->order[blocks->first[block] + i];
        double change[HY_NUM_REWARDS];
        relax(chain, node, change);
        hy_speed_add(speed, change[HY_REWARD_PLIES], changes[i][HY_REWARD_PLIES]);
        for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
            most = fmax(most, fabs(change[r] / chain->to_come[node][HY_REWARD_PLIES]));
            changes[i][r] = change[r];
        }
    }
    return most;
}

/* Gauss-Seidel; targets mostly stand before their sources. */
static hy_status iterate(hy_chain *chain, uint32_t block, hy_error *error)
{
    const hy_blocks *blocks = chain->blocks;
    uint32_t size = hy_block_size(blocks, block);
    double(*changes)[HY_NUM_REWARDS] = NULL, rest = INFINITY;
    hy_speed speed = hy_speed_start();
    hy_status status = hy_budget_new(chain->graph->budget, &changes, size, sizeof changes[0],
                                     "the iteration of random play", error);
    while (status == HY_OK && rest > GOAL && speed.idle < HY_SPEED_PATIENCE) {
        rest = sweep(chain, block, changes, &speed);
        double factor = hy_speed_end(&speed, rest);
        for (uint32_t i = 0; factor > 0 && i < size; i++) {
            for (unsigned r = 0; r < HY_NUM_REWARDS; r++)
                chain->to_come[blocks->order[blocks->first[block] + i]][r] +=
                    factor * changes[i][r];
        }
    }
    hy_budget_free(chain->graph->budget, changes, size, sizeof changes[0]);
    return status;
}

static hy_status solve_directly(hy_chain *chain, uint32_t block, hy_error *error)
{
    double vectors[HY_NUM_REWARDS * HY_MARKOV_DIRECT], sum[HY_NUM_REWARDS];
    const uint32_t *nodes = chain->blocks->order + chain->blocks->first[block];
    uint32_t size = hy_block_size(chain->blocks, block);
    hy_status status = hy_system_factor(&chain->system, chain->graph, chain->blocks, block, error);
    if (status != HY_OK)
        return status;
    for (uint32_t i = 0; i < size; i++) {
        sum_edges(chain, nodes[i], false, false, sum);
        for (unsigned r = 0; r < HY_NUM_REWARDS; r++)
            vectors[r * size + i] = sum[r];
    }
    status = hy_system_solve(&chain->system, false, vectors, HY_NUM_REWARDS, error);
    for (uint32_t i = 0; i < size; i++) {
        for (unsigned r = 0; r < HY_NUM_REWARDS; r++)
            chain->to_come[nodes[i]][r] = vectors[r * size + i];
    }
    return status;
}

/* The residuals of all equations, and what they leave open at the start. */
static void bound_errors(hy_chain *chain)
{
    double worst[HY_NUM_REWARDS] = {0};
    for (uint32_t node = 0; node < chain->graph->num_nodes; node++) {
        double sum[HY_NUM_REWARDS];
        sum_edges(chain, node, true, false, sum);
        double rounding = DBL_EPSILON * (chain->graph->nodes[node].num_edges + 1);
        for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
            double left = fabs(sum[r] - chain->to_come[node][r]) + rounding * sum[r];
            worst[r] = fmax(worst[r], left);
        }
    }
    double plies = chain->to_come[0][HY_REWARD_PLIES];
    for (unsigned r = 0; r < HY_NUM_REWARDS; r++)
        chain->markov->mean_error[r] =
            worst[HY_REWARD_PLIES] < 1 ? worst[r] * plies / (1 - worst[HY_REWARD_PLIES]) : INFINITY;
}

hy_status hy_chain_backward(hy_chain *chain, hy_error *error)
{
    const hy_blocks *blocks = chain->blocks;
    hy_status status = HY_OK;
    double change[HY_NUM_REWARDS];
    for (uint32_t block = 0; status == HY_OK && block < blocks->num; block++) {
        uint32_t size = hy_block_size(blocks, block);
        if (size == 1)
            relax(chain, blocks->order[blocks->first[block]], change);
        else if (size <= HY_MARKOV_DIRECT)
            status = solve_directly(chain, block, error);
        else
            status = iterate(chain, block, error);
    }
    if (status == HY_OK)
        bound_errors(chain);
    return status;
}
