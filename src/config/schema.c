/* The JSON Schema of the files, from the tables that their readers use. */
#include <stdio.h>

#include "config/config.h"
#include "config/schema_values.h"

static json_t *object_schema(const hy_key_set *set, json_t *properties)
{
    json_t *schema = json_pack("{s:s, s:b}", "type", "object", "additionalProperties", 0);
    json_t *required = json_array();
    for (size_t i = 0; i < set->num_keys; i++) {
        if (set->keys[i].required &&
            json_array_append_new(required, json_string(set->keys[i].key)) != 0) {
            json_decref(required);
            required = NULL;
        }
    }
    schema = hy_schema_with(schema, "required", required);
    return hy_schema_with(schema, "properties", properties);
}

static const char *field_name(const hy_field *field, char buffer[HY_FIELD_TEXT_SIZE])
{
    snprintf(buffer, HY_FIELD_TEXT_SIZE, "field_%s", field->key);
    return buffer;
}

static json_t *field_definitions(json_t *definitions)
{
    char name[HY_FIELD_TEXT_SIZE];
    for (size_t i = 0; i < hy_num_fields; i++)
        definitions = hy_schema_with(definitions, field_name(&hy_fields[i], name),
                                     hy_schema_field(&hy_fields[i]));
    return definitions;
}

/* The keys of a set of scalars, and the fields if they belong to it; `lists`: each may be a list.
 */
static json_t *properties_of(const hy_key_set *set, bool lists)
{
    json_t *properties = json_object();
    char name[HY_FIELD_TEXT_SIZE];
    for (size_t i = 0; i < set->num_keys; i++) {
        json_t *value = hy_schema_scalar(&set->keys[i]);
        properties = hy_schema_with(properties, set->keys[i].key,
                                    lists ? hy_schema_value_or_list(value) : value);
    }
    for (size_t i = 0; set->fields && i < hy_num_fields; i++) {
        json_t *value = hy_schema_ref(field_name(&hy_fields[i], name));
        properties = hy_schema_with(properties, hy_fields[i].key,
                                    lists ? hy_schema_value_or_list(value) : value);
    }
    return properties;
}

/* A list of matches, or a round robin. */
static json_t *policies_value(void)
{
    json_t *list = json_pack("{s:s, s:i, s:b}", "type", "array", "minItems", 1, "uniqueItems", 1);
    list = hy_schema_with(list, "items", hy_schema_ref("match"));
    return json_pack("{s:[o, o]}", "anyOf", list, hy_schema_ref("round_robin"));
}

static json_t *experiment_value(const hy_key *key)
{
    json_t *schema;
    if (key->kind == HY_KEY_RULES)
        schema = hy_schema_ref("rules");
    else if (key->kind == HY_KEY_OPENING)
        schema = hy_schema_ref("opening");
    else if (key->kind == HY_KEY_POLICIES)
        schema = policies_value();
    else if (key->kind == HY_KEY_STOP)
        schema = hy_schema_ref("stop");
    else if (key->kind == HY_KEY_SPRT)
        schema = hy_schema_ref("sprt");
    else
        return hy_schema_scalar(key);
    return hy_schema_with(schema, "description", json_string(key->meaning));
}

/* Either a half width or a sequential test. */
static json_t *stop_definition(void)
{
    json_t *properties = json_object();
    for (size_t i = 0; i < hy_stop_keys.num_keys; i++) {
        const hy_key *key = &hy_stop_keys.keys[i];
        properties = hy_schema_with(properties, key->key, experiment_value(key));
    }
    return hy_schema_with(
        object_schema(&hy_stop_keys, properties), "oneOf",
        json_pack("[{s:[s, s]}, {s:[s]}]", "required", "metric", "half_width", "required", "sprt"));
}

static json_t *definitions(void)
{
    json_t *made = field_definitions(json_object());
    made = hy_schema_with(made, "policy", hy_schema_policy());
    made = hy_schema_with(made, "match",
                          object_schema(&hy_match_keys, properties_of(&hy_match_keys, false)));
    made = hy_schema_with(
        made, "round_robin",
        object_schema(&hy_round_robin_keys, properties_of(&hy_round_robin_keys, false)));
    made = hy_schema_with(made, "opening",
                          object_schema(&hy_opening_keys, properties_of(&hy_opening_keys, false)));
    made = hy_schema_with(made, "sprt",
                          object_schema(&hy_sprt_keys, properties_of(&hy_sprt_keys, false)));
    made = hy_schema_with(made, "stop", stop_definition());
    made = hy_schema_with(made, "rules",
                          object_schema(&hy_grid_keys, properties_of(&hy_grid_keys, true)));
    return hy_schema_with(made, "variant",
                          object_schema(&hy_variant_keys, properties_of(&hy_variant_keys, false)));
}

static json_t *experiment(void)
{
    json_t *properties = json_object();
    for (size_t i = 0; i < hy_experiment_keys.num_keys; i++)
        properties = hy_schema_with(properties, hy_experiment_keys.keys[i].key,
                                    experiment_value(&hy_experiment_keys.keys[i]));
    return object_schema(&hy_experiment_keys, properties);
}

hy_status hy_config_schema(char **json, hy_error *error)
{
    json_t *schema =
        json_pack("{s:s, s:s}", "$schema", "https://json-schema.org/draft/2020-12/schema", "title",
                  "Hoyito experiment file");
    json_t *body = experiment();
    if (json_object_update(schema, body) != 0) {
        json_decref(schema);
        schema = NULL;
    }
    json_decref(body);
    schema = hy_schema_with(schema, "$defs", definitions());
    *json = schema ? json_dumps(schema, JSON_INDENT(2)) : NULL;
    json_decref(schema);
    return *json ? HY_OK : hy_fail_memory(error);
}
