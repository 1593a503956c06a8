/* Positions and plies as text for people: the one drawing of `replay` and `play`. */
#ifndef HY_CLI_BOARD_TEXT_H
#define HY_CLI_BOARD_TEXT_H

#include "sim/game.h"

/* Whether text on stdout may have colour: it is a terminal that knows it, and NO_COLOR is not set.
 */
bool hy_colour_wanted(void);

/* What a colour draws the eye to; nothing is told by colour alone. */
typedef struct hy_board_marks {
    bool colour;
    const hy_moves *moves; /* numbers of these holes stand out, unless NULL */
} hy_board_marks;

/* Draws the board on stdout as south sees it: numbers of the holes, north's row from right to left,
 * south's row, what each has captured. `marks` may be NULL. */
void hy_print_board(const hy_rules *rules, const hy_position *position,
                    const hy_board_marks *marks);

/* The two rows alone, for a board in mid-sowing. */
void hy_print_rows(const hy_rules *rules, const uint16_t *board, const hy_board_marks *marks);

/* One line about the last ply of a game: "ply 3: south plays hole 4: 2 laps, …". */
void hy_print_ply(const hy_game *game, hy_player mover, unsigned hole);

/* One line about the end of a game: "claimed after 35 plies; south 36, north 12: south". */
void hy_print_end(const hy_game_record *record);

#endif
