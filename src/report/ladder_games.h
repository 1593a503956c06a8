/* The games of a ladder as they come from the store. Private to src/report. */
#ifndef HY_REPORT_LADDER_GAMES_H
#define HY_REPORT_LADDER_GAMES_H

#include "report/ladder.h"

/* Games with a result, to be rated; the caller's storage, zeroed before first use. */
typedef struct hy_ladder_games {
    hy_rated_game *games;
    size_t num, capacity;
} hy_ladder_games;

/* Reads the games of pairing->condition: fills the counts of the pairing, its units and how many
 * are distinct, and adds the games with a result to `games`. */
HY_MUST_CHECK hy_status hy_ladder_read(hy_store *store, hy_ladder_pairing *pairing,
                                       hy_ladder_games *games, hy_error *error);

#endif
