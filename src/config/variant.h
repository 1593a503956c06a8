/* Variants named from within another file. */
#ifndef HY_CONFIG_VARIANT_H
#define HY_CONFIG_VARIANT_H

#include "config/config.h"
#include "config/yaml_tree.h"

/* The variant that the value of a `preset` key names: a preset, or a rules file whose path starts
 * at the folder of the node's file. */
HY_MUST_CHECK hy_status hy_variant_resolve(const hy_yaml_node *node, hy_variant *variant,
                                           hy_error *error);

#endif
