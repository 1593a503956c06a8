#include "cli/rules_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/words.h"
#include "config/config.h"

#define MAX_COUNTERS (HY_MAX_BOARD * HY_MAX_SEEDS)

static hy_status unknown_field(const char *key, hy_error *error)
{
    const char *keys[64];
    for (size_t i = 0; i < hy_num_fields; i++)
        keys[i] = hy_fields[i].key;
    const char *near = hy_nearest_word(key, keys, hy_num_fields);
    if (near)
        return hy_fail(error, HY_INVALID, "unknown field '%.40s'; did you mean '%s'?", key, near);
    return hy_fail(error, HY_INVALID, "unknown field '%.40s'", key);
}

static hy_status set_field(const char *key, const json_t *value, hy_rules *rules, hy_error *error)
{
    char text[32], allowed[HY_FIELD_TEXT_SIZE];
    const hy_field *field = hy_field_find(key);
    if (!field)
        return unknown_field(key, error);
    bool fits = false;
    switch (field->kind) {
    case HY_FIELD_INTEGER:
        fits = json_is_integer(value);
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        break;
    case HY_FIELD_BOOLEAN:
        fits = json_is_boolean(value);
        snprintf(text, sizeof text, "%s", json_is_true(value) ? "true" : "false");
        break;
    case HY_FIELD_WORD:
        fits = json_is_string(value);
        snprintf(text, sizeof text, "%s", fits ? json_string_value(value) : "");
        break;
    }
    if (!fits)
        return hy_fail(error, HY_INVALID, "'%s' has a value of the wrong type; allowed: %s", key,
                       hy_field_allowed(field, allowed));
    return hy_field_set(field, text, rules, error);
}

static hy_status start_from_preset(const json_t *preset, hy_rules *rules, hy_error *error)
{
    hy_variant variant;
    *rules = hy_rules_default();
    if (!preset)
        return HY_OK;
    if (!json_is_string(preset) || strpbrk(json_string_value(preset), "/."))
        return hy_fail(error, HY_INVALID, "'preset' takes the name of a preset");
    hy_status status = hy_config_variant(json_string_value(preset), &variant, error);
    if (status == HY_OK)
        *rules = variant.rules;
    return status;
}

hy_status hy_rules_from_json(const json_t *object, hy_rules *rules, hy_error *error)
{
    if (!json_is_object(object))
        return hy_fail(error, HY_INVALID, "'rules' is an object of fields, {} for the defaults");
    hy_status status = start_from_preset(json_object_get(object, "preset"), rules, error);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (status == HY_OK && strcmp(key, "preset") != 0)
            status = set_field(key, value, rules, error);
    }
    return status == HY_OK ? hy_rules_check(rules, NULL, error) : status;
}

hy_status hy_integer_from_json(const json_t *value, const char *what, uint64_t low, uint64_t high,
                               uint64_t *number, hy_error *error)
{
    json_int_t integer = json_integer_value(value);
    if (!json_is_integer(value) || integer < 0 || (uint64_t)integer < low ||
        (uint64_t)integer > high)
        return hy_fail(error, HY_INVALID, "'%s' is an integer from %" PRIu64 " to %" PRIu64, what,
                       low, high);
    *number = (uint64_t)integer;
    return HY_OK;
}

static hy_status read_counters(const json_t *array, const char *what, size_t num,
                               uint16_t *counters, hy_error *error)
{
    if (!json_is_array(array) || json_array_size(array) != num)
        return hy_fail(error, HY_INVALID, "'%s' is an array of %zu integers", what, num);
    for (size_t i = 0; i < num; i++) {
        uint64_t number = 0;
        hy_status status =
            hy_integer_from_json(json_array_get(array, i), what, 0, MAX_COUNTERS, &number, error);
        if (status != HY_OK)
            return status;
        counters[i] = (uint16_t)number;
    }
    return HY_OK;
}

hy_status hy_position_from_json(const json_t *row, const hy_rules *rules, hy_position *position,
                                hy_error *error)
{
    const json_t *score = json_object_get(row, "score");
    const char *mover = json_string_value(json_object_get(row, "mover"));
    unsigned left = 0;
    *position = (hy_position){0};
    hy_status status = read_counters(json_object_get(row, "board"), "board", 2u * rules->holes,
                                     position->board, error);
    if (status == HY_OK && score)
        status = read_counters(score, "score", 2, position->score, error);
    if (status != HY_OK)
        return status;
    for (unsigned i = 0; i < 2u * rules->holes; i++)
        left += position->board[i];
    if (left + position->score[HY_SOUTH] + position->score[HY_NORTH] > MAX_COUNTERS)
        return hy_fail(error, HY_INVALID, "board and score hold more than %u counters",
                       MAX_COUNTERS);
    if (!mover || (strcmp(mover, "south") != 0 && strcmp(mover, "north") != 0))
        return hy_fail(error, HY_INVALID, "'mover' is \"south\" or \"north\"");
    position->left = (uint16_t)left;
    position->mover = strcmp(mover, "north") == 0 ? HY_NORTH : HY_SOUTH;
    return HY_OK;
}

json_t *hy_board_to_json(const hy_rules *rules, const hy_position *position)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < 2u * rules->holes; i++)
        json_array_append_new(array, json_integer(position->board[i]));
    return array;
}

json_t *hy_score_to_json(const hy_position *position)
{
    return json_pack("[i, i]", (int)position->score[HY_SOUTH], (int)position->score[HY_NORTH]);
}
