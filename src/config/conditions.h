/* The conditions of an experiment: its rules grid outermost, its matches innermost. */
#ifndef HY_CONFIG_CONDITIONS_H
#define HY_CONFIG_CONDITIONS_H

#include "config/yaml_tree.h"
#include "sim/experiment.h"

/* Expands `rules` × `policies` into experiment->conditions, each of them with what `shape` says
 * beside rules and policies. On failure the experiment's owner releases what was made. */
HY_MUST_CHECK hy_status hy_conditions_expand(const hy_yaml_node *rules,
                                             const hy_yaml_node *policies,
                                             const hy_condition *shape, hy_experiment *experiment,
                                             hy_error *error);

#endif
