#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "solve/check.h"
#include "solve/iterate.h"
#include "solve/layers.h"

static hy_status check(const hy_endgame *endgame, hy_error *error)
{
    hy_check_result result;
    return hy_endgame_check(endgame, NULL, &result, error);
}

static int8_t *values_of(const hy_endgame *endgame, unsigned layer)
{
    return endgame->layers[layer].map;
}

static void right_tables_pass(void **state)
{
    dice d = {4};
    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        hy_rules rules = decomposing_random(&d, 4);
        hy_endgame *endgame = tables_of(&rules, 60, 3000, HY_METHOD_BEST);
        hy_error error = {0};
        if (check(endgame, &error) != HY_OK)
            fail_msg("%s", error.text);
        hy_endgame_destroy(endgame);
    }
}

/* Each value replaced by each other one, in turn. */
static void any_changed_value_is_caught(void **state)
{
    static const char *const variants[] = {"holes=2 seeds=4", "holes=2 seeds=4 endless=forbid",
                                           "holes=2 seeds=3 casa=3 no_move=sweep"};
    (void)state;
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        hy_rules rules = variant_of(variants[v]);
        hy_endgame *endgame = tables_of(&rules, 9, UINT64_MAX, HY_METHOD_BEST);
        for (unsigned i = 0; i < endgame->num_layers; i++) {
            int8_t *values = values_of(endgame, i);
            int most = (int)endgame->layers[i].counters / endgame->unit + 1;
            for (uint64_t place = 0; place < endgame->layers[i].num; place++) {
                int8_t right = values[place];
                for (int wrong = -most; wrong <= most; wrong++) {
                    values[place] = (int8_t)wrong;
                    if (wrong != right && check(endgame, NULL) != HY_FAILED)
                        fail_msg("%d for %d is not seen", wrong, right);
                }
                values[place] = right;
            }
        }
        assert_int_equal(check(endgame, NULL), HY_OK);
        hy_endgame_destroy(endgame);
    }
}

static void changed_values_of_a_larger_table_are_caught(void **state)
{
    dice d = {5};
    hy_rules rules = hy_rules_default();
    hy_endgame *endgame = tables_of(&rules, 8, UINT64_MAX, HY_METHOD_BEST);
    (void)state;
    for (unsigned i = 0; i < 25; i++) {
        unsigned layer = 1 + dice_below(&d, 2);
        int8_t *value =
            values_of(endgame, layer) + dice_below(&d, (unsigned)endgame->layers[layer].num);
        int8_t right = *value;
        *value = (int8_t)(right > 0 ? right - 1 : right + 1);
        hy_error error = {0};
        assert_int_equal(check(endgame, &error), HY_FAILED);
        assert_non_null(strstr(error.text, "position '"));
        *value = right;
    }
    hy_endgame_destroy(endgame);
}

/* Tables that satisfy the defining equation everywhere and are wrong: iteration from values at
 * random runs into many. */
static void wins_that_rest_on_circles_are_caught(void **state)
{
    dice d = {6};
    hy_rules rules = variant_of("holes=3 seeds=2 relay=false");
    hy_endgame *endgame = tables_of(&rules, 12, UINT64_MAX, HY_METHOD_BEST);
    unsigned top = endgame->num_layers - 1, num_circles = 0;
    uint64_t num = endgame->layers[top].num;
    int8_t *values = values_of(endgame, top), *right = malloc(num);
    (void)state;
    assert_non_null(right);
    memcpy(right, values, num);
    for (unsigned i = 0; i < 8; i++) {
        hy_error error = {0};
        for (uint64_t n = 0; n < num; n++)
            values[n] = (int8_t)((int)dice_below(&d, 7) - 3);
        if (hy_layer_iterate_from(endgame, 12, HY_DEFAULT_MAX_LAPS, 60, NULL, values, NULL) !=
            HY_OK)
            continue;
        if (memcmp(values, right, num) == 0) {
            assert_int_equal(check(endgame, NULL), HY_OK);
            continue;
        }
        assert_int_equal(check(endgame, &error), HY_FAILED);
        assert_non_null(strstr(error.text, "circle"));
        num_circles++;
    }
    assert_true(num_circles > 3);
    free(right);
    hy_endgame_destroy(endgame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_tables_pass),
        cmocka_unit_test(any_changed_value_is_caught),
        cmocka_unit_test(changed_values_of_a_larger_table_are_caught),
        cmocka_unit_test(wins_that_rest_on_circles_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
