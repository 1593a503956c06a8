#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/game.h"
#include "support/dice.h"
#include "support/records.h"
#include "support/variants.h"

/* Rules that the playout handles, with the field that rules it out left as it came up otherwise. */
static hy_rules playable_rules(dice *d)
{
    for (;;) {
        hy_rules rules = variant_random(d, HY_MAX_HOLES, HY_MAX_SEEDS);
        rules.skip_origin = false;
        rules.en_passant = HY_EN_PASSANT_NONE;
        rules.final_capture = true;
        rules.repetition = 0;
        rules.endless = HY_ENDLESS_ANNUL;
        if (dice_one_in(d, 2))
            rules.seeds = (uint8_t)(1 + dice_below(d, 4));
        if (hy_rules_check(&rules, NULL, NULL) == HY_OK && hy_rules_total(&rules) <= UINT8_MAX)
            return rules;
    }
}

static hy_condition condition_of(hy_rules rules, dice *d)
{
    hy_condition condition = {
        .rules = rules,
        .opening_plies = dice_one_in(d, 3) ? dice_below(d, 6) : 0,
        .max_plies = dice_one_in(d, 4) ? 1 + dice_below(d, 20) : 500,
        .max_laps = dice_one_in(d, 3) ? 1 + dice_below(d, 100) : 100000,
    };
    assert_int_equal(hy_policy_spec_parse("random", &condition.first, NULL), HY_OK);
    assert_int_equal(hy_policy_spec_parse("random", &condition.second, NULL), HY_OK);
    return condition;
}

static void drop_condition(hy_condition *condition)
{
    hy_policy_spec_destroy(condition->first);
    hy_policy_spec_destroy(condition->second);
}

static void compare_games(hy_table *table, uint64_t seed, uint64_t number, unsigned *terminations)
{
    hy_game_record fast, by_plies;
    hy_hole_list fast_holes = {0}, holes = {0};
    assert_int_equal(hy_table_play(table, seed, number, &fast_holes, &fast, NULL), HY_OK);
    assert_int_equal(hy_table_play_by_plies(table, seed, number, &holes, &by_plies, NULL), HY_OK);
    bool same = fast_holes.num == holes.num &&
                (holes.num == 0 || memcmp(fast_holes.holes, holes.holes, holes.num) == 0) &&
                record_difference(&fast, &by_plies) == NULL;
    if (!same) {
        char text[HY_CONDITION_TEXT_SIZE];
        hy_condition_print(table->condition, text);
        fail_msg("game %u of seed %u differs under %s", (unsigned)number, (unsigned)seed, text);
    }
    terminations[fast.termination]++;
    free(fast_holes.holes);
    free(holes.holes);
}

static void playouts_are_the_same_games(void **state)
{
    (void)state;
    dice d = {20261129};
    unsigned terminations[HY_NUM_TERMINATIONS] = {0};
    for (unsigned i = 0; i < 3000; i++) {
        hy_condition condition = condition_of(playable_rules(&d), &d);
        hy_table table;
        hy_position start = hy_position_start(&condition.rules);
        assert_true(hy_playout_handles(&condition.rules, &start));
        assert_int_equal(hy_table_init(&table, &condition, false, NULL), HY_OK);
        for (uint64_t number = 0; number < 4; number++)
            compare_games(&table, i, number, terminations);
        hy_table_clean_up(&table);
        drop_condition(&condition);
    }
    assert_true(terminations[HY_CLAIMED] > 100);
    assert_true(terminations[HY_EXHAUSTED] > 100);
    assert_true(terminations[HY_SWEPT] > 100);
    assert_true(terminations[HY_ENDLESS] > 100);
    assert_true(terminations[HY_UNRESOLVED] > 100);
    assert_true(terminations[HY_TRUNCATED] > 100);
}

/* The widths at which another number of registers or words takes over. */
static void playouts_agree_at_the_seams(void **state)
{
    (void)state;
    static const uint8_t widths[] = {1, 3, 4, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32};
    dice d = {7};
    unsigned terminations[HY_NUM_TERMINATIONS] = {0};
    for (size_t i = 0; i < sizeof widths; i++) {
        for (unsigned seeds = 1; 2 * widths[i] * seeds <= UINT8_MAX && seeds <= 32; seeds++) {
            hy_rules rules = hy_rules_default();
            rules.holes = widths[i];
            rules.seeds = (uint8_t)seeds;
            if (hy_rules_check(&rules, NULL, NULL) != HY_OK)
                continue;
            hy_condition condition = condition_of(rules, &d);
            hy_table table;
            assert_int_equal(hy_table_init(&table, &condition, false, NULL), HY_OK);
            for (uint64_t number = 0; number < 10; number++)
                compare_games(&table, 3, number, terminations);
            hy_table_clean_up(&table);
            drop_condition(&condition);
        }
    }
}

/* Policies that are not uniform, and variants that playouts do not handle. */
static void the_rest_is_played_by_plies(void **state)
{
    (void)state;
    static const char *const variants[] = {
        "skip_origin=true", "en_passant=sower", "en_passant=owner", "repetition=2",
        "endless=forbid",   "holes=32 seeds=4", "holes=4",
    };
    dice d = {1};
    unsigned terminations[HY_NUM_TERMINATIONS] = {0};
    for (size_t i = 0; i < 2 * (sizeof variants / sizeof variants[0]); i++) {
        hy_condition condition = condition_of(variant_of(variants[i / 2]), &d);
        hy_table table;
        if (i % 2 > 0) {
            hy_policy_spec_destroy(condition.second);
            assert_int_equal(hy_policy_spec_parse("greedy", &condition.second, NULL), HY_OK);
        }
        assert_int_equal(hy_table_init(&table, &condition, false, NULL), HY_OK);
        for (uint64_t number = 0; number < 10; number++)
            compare_games(&table, 5, number, terminations);
        hy_table_clean_up(&table);
        drop_condition(&condition);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(playouts_are_the_same_games),
        cmocka_unit_test(playouts_agree_at_the_seams),
        cmocka_unit_test(the_rest_is_played_by_plies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
