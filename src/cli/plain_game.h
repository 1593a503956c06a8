/* The baseline of `hoyito bench`: Hoyito II as a plain loop would play it, counter by counter. */
#ifndef HY_CLI_PLAIN_GAME_H
#define HY_CLI_PLAIN_GAME_H

#include <stdint.h>

/* Plays random games under the default rules and returns their plies; *laps are those sown.
 * A sowing of more than 1,000 laps ends its game. */
unsigned hy_plain_games(unsigned holes, unsigned seeds, unsigned games, uint64_t *laps);

#endif
