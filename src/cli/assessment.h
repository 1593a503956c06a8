/* What a policy thinks of a position, found, as text and as JSON: for `analyse` and the hints of
 * `play`. */
#ifndef HY_CLI_ASSESSMENT_H
#define HY_CLI_ASSESSMENT_H

#include <jansson.h>

#include "sim/game.h"

/* The values are those of hy_analysis, to `player`. */
typedef struct hy_assessment {
    hy_player player; /* to move */
    hy_moves moves;
    unsigned best; /* hole */
    double value;  /* of the best hole */
    double values[HY_MAX_HOLES];
    bool exact;
    unsigned depth;
    uint64_t nodes;
    uint8_t line[HY_MAX_LINE];
    unsigned num_line;
} hy_assessment;

/* What the policy thinks of a game that is not over. Where there is one legal hole only, so that a
 * policy is not asked, the game is followed to the next choice or its end. */
HY_MUST_CHECK hy_status hy_assess(hy_policy *policy, const hy_game *game, const hy_stream *stream,
                                  hy_assessment *assessment, hy_error *error);

/* Writes the values hole by hole, and the best line, to stdout. */
void hy_print_assessment(const hy_policy_spec *spec, const hy_assessment *assessment);

/* Adds value, values (by hole, null where it is not legal), best, line, depth, nodes, exact. NULL
 * stands for the position of a game that is over. */
void hy_add_assessment_to_row(json_t *row, const hy_rules *rules, const hy_assessment *assessment);

#endif
