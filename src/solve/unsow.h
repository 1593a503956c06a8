/* Undoing a sowing that captured nothing, lap by lap, under any rules.
 *
 * Under `relay` the last lap ended in a hole that was empty. A lap shorter than a round began at
 * the nearest empty hole behind its end: that hole is empty, and none that it passed is. Taking its
 * counters back gives the board before the lap; the hole that was picked up for it had been reached
 * by the lap before, or it was the first one. Laps of a round and more leave no hole empty (with
 * `skip_origin`: only their first one), and each length is tried. */
#ifndef HY_SOLVE_UNSOW_H
#define HY_SOLVE_UNSOW_H

#include "rules/rules.h"

/* Gets a board (the mover's row first) on which sowing the mover's `hole` leads to the board that
 * was asked about. */
typedef void hy_unsow_visitor(void *context, const uint8_t *before, unsigned hole);

/* Visits every board and hole of the player who moved last, once each. `after`: 2·holes bytes, with
 * the row of the player who moved first. */
void hy_unsow(const hy_rules *rules, const uint8_t *after, hy_unsow_visitor *visit, void *context);

#endif
