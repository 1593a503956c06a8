/* The strongly connected components of a graph, here called blocks: positions that can come again
 * from one another. A block never loses counters, so it lies within one layer. */
#ifndef HY_SOLVE_REACH_BLOCKS_H
#define HY_SOLVE_REACH_BLOCKS_H

#include "solve/reach.h"

typedef struct hy_blocks {
    uint32_t num;
    uint32_t *order; /* all nodes, block by block; an edge leads to the same or an earlier block */
    uint32_t *first; /* num + 1 places in `order` */
    uint32_t *block_of; /* of each node */
    uint32_t num_nodes;
    hy_budget *budget;
} hy_blocks;

/* Method: R. Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972).
 * Released with hy_blocks_clean_up, also after an error. */
HY_MUST_CHECK hy_status hy_blocks_init(hy_blocks *blocks, const hy_graph *graph, hy_error *error);
void hy_blocks_clean_up(hy_blocks *blocks);

static inline uint32_t hy_block_size(const hy_blocks *blocks, uint32_t block)
{
    return blocks->first[block + 1] - blocks->first[block];
}

static inline bool hy_edge_is_inner(const hy_blocks *blocks, uint32_t block, const hy_edge *edge)
{
    return edge->target != HY_NO_NODE && blocks->block_of[edge->target] == block;
}

/* Whether play that has come into the block never leaves it and never ends. */
bool hy_block_is_closed(const hy_blocks *blocks, const hy_graph *graph, uint32_t block);

#endif
