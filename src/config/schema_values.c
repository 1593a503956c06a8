#include "config/schema_values.h"

#include <stdio.h>
#include <string.h>

#include "sim/experiment.h"

json_t *hy_schema_with(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

json_t *hy_schema_ref(const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "#/$defs/%s", name);
    return json_pack("{s:s}", "$ref", path);
}

json_t *hy_schema_value_or_list(json_t *value)
{
    json_t *list = json_pack("{s:s, s:i, s:b}", "type", "array", "minItems", 1, "uniqueItems", 1);
    list = hy_schema_with(list, "items", json_incref(value));
    return hy_schema_with(json_object(), "anyOf", append(append(json_array(), value), list));
}

static json_t *integer(json_int_t min, json_int_t max)
{
    return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", min, "maximum", max);
}

static json_t *words(const char *const *list, size_t num_words)
{
    json_t *array = json_array();
    for (size_t i = 0; i < num_words && list[i]; i++)
        array = append(array, json_string(list[i]));
    return hy_schema_with(json_object(), "enum", array);
}

static json_t *described(json_t *schema, const char *meaning, json_t *preset)
{
    schema = hy_schema_with(schema, "description", json_string(meaning));
    return hy_schema_with(schema, "default", preset);
}

static json_t *field_integer(const hy_field *field)
{
    json_t *range = integer(field->min, field->max);
    if (!field->or_zero)
        return range;
    json_t *zero = json_pack("{s:i}", "const", 0);
    return hy_schema_with(json_object(), "anyOf", append(append(json_array(), zero), range));
}

json_t *hy_schema_field(const hy_field *field)
{
    switch (field->kind) {
    case HY_FIELD_INTEGER:
        return described(field_integer(field), field->meaning, json_integer(field->preset));
    case HY_FIELD_BOOLEAN:
        return described(json_pack("{s:s}", "type", "boolean"), field->meaning,
                         json_boolean(field->preset != 0));
    case HY_FIELD_WORD:
        return described(words(field->words, (size_t)field->max + 1), field->meaning,
                         json_string(field->words[field->preset]));
    }
    return NULL;
}

static json_t *text(const hy_key *key)
{
    json_t *schema = json_pack("{s:s, s:I, s:I}", "type", "string", "minLength",
                               (json_int_t)key->min, "maxLength", (json_int_t)key->max);
    if (key->kind != HY_KEY_NAME)
        return schema;
    char pattern[64];
    snprintf(pattern, sizeof pattern, "^[A-Za-z0-9%s]+$", key->signs);
    return hy_schema_with(schema, "pattern", json_string(pattern));
}

static json_t *seed(void)
{
    return json_pack("{s:[{s:s, s:i}, {s:s}]}", "anyOf", "type", "integer", "minimum", 0, "const",
                     "auto");
}

static json_t *without_default(const hy_key *key)
{
    switch (key->kind) {
    case HY_KEY_NAME:
    case HY_KEY_TEXT:
        return text(key);
    case HY_KEY_SEED:
        return seed();
    case HY_KEY_INTEGER:
        return integer((json_int_t)key->min, (json_int_t)key->max);
    case HY_KEY_BOOLEAN:
        return json_pack("{s:s}", "type", "boolean");
    case HY_KEY_RECORD:
        return words(hy_record_words, HY_NUM_RECORDS);
    case HY_KEY_PRESET:
        return json_pack("{s:s, s:i}", "type", "string", "minLength", 1);
    case HY_KEY_POLICY:
        return hy_schema_ref("policy");
    case HY_KEY_POLICY_LIST:
        return hy_schema_with(
            json_pack("{s:s, s:i, s:b}", "type", "array", "minItems", 2, "uniqueItems", 1), "items",
            hy_schema_ref("policy"));
    case HY_KEY_RULES:
    case HY_KEY_POLICIES:
    case HY_KEY_OPENING:
        break;
    }
    return NULL;
}

