#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <Random123/philox.h>
#include <stdlib.h>
#include <string.h>

#include "random/stream.h"
#include "support/chi_square.h"
#include "support/golden.h"

static uint32_t hex_at(const json_t *array, size_t i)
{
    return (uint32_t)strtoul(json_string_value(json_array_get(array, i)), NULL, 16);
}

static uint64_t decimal(const json_t *row, const char *key)
{
    return strtoull(golden_text(row, key), NULL, 10);
}

/* The header on this system computes what its authors publish. */
static void philox_known_answers(void **state)
{
    (void)state;
    json_t *root = golden_load("statistics.json");
    const json_t *rows = golden_get(golden_get(root, "rng"), "philox4x32_kat");
    assert_int_equal(json_array_size(rows), 4);
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *row = json_array_get(rows, r);
        philox4x32_ctr_t counter;
        philox4x32_key_t key;
        for (size_t i = 0; i < 4; i++)
            counter.v[i] = hex_at(golden_get(row, "ctr"), i);
        for (size_t i = 0; i < 2; i++)
            key.v[i] = hex_at(golden_get(row, "key"), i);
        unsigned rounds = (unsigned)golden_integer(row, "rounds");
        assert_true(rounds == 7 || rounds == 10);
        philox4x32_ctr_t out = philox4x32_R(rounds, counter, key);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(out.v[i], hex_at(golden_get(row, "out"), i));
    }
    json_decref(root);
}

static void stream_known_answers(void **state)
{
    (void)state;
    json_t *root = golden_load("statistics.json");
    const json_t *rng = golden_get(root, "rng");
    const json_t *rows = golden_get(golden_get(rng, "proposal_per_game_stream"), "vectors");
    assert_int_equal(json_array_size(rows), 4);
    for (size_t r = 0; r < json_array_size(rows); r++) {
        const json_t *row = json_array_get(rows, r);
        hy_stream fresh = hy_stream_make(decimal(row, "seed"), decimal(row, "game"),
                                         (hy_purpose)golden_integer(row, "stream"));
        hy_stream words = fresh, small = fresh, real = fresh;
        uint16_t expected[8];
        assert_int_equal(golden_numbers(row, "lemire_n6", expected, 8), 8);
        for (size_t i = 0; i < 8; i++) {
            assert_int_equal(hy_stream_u32(&words), hex_at(golden_get(row, "first_8_u32"), i));
            assert_int_equal(hy_stream_below(&small, 6), expected[i]);
        }
        double first = hy_stream_real(&real), wanted = golden_real(row, "u01_53bit_first");
        assert_memory_equal(&first, &wanted, sizeof first);
    }
    json_decref(root);
}

/* The layout of key and counter over many refills. */
static void words_are_philox_blocks(void **state)
{
    (void)state;
    uint64_t seed = 0xfedcba9876543210u, game = 0x123456789abcdef0u;
    hy_stream stream = hy_stream_make(seed, game, HY_PURPOSE_NORTH);
    philox4x32_key_t key = {{0x76543210u, 0xfedcba98u}};
    for (uint32_t block = 0; block < 1000; block++) {
        philox4x32_ctr_t counter = {{block, 1, 0x9abcdef0u, 0x12345678u}};
        philox4x32_ctr_t out = philox4x32_R(10, counter, key);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(hy_stream_u32(&stream), out.v[i]);
    }
}

/* Both ways to compute words, also where the number of the block overflows. */
static void words_are_the_same_on_every_processor(void **state)
{
    (void)state;
#if defined __x86_64__
    if (!__builtin_cpu_supports("avx2"))
        skip();
    for (uint32_t i = 0; i < 1000; i++) {
        hy_stream words = hy_stream_make(UINT64_MAX / 7 * i, UINT64_MAX / 3 * i, i % 3);
        words.counter[0] = 0u - i % 8;
        hy_stream vectors = words;
        hy_stream_refill_words(&words);
        hy_stream_refill_256(&vectors);
        assert_memory_equal(&vectors, &words, sizeof words);
    }
#else
    skip();
#endif
}

static void assert_distinct(hy_stream a, hy_stream b)
{
    unsigned equal = 0;
    for (int i = 0; i < 64; i++)
        equal += hy_stream_u32(&a) == hy_stream_u32(&b);
    assert_true(equal <= 1);
}

/* Seeds cut to 32 bits, or 0 taken for a default (GSL's mt19937), would give these pairs the same
 * stream; so would seeds rounded to 53 bits the last two. */
