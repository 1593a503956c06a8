/* Random playouts of Monte-Carlo tree search on small boards, in registers. Private to src/policy,
 * and to its tests. */
#ifndef HY_POLICY_MCTS_ROWS_H
#define HY_POLICY_MCTS_ROWS_H

#include "policy/mcts_playout.h"
#include "rules/rows.h"

#define HY_PICK_BITS 7u /* of a word, the highest */
#define HY_PICKS (((1u << HY_PICK_BITS) + 1) << HY_ROWS_MAX_HOLES)

#define HY_ROWS_MAX_STEPS 128u

typedef struct hy_mcts_rows hy_mcts_rows;
typedef struct hy_rows_game hy_rows_game;
typedef struct hy_rows_words hy_rows_words;

/* Sows laps until something comes that takes a closer look: a capture, a pick that the table does
 * not settle, and in any case after HY_ROWS_MAX_STEPS. Returns how many steps are left then; the
 * last lap, which ended in game->place and made game->count there, is sown but nothing follows from
 * it yet. */
typedef unsigned hy_rows_laps(const hy_mcts_rows *tables, hy_rows_game *game, hy_rows_words *words);

/* Up to 127 counters on up to 7 holes a row; the same for processors with BMI2; any board. */
hy_rows_laps hy_rows_sow_usual, hy_rows_sow_usual_bmi2, hy_rows_sow_any;

/* What such playouts need to know of a variant. */
struct hy_mcts_rows {
    hy_rows_sower sower;
    uint8_t picks[HY_PICKS]; /* [bits of a word, mask of filled holes]: the hole that it picks */
    hy_rows_laps *sow_usual; /* on this processor */
};

/* A settled position of at most HY_ROWS_MAX_COUNTERS. */
typedef struct hy_mcts_spot {
    hy_rows rows;
    uint16_t score[2];
    uint16_t left;
    uint8_t mover;
    bool captured; /* the ply that led here did */
} hy_mcts_spot;

bool hy_mcts_handles_rows(const hy_rules *rules);

hy_mcts_spot hy_mcts_spot_of(const hy_rules *rules, const hy_position *position);
hy_position hy_mcts_spot_unpack(const hy_rules *rules, const hy_mcts_spot *spot);

/* Plays a hole and settles, as hy_ply_play and hy_settle do; boards are not cleared at the end. */
hy_termination hy_mcts_spot_play(const hy_rows_sower *sower, uint64_t max_laps,
                                 const hy_mcts_spot *before, unsigned hole, hy_mcts_spot *after);

/* As hy_mcts_play_on. */
hy_mcts_outcome hy_mcts_play_on_in_rows(const hy_mcts_playouts *playouts, const hy_mcts_spot *start,
                                        hy_stream *stream);

/* For rules that are handled. */
void hy_mcts_rows_init(hy_mcts_rows *rows, const hy_rules *rules);

/* Whether playouts can be played in rows, with rules that are handled. */
bool hy_mcts_plays_in_rows(const hy_mcts_playouts *playouts);

/* Plays on from a position in which the game is not over: the same game as ply by ply, with the
 * same draws. */
hy_mcts_outcome hy_mcts_play_in_rows(const hy_mcts_playouts *playouts, const hy_mcts_spot *start,
                                     hy_stream *stream);

#endif
