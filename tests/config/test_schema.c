#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "config/keys.h"

static json_t *load(void)
{
    char *text;
    assert_int_equal(hy_config_schema(&text, NULL), HY_OK);
    json_t *schema = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(schema);
    free(text);
    return schema;
}

static const json_t *definition(const json_t *schema, const char *name)
{
    const json_t *found = json_object_get(json_object_get(schema, "$defs"), name);
    assert_non_null(found);
    return found;
}

static void the_text_is_always_the_same(void **state)
{
    (void)state;
    char *one, *other;
    assert_int_equal(hy_config_schema(&one, NULL), HY_OK);
    assert_int_equal(hy_config_schema(&other, NULL), HY_OK);
    assert_string_equal(one, other);
    assert_non_null(strstr(one, "\n  \"$schema\": \"https://json-schema.org/draft/2020-12/"));
    free(one);
    free(other);
}

/* A mapping's schema has the keys of its set, and the fields, and no other. */
static void assert_keys(const json_t *object, const hy_key_set *set)
{
    const json_t *properties = json_object_get(object, "properties");
    size_t num_required = 0;
    assert_true(json_is_false(json_object_get(object, "additionalProperties")));
    for (size_t i = 0; i < set->num_keys; i++) {
        assert_non_null(json_object_get(properties, set->keys[i].key));
        num_required += set->keys[i].required;
    }
    for (size_t i = 0; set->fields && i < hy_num_fields; i++)
        assert_non_null(json_object_get(properties, hy_fields[i].key));
    assert_int_equal(json_object_size(properties),
                     set->num_keys + (set->fields ? hy_num_fields : 0));
    assert_int_equal(json_array_size(json_object_get(object, "required")), num_required);
}

static void every_key_is_listed(void **state)
{
    (void)state;
    json_t *schema = load();
    assert_keys(schema, &hy_experiment_keys);
    assert_keys(definition(schema, "rules"), &hy_grid_keys);
    assert_keys(definition(schema, "variant"), &hy_variant_keys);
    assert_keys(definition(schema, "match"), &hy_match_keys);
    assert_keys(definition(schema, "round_robin"), &hy_round_robin_keys);
    assert_keys(definition(schema, "opening"), &hy_opening_keys);
    assert_keys(definition(schema, "stop"), &hy_stop_keys);
    assert_keys(definition(schema, "sprt"), &hy_sprt_keys);
    json_decref(schema);
}

static void fields_have_their_range_and_default(void **state)
{
    (void)state;
    json_t *schema = load();
    char name[64];
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        snprintf(name, sizeof name, "field_%s", field->key);
        const json_t *value = definition(schema, name), *preset = json_object_get(value, "default");
        assert_string_equal(json_string_value(json_object_get(value, "description")),
                            field->meaning);
        if (field->kind == HY_FIELD_INTEGER)
            assert_int_equal(json_integer_value(preset), field->preset);
        if (field->kind == HY_FIELD_BOOLEAN)
            assert_int_equal(json_is_true(preset), field->preset);
        if (field->kind == HY_FIELD_WORD) {
            assert_string_equal(json_string_value(preset), field->words[field->preset]);
            assert_int_equal(json_array_size(json_object_get(value, "enum")), field->max + 1);
        }
    }
    const json_t *holes = definition(schema, "field_holes");
    assert_int_equal(json_integer_value(json_object_get(holes, "minimum")), 1);
    assert_int_equal(json_integer_value(json_object_get(holes, "maximum")), HY_MAX_HOLES);
    json_decref(schema);
}

/* In an experiment a field is a value or a list of different values; in a rules file a value. */
static void lists_are_for_experiments(void **state)
{
    (void)state;
    json_t *schema = load();
    const json_t *grid = json_object_get(definition(schema, "rules"), "properties");
    const json_t *variant = json_object_get(definition(schema, "variant"), "properties");
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)grid, key, value)
    {
        const json_t *list = json_array_get(json_object_get(value, "anyOf"), 1);
        assert_string_equal(json_string_value(json_object_get(list, "type")), "array");
        assert_true(json_is_true(json_object_get(list, "uniqueItems")));
        assert_int_equal(json_integer_value(json_object_get(list, "minItems")), 1);
        assert_non_null(json_object_get(variant, key));
        assert_null(json_object_get(json_object_get(variant, key), "anyOf"));
    }
    json_decref(schema);
}

static void every_policy_and_parameter_is_listed(void **state)
{
    (void)state;
    json_t *schema = load();
    const json_t *choices = json_object_get(definition(schema, "policy"), "anyOf");
    const json_t *mapping = json_object_get(json_array_get(choices, 2), "properties");
    assert_int_equal(json_object_size(mapping), hy_num_policy_types);
    for (size_t i = 0; i < hy_num_policy_types; i++) {
        const hy_policy_type *type = hy_policy_types[i];
        const json_t *one = json_object_get(mapping, type->name);
        const json_t *properties = json_object_get(one, "properties");
        assert_true(json_is_false(json_object_get(one, "additionalProperties")));
        assert_int_equal(json_object_size(properties), type->num_parameters);
        for (size_t k = 0; k < type->num_parameters; k++) {
            const json_t *value = json_object_get(properties, type->parameters[k].key);
            assert_string_equal(json_string_value(json_object_get(value, "description")),
                                type->parameters[k].meaning);
        }
    }
    json_decref(schema);
}

static void policies_are_a_list_or_a_round_robin(void **state)
{
    (void)state;
    json_t *schema = load();
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *choices = json_object_get(json_object_get(properties, "policies"), "anyOf");
    assert_int_equal(json_array_size(choices), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(choices, 0), "type")),
                        "array");
    assert_string_equal(json_string_value(json_object_get(json_array_get(choices, 1), "$ref")),
                        "#/$defs/round_robin");
    const json_t *robin = json_object_get(definition(schema, "round_robin"), "properties");
    const json_t *list = json_object_get(robin, "round_robin");
    assert_int_equal(json_integer_value(json_object_get(list, "minItems")), 2);
    assert_true(json_is_true(json_object_get(list, "uniqueItems")));
    assert_true(json_is_false(json_object_get(json_object_get(robin, "self"), "default")));
    json_decref(schema);
}

static void check_references(const json_t *schema, const json_t *part)
{
    const char *key;
    json_t *value;
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)part, key, value)
    {
        if (strcmp(key, "$ref") == 0) {
            assert_memory_equal(json_string_value(value), "#/$defs/", 8);
            definition(schema, json_string_value(value) + 8);
        }
        check_references(schema, value);
    }
    json_array_foreach(part, i, value) check_references(schema, value);
}

static void references_lead_somewhere(void **state)
{
    (void)state;
    json_t *schema = load();
    check_references(schema, schema);
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_always_the_same),
        cmocka_unit_test(every_key_is_listed),
        cmocka_unit_test(fields_have_their_range_and_default),
        cmocka_unit_test(lists_are_for_experiments),
        cmocka_unit_test(every_policy_and_parameter_is_listed),
        cmocka_unit_test(policies_are_a_list_or_a_round_robin),
        cmocka_unit_test(references_lead_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
