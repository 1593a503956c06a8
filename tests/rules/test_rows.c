#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/rows.h"
#include "support/dice.h"
#include "support/variants.h"

static hy_rows_sower sower;

static hy_rules handled_variant(dice *d, unsigned max_seeds)
{
    hy_rules rules;
    do
        rules = variant_random(d, HY_ROWS_MAX_HOLES, max_seeds);
    while (!hy_rows_handles(&rules, 0));
    return rules;
}

/* One sowing in rows and by the reference, in everything that both say. */
static hy_ending assert_agree(const hy_rules *rules, const hy_position *position, unsigned hole,
                              uint64_t max_laps)
{
    uint16_t after[HY_MAX_BOARD], unpacked[HY_MAX_BOARD];
    hy_sowing sowing;
    unsigned casas = 99;
    hy_rows rows = hy_rows_of(rules, position->board);
    hy_sow_reference(rules, position->board, hole, (hy_player)position->mover, max_laps, after,
                     &sowing);
    hy_ending ending =
        hy_rows_sow(&sower, &rows, position->mover, hy_rows_place(rules, hole), max_laps, &casas);
    hy_rows_unpack(rules, rows, unpacked);
    if (ending != sowing.ending || casas != sowing.casas ||
        memcmp(after, unpacked, sizeof after) != 0)
        fail_at("sowing in rows differs", rules, position, hole);
    return ending;
}

static void sowings_are_those_of_the_reference(void **state)
{
    (void)state;
    dice d = {20261130};
    unsigned endings[HY_ENDING_UNRESOLVED + 1] = {0};
    for (unsigned i = 0; i < 3000; i++) {
        hy_rules rules = handled_variant(&d, 12);
        hy_rows_sower_init(&sower, &rules);
        for (unsigned j = 0; j < 20; j++) {
            hy_position position = position_random(&d, &rules);
            unsigned hole;
            if (position.left > HY_ROWS_MAX_COUNTERS || !hole_random(&d, &rules, &position, &hole))
                continue;
            uint64_t max_laps = dice_one_in(&d, 3) ? 1 + dice_below(&d, 100) : 5000;
            position.mover = (uint8_t)dice_below(&d, 2);
            endings[assert_agree(&rules, &position, hole, max_laps)]++;
        }
    }
    for (unsigned ending = 0; ending <= HY_ENDING_UNRESOLVED; ending++)
        assert_true(endings[ending] > 100);
}

/* Every board, every hole, every hand that fits, the other holes full or not. */
static void every_hand_from_every_hole(void **state)
{
    (void)state;
    for (unsigned holes = 1; holes <= HY_ROWS_MAX_HOLES; holes++) {
        hy_rules rules = variant_of("relay=false");
        rules.holes = (uint8_t)holes;
        hy_rows_sower_init(&sower, &rules);
        for (unsigned hole = 0; hole < 2 * holes; hole++) {
            for (unsigned hand = 1; hand <= HY_ROWS_MAX_COUNTERS; hand++) {
                hy_position position = {.mover = (uint8_t)(hand % 2)};
                position.board[hole] = (uint16_t)hand;
                position.board[(hole + 1) % (2 * holes)] += (uint16_t)(HY_ROWS_MAX_COUNTERS - hand);
                position.left = HY_ROWS_MAX_COUNTERS;
                assert_agree(&rules, &position, hole, 10);
            }
        }
    }
}

/* Sowings that end at the last lap that is followed here, one before, one behind it. */
static void limits_of_laps_are_kept(void **state)
{
    (void)state;
    dice d = {7};
    hy_rules rules = hy_rules_default();
    unsigned long_ones = 0;
    hy_rows_sower_init(&sower, &rules);
    while (long_ones < 30) {
        hy_position position = position_random(&d, &rules);
        unsigned hole;
        uint16_t after[HY_MAX_BOARD];
        hy_sowing sowing;
        if (position.left > HY_ROWS_MAX_COUNTERS || !hole_random(&d, &rules, &position, &hole))
            continue;
        hy_sow_reference(&rules, position.board, hole, (hy_player)position.mover, 5000, after,
                         &sowing);
        if (sowing.laps == 0)
            continue;
        for (uint64_t laps = sowing.laps > 1 ? sowing.laps - 1 : 1; laps <= sowing.laps + 1; laps++)
            assert_agree(&rules, &position, hole, laps);
        long_ones += sowing.laps + 1 >= HY_ROWS_SHORT && sowing.laps <= HY_ROWS_SHORT + 1;
    }
}

static void rows_are_the_board(void **state)
{
    (void)state;
    dice d = {5};
    for (unsigned i = 0; i < 2000; i++) {
        hy_rules rules = handled_variant(&d, 8);
        hy_position position = position_random(&d, &rules);
        uint16_t board[HY_MAX_BOARD];
        if (position.left > HY_ROWS_MAX_COUNTERS)
            continue;
        hy_rows rows = hy_rows_of(&rules, position.board);
        hy_rows_unpack(&rules, rows, board);
        assert_memory_equal(board, position.board, sizeof board);
        hy_rows_sower_init(&sower, &rules);
        for (unsigned player = 0; player < 2; player++) {
            uint64_t filled = hy_row_filled(hy_rows_row(rows, player));
            unsigned num = 0;
            for (unsigned hole = 0; hole < rules.holes; hole++) {
                if (position.board[player * rules.holes + hole] == 0)
                    continue;
                assert_int_equal(sower.filled[hy_row_mask(filled) * 8 + num], hole);
                assert_int_equal(hy_row_find(filled * HY_EACH_BYTE(1), num), hole);
                num++;
            }
            assert_int_equal(hy_row_num(filled), num);
        }
    }
}

static void what_it_cannot_is_refused(void **state)
{
    (void)state;
    static const char *const variants[] = {"skip_origin=true", "en_passant=sower",
                                           "en_passant=owner", "holes=9"};
    hy_rules rules = hy_rules_default();
    assert_true(hy_rows_handles(&rules, 255));
    assert_false(hy_rows_handles(&rules, 256));
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        rules = variant_of(variants[i]);
        assert_false(hy_rows_handles(&rules, 10));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sowings_are_those_of_the_reference),
        cmocka_unit_test(every_hand_from_every_hole),
        cmocka_unit_test(limits_of_laps_are_kept),
        cmocka_unit_test(rows_are_the_board),
        cmocka_unit_test(what_it_cannot_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
