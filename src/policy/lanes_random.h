/* The streams of many games: what hy_stream_below would draw from the three of each, drawn for all
 * that need it at once. Private to src/policy. */
#ifndef HY_POLICY_LANES_RANDOM_H
#define HY_POLICY_LANES_RANDOM_H

#include "policy/lanes_vector.h"
#include "random/stream.h"

#define HY_PHILOX_BYTES HY_LANES_BYTES
#include "random/philox_rows.h"

#define NUM_PURPOSES 3u
#define BLOCKS (HY_STREAM_WORDS / 4)

/* Words of the streams of a game, by hy_purpose; the fourth place is there to make the size a power
 * of two. */
typedef struct hy_lane_words {
    uint32_t words[4 * HY_STREAM_WORDS] __attribute__((aligned(64)));
} hy_lane_words;

typedef struct hy_lanes_random {
    hy_lane_words lanes[LANES];
    hy_counts next[NUM_PURPOSES];         /* words to draw next; there always are some */
    uint32_t blocks[NUM_PURPOSES][LANES]; /* drawn so far */
    uint64_t games[LANES];                /* their numbers */
    hy_philox_keys keys;
    bool opening; /* whether the stream of the opening is used at all */
} hy_lanes_random;

/* A stream of a lane. */
typedef struct hy_lane_stream {
    unsigned lane, purpose;
} hy_lane_stream;

INLINE uint32_t *words_of(hy_lanes_random *random, hy_lane_stream stream)
{
    return random->lanes[stream.lane].words + stream.purpose * HY_STREAM_WORDS;
}

#if HY_PHILOX_BLOCKS == 8
INLINE __m512i two_halves(uint64_t first, uint64_t second)
{
    return _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)first), 0xf0, (long long)second);
}

/* Draws the next words of two streams. */
static __attribute__((noinline)) void refill_pair(hy_lanes_random *random, hy_lane_stream first,
                                                  hy_lane_stream second)
{
    uint32_t *one = &random->blocks[first.purpose][first.lane];
    uint32_t *other = &random->blocks[second.purpose][second.lane];
    const uint64_t *games = random->games;
    const __m512i low = _mm512_set1_epi64(0xffffffff);
    hy_philox_row words[4] = {
        (hy_philox_row)_mm512_add_epi64(two_halves(*one, *other),
                                        _mm512_set_epi64(3, 2, 1, 0, 3, 2, 1, 0)),
        (hy_philox_row)two_halves(first.purpose, second.purpose),
        (hy_philox_row)two_halves((uint32_t)games[first.lane], (uint32_t)games[second.lane]),
        (hy_philox_row)two_halves(games[first.lane] >> 32, games[second.lane] >> 32),
    };
    *one += BLOCKS;
    *other += BLOCKS;
    hy_philox_draw(&random->keys, words);
    __m512i ab = _mm512_or_si512(_mm512_and_si512((__m512i)words[0], low),
                                 _mm512_slli_epi64((__m512i)words[1], 32));
    __m512i cd = _mm512_or_si512(_mm512_and_si512((__m512i)words[2], low),
                                 _mm512_slli_epi64((__m512i)words[3], 32));
    const __m512i order_first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0);
    const __m512i order_second = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
    _mm512_store_si512(words_of(random, first), _mm512_permutex2var_epi64(ab, order_first, cd));
    _mm512_store_si512(words_of(random, second), _mm512_permutex2var_epi64(ab, order_second, cd));
}

/* Draws the next words of one stream: twice the same. */
INLINE void refill_one(hy_lanes_random *random, hy_lane_stream stream)
{
    refill_pair(random, stream, stream);
    random->blocks[stream.purpose][stream.lane] -= BLOCKS;
}
#else
/* The words of some blocks, block by block. */
INLINE void store_words(uint32_t *to, const hy_philox_row words[4])
{
    hy_philox_row ab = (words[0] & 0xffffffffu) | words[1] << 32;
    hy_philox_row cd = (words[2] & 0xffffffffu) | words[3] << 32;
#if HY_PHILOX_BLOCKS == 4
    hy_philox_row first = __builtin_shufflevector(ab, cd, 0, 4, 1, 5);
    hy_philox_row second = __builtin_shufflevector(ab, cd, 2, 6, 3, 7);
#else
    hy_philox_row first = __builtin_shufflevector(ab, cd, 0, 2);
    hy_philox_row second = __builtin_shufflevector(ab, cd, 1, 3);
#endif
    memcpy(to, &first, sizeof first);
    memcpy(to + sizeof first / sizeof *to, &second, sizeof second);
}

static __attribute__((noinline)) void refill_one(hy_lanes_random *random, hy_lane_stream stream)
{
    uint32_t *drawn = &random->blocks[stream.purpose][stream.lane];
    uint64_t number = random->games[stream.lane];
    for (unsigned from = 0; from < BLOCKS; from += HY_PHILOX_BLOCKS) {
        hy_philox_row zeros = {0}, steps;
        for (unsigned i = 0; i < HY_PHILOX_BLOCKS; i++)
            steps[i] = i;
        hy_philox_row words[4] = {steps + *drawn, zeros + stream.purpose, zeros + (uint32_t)number,
                                  zeros + (number >> 32)};
        hy_philox_draw(&random->keys, words);
        store_words(words_of(random, stream) + 4 * from, words);
        *drawn += HY_PHILOX_BLOCKS;
    }
}

