/* The fast engine: a lap is added to the board as a whole, eight holes at a time.
 *
 * A lap of c counters from hole h on a board of N holes drops one counter into each of the holes
 * h+1 … h+c, modulo N. With P(x) the row that holds 1 in every hole up to x and 0 behind it, this
 * is P(min(h+c, N−1)) − P(h) + P(h+c−N), as long as the lap passes the end of the board once at the
 * most; longer laps take whole rounds off first. No branch depends on the length of a lap. The
 * vectors are the compiler's, so the same source serves every machine. */
#include "rules/sowing.h"
#include "rules/sowing_laps.h"

typedef uint16_t row8 __attribute__((vector_size(16)));

#define ROW 8u

/* P(x) begins at index MAX_BOARD − 1 − x, for x from −1 to MAX_BOARD − 1. */
static const uint16_t ones_then_zeros[2 * HY_MAX_BOARD] = {
#define EIGHT 1, 1, 1, 1, 1, 1, 1, 1
    EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT
#undef EIGHT
};

HY_INLINE row8 load(const uint16_t *from)
{
    row8 row;
    memcpy(&row, from, sizeof row);
    return row;
}

HY_INLINE const uint16_t *ones_up_to(int hole)
{
    return ones_then_zeros + ((int)HY_MAX_BOARD - 1 - hole);
}

static __attribute__((noinline)) unsigned sow_rounds(uint16_t *board, unsigned size, unsigned hand)
{
    for (unsigned hole = 0; hole < size; hole++)
        board[hole] = (uint16_t)(board[hole] + hand / size);
    return hand % size;
}

/* `width` is a constant at least as large as the board. */
HY_INLINE hy_lap_end lap_by_rows(const hy_rules *rules, hy_player mover, hy_laps *state,
                                 unsigned width)
{
    unsigned size = 2u * rules->holes, origin = state->hole;
    uint16_t *board = state->board;
    unsigned hand = board[origin];
    board[origin] = 0;
    state->laps++;
    state->counters += hand;
    if (__builtin_expect(hand > size, 0))
        hand = sow_rounds(board, size, hand);
    int end = (int)(origin + hand), over = end - (int)size;
    const uint16_t *add = ones_up_to(over < 0 ? end : (int)size - 1);
    const uint16_t *subtract = ones_up_to((int)origin);
    const uint16_t *wrapped = ones_up_to(over < 0 ? -1 : over);
    for (unsigned i = 0; i < width; i += ROW) {
        row8 sum = load(board + i) + load(add + i) - load(subtract + i) + load(wrapped + i);
        memcpy(board + i, &sum, sizeof sum);
    }
    state->hole = (unsigned)(over < 0 ? end : over);
    return hy_lap_end_at(rules, mover, board, state->hole);
}

static hy_lap_end lap16(const hy_rules *rules, hy_player mover, hy_laps *state)
{
    return lap_by_rows(rules, mover, state, 16);
}

static hy_lap_end lap32(const hy_rules *rules, hy_player mover, hy_laps *state)
{
    return lap_by_rows(rules, mover, state, 32);
}

static hy_lap_end lap64(const hy_rules *rules, hy_player mover, hy_laps *state)
{
    return lap_by_rows(rules, mover, state, 64);
}

static __attribute__((noinline)) hy_ending long16(const hy_rules *rules, hy_player mover,
                                                  const uint16_t *before, unsigned hole,
                                                  uint64_t max_laps, hy_laps *state)
{
    return hy_follow(lap16, rules, mover, before, hole, max_laps, state);
}

static __attribute__((noinline)) hy_ending long32(const hy_rules *rules, hy_player mover,
                                                  const uint16_t *before, unsigned hole,
                                                  uint64_t max_laps, hy_laps *state)
{
    return hy_follow(lap32, rules, mover, before, hole, max_laps, state);
}

static __attribute__((noinline)) hy_ending long64(const hy_rules *rules, hy_player mover,
                                                  const uint16_t *before, unsigned hole,
                                                  uint64_t max_laps, hy_laps *state)
{
    return hy_follow(lap64, rules, mover, before, hole, max_laps, state);
}

bool hy_sow_fast_handles(const hy_rules *rules)
{
    return !rules->skip_origin && rules->en_passant == HY_EN_PASSANT_NONE;
}

void hy_sow_fast(const hy_rules *rules, const uint16_t before[HY_MAX_BOARD], unsigned hole,
                 hy_player mover, uint64_t max_laps, uint16_t after[HY_MAX_BOARD],
                 hy_sowing *sowing)
{
    if (rules->holes <= 8)
        hy_sow_by(lap16, long16, rules, before, hole, mover, max_laps, after, sowing);
    else if (rules->holes <= 16)
        hy_sow_by(lap32, long32, rules, before, hole, mover, max_laps, after, sowing);
    else
        hy_sow_by(lap64, long64, rules, before, hole, mover, max_laps, after, sowing);
}
