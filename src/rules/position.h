/* What a position is: counters on the board, captured counters, the player to move. */
#ifndef HY_RULES_POSITION_H
#define HY_RULES_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "rules/rules.h"

typedef enum hy_player {
    HY_SOUTH,
    HY_NORTH,
} hy_player;

extern const char *const hy_player_words[2]; /* "south", "north" */

/* A value. Holes are numbered counter-clockwise: south's 0 … holes−1, then north's. */
typedef struct hy_position {
    uint16_t board[HY_MAX_BOARD]; /* counters a hole; holes past the variant's are 0 */
    uint16_t score[2];            /* captured by south, by north */
    uint16_t left;                /* counters on the board */
    uint8_t mover;                /* hy_player: who moves next */
} hy_position;

static inline hy_player hy_opponent(hy_player player)
{
    return player == HY_SOUTH ? HY_NORTH : HY_SOUTH;
}

/* Whose hole that is. */
static inline hy_player hy_owner(const hy_rules *rules, unsigned hole)
{
    return hole < rules->holes ? HY_SOUTH : HY_NORTH;
}

/* `seeds` counters in every hole, nothing captured, south to move. */
hy_position hy_position_start(const hy_rules *rules);

/* Whether `left` is the sum of the board, no hole past the board is filled, and board and scores
 * together hold at most as many counters as the largest variant has. */
bool hy_position_is_valid(const hy_rules *rules, const hy_position *position);

/* Bytes between and behind the members do not count. */
bool hy_positions_are_equal(const hy_position *a, const hy_position *b);

/* The board turned and the players swapped. */
hy_position hy_position_turned(const hy_rules *rules, const hy_position *position);

/* Room for the text of any position. */
#define HY_POSITION_TEXT_SIZE 512

/* Writes "board/score mover": "4 4 4 4 4 4 4 4 4 4 4 4/0 0 south". */
void hy_position_print(const hy_rules *rules, const hy_position *position,
                       char buffer[HY_POSITION_TEXT_SIZE]);

/* Reads what hy_position_print writes. */
HY_MUST_CHECK hy_status hy_position_parse(const hy_rules *rules, const char *text,
                                          hy_position *position, hy_error *error);

#endif
