#include "rules/position.h"

#include <stdio.h>
#include <string.h>

#include "base/words.h"

#define MAX_COUNTERS (HY_MAX_BOARD * HY_MAX_SEEDS)

const char *const hy_player_words[2] = {"south", "north"};

hy_position hy_position_start(const hy_rules *rules)
{
    hy_position position = {.left = (uint16_t)hy_rules_total(rules), .mover = HY_SOUTH};
    for (unsigned i = 0; i < 2u * rules->holes; i++)
        position.board[i] = rules->seeds;
    return position;
}

bool hy_position_is_valid(const hy_rules *rules, const hy_position *position)
{
    unsigned left = 0;
    for (unsigned i = 0; i < HY_MAX_BOARD; i++) {
        if (i >= 2u * rules->holes && position->board[i] > 0)
            return false;
        left += position->board[i];
    }
    return left == position->left && position->mover <= HY_NORTH &&
           left + position->score[0] + position->score[1] <= MAX_COUNTERS;
}

bool hy_positions_are_equal(const hy_position *a, const hy_position *b)
{
    return memcmp(a->board, b->board, sizeof a->board) == 0 &&
           memcmp(a->score, b->score, sizeof a->score) == 0 && a->left == b->left &&
           a->mover == b->mover;
}

hy_position hy_position_turned(const hy_rules *rules, const hy_position *position)
{
    hy_position turned = {
        .score = {position->score[HY_NORTH], position->score[HY_SOUTH]},
        .left = position->left,
        .mover = (uint8_t)hy_opponent(position->mover),
    };
    for (unsigned i = 0; i < rules->holes; i++) {
        turned.board[i] = position->board[i + rules->holes];
        turned.board[i + rules->holes] = position->board[i];
    }
    return turned;
}

void hy_position_print(const hy_rules *rules, const hy_position *position,
                       char buffer[HY_POSITION_TEXT_SIZE])
{
    size_t used = 0;
    for (unsigned i = 0; i < 2u * rules->holes; i++)
        used += (size_t)snprintf(buffer + used, HY_POSITION_TEXT_SIZE - used, "%s%u",
                                 i > 0 ? " " : "", position->board[i]);
    snprintf(buffer + used, HY_POSITION_TEXT_SIZE - used, "/%u %u %s", position->score[HY_SOUTH],
             position->score[HY_NORTH], hy_player_words[position->mover]);
}

/* Reads the counters before `end`, separated by single spaces, into `counters`. */
static bool read_counters(const char **text, char end, uint16_t *counters, unsigned num_counters)
{
    for (unsigned i = 0; i < num_counters; i++) {
        char digits[8];
        size_t length = strspn(*text, "0123456789");
        uint64_t value;
        if (length == 0 || length >= sizeof digits)
            return false;
        memcpy(digits, *text, length);
        digits[length] = '\0';
        if (!hy_parse_u64(digits, &value) || value > MAX_COUNTERS)
            return false;
        counters[i] = (uint16_t)value;
        *text += length;
        if (*(*text)++ != (i + 1 < num_counters ? ' ' : end))
            return false;
    }
    return true;
}

static hy_status no_position(const hy_rules *rules, const char *text, hy_error *error)
{
    char start[HY_POSITION_TEXT_SIZE];
    hy_position position = hy_position_start(rules);
    hy_position_print(rules, &position, start);
    return hy_fail(error, HY_INVALID,
                   "a position is the counters of %u holes, '/', two scores and the player to "
                   "move, for example '%.200s', not '%.80s'",
                   2u * rules->holes, start, text);
}

hy_status hy_position_parse(const hy_rules *rules, const char *text, hy_position *position,
                            hy_error *error)
{
    const char *rest = text;
    hy_position read = {0};
    bool numbers = read_counters(&rest, '/', read.board, 2u * rules->holes) &&
                   read_counters(&rest, ' ', read.score, 2);
    if (!numbers || (strcmp(rest, "south") != 0 && strcmp(rest, "north") != 0))
        return no_position(rules, text, error);
    read.mover = strcmp(rest, "north") == 0 ? HY_NORTH : HY_SOUTH;
    unsigned left = 0;
    for (unsigned i = 0; i < 2u * rules->holes; i++)
        left += read.board[i];
    if (left + read.score[0] + read.score[1] > MAX_COUNTERS)
        return hy_fail(error, HY_INVALID, "a position of more than %u counters", MAX_COUNTERS);
    read.left = (uint16_t)left;
    *position = read;
    return HY_OK;
}
