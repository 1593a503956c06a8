#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solve/layers.h"
#include "support/golden_rows.h"

/* Retrograde analysis and iteration from 0 are two ways to the same values. */
static void two_methods_agree_under_random_rules(void **state)
{
    dice d = {2};
    uint64_t positions = 0, nonzero = 0;
    (void)state;
    for (unsigned i = 0; i < 150; i++) {
        hy_rules rules = decomposing_random(&d, 4);
        hy_endgame *best = tables_of(&rules, 60, 1200, HY_METHOD_BEST);
        hy_endgame *plain = tables_of(&rules, 60, 1200, HY_METHOD_ITERATE);
        assert_same_tables(best, plain);
        for (unsigned n = 0; n < hy_endgame_num_layers(best); n++) {
            hy_layer_census census = hy_endgame_census(best, n);
            positions += census.positions;
            nonzero += census.won + census.lost;
        }
        hy_endgame_destroy(best);
        hy_endgame_destroy(plain);
    }
    assert_true(positions > 70000);
    assert_true(nonzero > positions / 4);
}

/* The start's value of every small variant of the golden file. */
static void perfect_play_is_as_computed_elsewhere(void **state)
{
    json_t *root = golden_load("exact.json");
    unsigned num = 0;
    (void)state;
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *row = json_array_get(root, i);
        hy_rules rules = golden_pairs(row);
        hy_endgame *endgame;
        hy_position start = hy_position_start(&rules);
        json_int_t value = json_integer_value(json_object_get(golden_get(row, "perfect"), "value"));
        if (hy_solve_check_rules(&rules, NULL, NULL) != HY_OK)
            continue;
        assert_int_equal(hy_endgame_solve(&rules, hy_rules_total(&rules), NULL, &endgame, NULL),
                         HY_OK);
        assert_int_equal(hy_endgame_value(endgame, start.board, start.mover), value);
        hy_endgame_destroy(endgame);
        num++;
    }
    json_decref(root);
    assert_true(num >= 10);
}

static void shares_are_as_published(void **state)
{
    static const double shares[][3] = {{.5158, .0383, .4458}, {.2390, .6236, .1374}};
    hy_rules rules = hy_rules_default();
    hy_solve_options options = {.num_threads = 2};
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 12, &options, &endgame, NULL), HY_OK);
    for (unsigned i = 0; i < 2; i++) {
        hy_layer_census census = hy_endgame_census(endgame, i + 2);
        double num = (double)census.positions;
        assert_int_equal(census.counters, 8 + 4 * i);
        assert_true(fabs((double)census.won / num - shares[i][0]) < 5.1e-5);
        assert_true(fabs((double)census.even / num - shares[i][1]) < 5.1e-5);
        assert_true(fabs((double)census.lost / num - shares[i][2]) < 5.1e-5);
    }
    hy_endgame_destroy(endgame);
}

/* The value of a position is that of its turned position to the other player, and the best of its
 * holes; a mover without a hole has the value after the pass. */
static void values_are_found_by_position(void **state)
{
    dice d = {3};
    hy_rules rules = hy_rules_default();
    hy_endgame *endgame = tables_of(&rules, 12, UINT64_MAX, HY_METHOD_BEST);
    unsigned num_passes = 0;
    (void)state;
    for (unsigned i = 0; i < 20000; i++) {
        hy_position position = {.mover = (uint8_t)dice_below(&d, 2), .left = 8};
        hy_moves moves;
        int values[HY_MAX_HOLES];
        unsigned first = dice_below(&d, 12), span = 1 + dice_below(&d, 12);
        for (unsigned n = 0; n < position.left; n++)
            position.board[(first + dice_below(&d, span)) % 12]++;
        hy_position turned = hy_position_turned(&rules, &position);
        int value = hy_endgame_value(endgame, position.board, position.mover);
        assert_int_equal(value, hy_endgame_value(endgame, turned.board, turned.mover));
        hy_legal_moves(&rules, &position, HY_DEFAULT_MAX_LAPS, &moves);
        if (moves.num > 0) {
            assert_int_equal(value, hy_endgame_holes(endgame, &position, &moves, values));
            continue;
        }
        num_passes++;
        assert_int_equal(value,
                         -hy_endgame_value(endgame, position.board, hy_opponent(position.mover)));
    }
    assert_true(num_passes > 100);
    assert_true(hy_endgame_has(endgame, 0));
    assert_true(hy_endgame_has(endgame, 12));
    assert_false(hy_endgame_has(endgame, 10));
    assert_false(hy_endgame_has(endgame, 16));
    hy_endgame_destroy(endgame);
}

