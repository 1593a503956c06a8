/* Where captures and chains happen, by whom, and how much they take: captures by the final counter
 * of a sowing, told apart by mover and by landing hole. */
#ifndef HY_SIM_CAPTURES_H
#define HY_SIM_CAPTURES_H

#include "rules/ply.h"
#include "sim/sums.h"

/* Whose plies are counted: hy_player, or both. */
enum { HY_EITHER = 2, HY_NUM_MOVERS };

/* The captures of one game. Holes are relative to the mover: 0 … holes−1 is the own row, in the
 * direction of sowing, then the other row. A chain is a capture of more than one casa; its length
 * is the casas but the first. */
typedef struct hy_capture_count {
    uint32_t captures[HY_MAX_BOARD];   /* by landing hole */
    uint32_t chains[HY_MAX_BOARD];     /* likewise */
    uint32_t casas[HY_MAX_BOARD + 1];  /* captures by the casas taken; [0] is unused */
    uint32_t num_captures, num_chains; /* all of them */
    uint32_t own_captures, own_chains; /* of them, those that land in the mover's own row */
    uint32_t num_casas, chain_length;  /* taken in all; behind the landing holes */
    uint32_t en_passant;               /* plies that captured, but none by the final counter */
} hy_capture_count;

/* Sums over the games of one kind of mover. y is named first, x last. */
typedef struct hy_capture_sums {
    hy_sums captures_at[HY_MAX_BOARD]; /* captures that land there, of all captures */
    hy_sums chains_at[HY_MAX_BOARD];   /* chains that land there, of all chains */
    hy_sums chained_at[HY_MAX_BOARD];  /* chains that land there, of the captures that do */
    hy_sums casas[HY_MAX_BOARD + 1];   /* captures of so many casas, of all captures */
    hy_sums own_captures, own_chains;  /* in the own row, of all */
    hy_sums chain_share;               /* chains, of captures */
    hy_sums casas_a_capture;
    hy_sums chain_length; /* casas behind the landing hole, of chains */
    uint64_t en_passant;
    unsigned most_casas; /* in one capture */
} hy_capture_sums;

/* Counts a ply that was played from `before` and captured. */
void hy_capture_count_add(hy_capture_count counts[HY_NUM_MOVERS], const hy_rules *rules,
                          const hy_position *before, unsigned hole, uint64_t max_laps,
                          const hy_sowing *sowing);

/* Adds the counts of a game. */
void hy_capture_sums_add(hy_capture_sums *sums, const hy_capture_count *count);

#endif
