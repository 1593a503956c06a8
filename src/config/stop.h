/* The key `stop` of an experiment. */
#ifndef HY_CONFIG_STOP_H
#define HY_CONFIG_STOP_H

#include "config/yaml_tree.h"
#include "sim/experiment.h"

/* Reads the rule (no node: none) into the experiment, whose record and conditions are there
 * already: a test of pairs needs them to be played and kept. */
HY_MUST_CHECK hy_status hy_stop_read(const hy_yaml_node *node, hy_experiment *experiment,
                                     hy_error *error);

#endif
