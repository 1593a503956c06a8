#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "policy/policy.h"
#include "support/dice.h"
#include "support/policies.h"

#define NUM(array) (sizeof(array) / sizeof(array)[0])

static void texts_have_a_canonical_form(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"random", "random"},
        {"greedy", "greedy"},
        {"greedy:ties=random", "greedy"},
        {"greedy:ties=first", "greedy:ties=first"},
        {"exact:depth=6,tables=a b/c:d=e", "exact:tables=a b/c:d=e,depth=6"},
        {"epsilon:policy=(exact:tables=t,ties=first),rate=0",
         "epsilon:rate=0,policy=(exact:tables=t,depth=6,ties=first)"},
        {"epsilon:rate=0.1,policy=greedy", "epsilon:rate=0.1,policy=greedy"},
        {"epsilon:policy=random,rate=0.10", "epsilon:rate=0.1,policy=random"},
        {"epsilon:rate=1e-2,policy=(greedy)", "epsilon:rate=0.01,policy=greedy"},
        {"epsilon:rate=0,policy=(greedy:ties=random)", "epsilon:rate=0,policy=greedy"},
        {"epsilon:rate=1.0,policy=(greedy:ties=first)",
         "epsilon:rate=1,policy=(greedy:ties=first)"},
        {"epsilon:policy=(epsilon:policy=(greedy:ties=first),rate=0.5),rate=0.25",
         "epsilon:rate=0.25,policy=(epsilon:rate=0.5,policy=(greedy:ties=first))"},
    };
    for (size_t i = 0; i < NUM(pairs); i++) {
        char text[HY_POLICY_TEXT_SIZE];
        hy_policy_spec *spec = spec_of(pairs[i][0]);
        hy_policy_spec_print(spec, text);
        assert_string_equal(text, pairs[i][1]);
        hy_policy_spec_destroy(spec);
    }
}

static void text_random(dice *d, unsigned depth, char *text, size_t size)
{
    if (depth + 1 < HY_MAX_POLICY_DEPTH && !dice_one_in(d, 4)) {
        char inner[HY_POLICY_TEXT_SIZE - 100];
        text_random(d, depth + 1, inner, sizeof inner);
        snprintf(text, size, "epsilon:rate=%.17g,policy=(%s)",
                 (double)(dice_u64(d) >> 11) * 0x1p-53, inner);
        return;
    }
    static const char *const leaves[] = {"random", "greedy", "greedy:ties=first"};
    snprintf(text, size, "%s", leaves[dice_below(d, 3)]);
}

static void assert_same_spec(const hy_policy_spec *a, const hy_policy_spec *b)
{
    assert_ptr_equal(a->type, b->type);
    for (size_t i = 0; i < a->type->num_parameters; i++)
        assert_memory_equal(&a->values[i], &b->values[i], sizeof a->values[i]);
    assert_int_equal(a->inner != NULL, b->inner != NULL);
    if (a->inner)
        assert_same_spec(a->inner, b->inner);
}

static void printed_specs_come_back(void **state)
{
    (void)state;
    dice d = {34};
    for (int i = 0; i < 5000; i++) {
        char text[HY_POLICY_TEXT_SIZE], again[HY_POLICY_TEXT_SIZE];
        text_random(&d, 0, text, sizeof text);
        hy_policy_spec *spec = spec_of(text);
        hy_policy_spec_print(spec, text);
        hy_policy_spec *back = spec_of(text);
        assert_same_spec(spec, back);
        hy_policy_spec_print(back, again);
        assert_string_equal(again, text);
        hy_policy_spec_destroy(spec);
        hy_policy_spec_destroy(back);
    }
}

