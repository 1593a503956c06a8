/* Rules and positions in JSON, as the filters read them. */
#ifndef HY_CLI_RULES_JSON_H
#define HY_CLI_RULES_JSON_H

#include <jansson.h>

#include "rules/position.h"

/* Reads an object of fields, and `preset`; what is not there has its default (or the preset's). The
 * rules are checked. */
HY_MUST_CHECK hy_status hy_rules_from_json(const json_t *object, hy_rules *rules, hy_error *error);

/* Reads an integer from `low` to `high`; `what` names it in the error. */
HY_MUST_CHECK hy_status hy_integer_from_json(const json_t *value, const char *what, uint64_t low,
                                             uint64_t high, uint64_t *number, hy_error *error);

/* Reads the keys `board`, `score` (missing: nothing captured) and `mover` of a row. */
HY_MUST_CHECK hy_status hy_position_from_json(const json_t *row, const hy_rules *rules,
                                              hy_position *position, hy_error *error);

/* The board and the score as arrays. */
json_t *hy_board_to_json(const hy_rules *rules, const hy_position *position);
json_t *hy_score_to_json(const hy_position *position);

#endif
