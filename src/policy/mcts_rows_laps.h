/* The laps of playouts in registers. Private to src/policy: included by one source file for each
 * kind of processor. */
#ifndef HY_POLICY_MCTS_ROWS_LAPS_H
#define HY_POLICY_MCTS_ROWS_LAPS_H

#include "policy/mcts_rows.h"

#if defined __BMI2__
#include <immintrin.h>
#endif

/* A pick: eight times the hole, which is how far its byte is up in its row, and … */
#define HY_PICK_SHIFT 0x38u
#define HY_PICK_DRAWS 0x40u /* there was another one: a word was drawn */
#define HY_PICK_OPEN 0x80u  /* those bits of the word do not settle it, or there is no hole */

/* Boards on which a word has a byte to spare and no byte carries into the next. */
#define HY_ROWS_USUAL_HOLES 7u
#define HY_ROWS_USUAL_COUNTERS 127u

/* A game of random play on a board in registers, and the lap that is next. It is sown as if the
 * mover were south, which makes no difference; so the row of the mover is always in the same
 * register. */
struct hy_rows_game {
    hy_rows rows; /* the mover's first */
    unsigned place, count;
    unsigned mover;
    unsigned left;
    int32_t difference; /* south's counters less north's */
    uint32_t plies;
};

/* The words of a stream as rows of `picks`; the one behind the last settles nothing. */
struct hy_rows_words {
    hy_stream *stream;
    uint32_t block; /* of the stream that they are from */
    uint16_t rows[HY_STREAM_WORDS + 1];
};

/* A bit for each filled hole. */
HY_INLINE uint64_t hy_rows_mask(uint64_t row, bool usual)
{
    uint64_t below = usual ? row : row & HY_EACH_BYTE(0x7f);
    uint64_t filled = (below + HY_EACH_BYTE(0x7f)) | (usual ? 0 : row);
#if defined __BMI2__
    return _pext_u64(filled, HY_EACH_BYTE(0x80));
#else
    return (filled & HY_EACH_BYTE(0x80)) * UINT64_C(0x0002040810204081) >> 56;
#endif
}

/* The count of a hole of a row, as a distance in the table of laps, or 0 if `all` is. */
HY_INLINE uint64_t hy_rows_distance(uint64_t row, unsigned shift, uint64_t all, bool usual)
{
    if (usual) /* there is room for a shift in advance */
        return row * HY_ROWS_PER_COUNTER >> (shift & 63) &
               hy_hidden(all & 0xff * HY_ROWS_PER_COUNTER);
    return (row >> (shift & 63) & all & 0xff) * HY_ROWS_PER_COUNTER;
}

/* As hy_rows_laps, of mcts_rows.h; `usual` is a constant.
 *
 * Plies that end with a lap and plies that go on are equally likely, so no branch tells them apart:
 * what follows is computed for both, and one of them taken. */
HY_INLINE unsigned hy_rows_sow_laps(const hy_mcts_rows *tables, hy_rows_game *game,
                                    hy_rows_words *words, bool usual)
{
    const hy_rows_sower *sower = &tables->sower;
    const unsigned no_relay = !sower->rules.relay, casa = sower->casa;
    const unsigned captures = sower->captures[HY_SOUTH];
    const uintptr_t laps = (uintptr_t)sower->laps, picks = (uintptr_t)tables->picks;
    uint64_t own = game->rows.south, other = game->rows.north;
    uint64_t place = game->place, count = game->count;
    uintptr_t from = laps + place * HY_ROWS_PER_PLACE, hand = count * HY_ROWS_PER_COUNTER;
    unsigned steps = HY_ROWS_MAX_STEPS, plies = 0;
    const uint16_t *word = &words->rows[words->stream->next];
    for (;;) {
        other = hy_hidden(other + hy_rows_lap_at(from, hand)->add[HY_NORTH]);
        own = hy_hidden(own + hy_rows_lap_at(from, hand)->add[HY_SOUTH]);
        place = hy_rows_lap_at(from, hand)->landing;
        count = hy_rows_count((hy_rows){own, other}, (unsigned)place);
        unsigned pick = ((const uint8_t *)hy_hidden(picks + *word))[hy_rows_mask(other, usual)];
        unsigned ended = (count == 1) | no_relay;
        unsigned taken = (count == casa) & captures >> place;
        if (__builtin_expect((taken | (ended & pick / HY_PICK_OPEN)) != 0 || --steps == 0, 0))
            break;
        uint64_t end = hy_hidden(-(uint64_t)ended), swapped = (own ^ other) & end;
        hand = hy_rows_distance(other, pick, end, usual);
        from = laps + ((place * HY_ROWS_PER_PLACE + count * HY_ROWS_PER_COUNTER) & ~end) +
               (pick & end & HY_PICK_SHIFT) * (HY_ROWS_PER_PLACE / 8);
        own ^= swapped;
        other ^= swapped;
        word += pick / HY_PICK_DRAWS & ended;
        plies += ended;
    }
    words->stream->next = (uint32_t)(word - words->rows);
    game->rows = (hy_rows){own, other};
    game->place = (unsigned)place;
    game->count = (unsigned)count;
    game->plies += plies;
    game->mover ^= plies & 1;
    return steps;
}

#endif
