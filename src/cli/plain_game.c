#include "cli/plain_game.h"

#include <string.h>

#include "rules/rules.h"

#define MAX_LAPS 1000
#define CASA 4

/* The generator is a cheap one on purpose: xorshift64 (Marsaglia 2003). */
static uint32_t next_random(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32);
}

static unsigned choose(const uint8_t *row, unsigned holes)
{
    unsigned filled[HY_MAX_HOLES], num = 0;
    for (unsigned hole = 0; hole < holes; hole++) {
        if (row[hole] > 0)
            filled[num++] = hole;
    }
    return num > 0 ? filled[(uint64_t)next_random() * num >> 32] : holes;
}

/* Returns the counters captured, or -1 for a sowing that is given up, whose laps do not count. */
static int sow(uint8_t *board, unsigned size, unsigned hole, uint64_t *num_laps)
{
    for (unsigned laps = 0; laps < MAX_LAPS; laps++) {
        unsigned hand = board[hole];
        board[hole] = 0;
        while (hand-- > 0) {
            if (++hole == size)
                hole = 0;
            board[hole]++;
        }
        if (board[hole] == 1) {
            *num_laps += laps + 1;
            return 0;
        }
        int captured = 0;
        for (; board[hole] == CASA; hole = hole > 0 ? hole - 1 : size - 1) {
            board[hole] = 0;
            captured += CASA;
        }
        if (captured > 0) {
            *num_laps += laps + 1;
            return captured;
        }
    }
    return -1;
}

static unsigned play(unsigned holes, unsigned seeds, uint64_t *laps)
{
    uint8_t board[2 * HY_MAX_HOLES];
    unsigned plies = 0, mover = 0;
    int left = (int)(2 * holes * seeds);
    memset(board, (int)seeds, sizeof board);
    while (left > CASA) {
        unsigned hole = choose(board + mover * holes, holes);
        int captured = 0;
        if (hole < holes) {
            captured = sow(board, 2 * holes, mover * holes + hole, laps);
            plies++;
        }
        if (captured < 0)
            break;
        left -= captured;
        if (captured == 0)
            mover ^= 1;
    }
    return plies;
}

unsigned hy_plain_games(unsigned holes, unsigned seeds, unsigned games, uint64_t *laps)
{
    unsigned plies = 0;
    *laps = 0;
    for (unsigned game = 0; game < games; game++)
        plies += play(holes, seeds, laps);
    return plies;
}
