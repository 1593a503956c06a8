/* The policy types that this library holds. Private to src/policy, and to its tests. */
#ifndef HY_POLICY_TYPES_H
#define HY_POLICY_TYPES_H

#include "policy/policy.h"

extern const hy_policy_type hy_random_policy;
extern const hy_policy_type hy_greedy_policy;
extern const hy_policy_type hy_epsilon_policy;
extern const hy_policy_type hy_alphabeta_policy;
extern const hy_policy_type hy_mcts_policy;
extern const hy_policy_type hy_exact_policy;

/* A legal hole, all equally likely. */
static inline unsigned hy_choose_at_random(const hy_choice *choice)
{
    return choice->moves->hole[hy_stream_below(choice->stream, choice->moves->num)];
}

/* One of the equally good holes `best` (at least one): the first, or one at random. */
static inline unsigned hy_break_tie(const hy_choice *choice, const hy_moves *best, bool first)
{
    return best->hole[first || best->num == 1 ? 0 : hy_stream_below(choice->stream, best->num)];
}

#endif
