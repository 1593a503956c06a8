/* Pieces of the JSON Schema. Every function returns a new reference, or NULL where memory is
 * refused, and takes NULL for the outcome of another. */
#ifndef HY_CONFIG_SCHEMA_VALUES_H
#define HY_CONFIG_SCHEMA_VALUES_H

#include <jansson.h>

#include "config/keys.h"
#include "policy/policy.h"
#include "rules/rules.h"

/* `object` with one member more; both are taken over. */
json_t *hy_schema_with(json_t *object, const char *key, json_t *value);

/* {"$ref": "#/$defs/NAME"} */
json_t *hy_schema_ref(const char *name);

/* A value by the schema `value`, or a list of different such values. */
json_t *hy_schema_value_or_list(json_t *value);

/* The value of a field of the rules, with its meaning and default. */
json_t *hy_schema_field(const hy_field *field);

/* The value of a key that holds a scalar; other kinds need more than their table: NULL. */
json_t *hy_schema_scalar(const hy_key *key);

/* A policy: a word, the text of a command line, or a mapping of its name to its parameters. */
json_t *hy_schema_policy(void);

#endif
