/* Positions with their history, for rules that end a game by repetition.
 *
 * Whether a game ends by repetition depends on how often its positions have occurred since the last
 * capture. Of these only those matter that can still come again, which are those of the block of
 * the position reached; so a node is a position and how often each position of its block has
 * occurred. Their number grows fast with the size of the blocks: the memory limit decides. */
#include <string.h>

#include "base/hash.h"
#include "solve/reach_blocks.h"

#define WHAT "the positions with what has occurred before ('repetition')"
#define FIRST_PLACES 1024u

/* How often a position has occurred; histories are sorted by position. */
typedef struct occurrence {
    uint32_t position;
    uint32_t times;
} occurrence;

typedef struct history {
    uint32_t base; /* the position itself */
    uint32_t num;
    uint64_t first; /* in the list of occurrences */
} history;

typedef struct expansion {
    hy_graph *full;
    const hy_graph *graph;
    hy_blocks blocks;
    history *histories; /* of each node of `full` met so far */
    occurrence *occurrences;
    size_t capacity, occurrence_capacity, num_occurrences;
    uint32_t num;
    uint32_t *places;
    size_t num_places;
} expansion;

static size_t place_of(const expansion *x, const history *wanted)
{
    const occurrence *list = x->occurrences + wanted->first;
    uint64_t hash = hy_mix64(wanted->base + 1u);
    size_t mask = x->num_places - 1;
    for (uint32_t i = 0; i < wanted->num; i++)
        hash = hy_mix64(hash ^ ((uint64_t)list[i].position << 32 | list[i].times));
    for (size_t place = (size_t)hash & mask;; place = (place + 1) & mask) {
        if (x->places[place] == HY_NO_NODE)
            return place;
        const history *h = &x->histories[x->places[place]];
        if (h->base == wanted->base && h->num == wanted->num &&
            memcmp(x->occurrences + h->first, list, h->num * sizeof list[0]) == 0)
            return place;
    }
}

static hy_status grow(expansion *x, hy_error *error)
{
    hy_budget *budget = x->full->budget;
    size_t before = x->num_places;
    uint32_t *old = x->places;
    size_t wanted = before > 0 ? 2 * before : FIRST_PLACES;
    hy_status status = hy_budget_new(budget, &x->places, wanted, sizeof old[0], WHAT, error);
    if (status != HY_OK)
        return status;
    x->num_places = wanted;
    memset(x->places, 0xff, wanted * sizeof x->places[0]);
    for (uint32_t i = 0; i < x->num; i++)
        x->places[place_of(x, &x->histories[i])] = i;
    hy_budget_free(budget, old, before, sizeof old[0]);
    return HY_OK;
}

/* The node of a history whose occurrences are the last of the list; they are dropped again where
 * there is such a node already. */
static hy_status find_or_add(expansion *x, const history *wanted, uint32_t *number, hy_error *error)
{
    hy_status status = HY_OK;
    if (4 * (size_t)x->num >= 3 * x->num_places)
        status = grow(x, error);
    if (status == HY_OK)
        status = hy_budget_reserve(x->full->budget, &x->histories, &x->capacity, (size_t)x->num + 1,
                                   sizeof x->histories[0], WHAT, error);
    if (status != HY_OK)
        return status;
    size_t place = place_of(x, wanted);
    if (x->places[place] == HY_NO_NODE) {
        x->histories[x->num] = *wanted;
        x->places[place] = x->num++;
    } else {
        x->num_occurrences = wanted->first;
    }
    *number = x->places[place];
    return HY_OK;
}

/* Puts what has occurred at `position` at the end of the list; `before`, unless NULL, is a history
 * of the same block. Says how often the position has now occurred. */
static hy_status append(expansion *x, const history *before, uint32_t position, history *made,
                        uint32_t *times, hy_error *error)
{
    uint32_t num = before ? before->num : 0, i = 0;
    hy_status status =
        hy_budget_reserve(x->full->budget, &x->occurrences, &x->occurrence_capacity,
                          x->num_occurrences + num + 1, sizeof x->occurrences[0], WHAT, error);
    if (status != HY_OK)
        return status;
    const occurrence *from = x->occurrences + (before ? before->first : 0);
    occurrence *to = x->occurrences + x->num_occurrences;
    *made = (history){.base = position, .first = x->num_occurrences};
    while (i < num && from[i].position < position)
        to[made->num++] = from[i++];
    bool known = i < num && from[i].position == position;
    *times = known ? from[i++].times + 1 : 1;
    to[made->num++] = (occurrence){position, *times};
    while (i < num)
        to[made->num++] = from[i++];
    x->num_occurrences += made->num;
    return HY_OK;
}

static hy_status add_edge(expansion *x, const history *at, const hy_edge *edge, hy_error *error)
{
    hy_edge *added = &x->full->edges[x->full->num_edges++];
    *added = *edge;
    if (edge->target == HY_NO_NODE)
        return HY_OK;
    bool same = x->blocks.block_of[edge->target] == x->blocks.block_of[at->base];
    uint32_t times;
    history made;
    hy_status status = append(x, same ? at : NULL, edge->target, &made, &times, error);
    if (status != HY_OK)
        return status;
    if (times < x->graph->rules.repetition)
        return find_or_add(x, &made, &added->target, error);
    x->num_occurrences = made.first;
    added->target = HY_NO_NODE;
    added->new_turn = false;
    added->termination = HY_REPETITION;
    return HY_OK;
}

static hy_status expand(expansion *x, hy_error *error)
{
    hy_graph *full = x->full;
    history at = x->histories[full->num_nodes];
    const hy_edge *edges = hy_node_edges(x->graph, at.base);
    hy_status status = hy_graph_reserve(full, HY_MAX_HOLES, error);
    if (status != HY_OK)
        return status;
    hy_node *node = &full->nodes[full->num_nodes];
    *node = x->graph->nodes[at.base];
    node->first_edge = full->num_edges;
    for (unsigned i = 0; status == HY_OK && i < node->num_edges; i++)
        status = add_edge(x, &at, &edges[i], error);
    full->num_nodes++;
    return status;
}

static void lead_past_passes(hy_graph *graph)
{
    for (uint64_t i = 0; i < graph->num_edges; i++) {
        uint32_t *target = &graph->edges[i].target;
        if (*target != HY_NO_NODE)
            *target = hy_graph_settled(graph, *target);
    }
}

static void clean_up(expansion *x)
{
    hy_budget *budget = x->full->budget;
    hy_blocks_clean_up(&x->blocks);
    hy_budget_free(budget, x->histories, x->capacity, sizeof x->histories[0]);
    hy_budget_free(budget, x->occurrences, x->occurrence_capacity, sizeof x->occurrences[0]);
    hy_budget_free(budget, x->places, x->num_places, sizeof x->places[0]);
}

hy_status hy_graph_with_history(hy_graph *full, hy_graph *graph, hy_error *error)
{
    expansion x = {.full = full, .graph = graph};
    history start;
    uint32_t number;
    *full = (hy_graph){.rules = graph->rules, .what = WHAT, .budget = graph->budget};
    hy_keys_init(&full->keys, graph->budget, 1);
    lead_past_passes(graph);
    hy_status status = hy_blocks_init(&x.blocks, graph, error);
    if (status == HY_OK)
        status = append(&x, NULL, hy_graph_settled(graph, 0), &start, &number, error);
    if (status == HY_OK)
        status = find_or_add(&x, &start, &number, error);
    while (status == HY_OK && full->num_nodes < x.num)
        status = expand(&x, error);
    clean_up(&x);
    return status;
}
