#include "solve/markov_system.h"

#include "solve/markov.h"

#define WHAT "the equations of a block"
#define MAX_ENTRIES ((size_t)HY_MARKOV_DIRECT * (HY_MAX_HOLES + 1))

static hy_status refused(const char *what, hy_error *error)
{
    return hy_fail(error, HY_FAILED, "the equations of random play cannot be %s", what);
}

hy_status hy_system_init(hy_system *system, const hy_graph *graph, hy_error *error)
{
    hy_budget *budget = graph->budget;
    *system = (hy_system){.num_nodes = graph->num_nodes, .budget = budget};
    klu_defaults(&system->common);
    hy_status status = hy_budget_new(budget, &system->first, HY_MARKOV_DIRECT + 1,
                                     sizeof system->first[0], WHAT, error);
    if (status == HY_OK)
        status =
            hy_budget_new(budget, &system->row, MAX_ENTRIES, sizeof system->row[0], WHAT, error);
    if (status == HY_OK)
        status = hy_budget_new(budget, &system->entry, MAX_ENTRIES, sizeof system->entry[0], WHAT,
                               error);
    if (status == HY_OK)
        status = hy_budget_new(budget, &system->place_of, graph->num_nodes,
                               sizeof system->place_of[0], WHAT, error);
    return status;
}

static void release_factors(hy_system *system)
{
    if (system->numeric)
        klu_free_numeric(&system->numeric, &system->common);
    if (system->symbolic)
        klu_free_symbolic(&system->symbolic, &system->common);
}

void hy_system_clean_up(hy_system *system)
{
    if (!system->budget)
        return;
    release_factors(system);
    hy_budget_free(system->budget, system->first, HY_MARKOV_DIRECT + 1, sizeof system->first[0]);
    hy_budget_free(system->budget, system->row, MAX_ENTRIES, sizeof system->row[0]);
    hy_budget_free(system->budget, system->entry, MAX_ENTRIES, sizeof system->entry[0]);
    hy_budget_free(system->budget, system->place_of, system->num_nodes, sizeof system->place_of[0]);
    *system = (hy_system){0};
}

/* Adds to the entry of that row in the column that begins at `begin`; several plies may lead to
 * one position. */
static void add_entry(hy_system *system, int begin, int *end, int row, double value)
{
    int i = begin;
    while (i < *end && system->row[i] != row)
        i++;
    if (i == *end) {
        system->row[i] = row;
        system->entry[i] = 0;
        ++*end;
    }
    system->entry[i] += value;
}

static void fill(hy_system *system, const hy_graph *graph, const hy_blocks *blocks, uint32_t block)
{
    const uint32_t *nodes = blocks->order + blocks->first[block];
    int end = 0;
    for (int i = 0; i < system->size; i++)
        system->place_of[nodes[i]] = (uint32_t)i;
    for (int i = 0; i < system->size; i++) {
        const hy_node *node = &graph->nodes[nodes[i]];
        const hy_edge *edges = hy_node_edges(graph, nodes[i]);
        int begin = system->first[i] = end;
        add_entry(system, begin, &end, i, 1);
        for (unsigned e = 0; e < node->num_edges; e++) {
            if (hy_edge_is_inner(blocks, block, &edges[e]))
                add_entry(system, begin, &end, (int)system->place_of[edges[e].target],
                          -1.0 / node->num_edges);
        }
    }
    system->first[system->size] = end;
}

hy_status hy_system_factor(hy_system *system, const hy_graph *graph, const hy_blocks *blocks,
                           uint32_t block, hy_error *error)
{
    release_factors(system);
    system->size = (int)hy_block_size(blocks, block);
    fill(system, graph, blocks, block);
    system->symbolic = klu_analyze(system->size, system->first, system->row, &system->common);
    if (!system->symbolic)
        return refused("ordered", error);
    system->numeric =
        klu_factor(system->first, system->row, system->entry, system->symbolic, &system->common);
    if (!system->numeric || system->common.status != KLU_OK)
        return refused("factored", error);
    return HY_OK;
}

hy_status hy_system_solve(hy_system *system, bool forward, double *vectors, int num,
                          hy_error *error)
{
    int done = forward ? klu_solve(system->symbolic, system->numeric, system->size, num, vectors,
                                   &system->common)
                       : klu_tsolve(system->symbolic, system->numeric, system->size, num, vectors,
                                    &system->common);
    return done ? HY_OK : refused("solved", error);
}
