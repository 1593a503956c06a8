/* One ply in a game: which holes are legal, what a ply changes, who moves next, how a game ends.
 *
 * The order of things at the end of a ply: (a) an endless sowing ends the game; (b) captures are
 * booked; (c) a capture that empties the board, (d) a claim, or (e) too few counters for a casa end
 * it; (f) the next player; (g) a player without a move passes or is swept, or nobody can move; (h)
 * repetition. hy_ply_play does (a) to (f), hy_settle does (g); (h) needs the game's history and is
 * the simulation's. Nothing here allocates. */
#ifndef HY_RULES_PLY_H
#define HY_RULES_PLY_H

#include "rules/sowing.h"

/* How a game ended. The words of hy_termination_words are those of the database. */
typedef enum hy_termination {
    HY_GOES_ON, /* not at all so far */
    HY_CLAIMED,
    HY_EXHAUSTED,
    HY_SWEPT,
    HY_STUCK,
    HY_REPETITION,
    HY_ENDLESS,
    HY_UNRESOLVED,
    HY_TRUNCATED,
    HY_NUM_TERMINATIONS,
} hy_termination;

extern const char *const hy_termination_words[HY_NUM_TERMINATIONS];

/* Whether a game that ended so was cut by the simulation: its length is only a lower bound. */
static inline bool hy_is_cut(hy_termination termination)
{
    return termination == HY_TRUNCATED || termination == HY_UNRESOLVED;
}

typedef enum hy_result {
    HY_RESULT_SOUTH,
    HY_RESULT_NORTH,
    HY_RESULT_DRAW,
    HY_RESULT_NONE,
    HY_NUM_RESULTS,
} hy_result;

extern const char *const hy_result_words[HY_NUM_RESULTS];

/* The legal holes of the player to move, from low to high. */
typedef struct hy_moves {
    uint8_t num;
    uint8_t hole[HY_MAX_HOLES];
} hy_moves;

/* What a ply did beyond its sowing. */
typedef struct hy_ply {
    hy_sowing sowing;
    hy_termination termination;
    bool sower_captured;
    bool captured; /* by anyone */
    bool again;    /* the game goes on and the same player is to move (before passes) */
    uint16_t claimed;
} hy_ply;

/* The legal holes of `position`. With `endless: forbid` every sowing is tried. */
void hy_legal_moves(const hy_rules *rules, const hy_position *position, uint64_t max_laps,
                    hy_moves *moves);

/* Whether `hole` is one of the player to move and not empty. */
bool hy_is_playable(const hy_rules *rules, const hy_position *position, unsigned hole);

/* Plays a legal hole of `before` into `after` (another position). The player to move afterwards is
 * the one of step (f), also when the game has ended. */
void hy_ply_play(const hy_rules *rules, const hy_position *before, unsigned hole, uint64_t max_laps,
                 hy_position *after, hy_ply *ply);

/* Step (g): finds the moves of the player to move, passing or sweeping where there are none. Adds
 * to *passes. Afterwards, if the game goes on, `moves` is not empty. */
hy_termination hy_settle(const hy_rules *rules, uint64_t max_laps, hy_position *position,
                         hy_moves *moves, uint32_t *passes);

/* The result of a game that ended so. */
hy_result hy_game_result(const hy_rules *rules, const hy_position *position,
                         hy_termination termination);

#endif
