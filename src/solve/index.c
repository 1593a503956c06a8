#include "solve/index.h"

#include <stdlib.h>

#include "base/memory.h"

hy_status hy_index_init(hy_index *index, unsigned size, unsigned max_counters, hy_error *error)
{
    unsigned stride = max_counters + 2;
    *index = (hy_index){.size = size, .max_counters = max_counters, .stride = stride};
    index->ways = hy_new_array((size_t)size * stride, sizeof index->ways[0]);
    if (!index->ways)
        return hy_fail_memory(error);
    for (unsigned s = 0; s < stride; s++)
        index->ways[s] = s;
    for (unsigned i = 1; i < size; i++) {
        uint64_t *row = index->ways + (size_t)i * stride;
        const uint64_t *above = row - stride;
        for (unsigned s = 1; s < stride; s++) { /* C(s+i, i+1) = C(s−1+i, i+1) + C(s−1+i, i) */
            uint64_t sum = row[s - 1] + above[s];
            row[s] = sum < HY_INDEX_LIMIT ? sum : HY_INDEX_LIMIT;
        }
    }
    return HY_OK;
}

void hy_index_clean_up(hy_index *index)
{
    free(index->ways);
    index->ways = NULL;
}

uint64_t hy_index_count(const hy_index *index, unsigned counters)
{
    return hy_index_way(index, index->size - 2, counters + 1);
}

void hy_index_unrank(const hy_index *index, unsigned counters, uint64_t rank, uint8_t *board)
{
    unsigned above = counters;
    for (unsigned i = index->size - 1; i-- > 0;) {
        unsigned sum = above;
        while (hy_index_way(index, i, sum) > rank)
            sum--;
        rank -= hy_index_way(index, i, sum);
        board[i + 1] = (uint8_t)(above - sum);
        above = sum;
    }
    board[0] = (uint8_t)above;
}