static void wrong_texts_are_refused(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", "unknown policy"},
        {" random", "unknown policy"},
        {"Random", "unknown policy 'Random'"},
        {"gredy", "did you mean 'greedy'?"},
        {"minimax", "known: random, greedy"},
        {"random:", "parameters are missing"},
        {"random:ties=first", "has no parameters"},
        {"greedy:tie=first", "did you mean 'ties'?"},
        {"greedy:ties", "key=value"},
        {"greedy:ties=", "cannot be ''"},
        {"greedy:ties=last", "allowed: random, first"},
        {"greedy:ties=first,", "key=value"},
        {"greedy:,ties=first", "key=value"},
        {"greedy:ties=first,ties=first", "given twice"},
        {"greedy:ties=first,ties=random", "given twice"},
        {"greedy ties=first", "unknown policy"},
        {"epsilon", "needs its parameter 'rate'"},
        {"epsilon:policy=random", "needs its parameter 'rate'"},
        {"epsilon:rate=0.5", "needs its parameter 'policy'"},
        {"epsilon:rate=1.5,policy=random", "allowed: 0 … 1"},
        {"epsilon:rate=-0.5,policy=random", "cannot be '-0.5'"},
        {"epsilon:rate=nan,policy=random", "cannot be 'nan'"},
        {"epsilon:rate=.5,policy=random", "cannot be '.5'"},
        {"epsilon:rate=0.5x,policy=random", "cannot be '0.5x'"},
        {"epsilon:rate=,policy=random", "cannot be ''"},
        {"epsilon:rate=0.5,policy=", "unknown policy"},
        {"epsilon:rate=0.5,policy=()", "unknown policy"},
        {"epsilon:rate=0.5,policy=lucky", "unknown policy 'lucky'"},
        {"epsilon:rate=0.5,policy=epsilon", "needs its parameter 'rate'"},
        {"epsilon:rate=0.5,policy=(greedy:ties=first", "key=value"},
        {"epsilon:rate=0.5,policy=greedy:ties=first)", "key=value"},
        {"epsilon:rate=0.5,policy=)(", "unknown policy"},
        {"epsilon:rate=0.5,policy=random,policy=greedy", "given twice"},
        {"epsilon:rate=0.5,rate=0.5,policy=random", "given twice"},
    };
    for (size_t i = 0; i < NUM(rows); i++) {
        hy_policy_spec *spec = NULL;
        hy_error error = {0};
        if (hy_policy_spec_parse(rows[i][0], &spec, &error) != HY_INVALID)
            fail_msg("'%s' was taken", rows[i][0]);
        if (!strstr(error.text, rows[i][1]))
            fail_msg("'%s': the message is '%s'", rows[i][0], error.text);
    }
}

static void nested(unsigned depth, char *text, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; i < depth; i++)
        used += (size_t)snprintf(text + used, size - used, "epsilon:rate=0.5,policy=(");
    used += (size_t)snprintf(text + used, size - used, "random");
    for (unsigned i = 0; i < depth; i++)
        used += (size_t)snprintf(text + used, size - used, ")");
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    char text[HY_POLICY_TEXT_SIZE];
    nested(HY_MAX_POLICY_DEPTH - 1, text, sizeof text);
    hy_policy_spec_destroy(spec_of(text));
    for (unsigned depth = HY_MAX_POLICY_DEPTH; depth < 30; depth++) {
        hy_policy_spec *spec = NULL;
        hy_error error = {0};
        nested(depth, text, sizeof text);
        assert_int_equal(hy_policy_spec_parse(text, &spec, &error), HY_INVALID);
        assert_non_null(strstr(error.text, "deep"));
    }
}

static void length_has_a_limit(void **state)
{
    (void)state;
    char text[HY_POLICY_TEXT_SIZE + 100];
    hy_policy_spec *spec = NULL;
    hy_error error = {0};
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(hy_policy_spec_parse(text, &spec, &error), HY_INVALID);
    text[HY_POLICY_TEXT_SIZE - 1] = '\0';
    assert_int_equal(hy_policy_spec_parse(text, &spec, &error), HY_INVALID);
}

/* Any garbage of the letters that mean something is an error or a policy, and never a crash. */
static void garbage_does_no_harm(void **state)
{
    (void)state;
    static const char *const pieces[] = {"epsilon", "greedy", "random", "rate", "policy", "ties",
                                         "first",   "0.5",    ":",      ",",    "=",      "(",
                                         ")",       "((",     " ",      "x"};
    dice d = {35};
    unsigned taken = 0;
    for (int i = 0; i < 50000; i++) {
        char text[256] = "";
        hy_policy_spec *spec = NULL;
        for (unsigned n = dice_below(&d, 14); n > 0; n--)
            strcat(text, pieces[dice_below(&d, NUM(pieces))]);
        hy_status status = hy_policy_spec_parse(text, &spec, NULL);
        assert_true(status == HY_OK || status == HY_INVALID);
        if (status != HY_OK)
            continue;
        taken++;
        assert_int_equal(hy_policy_spec_check(spec, NULL), HY_OK);
        hy_policy_spec_destroy(spec);
    }
    assert_true(taken > 100);
}

