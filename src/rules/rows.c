#include "rules/rows.h"

#include <string.h>

_Static_assert(HY_ROWS_PLACES == 2 * HY_ROWS_MAX_HOLES, "a place names a row and a hole of it");

bool hy_rows_handles(const hy_rules *rules, unsigned counters)
{
    return rules->holes <= HY_ROWS_MAX_HOLES && counters <= HY_ROWS_MAX_COUNTERS &&
           hy_sow_fast_handles(rules);
}

static bool may_capture(const hy_rules *rules, unsigned mover, unsigned place)
{
    bool own = place / HY_ROWS_MAX_HOLES == mover;
    switch ((hy_side)rules->capture_side) {
    case HY_SIDE_ANY:
        return true;
    case HY_SIDE_OPPONENT:
        return !own;
    case HY_SIDE_OWN:
        return own;
    }
    return false;
}

static void init_place(hy_rows_sower *sower, unsigned hole)
{
    const hy_rules *rules = &sower->rules;
    unsigned size = 2u * rules->holes, place = hy_rows_place(rules, hole), at = hole;
    uint64_t add[2] = {0};
    for (unsigned player = 0; player < 2; player++)
        sower->captures[player] |= (uint16_t)(may_capture(rules, player, place) << place);
    for (unsigned hand = 1; hand <= HY_ROWS_MAX_COUNTERS; hand++) {
        at = at + 1 < size ? at + 1 : 0;
        unsigned landing = hy_rows_place(rules, at);
        add[landing / HY_ROWS_MAX_HOLES] += UINT64_C(1) << 8 * (landing % HY_ROWS_MAX_HOLES);
        add[place / HY_ROWS_MAX_HOLES] -= UINT64_C(1) << 8 * (place % HY_ROWS_MAX_HOLES);
        sower->laps[hand * HY_ROWS_PLACES + place] =
            (hy_rows_lap){.add = {add[0], add[1]}, .landing = landing};
    }
}

static void init_filled(hy_rows_sower *sower, unsigned mask)
{
    unsigned num = 0;
    for (unsigned hole = 0; hole < 8; hole++) {
        if ((mask >> hole & 1) != 0)
            sower->filled[mask * 8 + num++] = (uint8_t)hole;
    }
}

void hy_rows_sower_init(hy_rows_sower *sower, const hy_rules *rules)
{
    memset(sower, 0, sizeof *sower);
    sower->rules = *rules;
    sower->short_laps = rules->relay ? HY_ROWS_SHORT : 1;
    sower->casa = rules->final_capture ? rules->casa : 0;
    for (unsigned hole = 0; hole < 2u * rules->holes; hole++)
        init_place(sower, hole);
    for (unsigned mask = 0; mask < 256; mask++)
        init_filled(sower, mask);
}

hy_rows hy_rows_of(const hy_rules *rules, const uint16_t board[HY_MAX_BOARD])
{
    hy_rows rows = {0};
    for (unsigned hole = 0; hole < rules->holes; hole++) {
        rows.south |= (uint64_t)board[hole] << 8 * hole;
        rows.north |= (uint64_t)board[hole + rules->holes] << 8 * hole;
    }
    return rows;
}

void hy_rows_unpack(const hy_rules *rules, hy_rows rows, uint16_t board[HY_MAX_BOARD])
{
    memset(board, 0, HY_MAX_BOARD * sizeof board[0]);
    for (unsigned hole = 0; hole < 2u * rules->holes; hole++)
        board[hole] = (uint16_t)hy_rows_count(rows, hy_rows_place(rules, hole));
}

hy_ending hy_rows_sow_long(const hy_rows_sower *sower, hy_rows *rows, unsigned mover,
                           unsigned place, uint64_t max_laps, unsigned *casas)
{
    const hy_rules *rules = &sower->rules;
    uint16_t before[HY_MAX_BOARD], after[HY_MAX_BOARD];
    hy_sowing sowing;
    hy_rows_unpack(rules, *rows, before);
    hy_sow(rules, before, hy_rows_hole(rules, place), mover, max_laps, after, &sowing);
    *rows = hy_rows_of(rules, after);
    *casas = sowing.casas;
    return sowing.ending;
}
