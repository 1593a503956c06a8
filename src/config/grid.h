/* The grid of an experiment's rules: every key is an axis, most of them of one value. */
#ifndef HY_CONFIG_GRID_H
#define HY_CONFIG_GRID_H

#include <stdint.h>

#include "config/yaml_tree.h"
#include "rules/rules.h"

#define HY_MAX_AXIS 256u /* values in one list */

typedef struct hy_axis {
    const hy_yaml_node *node; /* of the value or the list */
    const hy_field *field;    /* NULL: the preset */
    size_t num_values;
} hy_axis;

typedef struct hy_grid {
    const hy_yaml_node *node; /* of the rules; outlives the grid */
    hy_axis *axes;            /* in the order of the file: the last one varies fastest */
    size_t num_axes;
    hy_rules *bases;    /* the rules of each value of the preset's axis; one if there is none */
    uint64_t num_cells; /* UINT64_MAX if not below it */
} hy_grid;

/* Reads the mapping `rules`; on success the caller releases the grid. */
HY_MUST_CHECK hy_status hy_grid_init(hy_grid *grid, const hy_yaml_node *node, hy_error *error);
void hy_grid_clean_up(hy_grid *grid);

/* The rules of a cell. Those that cannot go together are an error that names the cell's values. */
HY_MUST_CHECK hy_status hy_grid_cell(const hy_grid *grid, uint64_t index, hy_rules *rules,
                                     hy_error *error);

#define HY_CELL_TEXT_SIZE 400

/* Writes the values that a cell has on the axes given as lists: "holes=6, seeds=4"; "" if there is
 * no list. */
void hy_grid_cell_print(const hy_grid *grid, uint64_t index, char buffer[HY_CELL_TEXT_SIZE]);

#endif
