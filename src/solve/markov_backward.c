#include <math.h>

#include "solve/markov_internal.h"

#define MAX_SWEEPS 1000000u
#define PATIENCE 100u /* sweeps without a smaller change */

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

/* Solves one node given the others; says by how much the plies changed, relative to them. */
static double relax(hy_chain *chain, uint32_t node)
{
    double sum[HY_NUM_REWARDS], away = 1 - share_back(chain, node), change = 0;
    sum_edges(chain, node, true, true, sum);
    for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
        double *value = &chain->to_come[node][r];
        double next = sum[r] / away;
        double scale = r == HY_REWARD_PLIES ? next : chain->to_come[node][HY_REWARD_PLIES];
        if (scale > 0 && fabs(next - *value) > change * scale)
            change = fabs(next - *value) / scale;
        *value = next;
    }
    return change;
}

/* Gauss-Seidel; targets mostly stand before their sources. */
static void iterate(hy_chain *chain, uint32_t block)
{
    double least = INFINITY;
    const hy_blocks *blocks = chain->blocks;
    for (unsigned sweep = 0, last = 0; sweep < MAX_SWEEPS && sweep - last < PATIENCE; sweep++) {
        double change = 0;
        for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1]; i++)
            change = fmax(change, relax(chain, blocks->order[i]));
        if (change < least) {
            least = change;
            last = sweep;
        }
        if (change <= 1e-16)
            return;
    }
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
        for (unsigned r = 0; r < HY_NUM_REWARDS; r++)
            worst[r] = fmax(worst[r], fabs(sum[r] - chain->to_come[node][r]));
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
    for (uint32_t block = 0; status == HY_OK && block < blocks->num; block++) {
        uint32_t size = hy_block_size(blocks, block);
        if (size == 1)
            relax(chain, blocks->order[blocks->first[block]]);
        else if (size <= HY_MARKOV_DIRECT)
            status = solve_directly(chain, block, error);
        else
            iterate(chain, block);
    }
    if (status == HY_OK)
        bound_errors(chain);
    return status;
}
