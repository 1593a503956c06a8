/* A board in one word: `bits` bits a hole, the mover's first hole lowest. Private to src/solve.
 *
 * A lap is one addition; the place of a board comes from one multiplication, which makes all sums
 * S(i) at once, and a look-up for each two holes; an empty hole behind another is found by counting
 * leading zeros. Boards of at most 64 bits, 2^bits − 1 counters and 2^32 positions, sowings that
 * take nothing in mid-sowing and skip no hole: what else there is the general engine does. Holes
 * are named by the lowest bit of theirs. */
#ifndef HY_SOLVE_PACKED_H
#define HY_SOLVE_PACKED_H

#include "solve/settle.h"

#define HY_PACKED_BITS 6u /* a hole, at the most */
#define HY_PACKED_LAPS (64u << HY_PACKED_BITS)

typedef struct hy_packed {
    unsigned bits, size, width; /* width = size · bits */
    unsigned counters;
    uint64_t one;                    /* 1 in every hole */
    uint64_t top;                    /* the highest bit of every hole */
    uint64_t whole;                  /* all bits of the board */
    uint64_t row;                    /* all bits of the mover's row */
    uint64_t field;                  /* the bits of hole 0 */
    uint64_t add[HY_PACKED_LAPS];    /* [hole << bits | counters]: what a lap adds to the board */
    uint8_t landing[HY_PACKED_LAPS]; /* … and where it ends */
    uint64_t spans[64u << 6]; /* [hole << 6 | landing]: what a lap of less than a round adds */
    uint64_t ends[64];        /* [hole]: the counts of a final counter that end a sowing */
    uint64_t captures[64];    /* … by a capture */
    uint8_t number[64];       /* [hole]: counted from 0 */
    uint8_t hole[64];         /* that a bit belongs to */
    uint32_t places[HY_MAX_BOARD / 2][1u << (2 * HY_PACKED_BITS)]; /* [i]: of S(2i) and S(2i+1) */
    const int8_t *below[64]; /* tables of smaller layers, by counters */
} hy_packed;

/* Whether a layer of so many counters can be done so. */
bool hy_packed_handles(const hy_endgame *endgame, unsigned counters);

/* For hy_packed_handles; smaller layers have to be there. */
void hy_packed_init(hy_packed *packed, const hy_endgame *endgame, unsigned counters);

uint64_t hy_packed_of(const hy_packed *packed, const uint8_t *board);
void hy_packed_unpack(const hy_packed *packed, uint64_t board, uint8_t *bytes);

HY_INLINE unsigned hy_packed_count(const hy_packed *packed, uint64_t board, unsigned hole)
{
    return (unsigned)((board >> hole) & packed->field);
}

/* The highest bits of the holes that are empty. */
HY_INLINE uint64_t hy_packed_empty(const hy_packed *packed, uint64_t board)
{
    uint64_t low = packed->whole ^ packed->top;
    return ~(((board & low) + low) | board) & packed->top;
}

HY_INLINE uint64_t hy_packed_turn(const hy_packed *packed, uint64_t board)
{
    unsigned half = packed->width / 2;
    return (board >> half | board << half) & packed->whole;
}

HY_INLINE uint64_t hy_packed_place(const hy_packed *packed, uint64_t board)
{
    uint64_t sums = board * packed->one;
    unsigned pair = 2 * packed->bits;
    uint64_t both = (UINT64_C(1) << pair) - 1;
    uint32_t place = 0;
    for (unsigned i = 0; 2 * i + 1 < packed->size; i++) {
        place += packed->places[i][sums & both];
        sums >>= pair;
    }
    return place;
}

/* The board at the next place. */
HY_INLINE uint64_t hy_packed_next(const hy_packed *packed, uint64_t board)
{
    uint64_t first = board & packed->field, rest = board ^ first;
    unsigned lowest = packed->hole[__builtin_ctzll(rest)];
    return rest - (UINT64_C(1) << lowest) + ((first + 1) << (lowest - packed->bits));
}

/* The nearest empty hole behind `hole`; there is one. */
HY_INLINE unsigned hy_packed_behind(const hy_packed *packed, uint64_t empty, unsigned hole)
{
    uint64_t before = empty & ((UINT64_C(1) << hole) - 1);
    return 64u - (unsigned)__builtin_clzll(before ? before : empty) - packed->bits;
}

#endif
