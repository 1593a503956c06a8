#include "config/grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "config/keys.h"
#include "config/values.h"
#include "config/variant.h"

static const hy_yaml_node *value_at(const hy_axis *axis, size_t index)
{
    return axis->node->kind == HY_YAML_SEQUENCE ? axis->node->items[index] : axis->node;
}

static hy_status read_value(const hy_grid *grid, const hy_axis *axis, size_t index, hy_error *error)
{
    const hy_yaml_node *value = value_at(axis, index);
    if (axis->field) {
        hy_rules rules = hy_rules_default();
        return hy_value_field(value, axis->field, &rules, error);
    }
    hy_variant variant;
    hy_status status = hy_variant_resolve(value, &variant, error);
    if (status == HY_OK)
        grid->bases[index] = variant.rules;
    return status;
}

/* Every text that a field takes is the only one of its value, so texts tell values apart. */
static hy_status check_new(const hy_axis *axis, size_t index, hy_error *error)
{
    char brief[HY_BRIEF_SIZE];
    const hy_yaml_node *value = value_at(axis, index);
    for (size_t i = 0; i < index; i++) {
        if (strcmp(value_at(axis, i)->text, value->text) == 0)
            return hy_yaml_fail(value, error, "'%s' has %s twice in its list",
                                axis->node->key->text, hy_yaml_brief(value->text, brief));
    }
    return HY_OK;
}

static hy_status read_axis(hy_grid *grid, const hy_yaml_node *node, hy_error *error)
{
    hy_axis *axis = &grid->axes[grid->num_axes++];
    axis->node = node;
    axis->field = hy_field_find(node->key->text);
    axis->num_values = node->kind == HY_YAML_SEQUENCE ? node->num_items : 1;
    if (axis->num_values == 0)
        return hy_yaml_fail(node, error, "the list of '%s' is empty", node->key->text);
    if (axis->num_values > HY_MAX_AXIS)
        return hy_yaml_fail(node, error, "the list of '%s' has %zu values; at most %u are allowed",
                            node->key->text, axis->num_values, HY_MAX_AXIS);
    for (size_t i = 0; i < axis->num_values; i++) {
        hy_status status = read_value(grid, axis, i, error);
        if (status == HY_OK)
            status = check_new(axis, i, error);
        if (status != HY_OK)
            return status;
    }
    if (__builtin_mul_overflow(grid->num_cells, (uint64_t)axis->num_values, &grid->num_cells))
        grid->num_cells = UINT64_MAX;
    return HY_OK;
}

hy_status hy_grid_init(hy_grid *grid, const hy_yaml_node *node, hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_GRID_KEYS];
    hy_status status = hy_keys_read(&hy_grid_keys, node, values, error);
    if (status != HY_OK)
        return status;
    *grid = (hy_grid){.node = node, .num_cells = 1};
    grid->axes = hy_new_array(node->num_items, sizeof grid->axes[0]);
    grid->bases = hy_new_array(HY_MAX_AXIS, sizeof grid->bases[0]);
    if (!grid->axes || !grid->bases) {
        hy_grid_clean_up(grid);
        return hy_fail_memory(error);
    }
    grid->bases[0] = hy_rules_default();
    for (size_t i = 0; i < node->num_items && status == HY_OK; i++)
        status = read_axis(grid, node->items[i], error);
    if (status != HY_OK)
        hy_grid_clean_up(grid);
    return status;
}

void hy_grid_clean_up(hy_grid *grid)
{
    free(grid->axes);
    free(grid->bases);
    *grid = (hy_grid){0};
}

/* Splits the index of a cell into one for each axis. */
static void split(const hy_grid *grid, uint64_t index, size_t *indices)
{
    for (size_t i = grid->num_axes; i-- > 0;) {
        indices[i] = (size_t)(index % grid->axes[i].num_values);
        index /= grid->axes[i].num_values;
    }
}

static hy_status check_cell(const hy_grid *grid, uint64_t index, const hy_rules *rules,
                            hy_error *error)
{
    const char *key = NULL;
    char cell[HY_CELL_TEXT_SIZE];
    hy_error inner;
    hy_status status = hy_rules_check(rules, &key, &inner);
    if (status == HY_OK)
        return HY_OK;
    const hy_yaml_node *value = hy_yaml_get(grid->node, key);
    const hy_yaml_node *place = value ? value->key : grid->node;
    hy_grid_cell_print(grid, index, cell);
    return hy_yaml_fail(place, error, "%s%s%s%s", cell[0] ? "with " : "", cell, cell[0] ? ": " : "",
                        inner.text);
}

hy_status hy_grid_cell(const hy_grid *grid, uint64_t index, hy_rules *rules, hy_error *error)
{
    size_t indices[HY_YAML_MAX_KEYS];
    split(grid, index, indices);
    *rules = grid->bases[0];
    for (size_t i = 0; i < grid->num_axes; i++) {
        if (!grid->axes[i].field)
            *rules = grid->bases[indices[i]];
    }
    for (size_t i = 0; i < grid->num_axes; i++) {
        const hy_axis *axis = &grid->axes[i];
        hy_status status =
            axis->field ? hy_value_field(value_at(axis, indices[i]), axis->field, rules, error)
                        : HY_OK;
        if (status != HY_OK)
            return status;
    }
    return check_cell(grid, index, rules, error);
}

void hy_grid_cell_print(const hy_grid *grid, uint64_t index, char buffer[HY_CELL_TEXT_SIZE])
{
    size_t indices[HY_YAML_MAX_KEYS], used = 0;
    char brief[HY_BRIEF_SIZE];
    split(grid, index, indices);
    buffer[0] = '\0';
    for (size_t i = 0; i < grid->num_axes && used < HY_CELL_TEXT_SIZE; i++) {
        const hy_axis *axis = &grid->axes[i];
        if (axis->node->kind != HY_YAML_SEQUENCE)
            continue;
        used += (size_t)snprintf(buffer + used, HY_CELL_TEXT_SIZE - used, "%s%s=%s",
                                 used > 0 ? ", " : "", axis->node->key->text,
                                 hy_yaml_brief(value_at(axis, indices[i])->text, brief));
    }
}
