/* The fast engine: a lap is added to the board as a whole, eight holes at a time.
 *
 * A lap of c < N counters from hole h on a board of N holes drops one counter into each of the
 * holes h+1 … h+c, modulo N. With P(x) the row that holds 1 in every hole up to x and 0 behind it,
 * this is P(min(h+c, N−1)) − P(h) + P(h+c−N). No branch depends on the length of a lap, and what
 * the landing hole will hold is known before the row is added: one more than it held. Longer laps
 * are sown counter by counter. The vectors are the compiler's, so the same source serves every
 * machine. */
#include "rules/sowing.h"
#include "rules/sowing_laps.h"

typedef uint16_t row8 __attribute__((vector_size(16)));

#define ROW 8u
#define EIGHT(x) x, x, x, x, x, x, x, x
#define SIXTY_THREE(x)                                                                             \
    EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), EIGHT(x), x, x, x, x, x, x, x

/* P(x) begins at index HY_MAX_BOARD − 1 − x, for x from −1 to HY_MAX_BOARD − 1. */
static const uint16_t ones_then_zeros[2 * HY_MAX_BOARD] = {SIXTY_THREE(1), 1};

/* The mask that clears hole x alone begins at index HY_MAX_BOARD − 1 − x. */
static const uint16_t all_but_one[2 * HY_MAX_BOARD] = {SIXTY_THREE(0xffff), 0, SIXTY_THREE(0xffff),
                                                       0xffff};

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

/* `width` is a constant at least as large as the board. */
HY_INLINE hy_lap_end lap_by_rows(const hy_rules *rules, hy_player mover, hy_laps *state,
                                 unsigned width)
{
    unsigned size = 2u * rules->holes, origin = state->hole, hand = state->hand;
    uint16_t *board = state->board;
    if (__builtin_expect(hand >= size, 0)) {
        hy_laps long_lap = *state; /* a copy, so that `state` itself can stay in registers */
        hy_lap_end long_end = hy_lap_by_counters(rules, mover, &long_lap);
        *state = long_lap;
        return long_end;
    }
    /* `before_end` is all ones while the lap stays short of the board's end, else 0. */
    int over = (int)(origin + hand) - (int)size, before_end = over >> 31;
    unsigned landing = (unsigned)(over + ((int)size & before_end));
    unsigned count = board[landing] + 1u;
    const uint16_t *keep = all_but_one + (HY_MAX_BOARD - 1 - origin);
    const uint16_t *subtract = ones_up_to((int)origin);
    const uint16_t *add = ones_up_to((int)size - 1 + ((over + 1) & before_end));
    const uint16_t *wrapped = ones_up_to(over | before_end);
    for (unsigned i = 0; i < width; i += ROW) {
        row8 rest = (load(board + i) & load(keep + i)) - load(subtract + i);
        row8 sum = rest + load(add + i) + load(wrapped + i);
        memcpy(board + i, &sum, sizeof sum);
    }
    state->laps++;
    state->counters += hand;
    state->hole = landing;
    state->hand = count;
    return hy_lap_end_at(rules, mover, landing, count);
}

HY_INLINE hy_lap_end lap16(const hy_rules *rules, hy_player mover, hy_laps *state)
{
    return lap_by_rows(rules, mover, state, 16);
}

HY_INLINE hy_lap_end lap32(const hy_rules *rules, hy_player mover, hy_laps *state)
{
    return lap_by_rows(rules, mover, state, 32);
}

HY_INLINE hy_lap_end lap64(const hy_rules *rules, hy_player mover, hy_laps *state)
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
