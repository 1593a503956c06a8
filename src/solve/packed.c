#include "solve/packed.h"

#include <string.h>

static unsigned bits_for(unsigned counters)
{
    unsigned bits = 2;
    while (counters >> bits)
        bits++;
    return bits;
}

bool hy_packed_handles(const hy_endgame *endgame, unsigned counters)
{
    const hy_rules *rules = &endgame->rules;
    unsigned bits = bits_for(counters);
    return rules->en_passant == HY_EN_PASSANT_NONE && !rules->skip_origin && rules->holes > 1 &&
           counters > 0 && bits <= HY_PACKED_BITS && bits * 2 * rules->holes <= 64 &&
           hy_index_count(&endgame->index, counters) <= UINT32_MAX;
}

static bool may_capture(const hy_rules *rules, unsigned number)
{
    switch ((hy_side)rules->capture_side) {
    case HY_SIDE_ANY:
        return true;
    case HY_SIDE_OPPONENT:
        return number >= rules->holes;
    case HY_SIDE_OWN:
        return number < rules->holes;
    }
    return false;
}

static void init_hole(hy_packed *packed, const hy_rules *rules, unsigned number)
{
    unsigned hole = number * packed->bits, casa = rules->casa;
    packed->number[hole] = (uint8_t)number;
    if (casa <= packed->field && may_capture(rules, number))
        packed->captures[hole] = UINT64_C(1) << casa;
    packed->ends[hole] = rules->relay ? 2 : UINT64_MAX;
    if (rules->final_capture)
        packed->ends[hole] |= packed->captures[hole];
    uint64_t add = 0;
    for (unsigned count = 1; count <= packed->field; count++) {
        unsigned at = (number + count) % packed->size * packed->bits;
        add += (UINT64_C(1) << at) - (UINT64_C(1) << hole);
        packed->add[hole << packed->bits | count] = add;
        packed->landing[hole << packed->bits | count] = (uint8_t)at;
        if (count < packed->size)
            packed->spans[hole << 6 | at] = add;
    }
}

static void init_places(hy_packed *packed, const hy_index *index)
{
    unsigned counters = packed->counters, size = packed->size;
    for (unsigned i = 0; 2 * i < size; i++) {
        for (unsigned a = 0; a <= counters; a++) {
            for (unsigned b = a; b <= counters; b++) {
                uint64_t way = hy_index_way(index, 2 * i, a);
                if (2 * i + 2 < size)
                    way += hy_index_way(index, 2 * i + 1, b);
                packed->places[i][b << packed->bits | a] = (uint32_t)way;
            }
        }
    }
}

void hy_packed_init(hy_packed *packed, const hy_endgame *endgame, unsigned counters)
{
    const hy_rules *rules = &endgame->rules;
    memset(packed, 0, sizeof *packed);
    packed->bits = bits_for(counters);
    packed->size = 2u * rules->holes;
    packed->width = packed->size * packed->bits;
    packed->counters = counters;
    packed->field = (UINT64_C(1) << packed->bits) - 1;
    for (unsigned hole = 0; hole < packed->width; hole += packed->bits) {
        packed->one |= UINT64_C(1) << hole;
        packed->whole |= packed->field << hole;
        memset(packed->hole + hole, (int)hole, packed->bits);
    }
    packed->top = packed->one << (packed->bits - 1);
    packed->row = (UINT64_C(1) << packed->width / 2) - 1;
    for (unsigned number = 0; number < packed->size; number++)
        init_hole(packed, rules, number);
    init_places(packed, &endgame->index);
    for (unsigned i = 0; i < endgame->num_layers; i++) {
        if (endgame->layers[i].counters < counters)
            packed->below[endgame->layers[i].counters] = endgame->layers[i].values;
    }
}

uint64_t hy_packed_of(const hy_packed *packed, const uint8_t *board)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < packed->size; i++)
        word |= (uint64_t)board[i] << i * packed->bits;
    return word;
}

void hy_packed_unpack(const hy_packed *packed, uint64_t board, uint8_t *bytes)
{
    for (unsigned i = 0; i < packed->size; i++)
        bytes[i] = (uint8_t)hy_packed_count(packed, board, i * packed->bits);
}
