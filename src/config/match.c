#include "config/match.h"

#include "config/keys.h"
#include "config/values.h"

static bool is_ascii(const char *text)
{
    for (; *text; text++) {
        if (*text < ' ' || *text > '~')
            return false;
    }
    return true;
}

/* The text of a policy. No policy has a text beyond ASCII, and messages may cut theirs anywhere. */
static const char *policy_text(const hy_yaml_node *node, char brief[HY_BRIEF_SIZE])
{
    return is_ascii(node->text) ? node->text : hy_yaml_brief(node->text, brief);
}

static hy_status not_a_policy(const hy_yaml_node *node, hy_error *error)
{
    char shown[HY_SHOWN_SIZE];
    return hy_yaml_fail(node, error,
                        "a policy cannot be %s; allowed: its name, or a mapping of its name to a "
                        "mapping of its parameters",
                        node->kind == HY_YAML_MAPPING ? "a mapping of several or no names"
                                                      : hy_yaml_shown(node, shown));
}

static hy_status read_policy(const hy_yaml_node *node, hy_policy_spec **spec, hy_error *error);

static hy_status set_value(const hy_yaml_node *value, hy_policy_spec *spec, size_t index,
                           hy_error *error)
{
    const hy_parameter *parameter = &spec->type->parameters[index];
    bool number = parameter->kind == HY_PARAMETER_INTEGER || parameter->kind == HY_PARAMETER_REAL;
    char allowed[HY_FIELD_TEXT_SIZE], shown[HY_SHOWN_SIZE], brief[HY_BRIEF_SIZE];
    if (parameter->kind == HY_PARAMETER_POLICY) {
        hy_policy_spec *inner;
        hy_status status = read_policy(value, &inner, error);
        if (status == HY_OK)
            hy_policy_spec_set_inner(spec, index, inner);
        return status;
    }
    if (value->kind != HY_YAML_SCALAR || (number && !value->plain))
        return hy_yaml_fail(value, error, "'%s' of policy '%s' cannot be %s; allowed: %s",
                            parameter->key, spec->type->name, hy_yaml_shown(value, shown),
                            hy_parameter_allowed(parameter, allowed));
    hy_status status = hy_policy_spec_set(spec, index, policy_text(value, brief), error);
    return hy_yaml_locate(value, status, error);
}

static hy_status set_values(const hy_yaml_node *parameters, hy_policy_spec *spec, hy_error *error)
{
    char brief[HY_BRIEF_SIZE];
    for (size_t i = 0; i < parameters->num_items; i++) {
        const hy_yaml_node *value = parameters->items[i];
        size_t index;
        hy_status status =
            hy_parameter_find(spec->type, policy_text(value->key, brief), &index, error);
        if (status != HY_OK)
            return hy_yaml_locate(value->key, status, error);
        status = set_value(value, spec, index, error);
        if (status != HY_OK)
            return status;
    }
    return hy_yaml_locate(parameters->key, hy_policy_spec_check(spec, error), error);
}

static hy_status read_mapping(const hy_yaml_node *parameters, hy_policy_spec **spec,
                              hy_error *error)
{
    const hy_policy_type *type;
    char brief[HY_BRIEF_SIZE], shown[HY_SHOWN_SIZE];
    hy_status status = hy_policy_type_find(policy_text(parameters->key, brief), &type, error);
    if (status != HY_OK)
        return hy_yaml_locate(parameters->key, status, error);
    if (parameters->kind != HY_YAML_MAPPING)
        return hy_yaml_fail(parameters, error,
                            "the parameters of '%s' cannot be %s; they must be a mapping",
                            type->name, hy_yaml_shown(parameters, shown));
    status = hy_policy_spec_new(type, spec, error);
    if (status != HY_OK)
        return status;
    status = set_values(parameters, *spec, error);
    if (status != HY_OK)
        hy_policy_spec_destroy(*spec);
    return status;
}

/* The depth of the tree bounds that of the recursion. */
static hy_status read_policy(const hy_yaml_node *node, hy_policy_spec **spec, hy_error *error)
{
    char brief[HY_BRIEF_SIZE];
    if (node->kind == HY_YAML_MAPPING && node->num_items == 1)
        return read_mapping(node->items[0], spec, error);
    if (node->kind != HY_YAML_SCALAR || node->text[0] == '\0')
        return not_a_policy(node, error);
    hy_status status = hy_policy_spec_parse(policy_text(node, brief), spec, error);
    return hy_yaml_locate(node, status, error);
}

hy_status hy_policy_read(const hy_yaml_node *node, hy_policy_spec **spec, hy_error *error)
{
    unsigned depth = 0;
    hy_status status = read_policy(node, spec, error);
    if (status != HY_OK)
        return status;
    for (const hy_policy_spec *inner = *spec; inner; inner = inner->inner)
        depth++;
    if (depth <= HY_MAX_POLICY_DEPTH)
        return HY_OK;
    hy_policy_spec_destroy(*spec);
    return hy_yaml_fail(node, error, "policies within policies more than %d deep",
                        HY_MAX_POLICY_DEPTH);
}

hy_status hy_match_init(hy_match *match, const hy_yaml_node *node, hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_MATCH_KEYS];
    *match = (hy_match){.node = node};
    hy_status status = hy_keys_read(&hy_match_keys, node, values, error);
    if (status == HY_OK)
        status = hy_value_boolean(values[HY_MATCH_SWAP], &hy_match_keys.keys[HY_MATCH_SWAP],
                                  &match->swap, error);
    if (status == HY_OK)
        status = hy_policy_read(values[HY_MATCH_SOUTH], &match->south, error);
    if (status != HY_OK)
        return status;
    status = hy_policy_read(values[HY_MATCH_NORTH], &match->north, error);
    if (status != HY_OK) {
        match->north = NULL;
        hy_match_clean_up(match);
    }
    return status;
}

void hy_match_clean_up(hy_match *match)
{
    hy_policy_spec_destroy(match->south);
    hy_policy_spec_destroy(match->north);
    *match = (hy_match){0};
}
