/* Philox4x32-10 for several blocks at once, in the compiler's vectors: the same numbers as
 * hy_stream_refill draws. The including file says how wide its vectors are (HY_PHILOX_BYTES: 16, 32
 * or 64) and is compiled for a processor that has them. Source: as random/stream.h. */
#ifndef HY_RANDOM_PHILOX_ROWS_H
#define HY_RANDOM_PHILOX_ROWS_H

#include <stdint.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

#ifndef HY_PHILOX_BYTES /* what every machine has */
#define HY_PHILOX_BYTES 16
#endif

#define HY_PHILOX_BLOCKS (HY_PHILOX_BYTES / 8)
#define HY_PHILOX_ROUNDS 10

/* One word of each block, in the lower halves; what stands in the upper ones does not matter. */
typedef uint64_t hy_philox_row __attribute__((vector_size(HY_PHILOX_BYTES)));

/* The keys of all rounds. */
typedef struct hy_philox_keys {
    uint32_t low[HY_PHILOX_ROUNDS], high[HY_PHILOX_ROUNDS];
} hy_philox_keys;

static inline hy_philox_keys hy_philox_keys_of(uint64_t seed)
{
    hy_philox_keys keys;
    for (uint32_t i = 0; i < HY_PHILOX_ROUNDS; i++) {
        keys.low[i] = (uint32_t)seed + i * 0x9e3779b9u;
        keys.high[i] = (uint32_t)(seed >> 32) + i * 0xbb67ae85u;
    }
    return keys;
}

static inline __attribute__((always_inline)) hy_philox_row hy_philox_product(hy_philox_row a,
                                                                             uint32_t factor)
{
#if defined __AVX512F__ && HY_PHILOX_BYTES == 64
    return (hy_philox_row)_mm512_mul_epu32((__m512i)a, _mm512_set1_epi64(factor));
#elif defined __AVX2__ && HY_PHILOX_BYTES == 32
    return (hy_philox_row)_mm256_mul_epu32((__m256i)a, _mm256_set1_epi64x(factor));
#elif defined __SSE2__ && HY_PHILOX_BYTES == 16
    return (hy_philox_row)_mm_mul_epu32((__m128i)a, _mm_set1_epi64x(factor));
#else
    return (a & 0xffffffffu) * factor;
#endif
}

/* Replaces the counters by their random words. */
static inline __attribute__((always_inline)) void hy_philox_draw(const hy_philox_keys *keys,
                                                                 hy_philox_row words[4])
{
    hy_philox_row a = words[0], b = words[1], c = words[2], d = words[3];
    for (unsigned i = 0; i < HY_PHILOX_ROUNDS; i++) {
        hy_philox_row first = hy_philox_product(a, 0xd2511f53u);
        hy_philox_row second = hy_philox_product(c, 0xcd9e8d57u);
        a = (second >> 32) ^ b ^ keys->low[i];
        c = (first >> 32) ^ d ^ keys->high[i];
        b = second;
        d = first;
    }
    words[0] = a;
    words[1] = b;
    words[2] = c;
    words[3] = d;
}

#endif
