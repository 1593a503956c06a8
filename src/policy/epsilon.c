/* epsilon: another policy that plays at random now and then. */
#include "policy/types.h"

enum { RATE, POLICY };

static const hy_parameter parameters[] = {
    [RATE] = {.key = "rate",
              .kind = HY_PARAMETER_REAL,
              .required = true,
              .min = 0,
              .max = 1,
              .meaning = "probability of a random hole, drawn anew at every choice"},
    [POLICY] = {.key = "policy",
                .kind = HY_PARAMETER_POLICY,
                .required = true,
                .meaning = "the policy that plays otherwise"},
};

static unsigned choose(hy_policy *policy, const hy_choice *choice)
{
    if (hy_stream_real(choice->stream) < policy->spec->values[RATE])
        return hy_choose_at_random(choice);
    return hy_policy_choose(policy->inner, choice);
}

const hy_policy_type hy_epsilon_policy = {
    .name = "epsilon",
    .meaning = "another policy that plays at random with a given probability",
    .parameters = parameters,
    .num_parameters = sizeof parameters / sizeof parameters[0],
    .choose = choose,
};
