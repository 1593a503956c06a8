/* The streams of many games: what hy_stream_below would draw from the three of each, drawn for all
 * that need it at once. Private to src/policy. */
#ifndef HY_POLICY_LANES_RANDOM_H
#define HY_POLICY_LANES_RANDOM_H

#include "policy/lanes_vector.h"
#include "random/stream.h"

#define HY_PHILOX_BYTES HY_LANES_BYTES
#include "random/philox_rows.h"

#define NUM_PURPOSES 3u

typedef struct hy_lanes_random {
    /* [purpose][lane]: the words drawn, and which is next; at 0 others are to be drawn first. */
    uint32_t words[NUM_PURPOSES][LANES][HY_STREAM_WORDS] __attribute__((aligned(64)));
    hy_counts next[NUM_PURPOSES];
    uint32_t blocks[NUM_PURPOSES][LANES]; /* drawn so far */
    uint64_t games[LANES];                /* their numbers */
    uint64_t seed;
    hy_philox_keys keys;
} hy_lanes_random;

static inline void begin_streams(hy_lanes_random *random, unsigned lane, uint64_t number)
{
    random->games[lane] = number;
    for (unsigned purpose = 0; purpose < NUM_PURPOSES; purpose++) {
        random->next[purpose][lane] = 0;
        random->blocks[purpose][lane] = 0;
    }
}

/* A stream: purpose · LANES + lane. */
INLINE void set_counters(hy_lanes_random *random, unsigned stream, unsigned from, unsigned num,
                         uint64_t counters[4][HY_PHILOX_BLOCKS])
{
    unsigned purpose = stream / LANES, lane = stream % LANES;
    uint64_t number = random->games[lane];
    uint32_t block = random->blocks[purpose][lane];
    for (unsigned i = from; i < from + num; i++) {
        counters[0][i] = block++;
        counters[1][i] = purpose;
        counters[2][i] = (uint32_t)number;
        counters[3][i] = number >> 32;
    }
    random->blocks[purpose][lane] = block;
}

/* Draws the next words of two streams (which may be the same one twice, only where a vector holds
 * less than the blocks of one). */
INLINE void refill_pair(hy_lanes_random *random, unsigned first, unsigned second)
{
    uint64_t counters[4][HY_PHILOX_BLOCKS] __attribute__((aligned(64)));
    hy_philox_row words[4];
    const unsigned blocks = HY_STREAM_WORDS / 4;
    uint32_t *streams = &random->words[0][0][0];
#if HY_PHILOX_BLOCKS == 8
    set_counters(random, first, 0, blocks, counters);
    if (second != first)
        set_counters(random, second, blocks, blocks, counters);
    memcpy(words, counters, sizeof words);
    hy_philox_draw(&random->keys, words);
    const __m512i low = _mm512_set1_epi64(0xffffffff);
    __m512i ab = _mm512_or_si512(_mm512_and_si512((__m512i)words[0], low),
                                 _mm512_slli_epi64((__m512i)words[1], 32));
    __m512i cd = _mm512_or_si512(_mm512_and_si512((__m512i)words[2], low),
                                 _mm512_slli_epi64((__m512i)words[3], 32));
    const __m512i order_first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i order_second = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    if (second != first)
        _mm512_store_si512(streams + second * HY_STREAM_WORDS,
                           _mm512_permutex2var_epi64(ab, order_second, cd));
    _mm512_store_si512(streams + first * HY_STREAM_WORDS,
                       _mm512_permutex2var_epi64(ab, order_first, cd));
#else
    for (unsigned which = 0; which < (first == second ? 1u : 2u); which++) {
        unsigned stream = which ? second : first;
        for (unsigned from = 0; from < blocks; from += HY_PHILOX_BLOCKS) {
            set_counters(random, stream, 0, HY_PHILOX_BLOCKS, counters);
            memcpy(words, counters, sizeof words);
            hy_philox_draw(&random->keys, words);
            for (unsigned i = 0; i < HY_PHILOX_BLOCKS; i++) {
                for (unsigned j = 0; j < 4; j++)
                    streams[stream * HY_STREAM_WORDS + 4 * (from + i) + j] =
                        (uint32_t)words[j][i];
            }
        }
    }
#endif
}

/* Draws words for the streams of that purpose in these lanes. */
static __attribute__((noinline)) void refill(hy_lanes_random *random, unsigned purpose,
                                             uint64_t bits)
{
    while (bits) {
        unsigned first = (unsigned)__builtin_ctzll(bits), second = first;
        bits &= bits - 1;
        if (bits) {
            second = (unsigned)__builtin_ctzll(bits);
            bits &= bits - 1;
        }
        refill_pair(random, purpose * LANES + first, purpose * LANES + second);
    }
}

/* What hy_stream_below does where a word is refused: another is drawn, from a copy of the stream. */
static __attribute__((noinline, cold)) uint32_t draw_again(hy_lanes_random *random,
                                                           unsigned purpose, unsigned lane,
                                                           uint64_t product, uint32_t num)
{
    uint32_t threshold = -num % num;
    while ((uint32_t)product < threshold) {
        unsigned next = random->next[purpose][lane];
        if (next == 0)
            refill(random, purpose, (uint64_t)1 << lane);
        product = (uint64_t)random->words[purpose][lane][next] * num;
        random->next[purpose][lane] = (hy_count)((next + 1) % HY_STREAM_WORDS);
    }
    return (uint32_t)(product >> 32);
}

/* For each of these lanes a number below its `num`. */
INLINE hy_counts draw(hy_lanes_random *random, hy_mask where, hy_mask north, hy_mask opening,
                      hy_counts num)
{
    hy_mask by[NUM_PURPOSES] = {but_not(but_not(where, opening), north),
                                but_not(both(where, north), opening), both(where, opening)};
    hy_count index[LANES] __attribute__((aligned(64))) = {0};
    hy_count bounds[LANES] __attribute__((aligned(64)));
    hy_count places[LANES] __attribute__((aligned(64)));
    hy_counts place = all(0);
    uint64_t opening_bits = bits_of(by[HY_PURPOSE_OPENING]);
    for (unsigned purpose = 0; purpose < NUM_PURPOSES; purpose++) {
        if (purpose == HY_PURPOSE_OPENING && opening_bits == 0)
            break;
        hy_counts next = random->next[purpose];
        uint64_t empty = bits_of(but_not(by[purpose], filled(next)));
        if (empty)
            refill(random, purpose, empty);
        place |= only_where(by[purpose], next);
        next = add_where(by[purpose], next, all(1));
        random->next[purpose] = next & (hy_count)(HY_STREAM_WORDS - 1);
    }
    memcpy(bounds, &num, sizeof bounds);
    memcpy(places, &place, sizeof places);
    uint64_t north_bits = bits_of(north);
    const uint32_t *words = &random->words[0][0][0];
    for (uint64_t bits = bits_of(where); bits; bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        unsigned purpose = (unsigned)(north_bits >> lane & 1);
        if (__builtin_expect(opening_bits >> lane & 1, 0))
            purpose = HY_PURPOSE_OPENING;
        unsigned stream = purpose * LANES + lane;
        uint64_t product = (uint64_t)words[stream * HY_STREAM_WORDS + places[lane]] * bounds[lane];
        index[lane] = (hy_count)(product >> 32);
        if (__builtin_expect((uint32_t)product < bounds[lane], 0))
            index[lane] = (hy_count)draw_again(random, purpose, lane, product, bounds[lane]);
    }
    hy_counts drawn;
    memcpy(&drawn, index, sizeof drawn);
    return drawn;
}

#endif
