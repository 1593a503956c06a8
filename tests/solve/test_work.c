#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "solve/layers.h"

static void threads_make_no_difference(void **state)
{
    hy_rules rules = hy_rules_default();
    hy_solve_options options = {.num_threads = 4};
    hy_endgame *many, *one = tables_of(&rules, 12, UINT64_MAX, HY_METHOD_BEST);
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 12, &options, &many, NULL), HY_OK);
    assert_same_tables(many, one);
    hy_endgame_destroy(many);
    hy_endgame_destroy(one);
}

/* Progress goes forward only, to the number of positions. */
static void note_progress(void *context, const hy_solve_progress *progress)
{
    uint64_t *last = context;
    assert_true(progress->done >= *last);
    assert_true(progress->done <= progress->total);
    *last = progress->done;
}

static void progress_goes_forward(void **state)
{
    hy_rules rules = hy_rules_default();
    uint64_t last = 0;
    hy_solve_options options = {.num_threads = 2, .progress = note_progress, .context = &last};
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 12, &options, &endgame, NULL), HY_OK);
    assert_true(last > 0);
    hy_endgame_destroy(endgame);
}

/* Where a sowing outlasts the laps allowed there is no value, and no table. */
static void unresolved_sowings_fail(void **state)
{
    hy_rules rules = hy_rules_default();
    hy_solve_options options = {.max_laps = 1, .num_threads = 2};
    hy_endgame *endgame;
    hy_error error = {0};
    (void)state;
    rules.en_passant = HY_EN_PASSANT_SOWER; /* the general engine counts laps from the first */
    assert_int_equal(hy_endgame_solve(&rules, 12, &options, &endgame, &error), HY_FAILED);
    assert_non_null(strstr(error.text, "recurs"));
}

static void a_wish_to_stop_is_obeyed(void **state)
{
    hy_rules rules = hy_rules_default();
    atomic_int stop = 1;
    hy_solve_options options = {.num_threads = 2, .stop = &stop};
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_endgame_solve(&rules, 20, &options, &endgame, NULL), HY_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(progress_goes_forward),
        cmocka_unit_test(unresolved_sowings_fail),
        cmocka_unit_test(a_wish_to_stop_is_obeyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
