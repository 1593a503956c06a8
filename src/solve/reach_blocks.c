#include "solve/reach_blocks.h"

#define WHAT "the order of the positions"

/* A depth-first search in progress. */
typedef struct search {
    const hy_graph *graph;
    hy_blocks *blocks;
    uint32_t *index; /* 1 …; 0: not met */
    uint32_t *low;
    uint32_t *path;  /* nodes from the root of the search down */
    uint8_t *next;   /* edges of a node done */
    uint32_t *stack; /* nodes whose block is not known yet */
    uint32_t num_path, num_stack, num_met, num_done;
} search;

static void enter(search *s, uint32_t node)
{
    s->index[node] = s->low[node] = ++s->num_met;
    s->path[s->num_path++] = node;
    s->stack[s->num_stack++] = node;
}

static void leave(search *s)
{
    hy_blocks *blocks = s->blocks;
    uint32_t node = s->path[--s->num_path], member;
    if (s->num_path > 0) {
        uint32_t *low = &s->low[s->path[s->num_path - 1]];
        *low = s->low[node] < *low ? s->low[node] : *low;
    }
    if (s->low[node] != s->index[node])
        return;
    blocks->first[blocks->num] = s->num_done;
    do {
        member = s->stack[--s->num_stack];
        blocks->block_of[member] = blocks->num;
        blocks->order[s->num_done++] = member;
    } while (member != node);
    blocks->first[++blocks->num] = s->num_done;
}

static void go(search *s)
{
    enter(s, 0);
    while (s->num_path > 0) {
        uint32_t node = s->path[s->num_path - 1];
        if (s->next[node] == s->graph->nodes[node].num_edges) {
            leave(s);
            continue;
        }
        uint32_t target = hy_node_edges(s->graph, node)[s->next[node]++].target;
        if (target == HY_NO_NODE)
            continue;
        if (s->index[target] == 0)
            enter(s, target);
        else if (s->blocks->block_of[target] == HY_NO_NODE && s->index[target] < s->low[node])
            s->low[node] = s->index[target];
    }
}

static hy_status make(hy_budget *budget, uint32_t **array, size_t count, hy_error *error)
{
    return hy_budget_new(budget, array, count, sizeof **array, WHAT, error);
}

hy_status hy_blocks_init(hy_blocks *blocks, const hy_graph *graph, hy_error *error)
{
    hy_budget *budget = graph->budget;
    uint32_t n = graph->num_nodes;
    search s = {.graph = graph, .blocks = blocks};
    *blocks = (hy_blocks){.num_nodes = n, .budget = budget};
    hy_status status = make(budget, &blocks->order, n, error);
    if (status == HY_OK)
        status = make(budget, &blocks->first, (size_t)n + 1, error);
    if (status == HY_OK)
        status = make(budget, &blocks->block_of, n, error);
    if (status == HY_OK)
        status = make(budget, &s.index, n, error);
    if (status == HY_OK)
        status = make(budget, &s.low, n, error);
    if (status == HY_OK)
        status = make(budget, &s.path, n, error);
    if (status == HY_OK)
        status = make(budget, &s.stack, n, error);
    if (status == HY_OK)
        status = hy_budget_new(budget, &s.next, n, sizeof s.next[0], WHAT, error);
    for (uint32_t i = 0; status == HY_OK && i < n; i++)
        blocks->block_of[i] = HY_NO_NODE;
    if (status == HY_OK)
        go(&s);
    hy_budget_free(budget, s.index, n, sizeof s.index[0]);
    hy_budget_free(budget, s.low, n, sizeof s.low[0]);
    hy_budget_free(budget, s.path, n, sizeof s.path[0]);
    hy_budget_free(budget, s.stack, n, sizeof s.stack[0]);
    hy_budget_free(budget, s.next, n, sizeof s.next[0]);
    return status;
}

void hy_blocks_clean_up(hy_blocks *blocks)
{
    if (!blocks->budget)
        return;
    hy_budget_free(blocks->budget, blocks->order, blocks->num_nodes, sizeof blocks->order[0]);
    hy_budget_free(blocks->budget, blocks->first, (size_t)blocks->num_nodes + 1,
                   sizeof blocks->first[0]);
    hy_budget_free(blocks->budget, blocks->block_of, blocks->num_nodes, sizeof blocks->block_of[0]);
    *blocks = (hy_blocks){0};
}

bool hy_block_is_closed(const hy_blocks *blocks, const hy_graph *graph, uint32_t block)
{
    for (uint32_t i = blocks->first[block]; i < blocks->first[block + 1]; i++) {
        const hy_node *node = &graph->nodes[blocks->order[i]];
        const hy_edge *edges = hy_node_edges(graph, blocks->order[i]);
        if (node->num_edges == 0)
            return false;
        for (unsigned e = 0; e < node->num_edges; e++) {
            if (!hy_edge_is_inner(blocks, block, &edges[e]))
                return false;
        }
    }
    return true;
}
