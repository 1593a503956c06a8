#include "support/variants.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint8_t value_random(dice *d, const hy_field *field)
{
    if (field->or_zero && dice_one_in(d, 2))
        return 0;
    unsigned span = field->max - field->min + 1;
    if (span > 8 && dice_one_in(d, 2))
        span = 4;
    return (uint8_t)(field->min + dice_below(d, span));
}

hy_rules variant_random(dice *d, unsigned max_holes, unsigned max_seeds)
{
    hy_rules rules;
    bool near_default = dice_one_in(d, 3);
    do {
        rules = hy_rules_default();
        for (size_t i = 0; i < hy_num_fields; i++) {
            if (!near_default || dice_one_in(d, 4))
                ((uint8_t *)&rules)[hy_fields[i].offset] = value_random(d, &hy_fields[i]);
        }
        rules.holes = (uint8_t)(1 + dice_below(d, max_holes));
        rules.seeds = (uint8_t)(1 + dice_below(d, max_seeds));
    } while (hy_rules_check(&rules, NULL, NULL) != HY_OK);
    return rules;
}

static unsigned count_random(dice *d, unsigned manner, const hy_rules *rules)
{
    switch (manner) {
    case 0:
        return dice_one_in(d, 3) ? 1 + dice_below(d, 2) : 0;
    case 1:
        return rules->casa - 1u + dice_below(d, 2);
    case 2:
        return dice_one_in(d, 2) ? rules->casa : dice_below(d, rules->casa + 2u);
    case 3:
        return dice_below(d, 12);
    default:
        return dice_below(d, 2 * HY_MAX_SEEDS);
    }
}

hy_position position_random(dice *d, const hy_rules *rules)
{
    unsigned size = 2u * rules->holes, manner = dice_below(d, 5);
    unsigned room = HY_MAX_BOARD * HY_MAX_SEEDS;
    hy_position position = {.mover = (uint8_t)dice_below(d, 2)};
    if (dice_one_in(d, 2)) {
        unsigned heavy = size * (1 + dice_below(d, 3)) + dice_below(d, 3) - 1;
        position.board[dice_below(d, size)] = (uint16_t)(dice_one_in(d, 8) ? heavy + 300 : heavy);
    }
    for (unsigned i = 0; i < size; i++) {
        if (position.board[i] == 0)
            position.board[i] = (uint16_t)count_random(d, manner, rules);
        if (position.board[i] > room)
            position.board[i] = (uint16_t)room;
        room -= position.board[i];
        position.left = (uint16_t)(position.left + position.board[i]);
    }
    return position;
}

static bool hole_within(dice *d, const hy_position *position, unsigned first, unsigned end,
                        unsigned *hole)
{
    unsigned filled[HY_MAX_BOARD], num = 0;
    for (unsigned i = first; i < end; i++) {
        if (position->board[i] > 0)
            filled[num++] = i;
    }
    if (num == 0)
        return false;
    *hole = filled[dice_below(d, num)];
    return true;
}

bool hole_random(dice *d, const hy_rules *rules, const hy_position *position, unsigned *hole)
{
    return hole_within(d, position, 0, 2u * rules->holes, hole);
}

bool hole_random_of(dice *d, const hy_rules *rules, const hy_position *position, hy_player owner,
                    unsigned *hole)
{
    unsigned first = owner == HY_SOUTH ? 0 : rules->holes;
    return hole_within(d, position, first, first + rules->holes, hole);
}

hy_rules variant_of(const char *text)
{
    hy_rules rules;
    hy_error error;
    if (hy_rules_parse(text, &rules, &error) != HY_OK)
        fail_msg("rules '%s': %s", text, error.text);
    return rules;
}

hy_position position_of(const hy_rules *rules, const char *text)
{
    hy_position position;
    hy_error error;
    if (hy_position_parse(rules, text, &position, &error) != HY_OK)
        fail_msg("position '%s': %s", text, error.text);
    return position;
}

unsigned position_sum(const hy_position *position)
{
    unsigned sum = (unsigned)position->score[HY_SOUTH] + position->score[HY_NORTH];
    for (unsigned i = 0; i < HY_MAX_BOARD; i++)
        sum += position->board[i];
    return sum;
}

void fail_at(const char *what, const hy_rules *rules, const hy_position *position, unsigned hole)
{
    char variant[HY_RULES_TEXT_SIZE], text[HY_POSITION_TEXT_SIZE];
    hy_rules_print(rules, variant);
    hy_position_print(rules, position, text);
    fail_msg("%s\n  rules: %s\n  position: %s\n  hole: %u", what, variant, text, hole);
}
