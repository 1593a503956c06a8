#include "support/golden_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void set_field(const char *key, const json_t *value, hy_rules *rules)
{
    char number[32];
    const hy_field *field = hy_field_find(key);
    hy_error error;
    if (!field)
        fail_msg("golden row with the unknown field '%s'", key);
    snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
    const char *text = json_is_boolean(value)  ? (json_is_true(value) ? "true" : "false")
                       : json_is_string(value) ? json_string_value(value)
                                               : number;
    if (hy_field_set(field, text, rules, &error) != HY_OK)
        fail_msg("%s", error.text);
}

hy_rules golden_rules(const json_t *row)
{
    hy_rules rules = hy_rules_default();
    hy_error error;
    const char *key;
    json_t *value;
    json_object_foreach(golden_get(row, "rules"), key, value) set_field(key, value, &rules);
    if (hy_rules_check(&rules, NULL, &error) != HY_OK)
        fail_msg("%s", error.text);
    return rules;
}

hy_rules golden_pairs(const json_t *row)
{
    char text[HY_RULES_TEXT_SIZE];
    hy_rules rules;
    hy_error error;
    size_t i;
    json_t *pair;
    size_t used = (size_t)snprintf(text, sizeof text, "holes=%u seeds=%u",
                                   (unsigned)golden_integer(row, "holes"),
                                   (unsigned)golden_integer(row, "seeds"));
    json_array_foreach(golden_get(row, "rules"), i, pair)
    {
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", json_string_value(pair));
        assert_true(used < sizeof text);
    }
    if (hy_rules_parse(text, &rules, &error) != HY_OK)
        fail_msg("rules '%s': %s", text, error.text);
    return rules;
}

hy_position golden_position(const hy_rules *rules, const json_t *row)
{
    hy_position position = {0};
    assert_int_equal(golden_numbers(row, "board", position.board, HY_MAX_BOARD), 2u * rules->holes);
    assert_int_equal(golden_numbers(row, "score", position.score, 2), 2);
    for (unsigned i = 0; i < 2u * rules->holes; i++)
        position.left = (uint16_t)(position.left + position.board[i]);
    position.mover = strcmp(golden_text(row, "mover"), "north") == 0 ? HY_NORTH : HY_SOUTH;
    assert_true(hy_position_is_valid(rules, &position));
    return position;
}
