/* Random numbers for tests, apart from the library's own: SplitMix64. Source: Steele, Lea, Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014. */
#ifndef HY_SUPPORT_DICE_H
#define HY_SUPPORT_DICE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dice {
    uint64_t state;
} dice;

static inline uint64_t dice_u64(dice *d)
{
    uint64_t z = d->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* 0 … bound−1; the bias of at most bound/2^32 does not matter here. */
static inline unsigned dice_below(dice *d, unsigned bound)
{
    return (unsigned)((dice_u64(d) >> 32) * bound >> 32);
}

static inline bool dice_one_in(dice *d, unsigned bound)
{
    return dice_below(d, bound) == 0;
}

#endif
