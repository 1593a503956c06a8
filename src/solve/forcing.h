/* Finite forcing: can one player win at least so much more than the other from here, whatever the
 * other does? Private to src/solve, and to its tests.
 *
 * A claim is "the claimant wins at least `wins` counters more than the opponent from here on". A
 * search of it looks at one ply of the claimant and at all of the opponent; plies without a capture
 * cost depth, captures are free; a position with a table ends the line; out of depth, the claim is
 * not proved. Proved claims are facts whatever was played before, and so are refuted ones (the
 * opponent forces the contrary). That a claim was not proved at some depth is no fact about values
 * and is used only to save work.
 *
 * Where the claimant needs nothing more (`wins` <= 0), going round for ever is good enough: a
 * position that recurs on the path without a capture between proves the claim there, on condition
 * that it is proved for the earlier occurrence. Such a proof is kept only once it no longer leans on
 * a position further up the path: then the plies below it are a strategy that never leaves them.
 * Where `wins` > 0 a recurrence is nothing, and the line just runs out of depth. */
#ifndef HY_SOLVE_FORCING_H
#define HY_SOLVE_FORCING_H

#include "solve/branch.h"
#include "solve/proof_table.h"

/* Exact values of positions with few counters; may be asked by several threads at once. */
typedef struct hy_value_source {
    const void *context;
    bool (*has)(const void *context, unsigned counters);
    int (*value)(const void *context, const hy_position *position); /* to its mover */
} hy_value_source;

typedef enum hy_verdict {
    HY_UNPROVED,
    HY_PROVED,
    HY_REFUTED,
} hy_verdict;

#define HY_MAX_DEPTH 250u

/* The longest line: plies without a capture up to the depth, and one capture a casa between. */
#define HY_MAX_FORCED_LINE (HY_MAX_DEPTH + HY_MAX_BOARD * HY_MAX_SEEDS / 2 + 2)

/* A position on the way from the root. */
typedef struct hy_line_place {
    hy_proof_key key;
    uint16_t left;
    uint8_t mover;
} hy_line_place;

/* One thread's search; the caller's storage, made by _init, released by _clean_up. */
typedef struct hy_forcing {
    const hy_rules *rules;
    uint64_t max_laps;
    const hy_value_source *source;
    hy_proof_table *table;
    bool (*interrupt)(void *context); /* may be NULL; asked now and then: true ends the search */
    void *context;
    uint64_t nodes;      /* plies looked at */
    uint64_t node_limit; /* 0: none */
    bool stopped;        /* by `interrupt` or the limit; the verdict is worthless then */
    bool unresolved;     /* some sowing outlasted max_laps; stopped as well */
    bool no_loops;       /* do not count going round for the claimant */
    unsigned jitter;     /* not 0: order holes a little differently, as threads do that share work */
    uint8_t best_hole;   /* that settled the last claim at its root; HY_NO_HOLE: none did */
    /* private */
    hy_player claimant;
    unsigned line_length;
    hy_line_place *line; /* [HY_MAX_FORCED_LINE] */
    uint32_t cutoffs[2][HY_MAX_BOARD];
} hy_forcing;

HY_MUST_CHECK hy_status hy_forcing_init(hy_forcing *search, const hy_rules *rules,
                                        uint64_t max_laps, const hy_value_source *source,
                                        hy_proof_table *table, hy_error *error);
void hy_forcing_clean_up(hy_forcing *search);

/* Searches a claim at a settled position that is not over. */
hy_verdict hy_force(hy_forcing *search, const hy_position *position, hy_player claimant, int wins,
                    unsigned depth);

/* Whether the claim is settled without search: by the end of the game, by a table, or because
 * nobody wins more than is left. `branch` was played at `position`; `wins` is counted
 * from after the ply. */
hy_verdict hy_force_settled(const hy_value_source *source, const hy_branch *branch,
                            hy_player claimant, int wins);

/* What the claimant still has to win after a ply of `mover`. */
static inline int hy_wins_after(const hy_branch *branch, hy_player mover, hy_player claimant,
                                int wins)
{
    return mover == claimant ? wins - branch->gain : wins + branch->gain;
}

#endif
