#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/state_space.h"
#include "support/variants.h"

static void assert_space(const char *rules, const char *digits)
{
    hy_rules variant = variant_of(rules);
    hy_state_space space = hy_state_space_of(&variant);
    if (strcmp(space.digits, digits) != 0)
        fail_msg("%s: %s, not %s", rules, space.digits, digits);
    assert_true(fabs(pow(10, space.log10) / strtod(digits, NULL) - 1) < 1e-9);
}

/* 2×4 with n counters: C(n + 7, 7). n = 8, 12, …, 28: 6435, 50388, 245157, 888030, 2629575,
 * 6724520, and 15380937 for 32. With a claim of 4 the layer 4 is none to play on from; without, its
 * 330 are. */
static void layers_by_hand(void **state)
{
    (void)state;
    assert_space("holes=4 seeds=1", "6435");
    assert_space("holes=4 seeds=4", "25925042");
    assert_space("holes=4 seeds=4 claim=0", "25925372");
    assert_space("holes=4 seeds=4 claim=8", "25918607");
    assert_space("holes=1 seeds=2 claim=0", "5");            /* 4 + 0 … 0 + 4 */
    assert_space("holes=1 seeds=32 claim=0 casa=16", "164"); /* 65 + 49 + 33 + 17 */
}

/* Ways of standing in `holes` holes, counted one by one. */
static uint64_t ways(unsigned holes, unsigned counters)
{
    uint64_t num = 0;
    if (holes == 1)
        return 1;
    for (unsigned first = 0; first <= counters; first++)
        num += ways(holes - 1, counters - first);
    return num;
}

static void layers_counted_one_by_one(void **state)
{
    (void)state;
    dice d = {1};
    for (unsigned i = 0; i < 200; i++) {
        hy_rules rules = variant_random(&d, 2, 5);
        unsigned n = hy_rules_total(&rules);
        uint64_t num = 0;
        char digits[32];
        while (n >= rules.casa && n > rules.claim) {
            num += ways(2u * rules.holes, n);
            n -= rules.casa;
        }
        hy_state_space space = hy_state_space_of(&rules);
        snprintf(digits, sizeof digits, "%llu", (unsigned long long)num);
        assert_string_equal(space.digits, digits);
    }
}

/* The largest variant: the sum lies between its largest layer and twice that. */
static void the_largest_fits(void **state)
{
    (void)state;
    hy_rules rules = variant_of("holes=32 seeds=32 casa=2 claim=0");
    hy_state_space space = hy_state_space_of(&rules);
    double layer = (lgamma(2048 + 64) - lgamma(64) - lgamma(2049)) / log(10);
    assert_true(strlen(space.digits) + 1 < HY_STATE_SPACE_DIGITS);
    assert_int_equal(strlen(space.digits), (size_t)space.log10 + 1);
    assert_true(space.log10 > layer && space.log10 < layer + 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_by_hand),
        cmocka_unit_test(layers_counted_one_by_one),
        cmocka_unit_test(the_largest_fits),
    };
    return cmocka_run_group_tests_name("report/state_space", tests, NULL, NULL);
}
