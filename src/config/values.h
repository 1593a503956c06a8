/* Scalars of a tree as values: strict about type and range, errors at the value's place. */
#ifndef HY_CONFIG_VALUES_H
#define HY_CONFIG_VALUES_H

#include <stdint.h>

#include "config/keys.h"
#include "config/yaml_tree.h"
#include "rules/rules.h"

/* A node that is NULL was not given: the key's preset. */
HY_MUST_CHECK hy_status hy_value_integer(const hy_yaml_node *node, const hy_key *key,
                                         uint64_t *value, hy_error *error);
HY_MUST_CHECK hy_status hy_value_real(const hy_yaml_node *node, const hy_key *key, double *value,
                                      hy_error *error);
HY_MUST_CHECK hy_status hy_value_boolean(const hy_yaml_node *node, const hy_key *key, bool *value,
                                         hy_error *error);
HY_MUST_CHECK hy_status hy_value_word(const hy_yaml_node *node, const hy_key *key,
                                      const char *const *words, size_t num_words, size_t *index,
                                      hy_error *error);

HY_MUST_CHECK hy_status hy_value_seed(const hy_yaml_node *node, const hy_key *key, uint64_t *seed,
                                      bool *is_auto, hy_error *error);

/* A text or a name; *text points into the node, or to "" where the node is NULL. A plain scalar
 * that YAML takes for a number, a boolean or null is no text. */
HY_MUST_CHECK hy_status hy_value_text(const hy_yaml_node *node, const hy_key *key,
                                      const char **text, hy_error *error);

/* A field of the rules. */
HY_MUST_CHECK hy_status hy_value_field(const hy_yaml_node *node, const hy_field *field,
                                       hy_rules *rules, hy_error *error);

#endif
