/* One game: the state between plies, the record of what happened, and how policies play it.
 *
 * The same steps serve batches, replays and the verification of stored games. */
#ifndef HY_SIM_GAME_H
#define HY_SIM_GAME_H

#include "policy/lanes.h"
#include "rules/game_record.h"
#include "sim/experiment.h"
#include "sim/history.h"

/* A game in progress; the caller's storage. */
typedef struct hy_game {
    const hy_rules *rules;
    hy_history *history; /* of the caller; used where the rules have `repetition` */
    uint64_t max_laps;
    hy_position positions[2]; /* the current one, and room for the next */
    unsigned current;
    hy_moves moves;       /* legal now */
    hy_ply ply;           /* the last one */
    uint32_t last_passes; /* passes after the last ply (or before the first) */
    uint32_t turn_length;
    uint8_t last_mover;
    uint8_t leader;        /* hy_player, or 2: nobody has led yet */
    hy_game_record record; /* up to now; `termination` is HY_GOES_ON until the end */
} hy_game;

static inline const hy_position *hy_game_position(const hy_game *game)
{
    return &game->positions[game->current];
}

static inline bool hy_game_is_over(const hy_game *game)
{
    return game->record.termination != HY_GOES_ON;
}

/* Starts a game at `start` (a copy is taken) and takes steps (g) and (h) before the first ply. */
HY_MUST_CHECK hy_status hy_game_start(hy_game *game, const hy_rules *rules, uint64_t max_laps,
                                      hy_history *history, const hy_position *start,
                                      hy_error *error);

/* Plays a legal hole of a game that is not over. */
HY_MUST_CHECK hy_status hy_game_ply(hy_game *game, unsigned hole, hy_error *error);

/* Ends a game that is not over because it has had its plies. */
void hy_game_truncate(hy_game *game);

/* Whether the hole is legal now. */
bool hy_game_allows(const hy_game *game, unsigned hole);

/* Where a game that is not over stands, as a policy is asked; valid until the game goes on. */
hy_choice hy_game_choice(const hy_game *game, hy_stream *stream);

/* Who plays a game: policies set up for the condition, and the memory that games share. */
typedef struct hy_table {
    const hy_condition *condition;
    hy_policy *seats[2]; /* south, north; owned */
    hy_history history;
} hy_table;

/* Sets up the policies of a condition, `swapped` with the second one south. */
HY_MUST_CHECK hy_status hy_table_init(hy_table *table, const hy_condition *condition, bool swapped,
                                      hy_error *error);
void hy_table_clean_up(hy_table *table);

/* Plays game `number` of the experiment's seed, in the fastest way that gives this game. `holes`,
 * unless NULL, receives the holes played. */
HY_MUST_CHECK hy_status hy_table_play(hy_table *table, uint64_t seed, uint64_t number,
                                      hy_hole_list *holes, hy_game_record *record, hy_error *error);

/* Whether games of the condition can be played many at once (policy/lanes.h); *terms says how. */
bool hy_condition_has_lanes(const hy_condition *condition, hy_playout_terms *terms);

/* The same game ply by ply, as it is defined. */
HY_MUST_CHECK hy_status hy_table_play_by_plies(hy_table *table, uint64_t seed, uint64_t number,
                                               hy_hole_list *holes, hy_game_record *record,
                                               hy_error *error);

#endif
