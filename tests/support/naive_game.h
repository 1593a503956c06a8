/* A second meaning of a whole game and of its record, written from the text of the rules on the
 * naive sowing: every board kept, everything counted anew. */
#ifndef HY_SUPPORT_NAIVE_GAME_H
#define HY_SUPPORT_NAIVE_GAME_H

#include "sim/game.h"
#include "support/naive.h"

/* One ply of the past. */
typedef struct naive_turn {
    uint8_t mover;
    uint8_t num_holes;  /* legal ones before it */
    uint8_t claimed;    /* counters */
    bool passed_before; /* somebody passed between the ply before and this one */
    int lead;           /* south's counters minus north's, after it */
    naive_sowing sowing;
} naive_turn;

typedef struct naive_game {
    hy_rules rules;
    uint64_t max_laps;
    hy_position position;
    int start_lead;   /* as naive_turn's, at the start */
    hy_position *met; /* settled positions, the start first */
    size_t num_met;
    naive_turn *past;
    size_t num_past;
    uint32_t passes;
    bool just_passed;
    hy_termination termination;
    uint64_t move_hash;
} naive_game;

#define NAIVE_MAX_PLIES 600

void naive_game_start(naive_game *game, const hy_rules *rules, uint64_t max_laps,
                      const hy_position *start);
void naive_game_clean_up(naive_game *game);

bool naive_game_allows(const naive_game *game, hy_player mover, unsigned hole);
void naive_game_ply(naive_game *game, unsigned hole);

/* What the record of the game so far has to be; its number is 0. */
void naive_game_record(const naive_game *game, hy_game_record *record);

#endif
