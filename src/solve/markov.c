#include "solve/markov.h"

#include <math.h>

#include "solve/markov_internal.h"

#define WHAT "the expectations of random play"

/* Variances from the increments of the martingales of rewards. */
static void find_variances(const hy_chain *chain, double variance[HY_NUM_REWARDS])
{
    for (uint32_t node = 0; node < chain->graph->num_nodes; node++) {
        const hy_node *n = &chain->graph->nodes[node];
        const hy_edge *edges = hy_node_edges(chain->graph, node);
        for (unsigned e = 0; e < n->num_edges; e++) {
            uint32_t target = edges[e].target;
            for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
                double step = hy_reward_of(&edges[e], (hy_reward)r) - chain->to_come[node][r] +
                              (target == HY_NO_NODE ? 0 : chain->to_come[target][r]);
                variance[r] += chain->visits[node] / n->num_edges * step * step;
            }
        }
    }
}

static hy_status find_moments(hy_chain *chain, hy_error *error)
{
    double variance[HY_NUM_REWARDS] = {0};
    hy_status status = hy_chain_backward(chain, error);
    if (status != HY_OK)
        return status;
    find_variances(chain, variance);
    for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
        chain->markov->mean[r] = chain->to_come[0][r];
        chain->markov->sd[r] = sqrt(variance[r]);
    }
    chain->markov->mean[HY_REWARD_TURNS] += chain->graph->nodes[0].num_edges > 0;
    return HY_OK;
}

hy_status hy_markov_solve(hy_markov *markov, const hy_graph *graph, const hy_blocks *blocks,
                          hy_error *error)
{
    hy_chain chain = {.graph = graph, .blocks = blocks, .markov = markov};
    hy_budget *budget = graph->budget;
    uint32_t n = graph->num_nodes;
    *markov = (hy_markov){0};
    hy_status status = hy_budget_new(budget, &chain.visits, n, sizeof chain.visits[0], WHAT, error);
    if (status == HY_OK)
        status = hy_budget_new(budget, &chain.to_come, n, sizeof chain.to_come[0], WHAT, error);
    if (status == HY_OK)
        status = hy_system_init(&chain.system, graph, error);
    if (status == HY_OK)
        status = hy_chain_forward(&chain, error);
    if (status == HY_OK && markov->never == 0)
        status = find_moments(&chain, error);
    hy_system_clean_up(&chain.system);
    hy_budget_free(budget, chain.visits, n, sizeof chain.visits[0]);
    hy_budget_free(budget, chain.to_come, n, sizeof chain.to_come[0]);
    return status;
}
