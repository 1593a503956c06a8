#include "config/conditions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/grid.h"
#include "config/match.h"

struct plan {
    hy_grid grid;
    hy_match_list list;
};

static void plan_clean_up(struct plan *plan)
{
    hy_match_list_clean_up(&plan->list);
    hy_grid_clean_up(&plan->grid);
}

static hy_status check_size(const struct plan *plan, const hy_yaml_node *rules,
                            uint64_t num_matches, hy_error *error)
{
    uint64_t num;
    bool more = plan->grid.num_cells == UINT64_MAX ||
                __builtin_mul_overflow(plan->grid.num_cells, num_matches, &num);
    if (more)
        num = UINT64_MAX;
    if (num <= HY_LIMIT_CONDITIONS)
        return HY_OK;
    return hy_yaml_fail(rules->key, error,
                        "the grid of 'rules' and 'policies' has %s%" PRIu64
                        " conditions; at most %u are allowed",
                        more ? "more than " : "", num, HY_LIMIT_CONDITIONS);
}

static hy_status plan_init(struct plan *plan, const hy_yaml_node *rules,
                           const hy_yaml_node *policies, hy_error *error)
{
    uint64_t num;
    *plan = (struct plan){0};
    hy_status status = hy_match_list_count(policies, &num, error);
    if (status == HY_OK)
        status = hy_grid_init(&plan->grid, rules, error);
    if (status == HY_OK)
        status = check_size(plan, rules, num, error);
    return status == HY_OK ? hy_match_list_init(&plan->list, policies, error) : status;
}

static hy_status copy_spec(const hy_policy_spec *spec, hy_policy_spec **copy, hy_error *error)
{
    hy_policy_spec *made;
    hy_status status = hy_policy_spec_new(spec->type, &made, error);
    if (status != HY_OK)
        return status;
    memcpy(made->values, spec->values, sizeof made->values);
    memcpy(made->given, spec->given, sizeof made->given);
    if (spec->text) {
        made->text = strdup(spec->text);
        status = made->text ? HY_OK : hy_fail_memory(error);
    }
    if (status == HY_OK && spec->inner)
        status = copy_spec(spec->inner, &made->inner, error);
    if (status == HY_OK)
        *copy = made;
    else
        hy_policy_spec_destroy(made);
    return status;
}

static hy_status add_condition(const hy_match *match, const hy_condition *shape,
                               hy_experiment *experiment, hy_error *error)
{
    hy_condition *condition = &experiment->conditions[experiment->num_conditions++];
    *condition = *shape;
    condition->swap = match->swap;
    condition->first = NULL;
    condition->second = NULL;
    hy_status status = copy_spec(match->south, &condition->first, error);
    return status == HY_OK ? copy_spec(match->north, &condition->second, error) : status;
}

static hy_status expand(const struct plan *plan, const hy_condition *shape,
                        hy_experiment *experiment, hy_error *error)
{
    hy_condition condition = *shape;
    size_t num_cells = (size_t)plan->grid.num_cells;
    experiment->conditions =
        hy_new_array(num_cells * plan->list.num, sizeof experiment->conditions[0]);
    if (!experiment->conditions)
        return hy_fail_memory(error);
    for (size_t cell = 0; cell < num_cells; cell++) {
        hy_status status = hy_grid_cell(&plan->grid, cell, &condition.rules, error);
        for (size_t i = 0; i < plan->list.num && status == HY_OK; i++)
            status = add_condition(&plan->list.matches[i], &condition, experiment, error);
        if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

typedef struct mark {
    char hash[HY_SHA256_HEX_SIZE];
    size_t index;
} mark;

static int compare_marks(const void *a, const void *b)
{
    const mark *one = a, *other = b;
    int order = strcmp(one->hash, other->hash);
    return order != 0 ? order : (one->index > other->index) - (one->index < other->index);
}

/* The cells differ if a list of presets, or a preset and a field, describe the same rules twice. */
static hy_status fail_same(const struct plan *plan, size_t first, size_t second, hy_error *error)
{
    size_t cells[2] = {first / plan->list.num, second / plan->list.num};
    char texts[2][HY_CELL_TEXT_SIZE];
    if (cells[0] == cells[1]) {
        const hy_match *matches = plan->list.matches;
        return hy_yaml_fail(matches[second % plan->list.num].node, error,
                            "the same policies are given twice: in line %u and in line %u",
                            matches[first % plan->list.num].node->line,
                            matches[second % plan->list.num].node->line);
    }
    for (size_t i = 0; i < 2; i++)
        hy_grid_cell_print(&plan->grid, cells[i], texts[i]);
    return hy_yaml_fail(plan->grid.node->key, error,
                        "two cells of the grid are the same condition: %.330s, and %.330s",
                        texts[0], texts[1]);
}

static hy_status check_distinct(const struct plan *plan, const hy_experiment *experiment,
                                hy_error *error)
{
    size_t num = experiment->num_conditions, first = num, second = num;
    mark *marks = hy_new_array(num, sizeof *marks);
    if (!marks)
        return hy_fail_memory(error);
    for (size_t i = 0; i < num; i++) {
        hy_condition_hash(&experiment->conditions[i], marks[i].hash);
        marks[i].index = i;
    }
    qsort(marks, num, sizeof *marks, compare_marks);
    for (size_t i = 1; i < num; i++) {
        if (strcmp(marks[i].hash, marks[i - 1].hash) == 0 && marks[i].index < second) {
            first = marks[i - 1].index;
            second = marks[i].index;
        }
    }
    free(marks);
    return second < num ? fail_same(plan, first, second, error) : HY_OK;
}

hy_status hy_conditions_expand(const hy_yaml_node *rules, const hy_yaml_node *policies,
                               const hy_condition *shape, hy_experiment *experiment,
                               hy_error *error)
{
    struct plan plan;
    hy_status status = plan_init(&plan, rules, policies, error);
    if (status == HY_OK)
        status = expand(&plan, shape, experiment, error);
    if (status == HY_OK)
        status = check_distinct(&plan, experiment, error);
    plan_clean_up(&plan);
    return status;
}
