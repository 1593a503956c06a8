/* A small board in two words, and sowing in registers: the same as hy_sow gives, faster.
 *
 * A row is a word, a byte a hole, its first hole lowest. A lap is one addition to each word, looked
 * up by hole and hand, so nothing is stored between laps and a copy of a board is two registers.
 * Boards of up to 8 holes a row and 255 counters, variants that hy_sow_fast_handles; sowings of
 * more than 64 laps, which may be endless, go to hy_sow. Holes are named by places: the hole of its
 * row, and 8 more for north's. */
#ifndef HY_RULES_ROWS_H
#define HY_RULES_ROWS_H

#include "rules/sowing.h"

#ifndef HY_INLINE
#define HY_INLINE static inline __attribute__((always_inline))
#endif

#define HY_ROWS_MAX_HOLES 8u /* a row */
#define HY_ROWS_MAX_COUNTERS 255u /* on the board */
#define HY_ROWS_PLACES 16u
#define HY_ROWS_LAPS (256u * HY_ROWS_PLACES)
#define HY_ROWS_SHORT 64u /* laps */
#define HY_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

typedef struct hy_rows {
    uint64_t south, north;
} hy_rows;

/* What sowing needs to know of a variant. */
typedef struct hy_rows_sower {
    hy_rules rules;
    unsigned casa;                    /* as far as the final counter captures; else 0 */
    uint16_t captures[2];             /* by mover: a bit for each place that he may capture in */
    uint8_t ends[2][HY_ROWS_LAPS];    /* by mover, [count · 16 + place]: that count ends a sowing */
    uint8_t landing[HY_ROWS_LAPS];    /* [hand · 16 + place]: where a lap ends … */
    uint64_t add[2][HY_ROWS_LAPS];    /* … and what it adds to south's row and to north's */
} hy_rows_sower;

/* Whether positions of so many counters on the board can be sown so. */
bool hy_rows_handles(const hy_rules *rules, unsigned counters);

/* For rules that hy_rows_handles. */
void hy_rows_sower_init(hy_rows_sower *sower, const hy_rules *rules);

hy_rows hy_rows_of(const hy_rules *rules, const uint16_t board[HY_MAX_BOARD]);
void hy_rows_unpack(const hy_rules *rules, hy_rows rows, uint16_t board[HY_MAX_BOARD]);

/* As hy_rows_sow, for any number of laps. */
hy_ending hy_rows_sow_long(const hy_rows_sower *sower, hy_rows *rows, unsigned mover,
                           unsigned place, uint64_t max_laps, unsigned *casas);

HY_INLINE unsigned hy_rows_place(const hy_rules *rules, unsigned hole)
{
    return hole < rules->holes ? hole : hole - rules->holes + HY_ROWS_MAX_HOLES;
}

HY_INLINE unsigned hy_rows_hole(const hy_rules *rules, unsigned place)
{
    return place < HY_ROWS_MAX_HOLES ? place : place - HY_ROWS_MAX_HOLES + rules->holes;
}

HY_INLINE uint64_t hy_rows_row(hy_rows rows, unsigned player)
{
    return player == HY_SOUTH ? rows.south : rows.north;
}

HY_INLINE unsigned hy_rows_count(hy_rows rows, unsigned place)
{
    return (uint8_t)(hy_rows_row(rows, place / HY_ROWS_MAX_HOLES) >> (8 * place & 63));
}

/* A one in the byte of each filled hole. */
HY_INLINE uint64_t hy_row_filled(uint64_t row)
{
    return (((row & HY_EACH_BYTE(0x7f)) + HY_EACH_BYTE(0x7f)) | row) >> 7 & HY_EACH_BYTE(1);
}

/* Where running counts, of which byte i counts the holes up to i, first exceed `index` (at most 7):
 * at the number of those that do not. */
HY_INLINE unsigned hy_row_find(uint64_t running, unsigned index)
{
    uint64_t not_above =
        (HY_EACH_BYTE(0x80) + HY_EACH_BYTE(1) * index - running) >> 7 & HY_EACH_BYTE(1);
    return (unsigned)(not_above * HY_EACH_BYTE(1) >> 56);
}

/* Takes the casa at `place` and the chain before it; returns the number of casas. */
HY_INLINE unsigned hy_rows_take(const hy_rows_sower *sower, hy_rows *rows, unsigned mover,
                                unsigned place)
{
    unsigned casas = 0;
    do {
        uint64_t taken = (uint64_t)sower->casa << (8 * place & 63);
        rows->south -= place < HY_ROWS_MAX_HOLES ? taken : 0;
        rows->north -= place < HY_ROWS_MAX_HOLES ? 0 : taken;
        casas++;
        place = place % HY_ROWS_MAX_HOLES > 0
                    ? place - 1
                    : (place ^ HY_ROWS_MAX_HOLES) + sower->rules.holes - 1;
    } while (sower->rules.chain_capture && hy_rows_count(*rows, place) == sower->casa &&
             (sower->captures[mover] >> place & 1) != 0);
    return casas;
}

/* Sows a filled place for `mover`; an endless or unresolved sowing leaves the board as it was.
 * `casas` receives the casas taken. */
HY_INLINE hy_ending hy_rows_sow(const hy_rows_sower *sower, hy_rows *rows, unsigned mover,
                                unsigned place, uint64_t max_laps, unsigned *casas)
{
    const uint8_t *ends = sower->ends[mover];
    unsigned limit = max_laps < HY_ROWS_SHORT ? (unsigned)max_laps : HY_ROWS_SHORT;
    unsigned at = place, laps = 0, lap = hy_rows_count(*rows, at) * HY_ROWS_PLACES + at;
    hy_rows sown = *rows;
    *casas = 0;
    do {
        sown.south += sower->add[HY_SOUTH][lap];
        sown.north += sower->add[HY_NORTH][lap];
        at = sower->landing[lap];
        lap = hy_rows_count(sown, at) * HY_ROWS_PLACES + at;
        laps++;
    } while (ends[lap] == 0 && laps < limit);
    if (__builtin_expect(ends[lap] == 0, 0))
        return hy_rows_sow_long(sower, rows, mover, place, max_laps, casas);
    hy_ending ending = (hy_ending)(ends[lap] - 1);
    if (ending == HY_ENDING_CAPTURE)
        *casas = hy_rows_take(sower, &sown, mover, at);
    *rows = sown;
    return ending;
}

#endif
