#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/variants.h"

#define NUM(array) (sizeof(array) / sizeof(array)[0])

static void assert_same(const hy_rules *rules, const hy_position *a, const hy_position *b)
{
    if (memcmp(a->board, b->board, sizeof a->board) != 0 || a->left != b->left ||
        a->score[0] != b->score[0] || a->score[1] != b->score[1] || a->mover != b->mover)
        fail_at("positions differ", rules, a, 0);
}

static hy_position with_scores(dice *d, const hy_rules *rules)
{
    hy_position position = position_random(d, rules);
    unsigned room = HY_MAX_BOARD * HY_MAX_SEEDS - position.left;
    position.score[HY_SOUTH] = (uint16_t)dice_below(d, room + 1);
    position.score[HY_NORTH] = (uint16_t)dice_below(d, room + 1 - position.score[HY_SOUTH]);
    return position;
}

static void the_start_is_full(void **state)
{
    (void)state;
    dice d = {4};
    for (int i = 0; i < 2000; i++) {
        hy_rules rules = variant_random(&d, HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_position start = hy_position_start(&rules);
        assert_true(hy_position_is_valid(&rules, &start));
        assert_int_equal(start.left, hy_rules_total(&rules));
        assert_int_equal(start.mover, HY_SOUTH);
        assert_int_equal(start.score[HY_SOUTH] + start.score[HY_NORTH], 0);
        for (unsigned h = 0; h < HY_MAX_BOARD; h++)
            assert_int_equal(start.board[h], h < 2u * rules.holes ? rules.seeds : 0);
    }
}

static void the_largest_game_fits(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=32 seeds=32");
    hy_position start = hy_position_start(&rules);
    assert_int_equal(start.left, 2048);
    assert_int_equal(position_sum(&start), 2048);
}

static void rows_have_owners(void **state)
{
    (void)state;
    for (uint8_t holes = 1; holes <= HY_MAX_HOLES; holes++) {
        hy_rules rules = hy_rules_default();
        rules.holes = holes;
        for (unsigned h = 0; h < 2u * holes; h++)
            assert_int_equal(hy_owner(&rules, h), h < holes ? HY_SOUTH : HY_NORTH);
    }
    assert_int_equal(hy_opponent(HY_SOUTH), HY_NORTH);
    assert_int_equal(hy_opponent(HY_NORTH), HY_SOUTH);
}

static void printed_positions_come_back(void **state)
{
    (void)state;
    dice d = {5};
    for (int i = 0; i < 20000; i++) {
        hy_rules rules = variant_random(&d, HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_position position = with_scores(&d, &rules), back;
        char text[HY_POSITION_TEXT_SIZE];
        hy_error error = {0};
        assert_true(hy_position_is_valid(&rules, &position));
        hy_position_print(&rules, &position, text);
        assert_true(strlen(text) < HY_POSITION_TEXT_SIZE - 1);
        if (hy_position_parse(&rules, text, &back, &error) != HY_OK)
            fail_msg("'%s': %s", text, error.text);
        assert_same(&rules, &position, &back);
    }
}

static void the_text_is_the_documented_one(void **state)
{
    (void)state;
    hy_rules rules = hy_rules_default();
    hy_position start = hy_position_start(&rules);
    char text[HY_POSITION_TEXT_SIZE];
    hy_position_print(&rules, &start, text);
    assert_string_equal(text, "4 4 4 4 4 4 4 4 4 4 4 4/0 0 south");
    hy_position other = position_of(&rules, "0 1 2 3 4 5 6 7 8 9 10 11/12 8 north");
    assert_int_equal(other.board[11], 11);
    assert_int_equal(other.score[HY_SOUTH], 12);
    assert_int_equal(other.score[HY_NORTH], 8);
    assert_int_equal(other.left, 66);
    assert_int_equal(other.mover, HY_NORTH);
}

static void wrong_texts_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "1 2 3 4",
        "1 2 3 4/0 0",
        "1 2 3 4/0 0 ",
        "1 2 3 4/0 0 east",
        "1 2 3 4/0 0 South",
        "1 2 3 4/0 0 south ",
        " 1 2 3 4/0 0 south",
        "1 2 3/0 0 south",
        "1 2 3 4 5/0 0 south",
        "1 2 3 4 /0 0 south",
        "1  2 3 4/0 0 south",
        "1 2 3 04/0 0 south",
        "1 2 3 -4/0 0 south",
        "1 2 3 4/0 south",
        "1 2 3 4/0 0 0 south",
        "1 2 3 4/0/0 south",
        "1,2,3,4/0 0 south",
        "1 2 3 4/ 0 0 south",
        "2049 0 0 0/0 0 south",
        "65537 0 0 0/0 0 south",
        "1024 1024 1 0/0 0 south",
        "1 2 3 4/2039 0 south",
        "1 2 3 4/0 65536 south",
        "99999999999 2 3 4/0 0 south",
    };
    hy_rules rules = variant_of("holes=2");
    for (size_t i = 0; i < NUM(texts); i++) {
        hy_position position = hy_position_start(&rules), before = position;
        hy_error error = {0};
        if (hy_position_parse(&rules, texts[i], &position, &error) != HY_INVALID)
            fail_msg("'%s' was taken", texts[i]);
        assert_int_equal(error.status, HY_INVALID);
        assert_same(&rules, &before, &position);
    }
}

