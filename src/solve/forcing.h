/* Finite forcing: can one player win at least so much more than the other from here, whatever the
 * other does? Private to src/solve, and to its tests.
 *
 * A claim is "the claimant wins at least `wins` counters more than the opponent from here on". It
 * is proved by one ply of the claimant and all of the opponent; a position with a table ends the
 * line. Proved claims are facts whatever was played before, and so are refuted ones (the opponent
 * forces the contrary). That a claim was not proved is no fact about values, and saves work only.
 *
 * Which line is followed: the one with the smallest proof number, that is, the least number of
 * positions that would still have to be proved (of the claimant's plies the best counts, those of
 * the opponent add up). The search is depth-first and gives a line up as soon as its proof number
 * passes a limit, which grows; so it is PN* (Seo, Iida and Uiterwijk, "The PN*-search algorithm:
 * application to tsume-shogi", Artificial Intelligence 129, 2001), with the limits of df-pn for
 * siblings (Nagai, 2002). Captures make lines short by themselves, and forced answers cost nothing.
 *
 * Where the claimant needs nothing more (`wins` <= 0), going round for ever is good enough: a
 * position that recurs on the path without a capture between proves the claim there, on condition
 * that it is proved for the earlier occurrence. Such a proof is kept only once it no longer leans
 * on a position further up the path: then the plies below it are a strategy that never leaves them.
 * Where `wins` > 0 a recurrence only gives the line up, and nothing is kept of why. */
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

/* Limits of proof numbers: 2^(level / 2). */
#define HY_MAX_LEVEL 62u

/* No line is longer. */
#define HY_MAX_FORCED_LINE 300u

/* So many proofs that lean on a position further up can wait for it to be proved; more are lost. */
#define HY_MAX_WAITING 4096u

/* A claim that is proved on condition. */
typedef struct hy_waiting_proof {
    hy_proof_key key;
    int16_t wins;
    uint16_t left;
    bool claimant_moves;
    uint8_t hole;  /* by which; of the row */
    int leans_on;  /* the place in the line */
    uint16_t next; /* of the same bucket, from 1; 0: none */
} hy_waiting_proof;

#define HY_WAITING_BUCKETS 1024u

/* A hole of a node that is being searched. */
typedef struct hy_forcing_choice hy_forcing_choice;

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
    uint64_t unresolved; /* sowings that outlasted max_laps: they prove and refute nothing */
    bool no_loops;       /* for tests: going round proves nothing */
    unsigned jitter;   /* not 0: order holes a little differently, as threads do that share work */
    uint8_t best_hole; /* that settled the last claim at its root; HY_NO_HOLE: none did */
    /* private */
    hy_player claimant;
    unsigned line_length, max_line;
    float give_up;             /* an effort above the limit of the root */
    hy_line_place *line;       /* [HY_MAX_FORCED_LINE] */
    hy_waiting_proof *waiting; /* [HY_MAX_WAITING] */
    unsigned num_waiting;
    uint16_t buckets[HY_WAITING_BUCKETS]; /* of the waiting ones, from 1 */
    hy_forcing_choice *choices;           /* a row of holes for each place of the line */
    uint32_t settled[2][HY_MAX_BOARD];    /* claims, by a hole of a player */
} hy_forcing;

HY_MUST_CHECK hy_status hy_forcing_init(hy_forcing *search, const hy_rules *rules,
                                        uint64_t max_laps, const hy_value_source *source,
                                        hy_proof_table *table, hy_error *error);
void hy_forcing_clean_up(hy_forcing *search);

/* Searches a claim at a settled position that is not over, up to the limit of the level. */
hy_verdict hy_force(hy_forcing *search, const hy_position *position, hy_player claimant, int wins,
                    unsigned level);

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
