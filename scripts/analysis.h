/* Included before each file that an analyser reads: a function that fails returns what it was told,
 * which else only its own file knows. */
#ifndef HY_SCRIPTS_ANALYSIS_H
#define HY_SCRIPTS_ANALYSIS_H

#include "base/status.h"
#include "config/yaml_tree.h"

static inline hy_status hy_returned(hy_status returned, hy_status told)
{
    (void)returned;
    return told;
}

static inline hy_status hy_located(const hy_yaml_node *node, hy_status status, hy_error *error)
{
    return hy_returned(hy_yaml_locate(node, status, error), status);
}

#define hy_fail(error, status, ...) hy_returned(hy_fail(error, status, __VA_ARGS__), status)
#define hy_fail_memory(error) hy_returned(hy_fail_memory(error), HY_NO_MEMORY)
#define hy_yaml_fail(node, error, ...)                                                             \
    hy_returned(hy_yaml_fail(node, error, __VA_ARGS__), HY_INVALID)
#define hy_yaml_locate(node, status, error) hy_located(node, status, error)

#endif
