/* What a ply leads to, for searches of values: the position with passes settled, and what was won.
 * Private to src/solve, and to its tests.
 *
 * Values here are counters still to be won, own less the opponent's; what was captured before does
 * not enter. They decompose so only where hy_branch_check accepts the rules. */
#ifndef HY_SOLVE_BRANCH_H
#define HY_SOLVE_BRANCH_H

#include "rules/ply.h"

typedef struct hy_branch {
    hy_position position; /* settled, unless `over` */
    int gain;             /* won by who played, less what the opponent won */
    bool over;            /* the game has ended; nothing more can be won */
    bool same_mover;      /* who played is to move again */
    bool captured;        /* by anyone: fewer counters are on the board */
    uint8_t hole;
} hy_branch;

/* Plays a non-empty hole of the mover's row. HY_ENDING_ENDLESS with `endless: forbid`: the hole is
 * not legal; HY_ENDING_UNRESOLVED: it cannot be told. *branch is set otherwise. */
hy_ending hy_branch_make(const hy_rules *rules, const hy_position *position, unsigned hole,
                         uint64_t max_laps, hy_branch *branch);

/* Refuses, by the name of the field, rules whose values depend on more than the position. */
HY_MUST_CHECK hy_status hy_branch_check(const hy_rules *rules, hy_error *error);

/* Values that can occur with a given number of counters left: whole casas, and what is left at the
 * end where that is no casa. These give the nearest such value not below, or not above. */
int hy_value_up(const hy_rules *rules, unsigned left, int value);
int hy_value_down(const hy_rules *rules, unsigned left, int value);

#endif
