/* Checks a proved claim by walking a whole strategy for it. Private to src/solve, and its tests. */
#ifndef HY_SOLVE_VERIFY_CLAIM_H
#define HY_SOLVE_VERIFY_CLAIM_H

#include "solve/contest.h"

/* Walks every position that can occur while the claimant follows one fixed ply for each, and the
 * opponent plays anything. The transposition table only proposes the claimant's plies; that they
 * are legal, and what they and all answers lead to, is found anew with the reference engine of
 * sowing; lines end with the game or in a table. The claim holds when every end wins enough and the
 * walk finds no way of going round for ever from where the claimant still has to win something.
 *
 * HY_FAILED: no such strategy was found. *positions is set to the number of those walked. */
HY_MUST_CHECK hy_status hy_verify_claim(hy_contest *contest, hy_player claimant, int wins,
                                        uint64_t *positions, hy_error *error);

#endif
