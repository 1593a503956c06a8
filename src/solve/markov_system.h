/* The linear equations of a block, in the form that KLU takes. Private to src/solve. */
#ifndef HY_SOLVE_MARKOV_SYSTEM_H
#define HY_SOLVE_MARKOV_SYSTEM_H

#include <suitesparse/klu.h>

#include "solve/reach_blocks.h"

/* The transpose of I - Q, by columns; column i belongs to node `nodes[i]`. Memory of one is used
 * again for the next. */
typedef struct hy_system {
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    int size;
    int *first, *row;
    double *entry;
    uint32_t *place_of; /* of a node, in its block */
    uint32_t num_nodes;
    hy_budget *budget;
} hy_system;

/* For blocks of up to HY_MARKOV_DIRECT nodes. Released with hy_system_clean_up, also after an
 * error. */
HY_MUST_CHECK hy_status hy_system_init(hy_system *system, const hy_graph *graph, hy_error *error);
void hy_system_clean_up(hy_system *system);

/* Factors the equations of a block; HY_FAILED where they are singular. */
HY_MUST_CHECK hy_status hy_system_factor(hy_system *system, const hy_graph *graph,
                                         const hy_blocks *blocks, uint32_t block, hy_error *error);

/* Solves x (I - Q) = b (forward) or (I - Q) x = b (backward) in place, for `num` vectors that lie
 * one after the other. */
HY_MUST_CHECK hy_status hy_system_solve(hy_system *system, bool forward, double *vectors, int num,
                                        hy_error *error);

#endif
