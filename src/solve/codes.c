#include "solve/codes.h"

/* The codes, from 0: settled at −L … L (0 is also what is open with a base of 0); base 1 … L;
 * waiting for the level 1 … L, to be settled at its negative; base −1 … −L−1 (none) by 1 … max_open
 * open plies. */

static int base_code(const hy_codes *codes, int base)
{
    return 2 * codes->levels + base;
}

static int waiting_code(const hy_codes *codes, int level)
{
    return 3 * codes->levels + level;
}

static int open_code(const hy_codes *codes, int loss, int open)
{
    return 4 * codes->levels + 1 + (loss - 1) * codes->max_open + open - 1;
}

bool hy_codes_fit(const hy_codes *codes)
{
    return codes->levels <= INT8_MAX &&
           open_code(codes, codes->levels + 1, codes->max_open) < (int)HY_NUM_CODES;
}

uint8_t hy_code_of(const hy_codes *codes, int base, unsigned open)
{
    if (base > 0)
        return (uint8_t)base_code(codes, base);
    if (base == 0)
        return hy_code_settled(codes, 0);
    if (open == 0)
        return (uint8_t)waiting_code(codes, -base);
    return (uint8_t)open_code(codes, -base, (int)open);
}

void hy_news_init(hy_news *news, const hy_codes *codes, int level)
{
    int levels = codes->levels;
    news->plus = hy_code_settled(codes, level);
    news->minus = hy_code_settled(codes, -level);
    news->base_plus = (uint8_t)base_code(codes, level);
    news->waiting = (uint8_t)waiting_code(codes, level);
    for (unsigned code = 0; code < HY_NUM_CODES; code++)
        news->good[code] = news->bad[code] = (uint8_t)code;
    news->good[hy_code_settled(codes, 0)] = news->plus;
    for (int base = 1; base <= level; base++)
        news->good[base_code(codes, base)] = news->plus;
    for (int loss = 1; loss <= levels + 1; loss++) {
        for (int open = 1; open <= codes->max_open; open++) {
            int code = open_code(codes, loss, open);
            news->good[code] = news->plus;
            news->bad[code] = (uint8_t)(code - 1);
        }
        int last = open_code(codes, loss, 1);
        news->bad[last] = loss >= level ? news->minus : (uint8_t)waiting_code(codes, loss);
    }
}

void hy_codes_values(const hy_codes *codes, int8_t values[HY_NUM_CODES])
{
    for (unsigned code = 0; code < HY_NUM_CODES; code++)
        values[code] = 0;
    for (int value = -codes->levels; value <= codes->levels; value++)
        values[hy_code_settled(codes, value)] = (int8_t)value;
}