/* A total that is no multiple of the casa: other layers, and claims of what is left over. */
static void layers_go_by_the_total(void **state)
{
    hy_rules rules = variant_of("holes=3 seeds=3 casa=4");
    hy_endgame *endgame = tables_of(&rules, 18, UINT64_MAX, HY_METHOD_BEST);
    hy_position position = position_of(&rules, "0 0 3 0 2 1/6 6 south");
    (void)state;
    assert_int_equal(hy_endgame_num_layers(endgame), 5); /* 2, 6, 10, 14, 18 */
    assert_true(hy_endgame_has(endgame, 2));
    assert_false(hy_endgame_has(endgame, 4));
    assert_int_equal(hy_endgame_value(endgame, position.board, HY_SOUTH) % 2, 0);
    hy_endgame_destroy(endgame);
}

static void assert_refused(const char *text, const char *field)
{
    hy_rules rules = variant_of(text);
    hy_endgame *endgame;
    hy_error error = {0};
    const char *key = NULL;
    assert_int_equal(hy_solve_check_rules(&rules, &key, NULL), HY_INVALID);
    assert_string_equal(key, field);
    assert_int_equal(hy_endgame_solve(&rules, 8, NULL, &endgame, &error), HY_INVALID);
    assert_non_null(strstr(error.text, field));
}

static void variants_without_values_are_refused_by_field(void **state)
{
    (void)state;
    assert_refused("claim_by=starter", "claim_by");
    assert_refused("unfinished=void", "unfinished");
    assert_refused("repetition=2", "repetition");
    hy_rules rules = variant_of("holes=2 claim=0 claim_by=starter");
    assert_int_equal(hy_solve_check_rules(&rules, NULL, NULL), HY_OK);
}

static void no_layer_is_no_table(void **state)
{
    hy_rules rules = variant_of("holes=3 seeds=3 casa=5"); /* 3, 8, 13, 18 */
    hy_endgame *endgame;
    hy_error error = {0};
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 2, NULL, &endgame, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "3 counters"));
    assert_int_equal(hy_endgame_solve(&rules, 3, NULL, &endgame, &error), HY_OK);
    hy_endgame_destroy(endgame);
}

static void what_is_too_large_is_refused(void **state)
{
    hy_rules rules = hy_rules_default();
    hy_solve_options options = {.max_memory = 1000000};
    hy_endgame *endgame;
    hy_error error = {0};
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 12, &options, &endgame, &error), HY_INVALID);
    assert_int_equal(hy_endgame_solve(&rules, 200, NULL, &endgame, &error), HY_INVALID);
    rules.holes = 32;
    assert_int_equal(hy_endgame_solve(&rules, 255, NULL, &endgame, &error), HY_INVALID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_methods_agree_under_random_rules),
        cmocka_unit_test(perfect_play_is_as_computed_elsewhere),
        cmocka_unit_test(shares_are_as_published),
        cmocka_unit_test(values_are_found_by_position),
        cmocka_unit_test(layers_go_by_the_total),
        cmocka_unit_test(variants_without_values_are_refused_by_field),
        cmocka_unit_test(no_layer_is_no_table),
        cmocka_unit_test(what_is_too_large_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
