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

#define HY_ROWS_MAX_HOLES 8u      /* a row */
#define HY_ROWS_MAX_COUNTERS 255u /* on the board */
#define HY_ROWS_PLACES 16u
#define HY_ROWS_LAPS (256u * HY_ROWS_PLACES)
#define HY_ROWS_SHORT 64u /* laps */
#define HY_ROWS_ALIGNMENT 64
#define HY_EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

typedef struct hy_rows {
    uint64_t south, north;
} hy_rows;

/* A lap from a place with so many counters; half a line of the cache. */
typedef struct hy_rows_lap {
    uint64_t add[2];  /* to south's row, to north's */
    uint64_t landing; /* the place where it ends */
    uint64_t unused;
} hy_rows_lap;

/* What sowing needs to know of a variant; at a multiple of HY_ROWS_ALIGNMENT. */
typedef struct hy_rows_sower {
    hy_rules rules;
    unsigned casa;           /* as far as the final counter captures; else 0 */
    uint16_t captures[2];    /* by mover: a bit for each place that he may capture in */
    unsigned short_laps;     /* a sowing is followed for; 1 where there is no relay */
    uint8_t filled[256 * 8]; /* [mask of filled holes · 8 + i]: the i-th of them */
    _Alignas(HY_ROWS_ALIGNMENT) hy_rows_lap laps[HY_ROWS_LAPS]; /* [hand · 16 + place] */
} hy_rows_sower;

/* Whether positions of so many counters on the board can be sown so. */
bool hy_rows_handles(const hy_rules *rules, unsigned counters);

/* For rules that hy_rows_handles. */
void hy_rows_sower_init(hy_rows_sower *sower, const hy_rules *rules);

hy_rows hy_rows_of(const hy_rules *rules, const uint16_t board[HY_MAX_BOARD]);
void hy_rows_unpack(const hy_rules *rules, hy_rows rows, uint16_t board[HY_MAX_BOARD]);

/* As hy_rows_sow, with hy_sow: for any number of laps. */
hy_ending hy_rows_sow_long(const hy_rows_sower *sower, hy_rows *rows, unsigned mover,
                           unsigned place, uint64_t max_laps, unsigned *casas);

/* Distances in the table of laps. */
#define HY_ROWS_PER_PLACE sizeof(hy_rows_lap)
#define HY_ROWS_PER_COUNTER (HY_ROWS_PLACES * sizeof(hy_rows_lap))

/* A value of which the compiler does not know where it comes from: so it does not branch for one of
 * two, does not put both rows into one vector, does not add what a load adds anyway. */
HY_INLINE uint64_t hy_hidden(uint64_t value)
{
    __asm__("" : "+r"(value));
    return value;
}

/* A lap by where those from its place begin, and the distance of its hand. */
HY_INLINE const hy_rows_lap *hy_rows_lap_at(uintptr_t from, uintptr_t hand)
{
    return (const hy_rows_lap *)(hy_hidden(from) + hand);
}

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

/* Of hy_row_filled: a bit a hole. */
HY_INLINE unsigned hy_row_mask(uint64_t filled)
{
    return (unsigned)(filled * UINT64_C(0x0102040810204080) >> 56);
}

/* … and how many there are. */
HY_INLINE unsigned hy_row_num(uint64_t filled)
{
    return (unsigned)(filled * HY_EACH_BYTE(1) >> 56);
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

/* Whether `count` in a place, made by a final counter of `mover`, is a casa that he takes. */
HY_INLINE bool hy_rows_is_taken(const hy_rows_sower *sower, unsigned mover, unsigned place,
                                unsigned count)
{
    return count == sower->casa && (sower->captures[mover] >> place & 1) != 0;
}

/* Sows a filled place for `mover`; an endless or unresolved sowing leaves the board as it was.
 * `casas` receives the casas taken. */
HY_INLINE hy_ending hy_rows_sow(const hy_rows_sower *sower, hy_rows *rows, unsigned mover,
                                unsigned place, uint64_t max_laps, unsigned *casas)
{
    unsigned limit = max_laps < sower->short_laps ? (unsigned)max_laps : sower->short_laps;
    unsigned at = place, laps = 0, count = hy_rows_count(*rows, at);
    hy_rows sown = *rows;
    *casas = 0;
    do {
        uintptr_t from = (uintptr_t)sower->laps + at * HY_ROWS_PER_PLACE;
        uintptr_t hand = count * HY_ROWS_PER_COUNTER;
        sown.south = hy_hidden(sown.south + hy_rows_lap_at(from, hand)->add[HY_SOUTH]);
        sown.north = hy_hidden(sown.north + hy_rows_lap_at(from, hand)->add[HY_NORTH]);
        at = (unsigned)hy_rows_lap_at(from, hand)->landing;
        count = hy_rows_count(sown, at);
        laps++;
        if (count == 1) {
            *rows = sown;
            return HY_ENDING_EMPTY;
        }
        if (__builtin_expect(hy_rows_is_taken(sower, mover, at, count), 0)) {
            *casas = hy_rows_take(sower, &sown, mover, at);
            *rows = sown;
            return HY_ENDING_CAPTURE;
        }
    } while (laps < limit);
    if (!sower->rules.relay) {
        *rows = sown;
        return HY_ENDING_OCCUPIED;
    }
    hy_rows begun = *rows; /* copies, so that the caller's can stay in registers */
    unsigned taken;
    hy_ending ending = hy_rows_sow_long(sower, &begun, mover, place, max_laps, &taken);
    *rows = begun;
    *casas = taken;
    return ending;
}

#endif
