/* Positions with their score, for rules under which unfinished games are void. */
#include "solve/reach.h"

static bool has_no_result(const hy_rules *rules, uint8_t termination)
{
    hy_position level = {0};
    return hy_game_result(rules, &level, (hy_termination)termination) == HY_RESULT_NONE;
}

static uint64_t key_of(uint32_t node, unsigned south)
{
    return (uint64_t)node << 16 | south;
}

/* South's lead at a node with that score, before its edges. */
static int lead_at(const hy_graph *graph, const hy_node *node, unsigned south)
{
    int captured = (int)hy_rules_total(&graph->rules) - node->left;
    return 2 * (int)south - captured;
}

static hy_status add_edge(hy_graph *scored, const hy_edge *edge, unsigned south, int lead,
                          hy_error *error)
{
    hy_edge *added = &scored->edges[scored->num_edges++];
    *added = *edge;
    added->gain[HY_SOUTH] = added->gain[HY_NORTH] = 0;
    if (edge->target != HY_NO_NODE) {
        uint64_t key = key_of(edge->target, south + edge->gain[HY_SOUTH]);
        return hy_keys_add(&scored->keys, &key, &added->target, error);
    }
    lead += edge->gain[HY_SOUTH] - edge->gain[HY_NORTH];
    if (!has_no_result(&scored->rules, edge->termination))
        added->gain[lead > 0 ? HY_SOUTH : HY_NORTH] = (uint16_t)(lead > 0 ? lead : -lead);
    return HY_OK;
}

static hy_status expand(hy_graph *scored, const hy_graph *graph, hy_error *error)
{
    uint64_t key = *hy_keys_at(&scored->keys, scored->num_nodes);
    uint32_t base = (uint32_t)(key >> 16);
    unsigned south = (unsigned)(key & 0xffff);
    const hy_edge *edges = hy_node_edges(graph, base);
    hy_status status = hy_graph_reserve(scored, HY_MAX_HOLES, error);
    if (status != HY_OK)
        return status;
    hy_node *node = &scored->nodes[scored->num_nodes];
    *node = graph->nodes[base];
    node->first_edge = scored->num_edges;
    int lead = lead_at(graph, node, south);
    bool is_void = node->num_edges == 0 && has_no_result(&scored->rules, node->termination);
    node->lead = (int16_t)(is_void ? 0 : node->lead + lead);
    for (unsigned i = 0; status == HY_OK && i < node->num_edges; i++)
        status = add_edge(scored, &edges[i], south, lead, error);
    scored->num_nodes++;
    return status;
}

hy_status hy_graph_with_score(hy_graph *scored, const hy_graph *graph, hy_error *error)
{
    uint64_t start = key_of(0, 0);
    uint32_t number;
    *scored = (hy_graph){
        .rules = graph->rules, .what = "the positions with their score", .budget = graph->budget};
    hy_keys_init(&scored->keys, graph->budget, 1);
    hy_status status = hy_keys_add(&scored->keys, &start, &number, error);
    while (status == HY_OK && scored->num_nodes < scored->keys.num)
        status = expand(scored, graph, error);
    return status;
}
