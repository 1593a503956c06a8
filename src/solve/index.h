/* The places of positions in a layer: the combinatorial number system.
 *
 * A board of `size` holes with n counters is a multiset, and its place is Σ C(S(i)+i, i+1) over all
 * holes but the last, where S(i) counts the counters in the holes 0 … i. (Knuth, The Art of
 * Computer Programming 4A, 7.2.1.3.) The terms do not depend on n. */
#ifndef HY_SOLVE_INDEX_H
#define HY_SOLVE_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "rules/rules.h"

/* So many counters fit into the bytes of a turned board. */
#define HY_MAX_TABLE_COUNTERS 255u

/* A place that no table can have; sizes stop growing here. */
#define HY_INDEX_LIMIT (UINT64_C(1) << 62)

/* The caller's storage; made by _init, released by _clean_up. */
typedef struct hy_index {
    unsigned size; /* holes of the board */
    unsigned max_counters;
    unsigned stride;
    uint64_t *ways; /* [i·stride + s]: C(s+i, i+1), at most HY_INDEX_LIMIT */
} hy_index;

HY_MUST_CHECK hy_status hy_index_init(hy_index *index, unsigned size, unsigned max_counters,
                                      hy_error *error);
void hy_index_clean_up(hy_index *index);

/* The number of boards with so many counters; HY_INDEX_LIMIT stands for that many and more. */
uint64_t hy_index_count(const hy_index *index, unsigned counters);

static inline uint64_t hy_index_way(const hy_index *index, unsigned hole, unsigned sum)
{
    return index->ways[hole * index->stride + sum];
}

/* The place of a board of `size` bytes. */
static inline uint64_t hy_index_rank(const hy_index *index, const uint8_t *board)
{
    uint64_t rank = 0;
    unsigned sum = 0;
    for (unsigned i = 0; i + 1 < index->size; i++) {
        sum += board[i];
        rank += hy_index_way(index, i, sum);
    }
    return rank;
}

/* The board at a place of the layer. */
void hy_index_unrank(const hy_index *index, unsigned counters, uint64_t rank, uint8_t *board);

/* Turns a board into the one at the next place; at the last place it does nothing good. */
static inline void hy_index_next(uint8_t *board)
{
    unsigned i = 1;
    uint8_t first = board[0];
    while (board[i] == 0)
        i++;
    board[0] = 0;
    board[i]--;
    board[i - 1] = (uint8_t)(first + 1);
}

#endif
