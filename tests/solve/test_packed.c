#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "solve/layers.h"
#include "solve/packed.h"

static hy_packed packed;

/* Places, turning and the next board are those of boards as bytes. */
static void words_are_as_bytes(void **state)
{
    static const unsigned cases[][2] = {{2, 60}, {3, 15}, {4, 9}, {5, 8}, {6, 8}, {6, 16}, {8, 5}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_rules rules = hy_rules_default();
        hy_endgame *endgame;
        uint8_t board[HY_MAX_BOARD], bytes[HY_MAX_BOARD], turned[HY_MAX_BOARD];
        unsigned counters = cases[i][1];
        rules.holes = (uint8_t)cases[i][0];
        assert_int_equal(hy_endgame_new(&rules, counters, &endgame, NULL), HY_OK);
        assert_true(hy_packed_handles(endgame, counters));
        hy_packed_init(&packed, endgame, counters);
        uint64_t num = hy_index_count(&endgame->index, counters);
        uint64_t step = num > 100000 ? 977 : 1;
        for (uint64_t place = 0; place + 1 < num; place += step) {
            hy_index_unrank(&endgame->index, counters, place, board);
            uint64_t word = hy_packed_of(&packed, board);
            assert_int_equal(hy_packed_place(&packed, word), place);
            hy_packed_unpack(&packed, word, bytes);
            assert_memory_equal(bytes, board, packed.size);
            memcpy(turned, board + rules.holes, rules.holes);
            memcpy(turned + rules.holes, board, rules.holes);
            assert_true(hy_packed_turn(&packed, word) == hy_packed_of(&packed, turned));
            hy_index_next(board);
            assert_true(hy_packed_next(&packed, word) == hy_packed_of(&packed, board));
            for (unsigned n = 0; n < packed.size; n++) {
                bool empty =
                    (hy_packed_empty(&packed, word) >> (n * packed.bits + packed.bits - 1) & 1) !=
                    0;
                assert_int_equal(empty, bytes[n] == 0);
            }
        }
        hy_endgame_destroy(endgame);
    }
}

static void boards_that_do_not_fit_are_left_to_the_general_engine(void **state)
{
    hy_rules rules = hy_rules_default();
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_endgame_new(&rules, 32, &endgame, NULL), HY_OK);
    assert_true(hy_packed_handles(endgame, 28));
    assert_false(hy_packed_handles(endgame, 32)); /* 6 bits */
    assert_false(hy_packed_handles(endgame, 0));
    endgame->rules.skip_origin = 1;
    assert_false(hy_packed_handles(endgame, 28));
    endgame->rules.skip_origin = 0;
    endgame->rules.en_passant = HY_EN_PASSANT_OWNER;
    assert_false(hy_packed_handles(endgame, 28));
    hy_endgame_destroy(endgame);
}

/* Boards crowded beyond a round are the odd case of undoing. */
static void both_engines_agree(void **state)
{
    static const struct {
        const char *rules;
        unsigned counters;
    } cases[] = {
        {"holes=2 seeds=8", 48},
        {"holes=2 seeds=8 endless=forbid", 32},
        {"holes=2 seeds=7 casa=3 claim=0", 40},
        {"holes=3 seeds=4", 20},
        {"holes=3 seeds=4 relay=false", 16},
        {"holes=3 seeds=4 capture_side=opponent", 16},
        {"holes=3 seeds=4 capture_side=own no_move=sweep", 16},
        {"holes=3 seeds=4 chain_capture=false extra_turn=false endless=forbid", 20},
        {"holes=4 seeds=3 casa=5 claim=7", 15},
        {"holes=6 seeds=4", 8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_rules rules = variant_of(cases[i].rules);
        hy_endgame *fast = tables_of(&rules, cases[i].counters, UINT64_MAX, HY_METHOD_BEST);
        hy_endgame *slow = tables_of(&rules, cases[i].counters, UINT64_MAX, HY_METHOD_GENERAL);
        assert_true(hy_packed_handles(fast, hy_endgame_max_counters(fast)));
        assert_same_tables(fast, slow);
        hy_endgame_destroy(fast);
        hy_endgame_destroy(slow);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_as_bytes),
        cmocka_unit_test(boards_that_do_not_fit_are_left_to_the_general_engine),
        cmocka_unit_test(both_engines_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
