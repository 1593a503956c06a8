/* A sowing shown lap by lap. */
#ifndef HY_CLI_PLAY_LAPS_H
#define HY_CLI_PLAY_LAPS_H

#include "rules/position.h"

/* Shows what sowing `hole` (not empty) of the position does, on stdout: the first laps and the last
 * one; of an endless sowing the first ones, and when they come again. */
void hy_print_laps(const hy_rules *rules, const hy_position *position, unsigned hole, bool colour);

/* One line on why the sowing never ends; nothing where it does. */
void hy_print_endless(const hy_rules *rules, const hy_position *position, unsigned hole);

#endif
