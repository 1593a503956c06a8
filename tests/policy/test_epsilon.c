#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "support/chi_square.h"
#include "support/policies.h"
#include "support/variants.h"

/* Greedy's one best hole here is 0. */
static scene clear_scene(void)
{
    scene s = {.rules = hy_rules_default()};
    s.position = position_of(&s.rules, "1 3 1 0 1 1 9 9 9 9 9 9/0 0 south");
    hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
    assert_int_equal(s.moves.num, 5);
    return s;
}

static void rate_zero_is_the_inner_policy(void **state)
{
    (void)state;
    dice d = {33};
    for (uint64_t i = 0; i < 5000; i++) {
        scene s = scene_random(&d);
        player outer = player_of("epsilon:rate=0,policy=(greedy:ties=first)", &s.rules);
        player inner = player_of("greedy:ties=first", &s.rules);
        hy_stream one = hy_stream_make(1, i, HY_PURPOSE_SOUTH), other = one;
        assert_int_equal(choose_in(&outer, &s, &one), choose_in(&inner, &s, &other));
        player_clean_up(&outer);
        player_clean_up(&inner);
    }
}

static void rate_one_is_uniform(void **state)
{
    (void)state;
    scene s = clear_scene();
    player p = player_of("epsilon:rate=1,policy=greedy", &s.rules);
    hy_stream stream = hy_stream_make(2, 0, HY_PURPOSE_SOUTH);
    unsigned counts[6] = {0};
    for (int i = 0; i < 50000; i++)
        counts[choose_in(&p, &s, &stream)]++;
    counts[3] = counts[5];
    assert_true(chi_square(counts, 5) < chi_square_limit(4));
    player_clean_up(&p);
}

/* Of the random choices, one in five is the greedy hole all the same. */
static void the_rate_is_the_share_of_random_holes(void **state)
{
    (void)state;
    scene s = clear_scene();
    player p = player_of("epsilon:rate=0.3,policy=greedy", &s.rules);
    hy_stream stream = hy_stream_make(3, 0, HY_PURPOSE_SOUTH);
    double n = 100000, deviations = 0, share = 0.3 * 4 / 5;
    for (int i = 0; i < 100000; i++)
        deviations += choose_in(&p, &s, &stream) != 0;
    assert_true(fabs(deviations / n - share) < 4 * sqrt(share * (1 - share) / n));
    player_clean_up(&p);
}

static void it_can_stand_within_itself(void **state)
{
    (void)state;
    scene s = clear_scene();
    player p = player_of("epsilon:rate=0.5,policy=(epsilon:rate=0.5,policy=greedy)", &s.rules);
    hy_stream stream = hy_stream_make(4, 0, HY_PURPOSE_SOUTH);
    double n = 100000, deviations = 0, share = 0.75 * 4 / 5;
    for (int i = 0; i < 100000; i++)
        deviations += choose_in(&p, &s, &stream) != 0;
    assert_true(fabs(deviations / n - share) < 4 * sqrt(share * (1 - share) / n));
    player_clean_up(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_zero_is_the_inner_policy),
        cmocka_unit_test(rate_one_is_uniform),
        cmocka_unit_test(the_rate_is_the_share_of_random_holes),
        cmocka_unit_test(it_can_stand_within_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
