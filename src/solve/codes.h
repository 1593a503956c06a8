/* What is known of a position while its layer is being solved, in one byte.
 *
 * Values are counted in units (rules: the greatest common divisor of casa and total). A position is
 * settled at its value; or its plies that leave the layer are worth `base` at best, and so many
 * others are open. How many matters only while the base is negative: a position that has a base of
 * 0 or more loses nothing by bad news, it only waits until its base is the best there can be. */
#ifndef HY_SOLVE_CODES_H
#define HY_SOLVE_CODES_H

#include <stdbool.h>
#include <stdint.h>

#define HY_NUM_CODES 256u

typedef struct hy_codes {
    int levels;   /* the greatest value */
    int max_open; /* plies of a position at the most */
} hy_codes;

/* What a code becomes when a ply is found to lead to a settled position, at one level. */
typedef struct hy_news {
    uint8_t plus, minus;        /* the codes of positions settled at the level */
    uint8_t base_plus, waiting; /* those that settle by themselves: at plus, at minus */
    uint8_t good[HY_NUM_CODES]; /* the position that follows is lost by as much as the level */
    uint8_t bad[HY_NUM_CODES];  /* it is won by as much */
} hy_news;

/* Whether so many values and plies have codes. */
bool hy_codes_fit(const hy_codes *codes);

/* The base of a position that has no ply but open ones. */
static inline int hy_codes_no_base(const hy_codes *codes)
{
    return -codes->levels - 1;
}

static inline uint8_t hy_code_settled(const hy_codes *codes, int value)
{
    return (uint8_t)(codes->levels + value);
}

/* A position of that base, with so many open plies. */
uint8_t hy_code_of(const hy_codes *codes, int base, unsigned open);

/* The tables of one level, 1 … levels; levels are worked down from the highest. */
void hy_news_init(hy_news *news, const hy_codes *codes, int level);

/* The value of each code when the lowest level is done: what is not settled goes on for ever, 0. */
void hy_codes_values(const hy_codes *codes, int8_t values[HY_NUM_CODES]);

#endif
