#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "random/gsl_stream.h"
#include "random/stream.h"

static const unsigned long seeds[] = {0, 1, 4357, 4294967297u, 123456789, UINT64_MAX};

static void assert_equal_reals(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void the_shape_is_that_of_the_stream(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(hy_gsl_philox);
    assert_string_equal(gsl_rng_name(rng), HY_GENERATOR);
    assert_true(gsl_rng_max(rng) == UINT32_MAX);
    assert_true(gsl_rng_min(rng) == 0);
    assert_true(gsl_rng_size(rng) == sizeof(hy_stream));
    gsl_rng_free(rng);
}

static void words_agree_with_the_stream(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(hy_gsl_philox);
    for (size_t s = 0; s < sizeof seeds / sizeof seeds[0]; s++) {
        hy_stream stream = hy_stream_make(seeds[s], 0, HY_PURPOSE_OPENING);
        gsl_rng_set(rng, seeds[s]);
        for (int i = 0; i < 1000; i++)
            assert_true(gsl_rng_get(rng) == hy_stream_u32(&stream));
    }
    gsl_rng_free(rng);
}

static void reals_agree_with_the_stream(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(hy_gsl_philox);
    hy_stream stream = hy_stream_make(7, 0, HY_PURPOSE_OPENING);
    gsl_rng_set(rng, 7);
    for (int i = 0; i < 1000; i++) {
        assert_equal_reals(gsl_rng_uniform(rng), hy_stream_real(&stream));
        assert_true(gsl_rng_get(rng) == hy_stream_u32(&stream));
    }
    gsl_rng_free(rng);
}

static void a_stream_can_be_copied_in(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(hy_gsl_philox);
    hy_stream stream = hy_stream_make(5, (uint64_t)1 << 40, HY_PURPOSE_NORTH);
    hy_stream_u32(&stream);
    memcpy(gsl_rng_state(rng), &stream, sizeof stream);
    for (int i = 0; i < 100; i++)
        assert_true(gsl_rng_get(rng) == hy_stream_u32(&stream));
    gsl_rng_free(rng);
}

static void a_clone_goes_on_by_itself(void **state)
{
    (void)state;
    gsl_rng *rng = gsl_rng_alloc(hy_gsl_philox);
    gsl_rng_set(rng, 11);
    gsl_rng_get(rng);
    gsl_rng *clone = gsl_rng_clone(rng);
    unsigned long words[50];
    for (int i = 0; i < 50; i++)
        words[i] = gsl_rng_get(rng);
    for (int i = 0; i < 50; i++)
        assert_true(gsl_rng_get(clone) == words[i]);
    gsl_rng_free(clone);
    gsl_rng_free(rng);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shape_is_that_of_the_stream),
        cmocka_unit_test(words_agree_with_the_stream),
        cmocka_unit_test(reals_agree_with_the_stream),
        cmocka_unit_test(a_stream_can_be_copied_in),
        cmocka_unit_test(a_clone_goes_on_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
