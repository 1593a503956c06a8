/* The number of distinct games, exact and estimated (sim/summary.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "sim/summary.h"
#include "support/dice.h"

static void assert_exact(const hy_sketch *sketch, double number)
{
    hy_distinct distinct = hy_sketch_distinct(sketch);
    assert_true(!(distinct.estimate < number) && !(distinct.estimate > number));
    assert_true(!(distinct.standard_error > 0));
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void exact_up_to_its_size(void **state)
{
    (void)state;
    dice d = {3};
    hy_sketch sketch = {0};
    assert_exact(&sketch, 0);
    for (unsigned i = 1; i <= HY_SKETCH_SIZE; i++) {
        hy_sketch_add(&sketch, dice_u64(&d));
        assert_exact(&sketch, i);
    }
    hy_sketch_add(&sketch, dice_u64(&d));
    assert_true(hy_sketch_distinct(&sketch).standard_error > 0);
}

/* Repetitions are none, also of the greatest and the smallest, also in a full sketch. */
static void repetitions_are_ignored(void **state)
{
    (void)state;
    dice d = {4};
    uint64_t hashes[HY_SKETCH_SIZE];
    hy_sketch sketch = {0};
    for (unsigned i = 0; i < HY_SKETCH_SIZE; i++)
        hashes[i] = i == 0 ? 0 : i == 1 ? UINT64_MAX : dice_u64(&d);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < HY_SKETCH_SIZE; i++)
            hy_sketch_add(&sketch, hashes[i]);
        assert_exact(&sketch, HY_SKETCH_SIZE);
    }
    qsort(hashes, HY_SKETCH_SIZE, sizeof hashes[0], compare);
    assert_memory_equal(sketch.hashes, hashes, sizeof hashes);
}

/* The sketch of many hashes, with repetitions, in any order, is the smallest distinct ones. */
static void order_does_not_matter(void **state)
{
    (void)state;
    enum { NUM_HASHES = 4000 };
    static uint64_t hashes[NUM_HASHES];
    dice d = {5};
    for (unsigned i = 0; i < NUM_HASHES; i++)
        hashes[i] = i % 4 == 3 ? hashes[dice_below(&d, i)] : dice_u64(&d);
    hy_sketch forward = {0}, backward = {0}, ascending = {0};
    for (unsigned i = 0; i < NUM_HASHES; i++) {
        hy_sketch_add(&forward, hashes[i]);
        hy_sketch_add(&backward, hashes[NUM_HASHES - 1 - i]);
    }
    qsort(hashes, NUM_HASHES, sizeof hashes[0], compare);
    size_t num = 0;
    for (unsigned i = 0; num < HY_SKETCH_SIZE; i++) {
        if (i == 0 || hashes[i] != hashes[i - 1])
            assert_int_equal(forward.hashes[num++], hashes[i]);
    }
    for (unsigned i = 0; i < NUM_HASHES; i++)
        hy_sketch_add(&ascending, hashes[i]);
    assert_memory_equal(&forward, &backward, sizeof forward);
    assert_memory_equal(&forward, &ascending, sizeof forward);
}

/* Joining two summaries gives the sketch of all their games, at every size around the limit. */
static void joining_is_the_union(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{0, 0},     {5, 0},    {256, 256},  {256, 257},
                                        {300, 300}, {512, 1},  {1, 512},    {512, 512},
                                        {513, 5},   {5, 2000}, {2000, 2000}};
    dice d = {6};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        hy_summary a = {0}, b = {0}, both = {0};
        for (unsigned j = 0; j < sizes[i][0] + sizes[i][1]; j++) {
            hy_summary *part = j < sizes[i][0] ? &a : &b;
            uint64_t hash = dice_u64(&d);
            hy_sketch_add(&part->sketch, hash);
            hy_sketch_add(&both.sketch, hash);
            if (j % 3 == 0) { /* in both */
                hy_sketch_add(&a.sketch, hash);
                hy_sketch_add(&b.sketch, hash);
            }
        }
        assert_int_equal(hy_summary_merge(&a, &b, NULL), HY_OK);
        assert_memory_equal(&a.sketch, &both.sketch, sizeof a.sketch);
    }
}

/* Within four standard errors for 1,000 … 100,000 hashes, mixed as those of games are. */
static void the_estimate_is_near(void **state)
{
    (void)state;
    dice d = {7};
    for (unsigned number = 1000; number <= 100000; number *= 10) {
        for (unsigned round = 0; round < 8; round++) {
            hy_sketch sketch = {0};
            uint64_t first = dice_u64(&d);
            for (unsigned i = 0; i < number; i++)
                hy_sketch_add(&sketch, hy_mix64(first + i));
            hy_distinct distinct = hy_sketch_distinct(&sketch);
            assert_true(distinct.standard_error < 0.05 * distinct.estimate);
            assert_true(fabs(distinct.estimate - number) < 4 * distinct.standard_error);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_up_to_its_size),  cmocka_unit_test(repetitions_are_ignored),
        cmocka_unit_test(order_does_not_matter), cmocka_unit_test(joining_is_the_union),
        cmocka_unit_test(the_estimate_is_near),
    };
    return cmocka_run_group_tests_name("sim/sketch", tests, NULL, NULL);
}