INLINE void refill_pair(hy_lanes_random *random, hy_lane_stream first, hy_lane_stream second)
{
    refill_one(random, first);
    refill_one(random, second);
}
#endif

static inline void begin_streams(hy_lanes_random *random, unsigned lane, uint64_t number)
{
    random->games[lane] = number;
    for (unsigned purpose = 0; purpose < NUM_PURPOSES; purpose++) {
        random->next[purpose][lane] = 0;
        random->blocks[purpose][lane] = 0;
    }
    refill_pair(random, (hy_lane_stream){lane, HY_PURPOSE_SOUTH},
                (hy_lane_stream){lane, HY_PURPOSE_NORTH});
    if (random->opening)
        refill_one(random, (hy_lane_stream){lane, HY_PURPOSE_OPENING});
}

/* Draws the next words for the streams of south and of north in these lanes. */
INLINE void refill_seats(hy_lanes_random *random, uint64_t south, uint64_t north)
{
    while (south | north) {
        hy_lane_stream pair[2];
        unsigned num = 0;
        for (; num < 2 && (south | north); num++) {
            uint64_t *bits = south ? &south : &north;
            pair[num] = (hy_lane_stream){(unsigned)__builtin_ctzll(*bits),
                                         south ? HY_PURPOSE_SOUTH : HY_PURPOSE_NORTH};
            *bits &= *bits - 1;
        }
        if (num == 2)
            refill_pair(random, pair[0], pair[1]);
        else
            refill_one(random, pair[0]);
    }
}

/* What hy_stream_below does where a word is refused: another is drawn. */
static __attribute__((noinline, cold)) uint32_t
draw_again(hy_lanes_random *random, hy_lane_stream stream, uint64_t product, uint32_t num)
{
    uint32_t threshold = -num % num;
    while ((uint32_t)product < threshold) {
        unsigned next = random->next[stream.purpose][stream.lane];
        product = (uint64_t)words_of(random, stream)[next] * num;
        next = (next + 1) % HY_STREAM_WORDS;
        random->next[stream.purpose][stream.lane] = (hy_count)next;
        if (next == 0)
            refill_one(random, stream);
    }
    return (uint32_t)(product >> 32);
}

/* For each of these lanes a number below its `num`. */
INLINE hy_counts draw(hy_lanes_random *random, hy_mask where, hy_mask north, hy_mask opening,
                      hy_counts num)
{
    hy_mask by[NUM_PURPOSES] = {but_not(where, north), both(where, north), both(where, opening)};
    uint64_t empty[NUM_PURPOSES] = {0};
    hy_count index[LANES] __attribute__((aligned(64))) = {0};
    hy_count bounds[LANES] __attribute__((aligned(64)));
    hy_count places[LANES] __attribute__((aligned(64)));
    hy_counts place = all(0);
    const unsigned purposes = random->opening ? NUM_PURPOSES : 2;
    if (random->opening) {
        by[HY_PURPOSE_SOUTH] = but_not(by[HY_PURPOSE_SOUTH], opening);
        by[HY_PURPOSE_NORTH] = but_not(by[HY_PURPOSE_NORTH], opening);
    }
    for (unsigned purpose = 0; purpose < purposes; purpose++) {
        hy_counts next = random->next[purpose];
        place |= only_where(by[purpose], next + (hy_count)(purpose * HY_STREAM_WORDS));
        next = add_where(by[purpose], next, all(1)) & (hy_count)(HY_STREAM_WORDS - 1);
        random->next[purpose] = next;
        empty[purpose] = bits_of(but_not(by[purpose], filled(next)));
    }
    memcpy(bounds, &num, sizeof bounds);
    memcpy(places, &place, sizeof places);
    uint64_t refused = 0, products[LANES];
    for (uint64_t bits = bits_of(where); bits; bits &= bits - 1) {
        size_t lane = (size_t)__builtin_ctzll(bits);
        uint32_t word = random->lanes[lane].words[places[lane]];
        uint64_t product = (uint64_t)word * bounds[lane];
        index[lane] = (hy_count)(product >> 32);
        if (__builtin_expect_with_probability((uint32_t)product < bounds[lane], 0, 1.0)) {
            refused |= (uint64_t)1 << lane;
            products[lane] = product;
        }
    }
    refill_seats(random, empty[HY_PURPOSE_SOUTH], empty[HY_PURPOSE_NORTH]);
    for (uint64_t bits = empty[HY_PURPOSE_OPENING]; bits; bits &= bits - 1)
        refill_one(random, (hy_lane_stream){(unsigned)__builtin_ctzll(bits), HY_PURPOSE_OPENING});
    for (uint64_t bits = refused; __builtin_expect(bits != 0, 0); bits &= bits - 1) {
        unsigned lane = (unsigned)__builtin_ctzll(bits);
        hy_lane_stream stream = {lane, places[lane] / HY_STREAM_WORDS};
        index[lane] = (hy_count)draw_again(random, stream, products[lane], bounds[lane]);
    }
    hy_counts drawn;
    memcpy(&drawn, index, sizeof drawn);
    return drawn;
}

#endif
