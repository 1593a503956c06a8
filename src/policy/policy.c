#include "policy/policy.h"

#include <stdlib.h>

#include "base/memory.h"
#include "policy/types.h"

const hy_policy_type *const hy_policy_types[] = {
    &hy_random_policy,    &hy_greedy_policy, &hy_epsilon_policy,
    &hy_alphabeta_policy, &hy_mcts_policy,   &hy_exact_policy,
};

const size_t hy_num_policy_types = sizeof hy_policy_types / sizeof hy_policy_types[0];

double hy_policy_spec_memory(const hy_policy_spec *spec, const hy_rules *rules)
{
    double bytes = 0;
    for (; spec; spec = spec->inner) {
        if (spec->type->memory)
            bytes += spec->type->memory(spec, rules);
    }
    return bytes;
}

static hy_status check_memory(const hy_policy_spec *spec, const hy_rules *rules, hy_error *error)
{
    char text[HY_POLICY_TEXT_SIZE];
    hy_policy_spec_print(spec, text);
    return hy_memory_check(text, hy_policy_spec_memory(spec, rules), error);
}

hy_status hy_policy_new(const hy_policy_spec *spec, const hy_rules *rules, hy_policy **policy,
                        hy_error *error)
{
    hy_status status = check_memory(spec, rules, error);
    if (status != HY_OK)
        return status;
    hy_policy *made = hy_new_array(1, sizeof *made);
    if (!made)
        return hy_fail_memory(error);
    made->type = spec->type;
    made->spec = spec;
    if (spec->inner)
        status = hy_policy_new(spec->inner, rules, &made->inner, error);
    if (status == HY_OK && made->type->init)
        status = made->type->init(made, rules, error);
    if (status != HY_OK) {
        hy_policy_destroy(made);
        return status;
    }
    *policy = made;
    return HY_OK;
}

void hy_policy_destroy(hy_policy *policy)
{
    if (!policy)
        return;
    if (policy->type->clean_up)
        policy->type->clean_up(policy);
    hy_policy_destroy(policy->inner);
    free(policy);
}

void hy_policy_new_game(hy_policy *policy)
{
    for (; policy; policy = policy->inner) {
        if (policy->type->new_game)
            policy->type->new_game(policy);
    }
}

void hy_policy_generalise(hy_policy *policy)
{
    for (; policy; policy = policy->inner) {
        if (policy->type->generalise)
            policy->type->generalise(policy);
    }
}
