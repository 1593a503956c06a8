/* The policy types that this library holds. Private to src/policy, and to its tests. */
#ifndef HY_POLICY_TYPES_H
#define HY_POLICY_TYPES_H

#include "policy/policy.h"

extern const hy_policy_type hy_random_policy;
extern const hy_policy_type hy_greedy_policy;
extern const hy_policy_type hy_epsilon_policy;

/* A legal hole, all equally likely. */
static inline unsigned hy_choose_at_random(const hy_choice *choice)
{
    return choice->moves->hole[hy_stream_below(choice->stream, choice->moves->num)];
}

#endif
