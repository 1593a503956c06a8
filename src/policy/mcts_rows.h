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

/* What such playouts need to know of a variant. */
struct hy_mcts_rows {
    hy_rows_sower sower;
    uint8_t picks[HY_PICKS]; /* [bits of a word, mask of filled holes]: the hole that it picks */
    hy_rows_laps *sow_usual; /* up to 128 counters on up to 7 holes a row; else `sow_any` */
    hy_rows_laps *sow_any;
};

bool hy_mcts_handles_rows(const hy_rules *rules);

/* Whether a playout can be played so, with rules that are handled. */
bool hy_mcts_fits_rows(const hy_mcts_playouts *playouts, const hy_position *start);

/* For rules that are handled. */
void hy_mcts_rows_init(hy_mcts_rows *rows, const hy_rules *rules);

/* Plays on from a settled position that fits, in which the game is not over: the same game as ply by
 * ply, with the same draws. */
hy_mcts_outcome hy_mcts_play_in_rows(const hy_mcts_playouts *playouts, const hy_position *start,
                                     hy_stream *stream);

#endif
