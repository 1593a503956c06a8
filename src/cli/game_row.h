/* Games as rows of JSON, as `hoyito replay` reads and writes them. */
#ifndef HY_CLI_GAME_ROW_H
#define HY_CLI_GAME_ROW_H

#include <jansson.h>

#include "sim/game.h"

/* Adds score, plies, turns, passes, termination and result to a row. */
void hy_add_game_to_row(json_t *row, const hy_game_record *record);

/* The row of a game: rules, max_plies, max_laps, the holes played, and what
 * hy_add_game_to_row adds. NULL where memory is refused. */
json_t *hy_game_row(const hy_rules *rules, uint32_t max_plies, uint64_t max_laps,
                    const hy_hole_list *holes, const hy_game_record *record);

#endif
