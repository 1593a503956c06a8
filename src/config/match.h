/* Who plays whom: the entries of `policies`. */
#ifndef HY_CONFIG_MATCH_H
#define HY_CONFIG_MATCH_H

#include "config/yaml_tree.h"
#include "policy/policy.h"

typedef struct hy_match {
    const hy_yaml_node *node;
    hy_policy_spec *south, *north; /* owned */
    bool swap;
} hy_match;

/* Reads {south: policy, north: policy, swap: boolean}; on success the caller releases the match. */
HY_MUST_CHECK hy_status hy_match_init(hy_match *match, const hy_yaml_node *node, hy_error *error);
void hy_match_clean_up(hy_match *match);

/* Reads a policy: a word, the text of a command line, or {name: {parameter: value}}. On success the
 * caller owns *spec. */
HY_MUST_CHECK hy_status hy_policy_read(const hy_yaml_node *node, hy_policy_spec **spec,
                                       hy_error *error);

#endif
