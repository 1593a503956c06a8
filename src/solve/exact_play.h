/* Perfect play: the value of every position, and a line of best play.
 *
 * The value of a node is what south can force of the difference still to come (counters of south
 * less counters of north); play that never ends brings 0 from there on. Blocks are settled one
 * after the other, so that all that leaves a block has its value. Within a block, south forces at
 * least t > 0 exactly from where it can force play to leave it at t or more: these nodes are found
 * backward, from the largest t down; then the same for north; what is left can go on for ever, or
 * leaves at 0, and is 0. The order of settling is the certificate: who is ahead always has an edge
 * to a node settled earlier, or out of the block. */
#ifndef HY_SOLVE_EXACT_PLAY_H
#define HY_SOLVE_EXACT_PLAY_H

#include "solve/reach_blocks.h"

typedef struct hy_values {
    int16_t *value; /* of each node, to south */
    uint32_t *rank; /* order of settling, from 1; 0: of value 0, or alone in its block */
    uint32_t num;
    hy_budget *budget;
} hy_values;

/* Released with hy_values_clean_up, also after an error. */
HY_MUST_CHECK hy_status hy_values_init(hy_values *values, const hy_graph *graph,
                                       const hy_blocks *blocks, hy_error *error);
void hy_values_clean_up(hy_values *values);

/* Nodes at which the values contradict each other or are not certified by the ranks: 0 for values
 * that are right. */
uint32_t hy_values_num_faults(const hy_values *values, const hy_graph *graph,
                              const hy_blocks *blocks);

#define HY_EXACT_MAX_LINE 400u

/* Best play from the start on. */
typedef struct hy_line {
    unsigned num; /* plies; HY_EXACT_MAX_LINE: cut, if it neither ends nor repeats */
    uint8_t hole[HY_EXACT_MAX_LINE];
    hy_termination termination; /* HY_GOES_ON: it does not end within the line … */
    bool repeats;     /* … but goes round for ever: after the last ply the position is … */
    unsigned back_to; /* … that before this ply (from 0) */
} hy_line;

/* Who is ahead keeps getting closer, who is behind takes the last of the nodes that were settled.
 */
HY_MUST_CHECK hy_status hy_line_find(hy_line *line, const hy_values *values, const hy_graph *graph,
                                     const hy_blocks *blocks, hy_error *error);

#endif
