#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/hash.h"

static void assert_sha256(const char *text, const char *expected)
{
    hy_sha256 hash;
    char hex[HY_SHA256_HEX_SIZE];
    hy_sha256_init(&hash);
    hy_sha256_add(&hash, text, strlen(text));
    hy_sha256_finish(&hash, hex);
    assert_string_equal(hex, expected);
}

/* FIPS 180-4, examples of NIST. */
static void sha256_known_answers(void **state)
{
    (void)state;
    assert_sha256("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_sha256("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

static void two_texts(const char *first, const char *second, char hex[HY_SHA256_HEX_SIZE])
{
    hy_sha256 hash;
    hy_sha256_init(&hash);
    hy_sha256_add_text(&hash, first);
    hy_sha256_add_text(&hash, second);
    hy_sha256_finish(&hash, hex);
}

static void texts_do_not_run_together(void **state)
{
    (void)state;
    char one[HY_SHA256_HEX_SIZE], other[HY_SHA256_HEX_SIZE];
    two_texts("ab", "c", one);
    two_texts("a", "bc", other);
    assert_string_not_equal(one, other);
}

static void integers_are_eight_bytes_least_first(void **state)
{
    (void)state;
    const uint8_t bytes[] = {0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01};
    char one[HY_SHA256_HEX_SIZE], other[HY_SHA256_HEX_SIZE];
    hy_sha256 hash;
    hy_sha256_init(&hash);
    hy_sha256_add_u64(&hash, 0x0123456789abcdefu);
    hy_sha256_finish(&hash, one);
    hy_sha256_init(&hash);
    hy_sha256_add(&hash, bytes, sizeof bytes);
    hy_sha256_finish(&hash, other);
    assert_string_equal(one, other);
}

static uint64_t fnv1a(const char *text)
{
    uint64_t hash = HY_FNV1A_START;
    for (const char *c = text; *c; c++)
        hash = hy_fnv1a_step(hash, (uint8_t)*c);
    return hash;
}

/* From the authors' test suite (Fowler, Noll, Vo; draft-eastlake-fnv). */
static void fnv1a_known_answers(void **state)
{
    (void)state;
    assert_true(fnv1a("") == 0xcbf29ce484222325u);
    assert_true(fnv1a("a") == 0xaf63dc4c8601ec8cu);
    assert_true(fnv1a("foobar") == 0x85944171f73967e8u);
}

/* The inverse of a step x ^ (x >> 33) is the step itself; of a product, that with the inverse. */
static uint64_t unmix(uint64_t hash)
{
    hash = (hash ^ (hash >> 33)) * 0x9cb4b2f8129337dbu;
    hash = (hash ^ (hash >> 33)) * 0x4f74430c22a54005u;
    return hash ^ (hash >> 33);
}

static void mix64_loses_nothing(void **state)
{
    (void)state;
    uint64_t value = 1;
    assert_true(hy_mix64(0) == 0);
    for (int i = 0; i < 10000; i++) {
        assert_true(unmix(hy_mix64(value)) == value);
        value = value * 6364136223846793005u + 1442695040888963407u;
    }
}

static void mix64_spreads_single_bits(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 64; bit++) {
        int changed = __builtin_popcountll(hy_mix64(12345) ^ hy_mix64(12345 ^ (uint64_t)1 << bit));
        assert_in_range(changed, 16, 48);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_known_answers),
        cmocka_unit_test(texts_do_not_run_together),
        cmocka_unit_test(integers_are_eight_bytes_least_first),
        cmocka_unit_test(fnv1a_known_answers),
        cmocka_unit_test(mix64_loses_nothing),
        cmocka_unit_test(mix64_spreads_single_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
