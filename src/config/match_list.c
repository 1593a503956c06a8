/* The value of `policies`: a list of matches, or a round robin. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/keys.h"
#include "config/match.h"
#include "config/values.h"

typedef struct round_robin {
    const hy_yaml_node *policies;
    bool self;
} round_robin;

static hy_status read_round_robin(const hy_yaml_node *node, round_robin *robin, hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_ROUND_ROBIN_KEYS];
    char shown[HY_SHOWN_SIZE];
    hy_status status = hy_keys_read(&hy_round_robin_keys, node, values, error);
    if (status == HY_OK)
        status =
            hy_value_boolean(values[HY_ROUND_ROBIN_SELF],
                             &hy_round_robin_keys.keys[HY_ROUND_ROBIN_SELF], &robin->self, error);
    if (status != HY_OK)
        return status;
    robin->policies = values[HY_ROUND_ROBIN_LIST];
    if (robin->policies->kind != HY_YAML_SEQUENCE)
        return hy_yaml_fail(robin->policies, error,
                            "'round_robin' cannot be %s; it must be a list of policies",
                            hy_yaml_shown(robin->policies, shown));
    if (robin->policies->num_items < 2)
        return hy_yaml_fail(robin->policies, error,
                            "the list of 'round_robin' has %zu policies; it must have two or more",
                            robin->policies->num_items);
    return HY_OK;
}

static uint64_t count_matches(const round_robin *robin)
{
    uint64_t num = robin->policies->num_items;
    return num * (num - 1) / 2 + (robin->self ? num : 0);
}

hy_status hy_match_list_count(const hy_yaml_node *policies, uint64_t *num, hy_error *error)
{
    round_robin robin;
    char shown[HY_SHOWN_SIZE];
    if (policies->kind == HY_YAML_MAPPING) {
        hy_status status = read_round_robin(policies, &robin, error);
        if (status == HY_OK)
            *num = count_matches(&robin);
        return status;
    }
    if (policies->kind != HY_YAML_SEQUENCE)
        return hy_yaml_fail(policies, error,
                            "'policies' cannot be %s; it must be a list of mappings with south "
                            "and north, or a mapping with round_robin",
                            hy_yaml_shown(policies, shown));
    if (policies->num_items == 0)
        return hy_yaml_fail(policies, error, "the list of 'policies' is empty");
    *num = policies->num_items;
    return HY_OK;
}

/* Refuses a policy that is given twice, at the second place. */
static hy_status check_different(const hy_yaml_node *policies, hy_error *error)
{
    size_t size = HY_POLICY_TEXT_SIZE;
    char *texts = hy_new_array(policies->num_items, size);
    hy_status status = texts ? HY_OK : hy_fail_memory(error);
    for (size_t i = 0; i < policies->num_items && status == HY_OK; i++) {
        hy_policy_spec *spec;
        status = hy_policy_read(policies->items[i], &spec, error);
        if (status != HY_OK)
            break;
        hy_policy_spec_print(spec, texts + i * size);
        hy_policy_spec_destroy(spec);
        for (size_t k = 0; k < i && status == HY_OK; k++) {
            if (strcmp(texts + i * size, texts + k * size) == 0)
                status = hy_yaml_fail(policies->items[i], error,
                                      "the policy '%.100s' is given twice: in line %u and in line "
                                      "%u",
                                      texts + i * size, policies->items[k]->line,
                                      policies->items[i]->line);
        }
    }
    free(texts);
    return status;
}

static hy_status add_match(hy_match_list *list, const hy_yaml_node *south,
                           const hy_yaml_node *north, hy_error *error)
{
    hy_match *match = &list->matches[list->num++];
    *match = (hy_match){.node = north, .swap = south != north};
    hy_status status = hy_policy_read(south, &match->south, error);
    if (status != HY_OK) {
        match->south = NULL;
        return status;
    }
    status = hy_policy_read(north, &match->north, error);
    if (status != HY_OK)
        match->north = NULL;
    return status;
}

static hy_status add_round_robin(hy_match_list *list, const round_robin *robin, hy_error *error)
{
    const hy_yaml_node *policies = robin->policies;
    hy_status status = check_different(policies, error);
    for (size_t i = 0; i < policies->num_items && status == HY_OK; i++) {
        size_t first = robin->self ? i : i + 1;
        for (size_t k = first; k < policies->num_items && status == HY_OK; k++)
            status = add_match(list, policies->items[i], policies->items[k], error);
    }
    return status;
}

static hy_status add_listed(hy_match_list *list, const hy_yaml_node *policies, hy_error *error)
{
    for (size_t i = 0; i < policies->num_items; i++) {
        hy_status status = hy_match_init(&list->matches[i], policies->items[i], error);
        if (status != HY_OK)
            return status;
        list->num++;
    }
    return HY_OK;
}

hy_status hy_match_list_init(hy_match_list *list, const hy_yaml_node *policies, hy_error *error)
{
    round_robin robin;
    uint64_t num;
    *list = (hy_match_list){0};
    hy_status status = hy_match_list_count(policies, &num, error);
    if (status != HY_OK)
        return status;
    list->matches = hy_new_array((size_t)num, sizeof list->matches[0]);
    if (!list->matches)
        return hy_fail_memory(error);
    if (policies->kind == HY_YAML_SEQUENCE)
        status = add_listed(list, policies, error);
    else {
        status = read_round_robin(policies, &robin, error);
        if (status == HY_OK)
            status = add_round_robin(list, &robin, error);
    }
    if (status != HY_OK)
        hy_match_list_clean_up(list);
    return status;
}

void hy_match_list_clean_up(hy_match_list *list)
{
    for (size_t i = 0; i < list->num; i++)
        hy_match_clean_up(&list->matches[i]);
    free(list->matches);
    *list = (hy_match_list){0};
}
