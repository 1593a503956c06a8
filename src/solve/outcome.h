/* What follows from a proved value: the first holes that attain it, and best play. Private to
 * src/solve. */
#ifndef HY_SOLVE_OUTCOME_H
#define HY_SOLVE_OUTCOME_H

#include "solve/contest.h"

/* Fills best, open and line of a proof whose value is proved. For each hole it searches as many
 * nodes as the bounds took, at most, and at least OUTCOME_NODES. */
HY_MUST_CHECK hy_status hy_outcome_find(hy_contest *contest, hy_proof *proof, hy_error *error);

#endif
