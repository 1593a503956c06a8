/* What Monte-Carlo tree search plays from a leaf of its tree, and how it counts what came out.
 * Private to src/policy, and to its tests. */
#ifndef HY_POLICY_MCTS_PLAYOUT_H
#define HY_POLICY_MCTS_PLAYOUT_H

#include "random/stream.h"
#include "rules/ply.h"

/* Points of a win; a draw and a game without a result give half of it. */
#define HY_MCTS_WIN 65536u

/* Plies of a playout without a cut: not every variant comes to an end. */
#define HY_MCTS_MAX_PLIES 10000u

/* What came out of a playout, in south's view. */
typedef struct hy_mcts_outcome {
    uint32_t points;    /* 0 … HY_MCTS_WIN */
    int32_t difference; /* counters of south less those of north, when it ended or was cut */
    uint32_t plies;     /* that were played */
} hy_mcts_outcome;

/* How playouts are played. */
typedef struct hy_mcts_playouts {
    hy_rules rules;    /* without `repetition`: playouts keep no history */
    bool void_ends;    /* endless and stuck games have no result, however large the lead is */
    bool greedy;       /* the ply that wins most, ties at random; else any, uniformly */
    bool for_counters; /* points are shares of the counters, not results */
    const struct hy_mcts_rows *rows; /* where hy_mcts_handles_rows; may be NULL: the same, slower */
    uint64_t max_laps;
    uint32_t max_plies; /* then a playout is cut, and its result estimated */
    unsigned total;     /* counters on the board and captured */
} hy_mcts_playouts;

/* The points of a result, or where the game is for counters, of a difference. */
hy_mcts_outcome hy_mcts_outcome_of(const hy_mcts_playouts *playouts, hy_result result,
                                   int32_t difference);

/* Whether one player leads by more than there is left to win. */
static inline bool hy_mcts_is_decided(const hy_position *position)
{
    unsigned south = position->score[HY_SOUTH], north = position->score[HY_NORTH];
    return south > north + position->left || north > south + position->left;
}

/* South's points where a playout is cut with `left` counters on the board. The lead is held against
 * the spread of what is still to be won, as if each casa fell to either player by chance: a normal
 * distribution of variance casa · left, replaced by a curve of the same slope at 0 that needs no
 * function but the square root, which is the same on every machine. */
uint32_t hy_mcts_estimate(const hy_mcts_playouts *playouts, int32_t difference, unsigned left);

static inline bool hy_mcts_stops_when_decided(const hy_mcts_playouts *playouts)
{
    return !playouts->for_counters && !playouts->void_ends;
}

/* The outcome of a game that ended so, or was cut; of `end`, score and left count. */
hy_mcts_outcome hy_mcts_outcome_at(const hy_mcts_playouts *playouts, const hy_position *end,
                                   hy_termination termination);

/* Plays on from a settled position in which the game is not over. A playout of results stops when
 * its result is decided. */
hy_mcts_outcome hy_mcts_play_on(const hy_mcts_playouts *playouts, const hy_position *start,
                                hy_stream *stream);

#endif
