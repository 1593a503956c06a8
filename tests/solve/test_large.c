#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "solve/layers.h"

static void assert_shares(const hy_endgame *endgame, unsigned layer, double won, double even,
                          double lost)
{
    hy_layer_census census = hy_endgame_census(endgame, layer);
    double num = (double)census.positions;
    assert_true(fabs((double)census.won / num - won) < 5.1e-5);
    assert_true(fabs((double)census.even / num - even) < 5.1e-5);
    assert_true(fabs((double)census.lost / num - lost) < 5.1e-5);
}

/* As solving.md has them for 16 and 20 counters on 2×6: 13,037,895 and 84,672,315 positions. */
static void shares_of_large_layers_are_as_published(void **state)
{
    hy_rules rules = hy_rules_default();
    hy_solve_options options = {.num_threads = 2};
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 20, &options, &endgame, NULL), HY_OK);
    assert_int_equal(hy_endgame_census(endgame, 5).positions, 84672315);
    assert_shares(endgame, 4, .5629, .2036, .2335);
    assert_shares(endgame, 5, .5020, .3868, .1111);
    hy_endgame_destroy(endgame);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_of_large_layers_are_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
