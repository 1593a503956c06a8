/* The transposition table of the forcing search: facts about positions, in bounded memory, shared
 * by threads without locks. Private to src/solve, and to its tests.
 *
 * Everything is told from the view of the player to move, so south's and north's questions share
 * it. `low` and `high` are proved bounds of the value; they hold whatever was played before.
 * `failed` says that a search did not prove that the mover, or the one who waits, wins at least so
 * much, and what that would take at least as far as it has seen; that is no bound, and only saves
 * work. Nothing is ever stored about repetitions.
 *
 * Keys: the board itself, byte by byte, where it fits into 16 bytes (rows of up to 8 holes, up to
 * 255 counters), so that no two positions are ever taken for each other; else 128 bits of hash.
 * Threads: an entry is four words, and its key is kept added (exclusive or) to a hash of the data,
 * so that an entry torn by two writers is not recognised (Hyatt and Mann, "A lock-less
 * transposition table implementation for parallel search chess engines", ICGA Journal 25, 2002). */
#ifndef HY_SOLVE_PROOF_TABLE_H
#define HY_SOLVE_PROOF_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/position.h"

#define HY_NO_HOLE 255u

typedef struct hy_proof_key {
    uint64_t first, second;
} hy_proof_key;

/* A search has not proved that this side wins at least `wins`. */
typedef struct hy_failed {
    int16_t wins;    /* INT16_MAX: no search has */
    uint16_t effort; /* as hy_effort_to keeps it */
} hy_failed;

typedef struct hy_facts {
    int16_t low, high;   /* bounds of the value to the mover */
    uint8_t low_hole;    /* of the mover's row, from 0, by which it attains `low`; or HY_NO_HOLE */
    uint8_t work;        /* spent on it: logarithm to base 2 of nodes */
    hy_failed failed[2]; /* [0] the mover, [1] the one who waits */
} hy_facts;

/* The caller's storage; made by _init, released by _clean_up. */
typedef struct hy_proof_table {
    _Atomic uint64_t *words; /* entries of four, in buckets of two */
    size_t num_buckets;
} hy_proof_table;

/* As many entries as fit into `bytes`, at least two. */
HY_MUST_CHECK hy_status hy_proof_table_init(hy_proof_table *table, size_t bytes, hy_error *error);
void hy_proof_table_clean_up(hy_proof_table *table);

hy_proof_key hy_proof_key_of(const hy_rules *rules, const hy_position *position);

/* What is known of a position with `left` counters where nothing is. */
hy_facts hy_facts_none(unsigned left);

/* Fetches a bucket ahead of its use. */
void hy_proof_table_prefetch(const hy_proof_table *table, hy_proof_key key);

/* Sets *facts if the position is there. */
bool hy_proof_table_find(const hy_proof_table *table, hy_proof_key key, hy_facts *facts);

/* Keeps the facts in the place of the same key, else of what took less work. */
void hy_proof_table_put(hy_proof_table *table, hy_proof_key key, const hy_facts *facts);

#endif
