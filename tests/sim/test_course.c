/* The measures of a game's course, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sim/course.h"

static void assert_portion(hy_portion found, double y, double x)
{
    if (fabs(found.y - y) > 1e-12 || found.x != x)
        fail_msg("%.15g of %g, not %.15g of %g", found.y, found.x, y, x);
}

#define NO_PART 0, 0

/* South wins in four plies; e_south is 0.1 at the start, then 0.2, −0.4, 0, 0.5.
 *
 * Drama: only after ply 2 does north stand better, by 0.4 − (−0.4) = 0.8; 0.8 / 4 plies = 0.2.
 * Leads: south, north, nobody, south: two changes of four plies; the start says nothing.
 * Stability: mean 0.075; squares of 0.125, −0.475, −0.075, 0.425 add up to 0.4275; twice
 * 0.4275 / 4 = 0.21375.
 * Threshold: north's best is 0.4, after ply 2. South first exceeds it after ply 4: 3 / 4.
 * Half: after ply 2 south is behind by value (−0.4), but not by counters (+2). */
static void a_game_that_turns(void **state)
{
    (void)state;
    static const double value[] = {0.1, 0.2, -0.4, 0, 0.5};
    static const int lead[] = {0, 0, 2, 2, 3};
    hy_course course = {.value = value, .lead = lead, .plies = 4, .result = HY_RESULT_SOUTH};
    assert_portion(hy_course_drama(&course), 0.2, 1);
    assert_portion(hy_course_lead_changes(&course), 2, 4);
    assert_portion(hy_course_stability(&course), 0.21375, 1);
    assert_portion(hy_course_decisiveness_threshold(&course), 0.4, 1);
    assert_portion(hy_course_decisiveness_plies(&course), 0.75, 1);
    assert_portion(hy_course_comeback(&course), 1, 1);
    assert_portion(hy_course_comeback_by_score(&course), 0, 1);
}

/* The same seen from the other side. */
static void the_seats_are_alike(void **state)
{
    (void)state;
    static const double value[] = {-0.1, -0.2, 0.4, 0, -0.5};
    static const int lead[] = {0, 0, 2, 2, -3}; /* north comes back from −2 */
    hy_course course = {.value = value, .lead = lead, .plies = 4, .result = HY_RESULT_NORTH};
    assert_portion(hy_course_drama(&course), 0.2, 1);
    assert_portion(hy_course_lead_changes(&course), 2, 4);
    assert_portion(hy_course_stability(&course), 0.21375, 1);
    assert_portion(hy_course_decisiveness_threshold(&course), 0.4, 1);
    assert_portion(hy_course_decisiveness_plies(&course), 0.75, 1);
    assert_portion(hy_course_comeback(&course), 1, 1);
    assert_portion(hy_course_comeback_by_score(&course), 1, 1);
}

/* South is ahead from the first ply on: north's best is −0.1, not 0, and south exceeds it at once.
 */
static void a_game_without_turns(void **state)
{
    (void)state;
    static const double value[] = {0, 0.1, 0.2, 0.3};
    static const int lead[] = {0, 4, 4, 8};
    hy_course course = {.value = value, .lead = lead, .plies = 3, .result = HY_RESULT_SOUTH};
    assert_portion(hy_course_drama(&course), 0, 1);
    assert_portion(hy_course_lead_changes(&course), 0, 3);
    assert_portion(hy_course_decisiveness_threshold(&course), -0.1, 1);
    assert_portion(hy_course_decisiveness_plies(&course), 0, 1);
    assert_portion(hy_course_comeback(&course), 0, 1);
}

/* North was at 0.6 once, south wins with 0.1: it never exceeds that. */
static void a_winner_below_the_threshold(void **state)
{
    (void)state;
    static const double value[] = {0, -0.6, 0.1};
    static const int lead[] = {0, -4, 1};
    hy_course course = {.value = value, .lead = lead, .plies = 2, .result = HY_RESULT_SOUTH};
    assert_portion(hy_course_drama(&course), 0.6, 1);
    assert_portion(hy_course_decisiveness_threshold(&course), 0.6, 1);
    assert_portion(hy_course_decisiveness_plies(&course), 1, 1);
    assert_portion(hy_course_comeback_by_score(&course), 1, 1);
}

/* In a draw nobody won: the highest e of both counts, and what needs a winner has no part. */
static void a_draw(void **state)
{
    (void)state;
    static const double value[] = {0.4, 0.2, -0.3, 0};
    static const int lead[] = {0, 0, 0, 0};
    hy_course course = {.value = value, .lead = lead, .plies = 3, .result = HY_RESULT_DRAW};
    assert_portion(hy_course_decisiveness_threshold(&course), 0.3, 1);
    assert_portion(hy_course_lead_changes(&course), 1, 3);
    assert_portion(hy_course_drama(&course), NO_PART);
    assert_portion(hy_course_decisiveness_plies(&course), NO_PART);
    assert_portion(hy_course_comeback(&course), NO_PART);
    assert_portion(hy_course_comeback_by_score(&course), NO_PART);
}

static void a_game_without_result(void **state)
{
    (void)state;
    static const double value[] = {0, 0.5, -0.5};
    static const int lead[] = {0, 4, 4};
    hy_course course = {.value = value, .lead = lead, .plies = 2, .result = HY_RESULT_NONE};
    assert_portion(hy_course_lead_changes(&course), 1, 2);
    assert_portion(hy_course_stability(&course), 0.5, 1);
    assert_portion(hy_course_drama(&course), NO_PART);
    assert_portion(hy_course_decisiveness_threshold(&course), NO_PART);
    assert_portion(hy_course_decisiveness_plies(&course), NO_PART);
    assert_portion(hy_course_comeback(&course), NO_PART);
}

/* Half of one ply is the start. */
static void a_game_of_one_ply(void **state)
{
    (void)state;
    static const double value[] = {-0.1, 0.5};
    static const int lead[] = {0, 4};
    hy_course course = {.value = value, .lead = lead, .plies = 1, .result = HY_RESULT_SOUTH};
    assert_portion(hy_course_comeback(&course), 1, 1);
    assert_portion(hy_course_comeback_by_score(&course), 0, 1);
    assert_portion(hy_course_stability(&course), 0, 1);
    assert_portion(hy_course_decisiveness_plies(&course), 0, 1);
}

static void a_game_of_no_ply(void **state)
{
    (void)state;
    static const double value[] = {0.5};
    static const int lead[] = {2};
    for (int result = 0; result < HY_NUM_RESULTS; result++) {
        hy_course course = {.value = value, .lead = lead, .result = (hy_result)result};
        assert_portion(hy_course_drama(&course), NO_PART);
        assert_portion(hy_course_lead_changes(&course), NO_PART);
        assert_portion(hy_course_stability(&course), NO_PART);
        assert_portion(hy_course_decisiveness_threshold(&course), NO_PART);
        assert_portion(hy_course_decisiveness_plies(&course), NO_PART);
        assert_portion(hy_course_comeback(&course), NO_PART);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_that_turns),
        cmocka_unit_test(the_seats_are_alike),
        cmocka_unit_test(a_game_without_turns),
        cmocka_unit_test(a_winner_below_the_threshold),
        cmocka_unit_test(a_draw),
        cmocka_unit_test(a_game_without_result),
        cmocka_unit_test(a_game_of_one_ply),
        cmocka_unit_test(a_game_of_no_ply),
    };
    return cmocka_run_group_tests_name("sim/course", tests, NULL, NULL);
}