static void turned_twice_is_as_before(void **state)
{
    (void)state;
    dice d = {6};
    for (int i = 0; i < 20000; i++) {
        hy_rules rules = variant_random(&d, HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_position position = with_scores(&d, &rules);
        hy_position turned = hy_position_turned(&rules, &position);
        hy_position back = hy_position_turned(&rules, &turned);
        assert_true(hy_position_is_valid(&rules, &turned));
        assert_int_equal(turned.mover, hy_opponent((hy_player)position.mover));
        assert_int_equal(turned.score[HY_SOUTH], position.score[HY_NORTH]);
        for (unsigned h = 0; h < 2u * rules.holes; h++)
            assert_int_equal(turned.board[(h + rules.holes) % (2u * rules.holes)],
                             position.board[h]);
        assert_same(&rules, &position, &back);
    }
}

static void what_is_wrong_is_no_position(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=2");
    hy_position start = hy_position_start(&rules), wrong = start;
    wrong.left++;
    assert_false(hy_position_is_valid(&rules, &wrong));
    wrong = start;
    wrong.board[4] = 1;
    wrong.left++;
    assert_false(hy_position_is_valid(&rules, &wrong));
    wrong = start;
    wrong.mover = 2;
    assert_false(hy_position_is_valid(&rules, &wrong));
    wrong = start;
    wrong.score[HY_SOUTH] = 2048 - 16;
    assert_true(hy_position_is_valid(&rules, &wrong));
    wrong.score[HY_NORTH] = 1;
    assert_false(hy_position_is_valid(&rules, &wrong));
}

static hy_position copy_on(int byte, const hy_position *of)
{
    hy_position copy;
    memset(&copy, byte, sizeof copy);
    memcpy(copy.board, of->board, sizeof copy.board);
    memcpy(copy.score, of->score, sizeof copy.score);
    copy.left = of->left;
    copy.mover = of->mover;
    return copy;
}

static void only_members_are_compared(void **state)
{
    (void)state;
    dice d = {31};
    for (int i = 0; i < 2000; i++) {
        hy_rules rules = variant_random(&d, HY_MAX_HOLES, HY_MAX_SEEDS);
        hy_position position = with_scores(&d, &rules);
        hy_position on_zeros = copy_on(0, &position), on_ones = copy_on(0xff, &position);
        assert_true(hy_positions_are_equal(&on_zeros, &on_ones));
        hy_position other = on_ones;
        other.board[dice_below(&d, HY_MAX_BOARD)]++;
        assert_false(hy_positions_are_equal(&on_ones, &other));
        other = on_ones;
        other.score[dice_below(&d, 2)]++;
        assert_false(hy_positions_are_equal(&on_ones, &other));
        other = on_ones;
        other.left++;
        assert_false(hy_positions_are_equal(&on_ones, &other));
        other = on_ones;
        other.mover = (uint8_t)hy_opponent(other.mover);
        assert_false(hy_positions_are_equal(&on_ones, &other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_is_full),
        cmocka_unit_test(the_largest_game_fits),
        cmocka_unit_test(rows_have_owners),
        cmocka_unit_test(printed_positions_come_back),
        cmocka_unit_test(the_text_is_the_documented_one),
        cmocka_unit_test(wrong_texts_are_refused),
        cmocka_unit_test(turned_twice_is_as_before),
        cmocka_unit_test(what_is_wrong_is_no_position),
        cmocka_unit_test(only_members_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
