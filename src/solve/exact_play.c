#include "solve/exact_play.h"

#include <stdlib.h>

#define WHAT "the values of perfect play"

/* A block while it is settled: the inner edges backward, and the edges that leave it. */
typedef struct exit_edge {
    int16_t value; /* to the side that is being settled */
    uint32_t place;
} exit_edge;

typedef struct settling {
    const hy_graph *graph;
    const hy_blocks *blocks;
    hy_values *values;
    uint32_t block, begin, size;
    uint32_t *place_of;   /* of a node, in its block */
    uint32_t *first_from; /* size + 1 places in `from`, of each place */
    uint32_t *from;       /* predecessors, as places */
    uint32_t *open;       /* edges that may still lead elsewhere */
    uint32_t *queue;
    exit_edge *exits;
    size_t first_capacity, from_capacity, open_capacity, queue_capacity, exit_capacity;
    uint32_t num_exits, rank;
} settling;

static int through(const hy_values *values, const hy_edge *edge)
{
    int value = edge->gain[HY_SOUTH] - edge->gain[HY_NORTH];
    return value + (edge->target == HY_NO_NODE ? 0 : values->value[edge->target]);
}

static int best_edge(const hy_values *values, const hy_graph *graph, uint32_t node)
{
    const hy_node *n = &graph->nodes[node];
    const hy_edge *edges = hy_node_edges(graph, node);
    if (n->num_edges == 0)
        return n->lead;
    int best = through(values, &edges[0]);
    for (unsigned e = 1; e < n->num_edges; e++) {
        int value = through(values, &edges[e]);
        if (n->mover == HY_SOUTH ? value > best : value < best)
            best = value;
    }
    return best;
}

static hy_status reserve(settling *s, hy_error *error)
{
    hy_budget *budget = s->graph->budget;
    size_t size = s->size, edges = 0;
    for (uint32_t i = 0; i < s->size; i++)
        edges += s->graph->nodes[s->blocks->order[s->begin + i]].num_edges;
    hy_status status = hy_budget_reserve(budget, &s->first_from, &s->first_capacity, size + 1,
                                         sizeof s->first_from[0], WHAT, error);
    if (status == HY_OK)
        status = hy_budget_reserve(budget, &s->from, &s->from_capacity, edges, sizeof s->from[0],
                                   WHAT, error);
    if (status == HY_OK)
        status = hy_budget_reserve(budget, &s->open, &s->open_capacity, size, sizeof s->open[0],
                                   WHAT, error);
    if (status == HY_OK)
        status = hy_budget_reserve(budget, &s->queue, &s->queue_capacity, size, sizeof s->queue[0],
                                   WHAT, error);
    if (status == HY_OK)
        status = hy_budget_reserve(budget, &s->exits, &s->exit_capacity, edges, sizeof s->exits[0],
                                   WHAT, error);
    return status;
}

/* Calls for every edge of the block, first to count and then to place (counting sort). */
static void turn_edges(settling *s)
{
    const uint32_t *order = s->blocks->order + s->begin;
    for (uint32_t i = 0; i <= s->size; i++)
        s->first_from[i] = 0;
    s->num_exits = 0;
    for (uint32_t i = 0; i < s->size; i++) {
        const hy_edge *edges = hy_node_edges(s->graph, order[i]);
        for (unsigned e = 0; e < s->graph->nodes[order[i]].num_edges; e++) {
            if (hy_edge_is_inner(s->blocks, s->block, &edges[e]))
                s->first_from[s->place_of[edges[e].target]]++;
            else
                s->exits[s->num_exits++] = (exit_edge){(int16_t)through(s->values, &edges[e]), i};
        }
    }
    for (uint32_t i = 1; i <= s->size; i++)
        s->first_from[i] += s->first_from[i - 1];
    for (uint32_t i = 0; i < s->size; i++) {
        const hy_edge *edges = hy_node_edges(s->graph, order[i]);
        for (unsigned e = 0; e < s->graph->nodes[order[i]].num_edges; e++) {
            if (hy_edge_is_inner(s->blocks, s->block, &edges[e]))
                s->from[--s->first_from[s->place_of[edges[e].target]]] = i;
        }
    }
}

