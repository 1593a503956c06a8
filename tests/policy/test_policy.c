#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "policy/types.h"
#include "support/policies.h"
#include "support/variants.h"

static void assert_parameter(const hy_policy_type *type, size_t i)
{
    const hy_parameter *parameter = &type->parameters[i];
    size_t found = 99;
    assert_true(strlen(parameter->key) > 0 && strlen(parameter->meaning) > 5);
    assert_null(strpbrk(parameter->key, " ,:=()"));
    assert_int_equal(hy_parameter_find(type, parameter->key, &found, NULL), HY_OK);
    assert_int_equal(found, i);
    switch (parameter->kind) {
    case HY_PARAMETER_INTEGER:
    case HY_PARAMETER_REAL:
        assert_true(parameter->min < parameter->max);
        assert_true(parameter->max <= 0x1p53);
        if (!parameter->required)
            assert_true(parameter->preset >= parameter->min && parameter->preset <= parameter->max);
        return;
    case HY_PARAMETER_WORD:
        assert_non_null(parameter->words[0]);
        if (!parameter->required)
            assert_non_null(parameter->words[(size_t)parameter->preset]);
        return;
    case HY_PARAMETER_POLICY:
    case HY_PARAMETER_TEXT:
        assert_true(parameter->required);
        return;
    }
}

static void every_row_is_complete(void **state)
{
    (void)state;
    assert_true(hy_num_policy_types >= 3);
    for (size_t t = 0; t < hy_num_policy_types; t++) {
        const hy_policy_type *type = hy_policy_types[t], *found = NULL;
        unsigned inner = 0;
        assert_true(strlen(type->name) > 0 && strlen(type->meaning) > 10);
        assert_null(strpbrk(type->name, " ,:=()"));
        assert_non_null(type->choose);
        assert_true(type->num_parameters <= HY_MAX_PARAMETERS);
        assert_int_equal(hy_policy_type_find(type->name, &found, NULL), HY_OK);
        assert_ptr_equal(found, type);
        for (size_t i = 0; i < type->num_parameters; i++) {
            assert_parameter(type, i);
            inner += type->parameters[i].kind == HY_PARAMETER_POLICY;
        }
        assert_true(inner <= 1);
    }
}

static void the_named_policies_are_there(void **state)
{
    (void)state;
    static const char *const names[] = {"random", "greedy", "epsilon"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const hy_policy_type *type = NULL;
        assert_int_equal(hy_policy_type_find(names[i], &type, NULL), HY_OK);
        assert_string_equal(type->name, names[i]);
    }
}

/* A type that counts what is done to it. */
static struct {
    int made, games, chosen, gone;
    hy_status refusal;
} seen;

static hy_status counting_init(hy_policy *policy, const hy_rules *rules, hy_error *error)
{
    assert_non_null(rules);
    if (seen.refusal != HY_OK)
        return hy_fail(error, seen.refusal, "refused");
    policy->state = &seen;
    seen.made++;
    return HY_OK;
}

static void counting_new_game(hy_policy *policy)
{
    assert_ptr_equal(policy->state, &seen);
    seen.games++;
}

static unsigned counting_choose(hy_policy *policy, const hy_choice *choice)
{
    assert_ptr_equal(policy->state, &seen);
    seen.chosen++;
    return choice->moves->hole[0];
}

static void counting_clean_up(hy_policy *policy)
{
    seen.gone += policy->state != NULL;
}

static const hy_policy_type counting = {
    .name = "counting",
    .meaning = "counts what is done to it",
    .init = counting_init,
    .new_game = counting_new_game,
    .choose = counting_choose,
    .clean_up = counting_clean_up,
};

static hy_policy_spec *counting_within_epsilon(void)
{
    hy_policy_spec *spec = spec_of("epsilon:rate=0,policy=random"), *inner = NULL;
    size_t index;
    assert_int_equal(hy_policy_spec_new(&counting, &inner, NULL), HY_OK);
    assert_int_equal(hy_parameter_find(&hy_epsilon_policy, "policy", &index, NULL), HY_OK);
    hy_policy_spec_set_inner(spec, index, inner);
    return spec;
}

static void an_inner_policy_lives_with_its_outer_one(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    scene s = {.rules = hy_rules_default()};
    s.position = hy_position_start(&s.rules);
    hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
    player p = {.spec = counting_within_epsilon()};
    hy_stream stream = hy_stream_make(1, 0, HY_PURPOSE_SOUTH);
    assert_int_equal(hy_policy_new(p.spec, &s.rules, &p.policy, NULL), HY_OK);
    hy_policy_new_game(p.policy);
    hy_policy_new_game(p.policy);
    assert_int_equal(choose_in(&p, &s, &stream), 0);
    player_clean_up(&p);
    assert_int_equal(seen.made, 1);
    assert_int_equal(seen.games, 2);
    assert_int_equal(seen.chosen, 1);
    assert_int_equal(seen.gone, 1);
}

static void a_refused_policy_leaves_nothing(void **state)
{
    (void)state;
    memset(&seen, 0, sizeof seen);
    seen.refusal = HY_FAILED;
    hy_rules rules = hy_rules_default();
    hy_policy_spec *spec = counting_within_epsilon();
    hy_policy *policy = NULL;
    hy_error error = {0};
    assert_int_equal(hy_policy_new(spec, &rules, &policy, &error), HY_FAILED);
    assert_string_equal(error.text, "refused");
    assert_int_equal(seen.made, 0);
    assert_int_equal(seen.gone, 0);
    hy_policy_spec_destroy(spec);
}

static void nothing_can_be_released(void **state)
{
    (void)state;
    hy_policy_destroy(NULL);
    hy_policy_new_game(NULL);
    hy_policy_spec_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(the_named_policies_are_there),
        cmocka_unit_test(an_inner_policy_lives_with_its_outer_one),
        cmocka_unit_test(a_refused_policy_leaves_nothing),
        cmocka_unit_test(nothing_can_be_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
