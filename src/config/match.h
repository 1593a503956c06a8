/* Who plays whom: the entries of `policies`. */
#ifndef HY_CONFIG_MATCH_H
#define HY_CONFIG_MATCH_H

#include <stdint.h>

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

/* All matches of an experiment; the caller's storage. */
typedef struct hy_match_list {
    hy_match *matches;
    size_t num;
} hy_match_list;

/* How many matches `policies` has: a list of them, or {round_robin: [policy, …], self: boolean}. */
HY_MUST_CHECK hy_status hy_match_list_count(const hy_yaml_node *policies, uint64_t *num,
                                            hy_error *error);

/* Reads them: of a round robin every policy against every later one with `swap`, and, with `self`,
 * against itself without. On success the caller releases the list. */
HY_MUST_CHECK hy_status hy_match_list_init(hy_match_list *list, const hy_yaml_node *policies,
                                           hy_error *error);
void hy_match_list_clean_up(hy_match_list *list);

/* Reads a policy: a word, the text of a command line, or {name: {parameter: value}}. On success the
 * caller owns *spec. */
HY_MUST_CHECK hy_status hy_policy_read(const hy_yaml_node *node, hy_policy_spec **spec,
                                       hy_error *error);

#endif