json_t *hy_schema_scalar(const hy_key *key)
{
    json_t *schema = hy_schema_with(without_default(key), "description", json_string(key->meaning));
    if (key->required)
        return schema;
    if (key->kind == HY_KEY_INTEGER)
        return hy_schema_with(schema, "default", json_integer((json_int_t)key->preset));
    if (key->kind == HY_KEY_BOOLEAN)
        return hy_schema_with(schema, "default", json_boolean(key->preset != 0));
    if (key->kind == HY_KEY_RECORD)
        return hy_schema_with(schema, "default", json_string(hy_record_words[key->preset]));
    return schema;
}

static json_t *parameter_preset(const hy_parameter *parameter)
{
    if (parameter->kind == HY_PARAMETER_WORD)
        return json_string(parameter->words[(size_t)parameter->preset]);
    if (parameter->kind == HY_PARAMETER_INTEGER)
        return json_integer((json_int_t)parameter->preset);
    return json_real(parameter->preset);
}

static json_t *parameter_value(const hy_parameter *parameter)
{
    switch (parameter->kind) {
    case HY_PARAMETER_INTEGER:
        return integer((json_int_t)parameter->min, (json_int_t)parameter->max);
    case HY_PARAMETER_REAL:
        return json_pack("{s:s, s:f, s:f}", "type", "number", "minimum", parameter->min, "maximum",
                         parameter->max);
    case HY_PARAMETER_WORD:
        return words(parameter->words, HY_MAX_PARAMETER_WORDS);
    case HY_PARAMETER_POLICY:
        return hy_schema_ref("policy");
    case HY_PARAMETER_TEXT:
        return json_pack("{s:s, s:i, s:i, s:s}", "type", "string", "minLength", 1, "maxLength",
                         HY_MAX_PARAMETER_TEXT - 1, "pattern", "^[^,()]*$");
    }
    return NULL;
}

static bool has_default(const hy_parameter *parameter)
{
    return !parameter->required && parameter->kind != HY_PARAMETER_POLICY;
}

static json_t *parameters(const hy_policy_type *type)
{
    json_t *properties = json_object(), *required = json_array();
    for (size_t i = 0; i < type->num_parameters; i++) {
        const hy_parameter *parameter = &type->parameters[i];
        json_t *value = hy_schema_with(parameter_value(parameter), "description",
                                       json_string(parameter->meaning));
        if (has_default(parameter))
            value = hy_schema_with(value, "default", parameter_preset(parameter));
        properties = hy_schema_with(properties, parameter->key, value);
        if (parameter->required)
            required = append(required, json_string(parameter->key));
    }
    json_t *schema = json_pack("{s:s, s:s, s:b}", "description", type->meaning, "type", "object",
                               "additionalProperties", 0);
    schema = hy_schema_with(schema, "required", required);
    return hy_schema_with(schema, "properties", properties);
}

static bool is_complete(const hy_policy_type *type)
{
    for (size_t i = 0; i < type->num_parameters; i++) {
        if (type->parameters[i].required)
            return false;
    }
    return true;
}

json_t *hy_schema_policy(void)
{
    json_t *names = json_array(), *properties = json_object();
    char pattern[256] = "^(";
    for (size_t i = 0; i < hy_num_policy_types; i++) {
        const hy_policy_type *type = hy_policy_types[i];
        size_t used = strlen(pattern);
        if (is_complete(type))
            names = append(names, json_string(type->name));
        properties = hy_schema_with(properties, type->name, parameters(type));
        snprintf(pattern + used, sizeof pattern - used, "%s%s", i > 0 ? "|" : "", type->name);
    }
    strncat(pattern, "):.+=.+$", sizeof pattern - strlen(pattern) - 1);
    json_t *mapping = json_pack("{s:s, s:b, s:i, s:i}", "type", "object", "additionalProperties", 0,
                                "minProperties", 1, "maxProperties", 1);
    json_t *choices = json_array();
    choices = append(choices, hy_schema_with(json_object(), "enum", names));
    choices = append(choices, json_pack("{s:s, s:s}", "type", "string", "pattern", pattern));
    choices = append(choices, hy_schema_with(mapping, "properties", properties));
    return hy_schema_with(json_object(), "anyOf", choices);
}
