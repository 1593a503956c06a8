/* A second meaning of the measures of games played again: games on the naive engine, positions
 * valued one by one, every measure counted anew from what was written down. */
#ifndef HY_SUPPORT_VALUED_GAME_H
#define HY_SUPPORT_VALUED_GAME_H

#include "sim/quality.h"
#include "support/naive_game.h"
#include "support/policies.h"

/* A position of the game, and what was played there. */
typedef struct valued_position {
    hy_position position;
    hy_moves moves;
    double values[HY_MAX_HOLES]; /* of the holes, where there are several */
    bool exact;
    double south; /* e_south */
    int lead;
    unsigned hole;
    naive_sowing sowing;
} valued_position;

typedef struct valued_game {
    hy_rules rules;
    valued_position *positions; /* [plies + 1] */
    size_t plies;
    hy_termination termination;
    hy_result result;
    hy_hole_list holes;
} valued_game;

/* Plays random holes and values the positions with the policy. */
valued_game valued_game_play(const hy_condition *condition, hy_policy *evaluator, dice *d);
void valued_game_clean_up(valued_game *game);

/* What the game adds to the sums. */
void valued_game_add(const valued_game *game, hy_quality_sums *sums);

/* A policy that values a hole by what it wins at once, and by numbers made from the board. */
extern const hy_policy_type valued_policy;

#endif
