/* Proofs that sowings never end, several at once.
 *
 * Where a sowing captures on either side, the board can be kept as it looks from the hole that is
 * picked up next. A lap is then one shuffle and one addition, both from a table by the hand, and
 * the state that has to recur is half a register; the other half says by how many holes the board
 * is turned. A lap of one sowing waits for the lap before it, so some are followed in turns.
 *
 * Every endless sowing of random play looked at (615 on boards of 2×4 to 2×7) had come upon its
 * cycle by the time it was added, so it is the start that is looked for at every lap. Where that is
 * not so, marks at doubling distances (Brent's method), which are looked for less often, find the
 * cycle. */
#ifndef HY_RULES_PROVER_H
#define HY_RULES_PROVER_H

#include "rules/sowing.h"

#define HY_PROVER_CHAINS 8u
#define HY_PROVER_BOARD 16u /* holes at the most */

/* A board from the hole to pick up on, and a one at the number of holes by which it is turned. */
typedef struct hy_turned_board {
    uint8_t holes[HY_PROVER_BOARD];
    uint8_t turn[HY_PROVER_BOARD];
} hy_turned_board;

typedef enum hy_verdict {
    HY_VERDICT_OPEN, /* not yet known */
    HY_VERDICT_ENDLESS,
    HY_VERDICT_UNRESOLVED,
    HY_VERDICT_UNCLEAR, /* hy_sow has to say: it ends, or its recurrence is near max_laps */
} hy_verdict;

/* A sowing being followed. */
typedef struct hy_proof {
    hy_turned_board start, board;
    hy_turned_board mark; /* the start, or the board after max_laps: looked for at every lap */
    hy_turned_board rare; /* the board at some lap since: looked for at the end of a block */
    uint64_t laps;        /* since it was added */
    uint64_t mark_laps;   /* at the mark */
    uint64_t rare_laps;   /* at the rare mark */
    uint64_t before;      /* laps before it was added */
    hy_verdict verdict;
    bool used;
} hy_proof;

/* What a lap does to a board, by the hand. */
typedef struct hy_lap_rows {
    hy_turned_board order; /* where each byte comes from in its half; 0x80: nowhere */
    hy_turned_board sown;  /* what is added then */
} hy_lap_rows;

/* The caller's storage; nothing to clean up. */
typedef struct hy_prover {
    _Alignas(64) hy_lap_rows rows[256];
    hy_proof proofs[HY_PROVER_CHAINS];
    unsigned size, casa;
    uint64_t max_laps;
} hy_prover;

/* Whether this machine and that variant allow it: at most 16 holes and 255 counters, relay, capture
 * by the final counter or none, on any side, no `skip_origin`. */
bool hy_prover_handles(const hy_rules *rules);

void hy_prover_init(hy_prover *prover, const hy_rules *rules, uint64_t max_laps);

/* Adds a sowing that has lasted for some laps to a place that is not used. `board` is the one from
 * which `hole` is to be picked up. */
void hy_prover_add(hy_prover *prover, unsigned place, const uint16_t *board, unsigned hole,
                   uint64_t laps);

/* Follows all sowings until at least one has a verdict; the caller takes it and clears `used`. At
 * least one is used. */
void hy_prover_run(hy_prover *prover);

#endif
