/* What is kept of a game. */
#ifndef HY_RULES_GAME_RECORD_H
#define HY_RULES_GAME_RECORD_H

#include "rules/ply.h"

#define HY_MAX_CHAIN (HY_MAX_BOARD - 1)

/* A row of the table `game`. */
typedef struct hy_game_record {
    uint64_t number;
    hy_termination termination;
    hy_result result;
    uint32_t score[2]; /* south, north */
    uint32_t plies;
    uint32_t turns;
    uint32_t passes;
    uint64_t laps;           /* those of an endless or unresolved sowing do not count */
    uint64_t counters;       /* dropped; likewise */
    uint32_t captures;       /* plies in which at least one casa was taken, by anyone */
    uint32_t casas;          /* taken, en passant included */
    uint32_t chains;         /* captures by a final counter that took at least one casa behind it */
    uint32_t longest_chain;  /* casas behind the final counter's own */
    uint32_t longest_turn;   /* plies */
    uint32_t lead_changes;   /* of the leading player; the first lead is none */
    uint32_t legal_holes;    /* summed over the plies */
    uint32_t decision_plies; /* plies with more than one legal hole */
    uint32_t south_captures; /* of the captures, those in plies of south */
    uint32_t south_chains;   /* of the chains, likewise */
    uint32_t claimed;        /* counters taken by a claim */
    uint64_t move_hash;      /* FNV-1a over the holes played */
    uint32_t chain_count[HY_MAX_CHAIN + 1]; /* chains by length; [0] is unused */
} hy_game_record;

#endif
