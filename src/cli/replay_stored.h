/* A stored game, shown ply by ply. */
#ifndef HY_CLI_REPLAY_STORED_H
#define HY_CLI_REPLAY_STORED_H

#include "sim/game.h"

typedef struct hy_stored_game {
    const char *database;
    uint64_t condition; /* from 1 */
    uint64_t number;
    bool number_given;
    bool swapped;
    bool json;
} hy_stored_game;

/* Plays the game from its seed, compares it with the stored row where there is one, and shows it.
 */
HY_MUST_CHECK hy_status hy_replay_stored(const hy_stored_game *game, hy_error *error);

#endif
