#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "solve/layers.h"

/* As solving.md has them for 20 counters on 2×6: 84,672,315 positions. */
static void shares_of_twenty_counters_are_as_published(void **state)
{
    hy_rules rules = hy_rules_default();
    hy_solve_options options = {.num_threads = 2};
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 20, &options, &endgame, NULL), HY_OK);
    hy_layer_census census = hy_endgame_census(endgame, 5);
    double num = (double)census.positions;
    assert_int_equal(census.positions, 84672315);
    assert_true(fabs((double)census.won / num - .5020) < 5.1e-5);
    assert_true(fabs((double)census.even / num - .3868) < 5.1e-5);
    assert_true(fabs((double)census.lost / num - .1111) < 5.1e-5);
    hy_endgame_destroy(endgame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_twenty_counters_are_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