static void parameters_can_be_set_one_by_one(void **state)
{
    (void)state;
    const hy_policy_type *type = NULL;
    hy_policy_spec *spec = NULL;
    char text[HY_POLICY_TEXT_SIZE];
    size_t rate, policy;
    assert_int_equal(hy_policy_type_find("epsilon", &type, NULL), HY_OK);
    assert_int_equal(hy_policy_spec_new(type, &spec, NULL), HY_OK);
    assert_int_equal(hy_parameter_find(type, "rate", &rate, NULL), HY_OK);
    assert_int_equal(hy_parameter_find(type, "policy", &policy, NULL), HY_OK);
    assert_int_equal(hy_policy_spec_check(spec, NULL), HY_INVALID);
    assert_int_equal(hy_policy_spec_set(spec, rate, "2", NULL), HY_INVALID);
    assert_int_equal(hy_policy_spec_set(spec, rate, "0.75", NULL), HY_OK);
    assert_int_equal(hy_policy_spec_check(spec, NULL), HY_INVALID);
    assert_int_equal(hy_policy_spec_set(spec, policy, "greedy:ties=first", NULL), HY_OK);
    assert_int_equal(hy_policy_spec_set(spec, policy, "random", NULL), HY_OK);
    assert_int_equal(hy_policy_spec_check(spec, NULL), HY_OK);
    hy_policy_spec_print(spec, text);
    assert_string_equal(text, "epsilon:rate=0.75,policy=random");
    hy_policy_spec_destroy(spec);
}

/* What a message says is allowed has to be what is taken. */
static void what_is_allowed_is_taken(void **state)
{
    (void)state;
    static const hy_parameter depth = {
        .key = "depth", .kind = HY_PARAMETER_INTEGER, .min = 1, .max = 100};
    static const hy_parameter rate = {.key = "rate", .kind = HY_PARAMETER_REAL, .max = 0.5};
    static const hy_parameter ties = {
        .key = "ties", .kind = HY_PARAMETER_WORD, .words = {"random", "first"}};
    static const hy_parameter inner = {.key = "policy", .kind = HY_PARAMETER_POLICY};
    char buffer[HY_FIELD_TEXT_SIZE];
    assert_string_equal(hy_parameter_allowed(&depth, buffer), "1 … 100");
    assert_string_equal(hy_parameter_allowed(&rate, buffer), "0 … 0.5");
    assert_string_equal(hy_parameter_allowed(&ties, buffer), "random, first");
    assert_string_equal(hy_parameter_allowed(&inner, buffer), "a policy");
}

/* A policy's text leaves out what is at its preset, so presets are part of what stored texts mean:
 * another one needs another HY_POLICIES_VERSION. */
static void presets_change_with_the_version_alone(void **state)
{
    (void)state;
    static const struct {
        const char *type, *key;
        double preset;
    } known[] = {
        {"greedy", "ties", 0},       {"alphabeta", "depth", 6},    {"alphabeta", "nodes", 0},
        {"alphabeta", "time_ms", 0}, {"alphabeta", "table", 8},    {"alphabeta", "evaluation", 1},
        {"alphabeta", "ties", 0},    {"mcts", "exploration", 0.7}, {"mcts", "playout", 0},
        {"mcts", "cut", 0},          {"mcts", "memory", 256},      {"mcts", "ties", 0},
        {"exact", "depth", 6},       {"exact", "ties", 0},
    };
    assert_string_equal(HY_POLICIES_VERSION, "hoyito-policies/1");
    size_t num = 0;
    for (size_t i = 0; i < hy_num_policy_types; i++) {
        for (size_t j = 0; j < hy_policy_types[i]->num_parameters; j++)
            num += !hy_policy_types[i]->parameters[j].required;
    }
    assert_int_equal(num, NUM(known));
    for (size_t i = 0; i < NUM(known); i++) {
        const hy_policy_type *type;
        size_t index;
        assert_int_equal(hy_policy_type_find(known[i].type, &type, NULL), HY_OK);
        assert_int_equal(hy_parameter_find(type, known[i].key, &index, NULL), HY_OK);
        assert_float_equal(type->parameters[index].preset, known[i].preset, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_have_a_canonical_form),
        cmocka_unit_test(printed_specs_come_back),
        cmocka_unit_test(wrong_texts_are_refused),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(length_has_a_limit),
        cmocka_unit_test(garbage_does_no_harm),
        cmocka_unit_test(parameters_can_be_set_one_by_one),
        cmocka_unit_test(what_is_allowed_is_taken),
        cmocka_unit_test(presets_change_with_the_version_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
