/* random: every legal hole with the same probability. */
#include "policy/types.h"

static unsigned choose(hy_policy *policy, const hy_choice *choice)
{
    (void)policy;
    return hy_choose_at_random(choice);
}

const hy_policy_type hy_random_policy = {
    .name = "random",
    .meaning = "every legal hole with the same probability",
    .uniform = true,
    .choose = choose,
};
