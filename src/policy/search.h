/* Alpha-beta search of one position. Private to src/policy, and to its tests.
 *
 * Values are what the player to move still wins more than the opponent from here on, in units of
 * 1/HY_SEARCH_UNIT counter; what is captured already does not enter (but where the rules have
 * `unfinished: void`, a game without a result counts as a draw, whatever was captured). An endless
 * sowing ends the game with what is captured.
 *
 * Depth counts turns: an extra turn costs none, because it belongs to the turn that captured, as
 * long as the line has not had as many of them as the depth was at the root; further ones cost a
 * turn each. So a search of depth d looks at most 2d plies ahead. Where no turn is left the
 * position is evaluated. The value for a depth is that of plain minimax: it depends neither on the
 * table nor on the order of holes. */
#ifndef HY_POLICY_SEARCH_H
#define HY_POLICY_SEARCH_H

#include "policy/policy.h"
#include "policy/search_table.h"
#include "rules/rows.h"
#include "solve/endgame.h"

#define HY_SEARCH_UNIT 16
#define HY_SEARCH_INFINITY 1000000
#define HY_SEARCH_MAX_DEPTH 64u
#define HY_SEARCH_REACH 8 /* units for each filled hole of the own row more than the opponent's */
#define HY_SEARCH_MAX_PATH 4096u

/* How a position is evaluated at depth 0. */
typedef enum hy_evaluation {
    HY_EVALUATION_CAPTURED, /* 0: what was captured is all */
    HY_EVALUATION_REACH,    /* and what can be expected from the counters on the board */
} hy_evaluation;

/* How much further a line is searched. */
typedef struct hy_horizon {
    uint8_t turns;
    uint8_t extra; /* turns that are not paid for */
} hy_horizon;

static inline hy_horizon hy_horizon_of(unsigned depth)
{
    return (hy_horizon){(uint8_t)depth, (uint8_t)depth};
}

typedef struct hy_search {
    const hy_rules *rules;
    uint64_t max_laps;
    hy_evaluation evaluation;
    hy_search_table *table;
    const hy_rows_sower *sower; /* of hy_search_handles_rows, not with `endgame`; may be NULL, and
                                   the same nodes are searched, more slowly */
    const hy_endgame *endgame;  /* positions that it has are not searched; may be NULL */
    uint64_t max_nodes;         /* 0: no limit */
    double deadline;            /* by a monotonic clock; 0: none */
    uint64_t nodes;             /* plies searched */
    bool stopped;               /* a limit was met; values are void then */
    bool complete;              /* nothing was evaluated short of the game's end, since last set */
    uint32_t cutoffs[2][HY_MAX_BOARD];
    /* positions since the last capture on the way here, where the rules have `repetition` */
    hy_search_key path[HY_SEARCH_MAX_PATH];
    unsigned path_start, path_end;
    bool history_counts;   /* no capture on the way: the positions of the game itself count too */
    const hy_choice *root; /* has the game's history */
} hy_search;

/* A ply and what it leads to. */
typedef struct hy_successor {
    hy_position position; /* settled */
    hy_moves moves;
    uint8_t hole;
    bool over;
    bool same_mover;
    bool extra; /* the turn goes on */
    bool captured;
    int32_t gain; /* of the player who moved, in units; all there is where the game is over */
    uint32_t order;
} hy_successor;

/* Plays a hole of a settled position. */
void hy_search_successor(const hy_search *search, const hy_position *position, unsigned hole,
                         hy_successor *successor);

/* The value of a settled position to the player to move, exact where it lies between alpha and
 * beta, else a bound on the side where it lies (fail-soft). */
int32_t hy_search_value(hy_search *search, const hy_position *position, const hy_moves *moves,
                        hy_horizon horizon, int32_t alpha, int32_t beta);

/* What is left of the horizon after a ply that leads to `successor`. */
hy_horizon hy_horizon_after(hy_horizon horizon, const hy_successor *successor);

/* The value of having played to `successor`, `horizon` being that before the ply (at least one
 * turn), to the player who played. */
int32_t hy_search_ply(hy_search *search, const hy_successor *successor, hy_horizon horizon,
                      int32_t alpha, int32_t beta);

/* By how many filled holes more are the mover's, and the counters left. */
int32_t hy_search_expect(int32_t filled, unsigned left);

/* Where the rules have `repetition`: what a value depends on for the positions on the way here. */
uint64_t hy_search_path_salt(const hy_search *search);

/* Puts a position on the way, which the caller takes back: its key without a salt, whether the ply
 * to it captured, how often it occurred in the game; whether the game ends by repetition now. */
bool hy_search_enter(hy_search *search, hy_search_key key, bool captured, unsigned times_in_game);

/* Whether a `sower` can be given. */
bool hy_search_handles_rows(const hy_rules *rules);

/* hy_search_ply and hy_search_value, which call these, with a sower. */
int32_t hy_search_ply_in_rows(hy_search *search, const hy_successor *successor, hy_horizon horizon,
                              int32_t alpha, int32_t beta);
int32_t hy_search_value_in_rows(hy_search *search, const hy_successor *general, hy_horizon horizon,
                                int32_t alpha, int32_t beta);

int32_t hy_search_evaluate(const hy_search *search, const hy_position *position);

#endif
