/* Vectors with one lane a game, and masks of lanes. Private to src/policy.
 *
 * The including file says how wide its vectors are (HY_LANES_BYTES: 16, 32 or 64) and how wide a
 * count is (HY_COUNT_BYTES: 1 or 2), and is compiled for a processor that has such vectors. With 64
 * bytes masks are those of AVX-512; else they are vectors of zeros and ones, and all is written in
 * the compiler's own vectors, so that the same source serves every machine. */
#ifndef HY_POLICY_LANES_VECTOR_H
#define HY_POLICY_LANES_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#endif

#ifndef HY_LANES_BYTES /* what every machine has */
#define HY_LANES_BYTES 16
#define HY_COUNT_BYTES 1
#endif

#define INLINE static inline __attribute__((always_inline))

#define LANES (HY_LANES_BYTES / HY_COUNT_BYTES)

#if HY_COUNT_BYTES == 1
typedef uint8_t hy_count;
#else
typedef uint16_t hy_count;
#endif

typedef hy_count hy_counts __attribute__((vector_size(HY_LANES_BYTES)));

INLINE hy_counts all(unsigned count)
{
    return (hy_counts){0} + (hy_count)count;
}

#if HY_LANES_BYTES == 64

#if HY_COUNT_BYTES == 1
typedef __mmask64 hy_mask;
#define OF_WIDTH(name, type) name##_##type##8
#define OF_WIDTH_MASK(name, type) name##_##type##8_mask
#define MASK(name) name##64
#else
typedef __mmask32 hy_mask;
#define OF_WIDTH(name, type) name##_##type##16
#define OF_WIDTH_MASK(name, type) name##_##type##16_mask
#define MASK(name) name##32
#endif

INLINE hy_mask less(hy_counts a, hy_counts b)
{
    return OF_WIDTH_MASK(_mm512_cmplt, epu)((__m512i)a, (__m512i)b);
}

INLINE hy_mask same(hy_counts a, hy_counts b)
{
    return OF_WIDTH_MASK(_mm512_cmpeq, epi)((__m512i)a, (__m512i)b);
}

INLINE hy_mask filled(hy_counts a)
{
    return OF_WIDTH_MASK(_mm512_test, epi)((__m512i)a, (__m512i)a);
}

INLINE hy_mask both(hy_mask a, hy_mask b)
{
    return MASK(_kand_mask)(a, b);
}

INLINE hy_mask either(hy_mask a, hy_mask b)
{
    return MASK(_kor_mask)(a, b);
}

INLINE hy_mask but_not(hy_mask a, hy_mask b)
{
    return MASK(_kandn_mask)(b, a);
}

INLINE hy_mask differ(hy_mask a, hy_mask b)
{
    return MASK(_kxor_mask)(a, b);
}

INLINE hy_counts add_where(hy_mask mask, hy_counts a, hy_counts b)
{
    return (hy_counts)OF_WIDTH(_mm512_mask_add, epi)((__m512i)a, mask, (__m512i)a, (__m512i)b);
}

INLINE hy_counts subtract_where(hy_mask mask, hy_counts a, hy_counts b)
{
    return (hy_counts)OF_WIDTH(_mm512_mask_sub, epi)((__m512i)a, mask, (__m512i)a, (__m512i)b);
}

INLINE hy_counts choose_where(hy_mask mask, hy_counts a, hy_counts b)
{
    return (hy_counts)OF_WIDTH(_mm512_mask_blend, epi)(mask, (__m512i)b, (__m512i)a);
}

INLINE hy_counts only_where(hy_mask mask, hy_counts a)
{
    return (hy_counts)OF_WIDTH(_mm512_maskz_mov, epi)(mask, (__m512i)a);
}

INLINE hy_counts smaller(hy_counts a, hy_counts b)
{
    return (hy_counts)OF_WIDTH(_mm512_min, epu)((__m512i)a, (__m512i)b);
}

INLINE hy_counts larger(hy_counts a, hy_counts b)
{
    return (hy_counts)OF_WIDTH(_mm512_max, epu)((__m512i)a, (__m512i)b);
}

INLINE uint64_t bits_of(hy_mask mask)
{
    return mask;
}

INLINE hy_mask mask_of_bits(uint64_t bits)
{
    return (hy_mask)bits;
}

#else /* masks are vectors, all ones in a lane or all zeros */

typedef hy_counts hy_mask;

INLINE hy_mask less(hy_counts a, hy_counts b)
{
    return (hy_mask)(a < b);
}

INLINE hy_mask same(hy_counts a, hy_counts b)
{
    return (hy_mask)(a == b);
}

INLINE hy_mask filled(hy_counts a)
{
    return (hy_mask)(a != (hy_counts){0});
}

INLINE hy_mask both(hy_mask a, hy_mask b)
{
    return a & b;
}

INLINE hy_mask either(hy_mask a, hy_mask b)
{
    return a | b;
}

INLINE hy_mask but_not(hy_mask a, hy_mask b)
{
    return a & ~b;
}

