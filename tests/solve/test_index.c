#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "solve/index.h"

/* Boards in their order are the places 0, 1, 2, …, there and back. */
static void places_are_numbered_without_gap(void **state)
{
    static const struct {
        unsigned size, counters;
        uint64_t count;
    } cases[] = {{2, 9, 10},     {4, 8, 165},    {6, 0, 1},     {6, 12, 6188},
                 {12, 8, 75582}, {24, 4, 17550}, {64, 3, 45760}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hy_index index;
        uint8_t board[HY_MAX_BOARD], again[HY_MAX_BOARD];
        unsigned size = cases[i].size, counters = cases[i].counters;
        assert_int_equal(hy_index_init(&index, size, counters, NULL), HY_OK);
        assert_int_equal(hy_index_count(&index, counters), cases[i].count);
        hy_index_unrank(&index, counters, 0, board);
        for (uint64_t place = 0; place < cases[i].count; place++) {
            unsigned sum = 0;
            for (unsigned hole = 0; hole < size; hole++)
                sum += board[hole];
            assert_int_equal(sum, counters);
            assert_int_equal(hy_index_rank(&index, board), place);
            hy_index_unrank(&index, counters, place, again);
            assert_memory_equal(board, again, size);
            if (place + 1 < cases[i].count)
                hy_index_next(board);
        }
        hy_index_clean_up(&index);
    }
}

/* As solving.md has them. */
static void sizes_are_as_published(void **state)
{
    hy_index index;
    (void)state;
    assert_int_equal(hy_index_init(&index, 12, 28, NULL), HY_OK);
    assert_int_equal(hy_index_count(&index, 20), 84672315);
    assert_int_equal(hy_index_count(&index, 24), 417225900);
    assert_int_equal(hy_index_count(&index, 28), 1676056044);
    hy_index_clean_up(&index);
}

static void sizes_beyond_counting_stop_at_the_limit(void **state)
{
    hy_index index;
    (void)state;
    assert_int_equal(hy_index_init(&index, 64, 255, NULL), HY_OK);
    assert_true(hy_index_count(&index, 255) == HY_INDEX_LIMIT);
    assert_true(hy_index_count(&index, 40) == HY_INDEX_LIMIT);
    assert_true(hy_index_count(&index, 8) == UINT64_C(10639125640));
    hy_index_clean_up(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_numbered_without_gap),
        cmocka_unit_test(sizes_are_as_published),
        cmocka_unit_test(sizes_beyond_counting_stop_at_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
