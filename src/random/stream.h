/* Random numbers of one game: Philox4x32-10, addressed by seed, game and purpose.
 *
 * Key = the seed's two halves, counter = (block, purpose, game's low half, game's high half), so
 * that game n draws the same numbers whatever is played before, beside or after it. Source: Salmon,
 * Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
#ifndef HY_RANDOM_STREAM_H
#define HY_RANDOM_STREAM_H

#include <stdint.h>

/* What the numbers are for; each purpose is a stream of its own. */
typedef enum hy_purpose {
    HY_PURPOSE_SOUTH = 0,
    HY_PURPOSE_NORTH = 1,
    HY_PURPOSE_OPENING = 2,
} hy_purpose;

/* The identifier of this generator and its use in a database; another one means other games. */
#define HY_GENERATOR "philox4x32-10/1"

#define HY_STREAM_WORDS 16u /* words drawn in one go */

/* A value: copying it copies the place in the stream. */
typedef struct hy_stream {
    uint32_t key[2];
    uint32_t counter[4]; /* of the next block to compute */
    uint32_t words[HY_STREAM_WORDS];
    uint32_t next; /* index of the next word to hand out; HY_STREAM_WORDS: none is left */
} hy_stream;

hy_stream hy_stream_make(uint64_t seed, uint64_t game, hy_purpose purpose);

/* Computes the next words; called by hy_stream_u32. */
void hy_stream_refill(hy_stream *stream);

/* Its two ways: for any processor, and (on x86-64) for those with AVX2. */
void hy_stream_refill_words(hy_stream *stream);
void hy_stream_refill_256(hy_stream *stream);

/* The next word, uniform over 0 … 2^32−1. */
static inline uint32_t hy_stream_u32(hy_stream *stream)
{
    if (__builtin_expect(stream->next == HY_STREAM_WORDS, 0))
        hy_stream_refill(stream);
    return stream->words[stream->next++];
}

/* An integer uniform over 0 … bound−1, without bias; `bound` is at least 1. Source: Lemire, "Fast
 * random integer generation in an interval", ACM TOMACS 29(1), 2019. */
static inline uint32_t hy_stream_below(hy_stream *stream, uint32_t bound)
{
    uint64_t product = (uint64_t)hy_stream_u32(stream) * bound;
    if (__builtin_expect((uint32_t)product < bound, 0)) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold)
            product = (uint64_t)hy_stream_u32(stream) * bound;
    }
    return (uint32_t)(product >> 32);
}

/* A real number uniform over the multiples of 2^-53 in [0, 1); takes two words. */
static inline double hy_stream_real(hy_stream *stream)
{
    uint64_t low = hy_stream_u32(stream);
    uint64_t high = hy_stream_u32(stream);
    return (double)((high << 32 | low) >> 11) * 0x1p-53;
}

#endif
