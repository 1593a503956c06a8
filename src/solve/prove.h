/* The value of a position by search over endgame tables, with bounds that narrow.
 *
 * South's and north's claims are searched by turns, or by threads side by side, with growing
 * effort: "south wins at least so much more from here", "north does" (see forcing.h). What is
 * proved for south is a lower bound, what is proved for north an upper one; where they meet, the
 * value is proved. Each bound is right by itself, whenever the search is stopped. */
#ifndef HY_SOLVE_PROVE_H
#define HY_SOLVE_PROVE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "solve/forcing.h"

#define HY_MAX_PROOF_LINE 512u

typedef struct hy_prove_progress {
    int lower, upper;  /* of the value to south */
    unsigned level[2]; /* of the claims that south, north are at: proof numbers of 2^(level / 2) */
    uint64_t nodes;
    double seconds;
} hy_prove_progress;

/* {0} stands for the defaults. */
typedef struct hy_prove_options {
    unsigned num_threads;   /* 0: one */
    uint64_t memory;        /* bytes of the transposition table; 0: 256 MiB */
    uint64_t max_laps;      /* of a sowing; 0: HY_DEFAULT_MAX_LAPS. One that outlasts them proves
                               nothing, which costs proofs, and never makes one wrong. */
    unsigned max_level;     /* of effort; 0: HY_MAX_LEVEL */
    double seconds;         /* stop with the bounds so far; 0: no limit */
    bool sign;              /* only who wins: stop as soon as that is known */
    bool no_loops;          /* for tests: finite forcing alone */
    bool verify;            /* check both bounds by hy_verify_claim */
    const atomic_int *stop; /* may be NULL; not 0: stop, with HY_INTERRUPTED */
    void (*progress)(void *context, const hy_prove_progress *progress); /* may be NULL; called by
                             one thread at a time, when a bound or a level has
                             changed, and about every second */
    void *context;
} hy_prove_options;

typedef struct hy_proof {
    int lower, upper; /* of the value to south: counters still to be won, south's less north's */
    bool proved;      /* they are equal */
    bool sign_proved; /* who wins, or that nobody does, is known */
    uint8_t num_best, num_open;
    uint8_t best[HY_MAX_HOLES]; /* holes of the mover that are proved to attain the value */
    uint8_t open[HY_MAX_HOLES]; /* holes of which that is not known */
    unsigned line_length;
    uint8_t line[HY_MAX_PROOF_LINE]; /* best play from here, as far as the tables and into them */
    unsigned level[2];               /* at which south's and north's bounds were proved */
    uint64_t nodes;                  /* plies looked at, for the bounds */
    uint64_t all_nodes;              /* those for best holes, line and verification as well */
    uint64_t unresolved;             /* sowings that outlasted max_laps, for the bounds */
    double seconds;                  /* for the bounds */
    bool verified;
    uint64_t verified_positions;
} hy_proof;

/* Proves the value of a settled position that is not over. *proof is set also on HY_INTERRUPTED.
 * HY_FAILED: the verification found a fault. */
HY_MUST_CHECK hy_status hy_prove(const hy_rules *rules, const hy_value_source *source,
                                 const hy_position *position, const hy_prove_options *options,
                                 hy_proof *proof, hy_error *error);

#endif
