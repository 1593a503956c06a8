#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/chi_square.h"
#include "support/policies.h"
#include "support/variants.h"

static void every_legal_hole_is_as_likely(void **state)
{
    (void)state;
    static const char *const boards[] = {
        "4 4 4 4 4 4 4 4 4 4 4 4/0 0 south", "1 0 4 0 4 0 4 4 4 4 4 4/0 0 south",
        "4 4 4 4 4 4 4 4 4 4 4 4/0 0 north", "4 4 4 4 4 4 0 1 9 1 1 7/0 0 north",
        "1 0 0 0 0 1 4 4 4 4 4 4/0 0 south",
    };
    scene s = {.rules = hy_rules_default()};
    player p = player_of("random", &s.rules);
    for (size_t b = 0; b < sizeof boards / sizeof boards[0]; b++) {
        unsigned counts[6] = {0}, met[6];
        hy_stream stream = hy_stream_make(b, 0, HY_PURPOSE_SOUTH);
        s.position = position_of(&s.rules, boards[b]);
        hy_legal_moves(&s.rules, &s.position, SCENE_MAX_LAPS, &s.moves);
        for (int i = 0; i < 30000; i++)
            counts[choose_in(&p, &s, &stream) % 6]++;
        for (unsigned m = 0; m < s.moves.num; m++)
            met[m] = counts[s.moves.hole[m] % 6];
        assert_true(chi_square(met, s.moves.num) < chi_square_limit(s.moves.num - 1u));
    }
    player_clean_up(&p);
}

static void the_choice_is_one_number_of_the_stream(void **state)
{
    (void)state;
    dice d = {30};
    for (uint64_t i = 0; i < 3000; i++) {
        scene s = scene_random(&d);
        player p = player_of("random", &s.rules);
        hy_stream stream = hy_stream_make(1, i, HY_PURPOSE_NORTH), same = stream;
        unsigned hole = choose_in(&p, &s, &stream);
        assert_int_equal(hole, s.moves.hole[hy_stream_below(&same, s.moves.num)]);
        assert_memory_equal(&same, &stream, sizeof same);
        player_clean_up(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_legal_hole_is_as_likely),
        cmocka_unit_test(the_choice_is_one_number_of_the_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
