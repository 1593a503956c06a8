#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/quantile.h"

static void probabilities_sum_to_one(void **state)
{
    (void)state;
    const double shares[] = {1e-6, 0.01, 0.3, 0.5, 0.93};
    for (uint64_t n = 1; n < 600; n += 7) {
        for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
            double sum = 0;
            for (uint64_t k = 0; k <= n; k++)
                sum += hy_binomial_pmf(k, n, shares[i]);
            assert_close(sum, 1, 1e-12);
        }
    }
}

static void small_probabilities_are_exact(void **state)
{
    (void)state;
    const double ways[] = {1, 6, 15, 20, 15, 6, 1};
    for (uint64_t k = 0; k <= 6; k++)
        assert_close(hy_binomial_pmf(k, 6, 0.5), ways[k] / 64, 1e-13);
    assert_close(hy_binomial_pmf(2, 3, 0.1), 0.027, 1e-13);
    assert_true(hy_binomial_pmf(4, 3, 0.1) == 0);
    assert_true(hy_binomial_pmf(0, 3, 0) == 1 && hy_binomial_pmf(1, 3, 0) == 0);
    assert_true(hy_binomial_pmf(3, 3, 1) == 1 && isnan(hy_binomial_pmf(1, 3, 1.5)));
}

static void tails_are_sums(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 80; n += 3) {
        for (double p = 0.05; p < 1; p += 0.09) {
            double sum = 0;
            for (uint64_t k = 0; k <= n; k++) {
                sum += hy_binomial_pmf(k, n, p);
                assert_close(hy_binomial_lower(k, n, p), fmin(1, sum), 1e-11);
                assert_close(hy_binomial_lower(k, n, p) + hy_binomial_upper(k + 1, n, p), 1, 1e-11);
            }
        }
    }
    assert_true(hy_binomial_upper(0, 10, 0.5) == 1 && hy_binomial_lower(10, 10, 0.5) == 1);
}

/* 2^-1000 times sums of binomial coefficients, and one that needs the continued fraction to be
 * seen: P(X <= k) = P(Beta(n − k, k + 1) <= 1 − p). */
static void far_tails_keep_their_digits(void **state)
{
    (void)state;
    assert_close(hy_binomial_lower(0, 1000, 0.5), ldexp(1, -1000), 1e-10);
    assert_close(hy_binomial_lower(1, 1000, 0.5), ldexp(1001, -1000), 1e-10);
    assert_close(hy_binomial_upper(999, 1000, 0.5), ldexp(1001, -1000), 1e-10);
    double tail = hy_binomial_lower(499000, 1000000, 0.5);
    assert_close(hy_beta_quantile(tail, 501000, 499001), 0.5, 1e-12);
    tail = hy_binomial_lower(49990000, 100000000, 0.5);
    assert_close(hy_beta_quantile(tail, 50010000, 49990001), 0.5, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probabilities_sum_to_one),
        cmocka_unit_test(small_probabilities_are_exact),
        cmocka_unit_test(tails_are_sums),
        cmocka_unit_test(far_tails_keep_their_digits),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
