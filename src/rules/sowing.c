#include "rules/sowing.h"

#include "rules/sowing_laps.h"

const char *const hy_ending_words[] = {"empty", "capture", "occupied", "endless", "unresolved"};

/* A counter that is not final has made a casa at `hole`. */
static void take_en_passant(const hy_rules *rules, hy_player mover, unsigned hole, hy_laps *state)
{
    hy_player taker = mover;
    switch ((hy_en_passant)rules->en_passant) {
    case HY_EN_PASSANT_NONE:
        return;
    case HY_EN_PASSANT_SOWER:
        if (!hy_may_capture(rules, mover, hole))
            return;
        break;
    case HY_EN_PASSANT_OWNER:
        taker = hy_owner(rules, hole);
        break;
    }
    state->board[hole] = 0;
    state->en_passant[taker]++;
}

hy_lap_end hy_lap_by_counters(const hy_rules *rules, hy_player mover, hy_laps *state)
{
    unsigned size = 2u * rules->holes, origin = state->hole, hole = origin;
    unsigned hand = state->hand;
    state->board[origin] = 0;
    state->laps++;
    state->counters += hand;
    while (hand > 0) {
        hole = hole + 1 < size ? hole + 1 : 0;
        if (hole == origin && rules->skip_origin)
            continue;
        state->board[hole]++;
        hand--;
        if (hand > 0 && state->board[hole] == rules->casa)
            take_en_passant(rules, mover, hole, state);
    }
    state->hole = hole;
    state->hand = state->board[hole];
    return hy_lap_end_at(rules, mover, hole, state->hand);
}

static hy_ending long_sowing(const hy_rules *rules, hy_player mover, const uint16_t *before,
                             unsigned hole, uint64_t max_laps, hy_laps *state)
{
    return hy_follow(hy_lap_by_counters, rules, mover, before, hole, max_laps, state);
}

void hy_sow_reference(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
                      hy_player mover, uint64_t max_laps, uint16_t after[HY_MAX_BOARD],
                      hy_sowing *sowing)
{
    hy_sow_by(hy_lap_by_counters, long_sowing, rules, before, hole, mover, max_laps, after, sowing);
}

void hy_sow(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
            hy_player mover, uint64_t max_laps, uint16_t after[HY_MAX_BOARD], hy_sowing *sowing)
{
    if (hy_sow_fast_handles(rules))
        hy_sow_fast(rules, before, hole, mover, max_laps, after, sowing);
    else
        hy_sow_reference(rules, before, hole, mover, max_laps, after, sowing);
}
