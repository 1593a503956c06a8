#include "solve/reach.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define WHAT "the reachable positions"

double hy_reach_bound(const hy_rules *rules)
{
    unsigned size = 2u * rules->holes;
    double sum = 0;
    for (int n = (int)hy_rules_total(rules); n >= rules->casa; n -= rules->casa)
        sum += 2 * exp(lgamma((double)n + size) - lgamma(n + 1.0) - lgamma(size));
    return sum < 1e15 ? floor(sum + 0.5) : sum;
}

/* A key holds the counters of the holes and the player to move, so many in a word. */
static unsigned bits_of(const hy_rules *rules)
{
    unsigned bits = 1;
    while (hy_rules_total(rules) >> bits)
        bits++;
    return bits;
}

static unsigned words_of(const hy_rules *rules)
{
    unsigned in_word = 64 / bits_of(rules);
    return (2u * rules->holes + in_word) / in_word;
}

/* Key and places, node, edges, order of the blocks, and the vectors of the chain. */
double hy_reach_bytes(const hy_rules *rules)
{
    double edges = 0.5 * rules->holes + 0.5;
    return 8 * words_of(rules) + 8 + (double)sizeof(hy_node) + 1.2 * edges * sizeof(hy_edge) + 100;
}

static void pack(const hy_rules *rules, const hy_position *position, uint64_t *key)
{
    unsigned size = 2u * rules->holes, bits = bits_of(rules), in_word = 64 / bits;
    for (unsigned i = 0; i < words_of(rules); i++)
        key[i] = 0;
    for (unsigned i = 0; i <= size; i++) {
        uint64_t cell = i < size ? position->board[i] : position->mover;
        key[i / in_word] |= cell << (i % in_word * bits);
    }
}

static void unpack(const hy_rules *rules, const uint64_t *key, hy_position *position)
{
    unsigned size = 2u * rules->holes, bits = bits_of(rules), in_word = 64 / bits;
    *position = (hy_position){0};
    for (unsigned i = 0; i <= size; i++) {
        unsigned cell = (unsigned)(key[i / in_word] >> (i % in_word * bits) & ((1u << bits) - 1));
        if (i == size) {
            position->mover = (uint8_t)cell;
        } else {
            position->board[i] = (uint16_t)cell;
            position->left = (uint16_t)(position->left + cell);
        }
    }
}

hy_status hy_graph_reserve(hy_graph *graph, unsigned num_edges, hy_error *error)
{
    hy_status status =
        hy_budget_reserve(graph->budget, &graph->nodes, &graph->node_capacity,
                          (size_t)graph->num_nodes + 1, sizeof graph->nodes[0], graph->what, error);
    if (status == HY_OK)
        status = hy_budget_reserve(graph->budget, &graph->edges, &graph->edge_capacity,
                                   graph->num_edges + num_edges, sizeof graph->edges[0],
                                   graph->what, error);
    return status;
}

static hy_status add_edge(hy_graph *graph, const hy_position *before, unsigned hole,
                          uint64_t max_laps, hy_error *error)
{
    hy_position after;
    hy_ply ply;
    uint64_t key[HY_MAX_BOARD];
    hy_edge *edge = &graph->edges[graph->num_edges];
    hy_status status = HY_OK;
    hy_ply_play(&graph->rules, before, hole, max_laps, &after, &ply);
    if (ply.termination == HY_UNRESOLVED)
        return hy_fail(error, HY_FAILED,
                       "a sowing neither ends nor recurs within %" PRIu64
                       " laps; exact values need a larger --max-laps",
                       max_laps);
    *edge = (hy_edge){
        .target = HY_NO_NODE,
        .gain = {after.score[HY_SOUTH], after.score[HY_NORTH]},
        .hole = (uint8_t)hole,
        .termination = (uint8_t)ply.termination,
        .captured = ply.captured,
        .new_turn = !ply.again,
    };
    if (ply.termination == HY_GOES_ON) {
        pack(&graph->rules, &after, key);
        status = hy_keys_add(&graph->keys, key, &edge->target, error);
    }
    graph->num_edges++;
    return status;
}

/* Settles the position of the next node and adds its edges. */
static hy_status expand(hy_graph *graph, uint64_t max_laps, hy_error *error)
{
    hy_position position;
    hy_moves moves;
    uint32_t passes = 0;
    hy_status status = hy_graph_reserve(graph, HY_MAX_HOLES, error);
    if (status != HY_OK)
        return status;
    unpack(&graph->rules, hy_keys_at(&graph->keys, graph->num_nodes), &position);
    hy_node *node = &graph->nodes[graph->num_nodes];
    *node = (hy_node){.first_edge = graph->num_edges, .left = position.left};
    node->termination = (uint8_t)hy_settle(&graph->rules, max_laps, &position, &moves, &passes);
    node->mover = position.mover;
    node->passed = passes > 0;
    node->lead = (int16_t)(position.score[HY_SOUTH] - position.score[HY_NORTH]);
    node->num_edges = node->termination == HY_GOES_ON ? moves.num : 0;
    for (unsigned i = 0; status == HY_OK && i < node->num_edges; i++)
        status = add_edge(graph, &position, moves.hole[i], max_laps, error);
    graph->num_nodes++;
    return status;
}

/* A pass ends a turn, too; and there is no turn where there is no further ply. */
static void mark_turns(hy_graph *graph)
{
    for (uint64_t i = 0; i < graph->num_edges; i++) {
        hy_edge *edge = &graph->edges[i];
        const hy_node *target = &graph->nodes[edge->target == HY_NO_NODE ? 0 : edge->target];
        edge->new_turn |= target->passed;
        edge->new_turn &= edge->target != HY_NO_NODE && target->num_edges > 0;
    }
}

hy_status hy_graph_init(hy_graph *graph, const hy_rules *rules, uint64_t max_laps,
                        hy_budget *budget, hy_error *error)
{
    uint64_t key[HY_MAX_BOARD];
    uint32_t number;
    hy_position start = hy_position_start(rules);
    *graph = (hy_graph){.rules = *rules, .what = WHAT, .budget = budget};
    hy_keys_init(&graph->keys, budget, words_of(rules));
    pack(rules, &start, key);
    hy_status status = hy_keys_add(&graph->keys, key, &number, error);
    while (status == HY_OK && graph->num_nodes < graph->keys.num)
        status = expand(graph, max_laps, error);
    if (status == HY_OK)
        mark_turns(graph);
    return status;
}

uint32_t hy_graph_settled(const hy_graph *graph, uint32_t node)
{
    hy_position position;
    uint64_t key[HY_MAX_BOARD];
    if (!graph->nodes[node].passed)
        return node;
    unpack(&graph->rules, hy_keys_at(&graph->keys, node), &position);
    position.mover = graph->nodes[node].mover;
    pack(&graph->rules, &position, key);
    uint32_t settled = hy_keys_find(&graph->keys, key);
    return settled == HY_NO_NODE ? node : settled;
}

void hy_graph_clean_up(hy_graph *graph)
{
    if (!graph->budget)
        return;
    hy_keys_clean_up(&graph->keys);
    hy_budget_free(graph->budget, graph->nodes, graph->node_capacity, sizeof graph->nodes[0]);
    hy_budget_free(graph->budget, graph->edges, graph->edge_capacity, sizeof graph->edges[0]);
    *graph = (hy_graph){0};
}
