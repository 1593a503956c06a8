#include <stdlib.h>

#include "base/memory.h"
#include "solve/markov.h"

#define WHAT "the distribution of the length"
#define ROUNDING 1e-12

/* One ply more: from `now` to `next`; says what has ended by it. */
static double step(const hy_graph *graph, double *now, double *next)
{
    double ended = 0;
    for (uint32_t node = 0; node < graph->num_nodes; node++) {
        const hy_node *n = &graph->nodes[node];
        const hy_edge *edges = hy_node_edges(graph, node);
        if (now[node] == 0)
            continue;
        double part = now[node] / n->num_edges;
        now[node] = 0;
        for (unsigned e = 0; e < n->num_edges; e++) {
            uint32_t target = edges[e].target;
            if (target == HY_NO_NODE || graph->nodes[target].num_edges == 0)
                ended += part;
            else
                next[target] += part;
        }
    }
    return ended;
}

static hy_status add(hy_lengths *lengths, size_t *capacity, double probability, hy_error *error)
{
    hy_status status = hy_reserve(&lengths->probability, capacity, lengths->num + 1,
                                  sizeof lengths->probability[0], error);
    if (status != HY_OK)
        return status;
    lengths->probability[lengths->num++] = probability;
    lengths->ended += probability;
    return HY_OK;
}

hy_status hy_lengths_init(hy_lengths *lengths, const hy_graph *graph, double mass,
                          uint64_t max_plies, hy_error *error)
{
    double *vectors[2] = {NULL, NULL};
    size_t capacity = 0, n = graph->num_nodes;
    bool over = graph->nodes[0].num_edges == 0;
    *lengths = (hy_lengths){0};
    hy_status status =
        hy_budget_new(graph->budget, &vectors[0], n, sizeof vectors[0][0], WHAT, error);
    if (status == HY_OK)
        status = hy_budget_new(graph->budget, &vectors[1], n, sizeof vectors[1][0], WHAT, error);
    if (status == HY_OK)
        status = add(lengths, &capacity, over ? 1 : 0, error);
    if (status == HY_OK)
        vectors[0][0] = over ? 0 : 1;
    while (status == HY_OK && lengths->ended < mass && lengths->num <= max_plies) {
        unsigned now = (lengths->num + 1) % 2;
        status = add(lengths, &capacity, step(graph, vectors[now], vectors[1 - now]), error);
    }
    hy_budget_free(graph->budget, vectors[0], n, sizeof vectors[0][0]);
    hy_budget_free(graph->budget, vectors[1], n, sizeof vectors[1][0]);
    return status;
}

void hy_lengths_clean_up(hy_lengths *lengths)
{
    free(lengths->probability);
    *lengths = (hy_lengths){0};
}

int64_t hy_lengths_quantile(const hy_lengths *lengths, double share)
{
    double sum = 0;
    for (size_t i = 0; i < lengths->num; i++) {
        sum += lengths->probability[i];
        if (sum >= share - ROUNDING)
            return (int64_t)i;
    }
    return -1;
}
