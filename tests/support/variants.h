/* Variants and positions for tests: at random, or from their text. */
#ifndef HY_SUPPORT_VARIANTS_H
#define HY_SUPPORT_VARIANTS_H

#include "rules/position.h"
#include "support/dice.h"

/* Every field at random, among those that hy_rules_check accepts. */
hy_rules variant_random(dice *d, unsigned max_holes, unsigned max_seeds);

/* Any counters anywhere, reachable or not, of any number that hy_position_is_valid accepts: sparse,
 * around a casa, crowded, or with one hole of about a whole round or two. Nothing is captured. */
hy_position position_random(dice *d, const hy_rules *rules);

/* A hole that is not empty, of either row; or of one row. False where there is none. */
bool hole_random(dice *d, const hy_rules *rules, const hy_position *position, unsigned *hole);
bool hole_random_of(dice *d, const hy_rules *rules, const hy_position *position, hy_player owner,
                    unsigned *hole);

/* From their texts; the test fails where they are none. */
hy_rules variant_of(const char *text);
hy_position position_of(const hy_rules *rules, const char *text);

/* Counters on the board and captured. */
unsigned position_sum(const hy_position *position);

/* Fails the test, naming what it played. */
void fail_at(const char *what, const hy_rules *rules, const hy_position *position, unsigned hole);

#endif
