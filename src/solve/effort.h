/* Proof numbers: how many positions still have to be proved, at the least, before a claim is. Kept
 * in the table as logarithms of 16 bits. Private to src/solve. */
#ifndef HY_SOLVE_EFFORT_H
#define HY_SOLVE_EFFORT_H

#include <stdint.h>
#include <string.h>

#define HY_MAX_EFFORT 4e9f

/* The bits of a float from 1 on are, nearly, its logarithm: 2,048 steps an octave. */
#define HY_EFFORT_ONE 0x3f800000u
#define HY_EFFORT_SHIFT 12

static inline float hy_effort_from(uint16_t stored)
{
    uint32_t bits = HY_EFFORT_ONE + ((uint32_t)stored << HY_EFFORT_SHIFT);
    float effort;
    memcpy(&effort, &bits, sizeof effort);
    return effort;
}

static inline uint16_t hy_effort_to(float effort)
{
    uint32_t bits;
    memcpy(&bits, &effort, sizeof bits);
    if (effort <= 1)
        return 0;
    uint32_t stored = (bits - HY_EFFORT_ONE) >> HY_EFFORT_SHIFT;
    return stored < UINT16_MAX ? (uint16_t)stored : UINT16_MAX;
}

#endif