static void seeds_are_64_bits(void **state)
{
    (void)state;
    static const uint64_t pairs[][2] = {
        {1, 4294967297u},
        {0, 4357},
        {0, 1},
        {0, (uint64_t)1 << 32},
        {UINT64_MAX, UINT64_MAX - 1},
        {UINT64_MAX, UINT32_MAX},
        {9007199254740992u, 9007199254740993u},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_distinct(hy_stream_make(pairs[i][0], 3, HY_PURPOSE_SOUTH),
                        hy_stream_make(pairs[i][1], 3, HY_PURPOSE_SOUTH));
}

static void games_are_64_bits(void **state)
{
    (void)state;
    static const uint64_t games[] = {
        0,
        1,
        2,
        UINT32_MAX,
        (uint64_t)1 << 32,
        ((uint64_t)1 << 32) + 1,
        (uint64_t)1 << 53,
        ((uint64_t)1 << 53) + 1,
        UINT64_MAX,
    };
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        for (size_t j = 0; j < i; j++)
            assert_distinct(hy_stream_make(20261129, games[i], HY_PURPOSE_SOUTH),
                            hy_stream_make(20261129, games[j], HY_PURPOSE_SOUTH));
    }
}

static void purposes_are_distinct(void **state)
{
    (void)state;
    for (int a = HY_PURPOSE_SOUTH; a <= HY_PURPOSE_OPENING; a++) {
        for (int b = HY_PURPOSE_SOUTH; b < a; b++)
            assert_distinct(hy_stream_make(9, 5, (hy_purpose)a),
                            hy_stream_make(9, 5, (hy_purpose)b));
    }
}

static void a_copy_keeps_the_place(void **state)
{
    (void)state;
    hy_stream stream = hy_stream_make(2, 7, HY_PURPOSE_OPENING);
    for (int i = 0; i < 100; i++) {
        hy_stream copy = stream;
        for (int j = 0; j < 40; j++)
            hy_stream_u32(&copy);
        hy_stream again = stream;
        hy_stream_u32(&stream);
        hy_stream_u32(&again);
        assert_memory_equal(&again, &stream, sizeof stream);
    }
}

static void small_bounds_have_equal_shares(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {1, 20261129, UINT64_MAX};
    for (size_t s = 0; s < 3; s++) {
        for (uint32_t bound = 2; bound <= 9; bound++) {
            unsigned counts[9] = {0};
            hy_stream stream = hy_stream_make(seeds[s], bound, HY_PURPOSE_SOUTH);
            for (int i = 0; i < 60000; i++) {
                uint32_t value = hy_stream_below(&stream, bound);
                assert_true(value < bound);
                counts[value]++;
            }
            if (chi_square(counts, bound) > chi_square_limit(bound - 1))
                fail_msg("bound %u: chi-square %g", bound, chi_square(counts, bound));
        }
    }
}

/* The first numbers of successive games, as games use them: no pattern from the counter. */
static void first_numbers_of_games_have_equal_shares(void **state)
{
    (void)state;
    for (uint32_t bound = 6; bound <= 7; bound++) {
        unsigned counts[7] = {0};
        for (uint64_t game = 0; game < 60000; game++) {
            hy_stream stream = hy_stream_make(1, game, HY_PURPOSE_SOUTH);
            counts[hy_stream_below(&stream, bound)]++;
        }
        assert_true(chi_square(counts, bound) < chi_square_limit(bound - 1));
    }
}

/* With a bound of 3·2^30, multiplying and shifting without rejection gives one residue modulo 3
 * half of the numbers. */
static void large_bounds_have_no_bias(void **state)
{
    (void)state;
    unsigned counts[3] = {0};
    hy_stream stream = hy_stream_make(3, 0, HY_PURPOSE_SOUTH);
    for (int i = 0; i < 60000; i++)
        counts[hy_stream_below(&stream, 3u << 30) % 3]++;
    assert_true(chi_square(counts, 3) < chi_square_limit(2));
}

static void a_bound_of_one_gives_zero(void **state)
{
    (void)state;
    hy_stream stream = hy_stream_make(4, 0, HY_PURPOSE_SOUTH);
    for (int i = 0; i < 100; i++)
        assert_int_equal(hy_stream_below(&stream, 1), 0);
    for (int i = 0; i < 100; i++)
        assert_true(hy_stream_below(&stream, UINT32_MAX) < UINT32_MAX);
}

static void reals_fill_the_unit_interval(void **state)
{
    (void)state;
    unsigned counts[8] = {0};
    hy_stream stream = hy_stream_make(6, 0, HY_PURPOSE_SOUTH);
    for (int i = 0; i < 80000; i++) {
        double value = hy_stream_real(&stream);
        assert_true(value >= 0 && value < 1);
        counts[(unsigned)(value * 8)]++;
    }
    assert_true(chi_square(counts, 8) < chi_square_limit(7));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_known_answers),
        cmocka_unit_test(stream_known_answers),
        cmocka_unit_test(words_are_philox_blocks),
        cmocka_unit_test(words_are_the_same_on_every_processor),
        cmocka_unit_test(seeds_are_64_bits),
        cmocka_unit_test(games_are_64_bits),
        cmocka_unit_test(purposes_are_distinct),
        cmocka_unit_test(a_copy_keeps_the_place),
        cmocka_unit_test(small_bounds_have_equal_shares),
        cmocka_unit_test(first_numbers_of_games_have_equal_shares),
        cmocka_unit_test(large_bounds_have_no_bias),
        cmocka_unit_test(a_bound_of_one_gives_zero),
        cmocka_unit_test(reals_fill_the_unit_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
