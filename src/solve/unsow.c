#include "solve/unsow.h"

#include <stdbool.h>
#include <string.h>

typedef struct search {
    const hy_rules *rules;
    hy_unsow_visitor *visit;
    void *context;
    unsigned size, counters;
} search;

static bool may_capture(const hy_rules *rules, unsigned hole)
{
    switch ((hy_side)rules->capture_side) {
    case HY_SIDE_ANY:
        return true;
    case HY_SIDE_OPPONENT:
        return hole >= rules->holes;
    case HY_SIDE_OWN:
        return hole < rules->holes;
    }
    return false;
}

static bool captures_at(const hy_rules *rules, unsigned hole, unsigned count)
{
    return rules->final_capture && count == rules->casa && may_capture(rules, hole);
}

static bool captures_in_passing(const hy_rules *rules, unsigned hole, unsigned count)
{
    switch ((hy_en_passant)rules->en_passant) {
    case HY_EN_PASSANT_NONE:
        return false;
    case HY_EN_PASSANT_SOWER:
        return count == rules->casa && may_capture(rules, hole);
    case HY_EN_PASSANT_OWNER:
        return count == rules->casa;
    }
    return false;
}

/* Sows `count` counters from `hole`, which holds them; false: a casa is taken in passing. */
static bool sow_lap(const search *s, uint8_t *board, unsigned hole, unsigned count,
                    unsigned *landing)
{
    unsigned at = hole;
    board[hole] = 0;
    for (unsigned hand = count; hand > 0;) {
        at = at + 1 < s->size ? at + 1 : 0;
        if (at == hole && s->rules->skip_origin)
            continue;
        board[at]++;
        if (--hand > 0 && captures_in_passing(s->rules, at, board[at]))
            return false;
    }
    *landing = at;
    return true;
}

/* Takes a lap of `count` counters from `hole` back; false: no such lap led here. */
static bool undo_lap(const search *s, const uint8_t *board, unsigned landing, unsigned hole,
                     unsigned count, uint8_t *before)
{
    uint8_t again[HY_MAX_BOARD];
    unsigned at = hole, hand = count, end;
    memcpy(before, board, s->size);
    while (hand > 0) {
        at = at + 1 < s->size ? at + 1 : 0;
        if (at == hole && s->rules->skip_origin)
            continue;
        if (before[at]-- == 0)
            return false;
        hand--;
    }
    if (at != landing || before[hole] != 0)
        return false;
    before[hole] = (uint8_t)count;
    if (s->rules->en_passant == HY_EN_PASSANT_NONE)
        return true;
    memcpy(again, before, s->size);
    return sow_lap(s, again, hole, count, &end);
}

static void undo_from(const search *s, const uint8_t *board, unsigned landing);

static void try_lap(const search *s, const uint8_t *board, unsigned landing, unsigned hole,
                    unsigned count)
{
    const hy_rules *rules = s->rules;
    uint8_t before[HY_MAX_BOARD];
    if (!undo_lap(s, board, landing, hole, count, before))
        return;
    if (hole < rules->holes)
        s->visit(s->context, before, hole);
    if (rules->relay && count > 1 && !captures_at(rules, hole, count))
        undo_from(s, before, hole);
}

static void undo_from(const search *s, const uint8_t *board, unsigned landing)
{
    unsigned size = s->size, distance = 1;
    while (distance < size && board[(landing + size - distance) % size] > 0)
        distance++;
    unsigned hole = (landing + size - distance) % size; /* the nearest empty one, if any is */
    if (distance < size)
        try_lap(s, board, landing, hole, distance);
    if (s->rules->skip_origin && distance < size) {
        for (unsigned count = distance + size - 1; count <= s->counters; count += size - 1)
            try_lap(s, board, landing, hole, count);
    } else if (!s->rules->skip_origin && distance == size) {
        for (unsigned count = size; count <= s->counters; count++)
            try_lap(s, board, landing, (landing + size - count % size) % size, count);
    }
}

void hy_unsow(const hy_rules *rules, const uint8_t *after, hy_unsow_visitor *visit, void *context)
{
    search s = {rules, visit, context, 2u * rules->holes, 0};
    for (unsigned i = 0; i < s.size; i++)
        s.counters += after[i];
    for (unsigned landing = 0; landing < s.size; landing++) {
        bool ends = after[landing] == 1 || (!rules->relay && after[landing] > 1);
        if (ends && !(after[landing] > 1 && captures_at(rules, landing, after[landing])))
            undo_from(&s, after, landing);
    }
}