static int by_value(const void *left, const void *right)
{
    const exit_edge *a = left, *b = right;
    if (a->value != b->value)
        return a->value > b->value ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* One edge of the node now leads to at least `value` for `side`. */
static void join(settling *s, hy_player side, int value, uint32_t place, uint32_t *end)
{
    uint32_t node = s->blocks->order[s->begin + place];
    if (s->values->rank[node] != 0)
        return;
    if (s->graph->nodes[node].mover != side && --s->open[place] > 0)
        return;
    s->values->value[node] = (int16_t)(side == HY_SOUTH ? value : -value);
    s->values->rank[node] = ++s->rank;
    s->queue[(*end)++] = place;
}

/* Settles the nodes from which `side` forces more than 0; exits are valued for that side. */
static void settle_side(settling *s, hy_player side)
{
    uint32_t done = 0, end = 0;
    qsort(s->exits, s->num_exits, sizeof s->exits[0], by_value);
    for (uint32_t i = 0; i < s->size; i++)
        s->open[i] = s->graph->nodes[s->blocks->order[s->begin + i]].num_edges;
    for (uint32_t i = 0; i < s->num_exits && s->exits[i].value > 0;) {
        int value = s->exits[i].value;
        for (; i < s->num_exits && s->exits[i].value == value; i++)
            join(s, side, value, s->exits[i].place, &end);
        for (; done < end; done++) {
            uint32_t place = s->queue[done];
            for (uint32_t k = s->first_from[place]; k < s->first_from[place + 1]; k++)
                join(s, side, value, s->from[k], &end);
        }
    }
}

static hy_status settle_block(settling *s, hy_error *error)
{
    hy_status status = reserve(s, error);
    if (status != HY_OK)
        return status;
    s->rank = 0;
    for (uint32_t i = 0; i < s->size; i++)
        s->place_of[s->blocks->order[s->begin + i]] = i;
    turn_edges(s);
    settle_side(s, HY_SOUTH);
    for (uint32_t i = 0; i < s->num_exits; i++)
        s->exits[i].value = (int16_t)-s->exits[i].value;
    settle_side(s, HY_NORTH);
    return HY_OK;
}

static bool has_inner_edge(const hy_graph *graph, const hy_blocks *blocks, uint32_t block)
{
    uint32_t node = blocks->order[blocks->first[block]];
    if (hy_block_size(blocks, block) > 1)
        return true;
    for (unsigned e = 0; e < graph->nodes[node].num_edges; e++) {
        if (hy_edge_is_inner(blocks, block, &hy_node_edges(graph, node)[e]))
            return true;
    }
    return false;
}

static void settling_clean_up(settling *s, hy_budget *budget)
{
    hy_budget_free(budget, s->place_of, s->graph->num_nodes, sizeof s->place_of[0]);
    hy_budget_free(budget, s->first_from, s->first_capacity, sizeof s->first_from[0]);
    hy_budget_free(budget, s->from, s->from_capacity, sizeof s->from[0]);
    hy_budget_free(budget, s->open, s->open_capacity, sizeof s->open[0]);
    hy_budget_free(budget, s->queue, s->queue_capacity, sizeof s->queue[0]);
    hy_budget_free(budget, s->exits, s->exit_capacity, sizeof s->exits[0]);
}

hy_status hy_values_init(hy_values *values, const hy_graph *graph, const hy_blocks *blocks,
                         hy_error *error)
{
    hy_budget *budget = graph->budget;
    uint32_t n = graph->num_nodes;
    settling s = {.graph = graph, .blocks = blocks, .values = values};
    *values = (hy_values){.num = n, .budget = budget};
    hy_status status =
        hy_budget_new(budget, &values->value, n, sizeof values->value[0], WHAT, error);
    if (status == HY_OK)
        status = hy_budget_new(budget, &values->rank, n, sizeof values->rank[0], WHAT, error);
    if (status == HY_OK)
        status = hy_budget_new(budget, &s.place_of, n, sizeof s.place_of[0], WHAT, error);
    for (s.block = 0; status == HY_OK && s.block < blocks->num; s.block++) {
        s.begin = blocks->first[s.block];
        s.size = hy_block_size(blocks, s.block);
        uint32_t node = blocks->order[s.begin];
        if (has_inner_edge(graph, blocks, s.block))
            status = settle_block(&s, error);
        else
            values->value[node] = (int16_t)best_edge(values, graph, node);
    }
    settling_clean_up(&s, budget);
    return status;
}

void hy_values_clean_up(hy_values *values)
{
    if (!values->budget)
        return;
    hy_budget_free(values->budget, values->value, values->num, sizeof values->value[0]);
    hy_budget_free(values->budget, values->rank, values->num, sizeof values->rank[0]);
    *values = (hy_values){0};
}

/* Whether the edge leaves the block or leads to a node that was settled earlier. */
static bool comes_closer(const hy_values *values, const hy_blocks *blocks, uint32_t node,
                         const hy_edge *edge)
{
    if (!hy_edge_is_inner(blocks, blocks->block_of[node], edge))
        return true;
    uint32_t rank = values->rank[edge->target];
    return rank > 0 && rank < values->rank[node];
}

static bool is_certified(const hy_values *values, const hy_graph *graph, const hy_blocks *blocks,
                         uint32_t node)
{
    const hy_node *n = &graph->nodes[node];
    const hy_edge *edges = hy_node_edges(graph, node);
    int value = values->value[node];
    bool ahead = (value > 0) == (n->mover == HY_SOUTH), one = false, all = true;
    if (best_edge(values, graph, node) != value)
        return false;
    if (value == 0 || n->num_edges == 0)
        return true;
    for (unsigned e = 0; e < n->num_edges; e++) {
        bool closer = comes_closer(values, blocks, node, &edges[e]);
        one |= closer && through(values, &edges[e]) == value;
        all &= closer;
    }
    return ahead ? one : all;
}

uint32_t hy_values_num_faults(const hy_values *values, const hy_graph *graph,
                              const hy_blocks *blocks)
{
    uint32_t num = 0;
    for (uint32_t node = 0; node < graph->num_nodes; node++)
        num += !is_certified(values, graph, blocks, node);
    return num;
}

/* How far the edge is from settling its value. */
static uint32_t rank_through(const hy_values *values, const hy_blocks *blocks, uint32_t node,
                             const hy_edge *edge)
{
    bool inner = hy_edge_is_inner(blocks, blocks->block_of[node], edge);
    return inner ? values->rank[edge->target] : 0;
}

static const hy_edge *choose(const hy_values *values, const hy_graph *graph,
                             const hy_blocks *blocks, uint32_t node)
{
    const hy_node *n = &graph->nodes[node];
    const hy_edge *edges = hy_node_edges(graph, node), *best = NULL;
    int value = values->value[node];
    bool ahead = (value > 0) == (n->mover == HY_SOUTH);
    for (unsigned e = 0; e < n->num_edges; e++) {
        if (through(values, &edges[e]) != value)
            continue;
        uint32_t rank = rank_through(values, blocks, node, &edges[e]);
        uint32_t least = best ? rank_through(values, blocks, node, best) : 0;
        if (!best || (value != 0 && (ahead ? rank < least : rank > least)))
            best = &edges[e];
    }
    return best;
}

hy_status hy_line_find(hy_line *line, const hy_values *values, const hy_graph *graph,
                       const hy_blocks *blocks, hy_error *error)
{
    uint32_t node = 0, visited[HY_EXACT_MAX_LINE + 1];
    *line = (hy_line){.termination = HY_GOES_ON};
    while (node != HY_NO_NODE && line->num < HY_EXACT_MAX_LINE) {
        visited[line->num] = node;
        for (unsigned i = 0; i < line->num && !line->repeats; i++) {
            line->repeats = visited[i] == node;
            line->back_to = line->repeats ? i : 0;
        }
        if (line->repeats)
            return HY_OK;
        line->termination = (hy_termination)graph->nodes[node].termination;
        if (graph->nodes[node].num_edges == 0)
            return HY_OK;
        const hy_edge *edge = choose(values, graph, blocks, node);
        if (!edge)
            return hy_fail(error, HY_FAILED, "no ply attains the value of a position");
        line->hole[line->num++] = edge->hole;
        line->termination = (hy_termination)edge->termination;
        node = edge->target;
    }
    return HY_OK;
}
