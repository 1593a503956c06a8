/* The transposition table of the alpha-beta search. Private to src/policy, and to its tests.
 *
 * A key is 128 bits of hash of the position and of what else its value depends on; a wrong entry
 * needs two positions with one key. After n positions the probability that any two share a key is
 * below n^2 / 2^129: less than 10^-20 for a thousand million positions. An entry serves only a
 * search of exactly its own horizon, so values do not depend on what the table happens to hold. */
#ifndef HY_POLICY_SEARCH_TABLE_H
#define HY_POLICY_SEARCH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/rows.h"

typedef struct hy_search_key {
    uint64_t low, high;
} hy_search_key;

typedef enum hy_bound {
    HY_BOUND_NONE,
    HY_BOUND_LOWER, /* the value is at least this */
    HY_BOUND_UPPER, /* at most */
    HY_BOUND_EXACT,
} hy_bound;

#define HY_NO_HOLE 255u

typedef struct hy_search_entry {
    hy_search_key key;
    int32_t value;
    uint16_t generation;
    uint8_t turns, extra; /* the horizon */
    uint8_t hole;         /* that gave the value, or HY_NO_HOLE */
    uint8_t bound;        /* hy_bound; NONE: the place is free */
    uint8_t complete;     /* nothing was evaluated short of the game's end */
} hy_search_entry;

/* The caller's storage; made by _init, released by _clean_up. */
typedef struct hy_search_table {
    hy_search_entry *entries; /* [mask + 1], in buckets of two, which are lines of the cache */
    size_t mask;
    uint16_t generation;
} hy_search_table;

/* As many entries as fit into `bytes`, a power of two and at least two. */
HY_MUST_CHECK hy_status hy_search_table_init(hy_search_table *table, size_t bytes, hy_error *error);
void hy_search_table_clean_up(hy_search_table *table);

/* Forgets all entries. */
void hy_search_table_forget(hy_search_table *table);

/* The key of a position, `salt` being what else its value depends on. */
hy_search_key hy_search_key_of(const hy_rules *rules, const hy_position *position, uint64_t salt);

/* The same key of a board in rows. */
hy_search_key hy_search_key_of_rows(const hy_rules *rules, hy_rows rows, unsigned mover,
                                    uint64_t salt);

/* The entry of the key, of any horizon, or NULL. */
const hy_search_entry *hy_search_table_find(const hy_search_table *table, hy_search_key key);

/* Asks for the memory in which hy_search_table_find will look. */
void hy_search_table_fetch(const hy_search_table *table, hy_search_key key);

/* Keeps an entry, in the place of its own key, of a forgotten one, or of the shallower of two. */
void hy_search_table_put(hy_search_table *table, const hy_search_entry *entry);

#endif
