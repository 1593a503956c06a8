/* Endgame tables: the exact value of every position with few counters on the board.
 *
 * The value of a position is the greatest difference of counters still to be won that its mover can
 * force; play that never ends adds nothing from there on. It does not depend on the score, so the
 * tables are kept for boards alone, one table ("layer") for each number of counters. Captures take
 * whole casas: the layers are the numbers n ≡ total (mod casa), where the total is that of the
 * variant's start.
 *
 * Variants in which the value does depend on more than board and mover are refused by the field:
 * `claim_by: starter` (with a claim), `unfinished: void`, `repetition`. */
#ifndef HY_SOLVE_ENDGAME_H
#define HY_SOLVE_ENDGAME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/status.h"
#include "rules/ply.h"

/* Tables of one variant, read-only once made; may be probed by several threads at once. */
typedef struct hy_endgame hy_endgame;

/* How far solving has come. */
typedef struct hy_solve_progress {
    unsigned counters; /* the layer in work */
    unsigned max_counters;
    uint64_t done, total; /* positions, all layers together */
} hy_solve_progress;

/* {0} stands for the defaults. */
typedef struct hy_solve_options {
    unsigned num_threads;   /* 0: one */
    uint64_t max_memory;    /* bytes that may be used at once; 0: no limit */
    uint64_t max_laps;      /* of a sowing; 0: HY_DEFAULT_MAX_LAPS. One that neither ends nor recurs
                               within them makes solving fail. */
    const atomic_int *stop; /* may be NULL; not 0: stop, with HY_INTERRUPTED */
    void (*progress)(void *context, const hy_solve_progress *progress); /* may be NULL; called by
                                one thread at a time, some times a second */
    void *context;
} hy_solve_options;

/* Refuses variants whose value does not decompose; `key`, unless NULL, receives the field. */
HY_MUST_CHECK hy_status hy_solve_check_rules(const hy_rules *rules, const char **key,
                                             hy_error *error);

/* Solves all layers of at most `max_counters` counters in memory, no files. `options` may be NULL.
 */
HY_MUST_CHECK hy_status hy_endgame_solve(const hy_rules *rules, unsigned max_counters,
                                         const hy_solve_options *options, hy_endgame **endgame,
                                         hy_error *error);

/* Maps what `hoyito solve` wrote into a folder: all layers from the smallest up to the first that
 * is missing. Checks headers, rules and sizes, not the checksums of the data. HY_MISMATCH: the
 * tables are of another variant (seeds may differ as long as the layers are the same). */
HY_MUST_CHECK hy_status hy_endgame_open(const char *folder, const hy_rules *rules,
                                        hy_endgame **endgame, hy_error *error);

/* SHA-256 of tables that were opened: of the layers that are there, and of the checksums in their
 * files, which stand for the values. */
void hy_endgame_hash(const hy_endgame *endgame, char hex[HY_SHA256_HEX_SIZE]);

void hy_endgame_destroy(hy_endgame *endgame);

const hy_rules *hy_endgame_rules(const hy_endgame *endgame);

/* The largest number of counters that has a table. */
unsigned hy_endgame_max_counters(const hy_endgame *endgame);

/* Whether positions with so many counters on the board have a table. */
bool hy_endgame_has(const hy_endgame *endgame, unsigned counters);

/* How many layers there are, and what is in the one of that index (from the smallest on). */
typedef struct hy_layer_census {
    unsigned counters;
    uint64_t positions;
    uint64_t won, even, lost; /* of a value above, at, below 0 */
} hy_layer_census;

unsigned hy_endgame_num_layers(const hy_endgame *endgame);
hy_layer_census hy_endgame_census(const hy_endgame *endgame, unsigned layer);

/* The value to the mover, in counters. `board` is that of a hy_position (south's holes first) and
 * has a table; the mover may be without a hole (then the value is that after the pass or sweep). */
int hy_endgame_value(const hy_endgame *endgame, const uint16_t board[HY_MAX_BOARD],
                     hy_player mover);

/* The same of a turned board: 2·holes bytes, the mover's row first, `counters` in all. */
int hy_endgame_probe(const hy_endgame *endgame, const uint8_t *turned, unsigned counters);

/* The values of the legal holes of a settled position that has a table, to its mover: `values[i]`
 * of moves->hole[i]. Returns the best of them, which is the value of the position. */
int hy_endgame_holes(const hy_endgame *endgame, const hy_position *position, const hy_moves *moves,
                     int values[HY_MAX_HOLES]);

/* Of these holes those to play: they attain the value, and where it is above 0 they also lead on to
 * it. Values alone do not tell that: between positions of the same value a player can go round for
 * ever, and a win that is never taken is worth 0. So among the holes that attain a positive value
 * those count from which the fewest plies, by the defence that delays the most, lead to the next
 * capture or gain; a player who keeps to them gets the value. Returns the value. */
int hy_endgame_best(const hy_endgame *endgame, const hy_position *position, const hy_moves *moves,
                    hy_moves *best);

#endif
