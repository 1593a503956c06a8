#include "cli/tables.h"

#include <string.h>

static bool plays_by_tables(const hy_policy_spec *spec)
{
    return spec && (spec->type->fingerprint || plays_by_tables(spec->inner));
}

/* The hash of the tables of a policy, or of the one within it. */
static hy_status hash_of(const hy_policy_spec *spec, const hy_rules *rules,
                         char hex[HY_SHA256_HEX_SIZE], hy_error *error)
{
    hy_policy *policy;
    hy_status status = hy_policy_new(spec, rules, &policy, error);
    if (status != HY_OK)
        return status;
    const hy_policy *of = policy;
    while (!of->type->fingerprint)
        of = of->inner;
    of->type->fingerprint(of, hex);
    hy_policy_destroy(policy);
    return HY_OK;
}

/* Calls `visit` with each policy that plays by tables. */
typedef hy_status policy_visit(void *context, size_t condition, const hy_policy_spec *spec,
                               const hy_rules *rules, hy_error *error);

static hy_status each_policy(const hy_experiment *experiment, policy_visit *visit, void *context,
                             hy_error *error)
{
    hy_status status = HY_OK;
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        const hy_condition *condition = &experiment->conditions[i];
        const hy_policy_spec *specs[] = {condition->first, condition->second};
        for (int j = 0; status == HY_OK && j < 2; j++) {
            if (plays_by_tables(specs[j]))
                status = visit(context, i + 1, specs[j], &condition->rules, error);
        }
    }
    return status;
}

static hy_status add_tables(void *context, size_t condition, const hy_policy_spec *spec,
                            const hy_rules *rules, hy_error *error)
{
    char hex[HY_SHA256_HEX_SIZE], text[HY_POLICY_TEXT_SIZE];
    bool known = hash_of(spec, rules, hex, NULL) == HY_OK;
    (void)error;
    hy_policy_spec_print(spec, text);
    json_array_append_new(context, json_pack("{s:I, s:s, s:s?}", "condition", (json_int_t)condition,
                                             "policy", text, "sha256", known ? hex : NULL));
    return HY_OK;
}

json_t *hy_tables_json(const hy_experiment *experiment)
{
    json_t *array = json_array();
    if (each_policy(experiment, add_tables, array, NULL) == HY_OK && json_array_size(array) > 0)
        return array;
    json_decref(array);
    return NULL;
}

/* The recorded hash of a policy's tables; NULL: not known. */
static const char *recorded_hash(const json_t *recorded, size_t condition, const char *policy)
{
    for (size_t i = 0; i < json_array_size(recorded); i++) {
        const json_t *row = json_array_get(recorded, i);
        const char *text = json_string_value(json_object_get(row, "policy"));
        if (json_integer_value(json_object_get(row, "condition")) == (json_int_t)condition &&
            text && strcmp(text, policy) == 0)
            return json_string_value(json_object_get(row, "sha256"));
    }
    return NULL;
}

typedef struct check_context {
    const json_t *recorded;
} check_context;

static hy_status check_tables(void *context, size_t condition, const hy_policy_spec *spec,
                              const hy_rules *rules, hy_error *error)
{
    char hex[HY_SHA256_HEX_SIZE], text[HY_POLICY_TEXT_SIZE];
    hy_error cause = {0};
    const check_context *check = context;
    hy_policy_spec_print(spec, text);
    if (hash_of(spec, rules, hex, &cause) != HY_OK)
        return hy_fail(error, cause.status,
                       "condition %zu plays by endgame tables, '%.200s', which are not to be had: "
                       "%.300s; paths are as seen from where the program runs, and 'hoyito solve' "
                       "makes tables again",
                       condition, text, cause.text);
    const char *was = recorded_hash(check->recorded, condition, text);
    if (was && strcmp(was, hex) != 0)
        return hy_fail(error, HY_MISMATCH,
                       "condition %zu was played by other endgame tables, '%.200s': their hash was "
                       "%.64s and is now %s (more layers, or another variant, make other games)",
                       condition, text, was, hex);
    return HY_OK;
}

hy_status hy_tables_check(const hy_experiment *experiment, const json_t *recorded, hy_error *error)
{
    check_context check = {recorded};
    return each_policy(experiment, check_tables, &check, error);
}
