#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/memory.h"

/* A refused allocation has to come back as NULL under the address sanitizer as well. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

static void arrays_are_zeroed(void **state)
{
    (void)state;
    for (size_t count = 1; count < 5000; count = 2 * count + 1) {
        int *array = hy_new_array(count, sizeof array[0]);
        assert_non_null(array);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(array[i], 0);
            array[i] = -1;
        }
        free(array);
    }
}

static void lines_are_zeroed_and_their_own(void **state)
{
    (void)state;
    for (size_t size = 1; size < 5000; size = 3 * size + 7) {
        char *lines = hy_new_lines(3, size);
        assert_non_null(lines);
        assert_int_equal((uintptr_t)lines % HY_LINE, 0);
        for (size_t i = 0; i < 3 * size; i++) {
            assert_int_equal(lines[i], 0);
            lines[i] = 1;
        }
        free(lines);
    }
}

static void an_array_of_nothing_is_no_failure(void **state)
{
    (void)state;
    void *none = hy_new_array(0, 8), *empty = hy_new_array(8, 0);
    assert_non_null(none);
    assert_non_null(empty);
    free(none);
    free(empty);
}

static void sizes_cannot_overflow(void **state)
{
    (void)state;
    volatile size_t half = SIZE_MAX / 2 + 2;
    assert_null(hy_new_array(half, 2));
    assert_null(hy_new_array(SIZE_MAX / 64, 32));
    assert_null(hy_new_lines(half, 2));
    assert_null(hy_new_lines(SIZE_MAX, 1));
}

static void growth_keeps_what_is_there(void **state)
{
    (void)state;
    uint32_t *array = NULL;
    size_t capacity = 0;
    unsigned renewals = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        size_t before = capacity;
        assert_int_equal(hy_reserve(&array, &capacity, i + 1u, sizeof array[0], NULL), HY_OK);
        assert_true(capacity >= i + 1u);
        renewals += capacity != before;
        array[i] = i * 7;
    }
    assert_in_range(renewals, 8, 14);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(array[i], i * 7);
    free(array);
}

static void room_that_is_there_is_not_touched(void **state)
{
    (void)state;
    int *array = NULL;
    size_t capacity = 0;
    assert_int_equal(hy_reserve(&array, &capacity, 100, sizeof array[0], NULL), HY_OK);
    const int *old = array;
    size_t before = capacity;
    assert_int_equal(hy_reserve(&array, &capacity, 0, sizeof array[0], NULL), HY_OK);
    assert_int_equal(hy_reserve(&array, &capacity, before, sizeof array[0], NULL), HY_OK);
    assert_ptr_equal(array, old);
    assert_true(capacity == before);
    free(array);
}

static void refused_growth_changes_nothing(void **state)
{
    (void)state;
    static const size_t too_many[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 2 + 2, SIZE_MAX / 8};
    uint64_t *array = NULL;
    size_t capacity = 0;
    assert_int_equal(hy_reserve(&array, &capacity, 10, sizeof array[0], NULL), HY_OK);
    array[9] = 77;
    for (size_t i = 0; i < sizeof too_many / sizeof too_many[0]; i++) {
        hy_error error = {0};
        const uint64_t *old = array;
        size_t before = capacity;
        assert_int_equal(hy_reserve(&array, &capacity, too_many[i], sizeof array[0], &error),
                         HY_NO_MEMORY);
        assert_int_equal(error.status, HY_NO_MEMORY);
        assert_string_equal(error.text, "out of memory");
        assert_ptr_equal(array, old);
        assert_true(capacity == before);
        assert_int_equal(array[9], 77);
    }
    free(array);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_zeroed),
        cmocka_unit_test(lines_are_zeroed_and_their_own),
        cmocka_unit_test(an_array_of_nothing_is_no_failure),
        cmocka_unit_test(sizes_cannot_overflow),
        cmocka_unit_test(growth_keeps_what_is_there),
        cmocka_unit_test(room_that_is_there_is_not_touched),
        cmocka_unit_test(refused_growth_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
