#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "rules/sowing.h"
#include "support/variants.h"

static unsigned compared;

/* The two engines on one sowing, in everything that they say. */
static void assert_agree(const hy_rules *rules, const hy_position *position, unsigned hole,
                         uint64_t max_laps)
{
    uint16_t slow[HY_MAX_BOARD], fast[HY_MAX_BOARD];
    hy_sowing a, b;
    hy_player mover = (hy_player)position->mover;
    memset(fast, 0xa5, sizeof fast);
    memset(&b, 0xa5, sizeof b);
    hy_sow_reference(rules, position->board, hole, mover, max_laps, slow, &a);
    hy_sow_fast(rules, position->board, hole, mover, max_laps, fast, &b);
    compared++;
    if (memcmp(slow, fast, sizeof slow) != 0 || a.ending != b.ending || a.laps != b.laps ||
        a.counters != b.counters || a.casas != b.casas || a.en_passant[0] != b.en_passant[0] ||
        a.en_passant[1] != b.en_passant[1])
        fail_at("the engines differ", rules, position, hole);
}

static hy_rules handled_variant(dice *d, unsigned max_holes)
{
    hy_rules rules;
    do
        rules = variant_random(d, max_holes, HY_MAX_SEEDS);
    while (!hy_sow_fast_handles(&rules));
    return rules;
}

static void recorded_games_are_handled(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    assert_true(hy_sow_fast_handles(&rules));
    rules.chain_capture = false;
    assert_true(hy_sow_fast_handles(&rules));
    rules.capture_side = HY_SIDE_OPPONENT;
    assert_true(hy_sow_fast_handles(&rules));
}

static void random_sowings(void **state)
{
    (void)state;
    dice d = {12};
    for (int i = 0; i < 60000; i++) {
        hy_rules rules = handled_variant(&d, i % 3 ? 7 : HY_MAX_HOLES);
        hy_position position = position_random(&d, &rules);
        unsigned hole;
        if (hole_random(&d, &rules, &position, &hole))
            assert_agree(&rules, &position, hole, 300);
    }
    assert_true(compared > 50000);
}

/* Boards around the widths of vectors, from every hole, with hands around whole rounds. */
static void every_hole_with_hands_around_rounds(void **state)
{
    (void)state;
    static const uint8_t boards[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 17, 18, 24, 31, 32};
    dice d = {13};
    for (size_t b = 0; b < sizeof boards; b++) {
        hy_rules rules = variant_of("seeds=32");
        unsigned size = 2u * boards[b];
        rules.holes = boards[b];
        for (unsigned hole = 0; hole < size; hole++) {
            const unsigned hands[] = {1,   2,        size - 1,     size,         size + 1, 255,
                                      256, 2 * size, 2 * size + 1, 2 * size - 1, 3 * size, 1000};
            for (size_t h = 0; h < sizeof hands / sizeof hands[0]; h++) {
                hy_position position = {.mover = (uint8_t)hy_owner(&rules, hole)};
                for (unsigned i = 0; i < size; i++)
                    position.board[i] = (uint16_t)dice_below(&d, 6);
                position.board[hole] = (uint16_t)hands[h];
                rules.relay = dice_one_in(&d, 4) ? 0 : 1;
                assert_agree(&rules, &position, hole, 200);
            }
        }
    }
}

static void counts_beyond_a_byte(void **state)
{
    (void)state;
    dice d = {14};
    for (int i = 0; i < 3000; i++) {
        hy_rules rules = handled_variant(&d, HY_MAX_HOLES);
        unsigned size = 2u * rules.holes, hole = dice_below(&d, size);
        hy_position position = {.mover = (uint8_t)dice_below(&d, 2)};
        position.board[hole] = (uint16_t)(250 + dice_below(&d, 1790));
        position.board[dice_below(&d, size)] = (uint16_t)(254 + dice_below(&d, 4));
        assert_agree(&rules, &position, hole, 300);
    }
    hy_rules largest = variant_of("holes=32 seeds=32");
    hy_position all = {.mover = HY_SOUTH};
    all.board[0] = 2048;
    assert_agree(&largest, &all, 0, 1000);
}

/* Limits around the laps that go unchecked, on sowings that are long or have no end. */
static void limits_of_laps(void **state)
{
    (void)state;
    static const uint64_t limits[] = {1, 2, 3, 4, 7, 62, 63, 64, 65, 66, 100, 127, 128, 129, 1000};
    dice d = {15};
    unsigned long_ones = 0;
    while (long_ones < 400) {
        hy_rules rules = handled_variant(&d, long_ones % 2 ? 4 : 18);
        hy_position position = position_random(&d, &rules);
        uint16_t after[HY_MAX_BOARD];
        unsigned hole;
        hy_sowing sowing;
        if (!hole_random(&d, &rules, &position, &hole))
            continue;
        hy_sow_reference(&rules, position.board, hole, HY_SOUTH, 50, after, &sowing);
        if (sowing.ending < HY_ENDING_ENDLESS && sowing.laps < 20)
            continue;
        long_ones++;
        for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
            assert_agree(&rules, &position, hole, limits[i]);
    }
}

static void full_boards_of_all_sizes(void **state)
{
    (void)state;
    for (uint8_t holes = 1; holes <= HY_MAX_HOLES; holes++) {
        for (uint8_t seeds = 1; seeds <= HY_MAX_SEEDS; seeds += 3) {
            hy_rules rules = hy_rules_default();
            rules.holes = holes;
            rules.seeds = seeds;
            hy_position start = hy_position_start(&rules);
            assert_agree(&rules, &start, 0, 500);
            assert_agree(&rules, &start, 2u * holes - 1, 500);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_games_are_handled),
        cmocka_unit_test(random_sowings),
        cmocka_unit_test(every_hole_with_hands_around_rounds),
        cmocka_unit_test(counts_beyond_a_byte),
        cmocka_unit_test(limits_of_laps),
        cmocka_unit_test(full_boards_of_all_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
