/* The parts of golden rows that are rules and positions; the test fails where they are not. */
#ifndef HY_SUPPORT_GOLDEN_ROWS_H
#define HY_SUPPORT_GOLDEN_ROWS_H

#include "rules/position.h"
#include "support/golden.h"

/* Of the member "rules", an object of fields. */
hy_rules golden_rules(const json_t *row);

/* Of the members "holes" and "seeds" and the texts "key=value" of the member "rules". */
hy_rules golden_pairs(const json_t *row);

/* Of the members "board", "score" and "mover". */
hy_position golden_position(const hy_rules *rules, const json_t *row);

#endif
