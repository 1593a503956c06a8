/* A set of keys of a fixed number of words, numbered in the order in which they came. */
#ifndef HY_SOLVE_REACH_KEYS_H
#define HY_SOLVE_REACH_KEYS_H

#include <stdbool.h>

#include "solve/exact_budget.h"

#define HY_NO_NODE UINT32_MAX

typedef struct hy_keys {
    hy_budget *budget;
    unsigned words;  /* a key */
    uint64_t *keys;  /* `words` each */
    size_t capacity; /* in words */
    uint32_t num;
    uint32_t *places; /* open addressing; HY_NO_NODE: free */
    size_t num_places;
} hy_keys;

void hy_keys_init(hy_keys *keys, hy_budget *budget, unsigned words);
void hy_keys_clean_up(hy_keys *keys);

static inline const uint64_t *hy_keys_at(const hy_keys *keys, uint32_t number)
{
    return keys->keys + (size_t)number * keys->words;
}

/* The number of a key, or HY_NO_NODE. */
uint32_t hy_keys_find(const hy_keys *keys, const uint64_t *key);

/* The number of a key, which is added where it is new. HY_FAILED where it does not fit. */
HY_MUST_CHECK hy_status hy_keys_add(hy_keys *keys, const uint64_t *key, uint32_t *number,
                                    hy_error *error);

#endif