INLINE hy_mask differ(hy_mask a, hy_mask b)
{
    return a ^ b;
}

INLINE hy_counts add_where(hy_mask mask, hy_counts a, hy_counts b)
{
    return a + (b & mask);
}

INLINE hy_counts subtract_where(hy_mask mask, hy_counts a, hy_counts b)
{
    return a - (b & mask);
}

INLINE hy_counts choose_where(hy_mask mask, hy_counts a, hy_counts b)
{
    return (a & mask) | (b & ~mask);
}

INLINE hy_counts only_where(hy_mask mask, hy_counts a)
{
    return a & mask;
}

INLINE hy_counts smaller(hy_counts a, hy_counts b)
{
#if defined __AVX2__ && HY_LANES_BYTES == 32 && HY_COUNT_BYTES == 1
    return (hy_counts)_mm256_min_epu8((__m256i)a, (__m256i)b);
#elif defined __AVX2__ && HY_LANES_BYTES == 32
    return (hy_counts)_mm256_min_epu16((__m256i)a, (__m256i)b);
#elif defined __SSE2__ && HY_LANES_BYTES == 16 && HY_COUNT_BYTES == 1
    return (hy_counts)_mm_min_epu8((__m128i)a, (__m128i)b);
#else
    return choose_where(less(a, b), a, b);
#endif
}

INLINE hy_counts larger(hy_counts a, hy_counts b)
{
    return choose_where(less(a, b), b, a);
}

INLINE uint64_t bits_of(hy_mask mask)
{
#if defined __AVX2__ && HY_LANES_BYTES == 32
    uint32_t bits = (uint32_t)_mm256_movemask_epi8((__m256i)mask);
    return HY_COUNT_BYTES == 1 ? bits : _pext_u32(bits, 0x55555555u);
#elif defined __SSE2__ && HY_LANES_BYTES == 16
    if (HY_COUNT_BYTES == 1)
        return (uint32_t)_mm_movemask_epi8((__m128i)mask);
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)mask, _mm_setzero_si128()));
#else
    uint64_t bits = 0;
    for (unsigned lane = 0; lane < LANES; lane++)
        bits |= (uint64_t)(mask[lane] & 1u) << lane;
    return bits;
#endif
}

INLINE hy_mask mask_of_bits(uint64_t bits)
{
    hy_mask mask;
    for (unsigned lane = 0; lane < LANES; lane++)
        mask[lane] = (hy_count) - (hy_count)(bits >> lane & 1u);
    return mask;
}

#endif

/* Numbers of 64 bits, one a lane, in as many vectors as that takes. */
#define NUM_HASHES (HY_LANES_BYTES / 8)
typedef uint64_t hy_hashes __attribute__((vector_size(HY_LANES_BYTES)));

INLINE hy_hashes widen(const hy_count *from)
{
#if HY_LANES_BYTES == 64 && HY_COUNT_BYTES == 1
    return (hy_hashes)_mm512_cvtepu8_epi64(_mm_loadl_epi64((const __m128i *)(const void *)from));
#elif HY_LANES_BYTES == 64
    return (hy_hashes)_mm512_cvtepu16_epi64(_mm_loadu_si128((const __m128i *)(const void *)from));
#elif HY_LANES_BYTES == 32 && HY_COUNT_BYTES == 1
    return (hy_hashes)_mm256_cvtepu8_epi64(_mm_loadu_si32(from));
#elif HY_LANES_BYTES == 32
    return (hy_hashes)_mm256_cvtepu16_epi64(_mm_loadl_epi64((const __m128i *)(const void *)from));
#else
    hy_hashes wide = {0};
    for (unsigned i = 0; i < NUM_HASHES; i++)
        wide[i] = from[i];
    return wide;
#endif
}

#if HY_LANES_BYTES == 64
typedef uint64_t hy_wide_masks;

INLINE hy_wide_masks widen_mask(hy_mask mask)
{
    return bits_of(mask);
}

INLINE hy_hashes choose_hashes(const hy_wide_masks *masks, unsigned part, hy_hashes a, hy_hashes b)
{
    __mmask8 mask = (__mmask8)(*masks >> 8 * part);
    return (hy_hashes)_mm512_mask_mov_epi64((__m512i)b, mask, (__m512i)a);
}
#else
typedef struct hy_wide_masks {
    hy_count lanes[LANES] __attribute__((aligned(64)));
} hy_wide_masks;

INLINE hy_wide_masks widen_mask(hy_mask mask)
{
    hy_wide_masks masks;
    memcpy(masks.lanes, &mask, sizeof mask);
    return masks;
}

INLINE hy_hashes choose_hashes(const hy_wide_masks *masks, unsigned part, hy_hashes a, hy_hashes b)
{
    hy_hashes mask = (hy_hashes){0} - (widen(masks->lanes + part * NUM_HASHES) & 1);
    return (a & mask) | (b & ~mask);
}
#endif

/* Ones in the lanes of the mask, to be kept among the columns of a game. */
INLINE hy_counts ones_where(hy_mask mask)
{
    return only_where(mask, all(1));
}

#endif
