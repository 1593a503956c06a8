#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/negative_binomial.h"

static hy_negative_binomial fit_of(const hy_sample *counts)
{
    hy_negative_binomial fit;
    assert_int_equal(hy_negative_binomial_fit(counts, &fit, NULL), HY_OK);
    return fit;
}

static void check_fit(const json_t *inputs, const json_t *answers)
{
    hy_sample y = sample_of(inputs, "y");
    hy_negative_binomial fit = fit_of(&y);
    assert_near(fit.mean, number_of(answers, "mu_mle"));
    assert_near(fit.theta, number_of(answers, "theta_mle_root_of_score"));
    assert_near(fit.log_likelihood, number_of(answers, "loglik"));
    assert_near(fit.log_likelihood_poisson, number_of(answers, "loglik_poisson"));
    assert_near(fit.error_poisson, number_of(answers, "se_mean_poisson"));
    assert_near(fit.error_sample, number_of(answers, "se_mean_sample"));
    assert_near(fit.error, number_of(answers, "se_mean_negbin"));
    hy_sample_clean_up(&y);
}

static void fit_agrees_with_r(void **state)
{
    (void)state;
    each_case("negbin", 1, check_fit);
}

static void even_counts_have_no_theta(void **state)
{
    (void)state;
    const double even[] = {2, 3, 3, 3, 4, 2, 3}, same[] = {5, 5, 5};
    hy_sample y = sample_from(even, 7), alike = sample_from(same, 3);
    hy_negative_binomial fit = fit_of(&y);
    assert_true(isinf(fit.theta));
    assert_true(fit.log_likelihood == fit.log_likelihood_poisson);
    assert_near(fit.error, fit.error_poisson);
    assert_true(isinf(fit_of(&alike).theta));
    hy_sample_clean_up(&y);
    hy_sample_clean_up(&alike);
}

/* Poisson counts whose means are exponential are geometric: theta is 1. */
static void theta_is_found_again(void **state)
{
    (void)state;
    static double values[20000];
    hy_stream stream = dice(8);
    for (size_t i = 0; i < 20000; i++)
        values[i] = (double)draw_poisson(&stream, -3 * log(1 - hy_stream_real(&stream)));
    hy_sample y = sample_from(values, 20000);
    hy_negative_binomial fit = fit_of(&y);
    assert_true(fabs(fit.mean - 3) < 0.1);
    assert_true(fabs(fit.theta - 1) < 0.05);
    assert_true(fit.log_likelihood > fit.log_likelihood_poisson);
    assert_close(fit.error, fit.error_sample, 0.05);
    hy_sample_clean_up(&y);
}

static void histogram_is_the_sample(void **state)
{
    (void)state;
    const double all[] = {0, 0, 0, 7, 7, 100, 1}, values[] = {100, 0, 7, 1, 3};
    const uint64_t counts[] = {1, 3, 2, 1, 0};
    hy_sample listed = sample_from(all, 7), counted = histogram_from(values, counts, 5);
    assert_near(fit_of(&listed).theta, fit_of(&counted).theta);
    hy_sample_clean_up(&listed);
    hy_sample_clean_up(&counted);
}

static void only_counts_are_fitted(void **state)
{
    (void)state;
    const double half[] = {1, 2.5}, negative[] = {-1, 4}, none[] = {0, 0, 0};
    hy_negative_binomial fit;
    hy_sample y = sample_from(half, 2), z = sample_from(negative, 2),
              nothing = sample_from(none, 3);
    assert_int_equal(hy_negative_binomial_fit(&y, &fit, NULL), HY_INVALID);
    assert_int_equal(hy_negative_binomial_fit(&z, &fit, NULL), HY_INVALID);
    assert_true(isnan(fit_of(&nothing).theta) && isnan(fit_of(&nothing).mean));
    hy_sample_clean_up(&y);
    hy_sample_clean_up(&z);
    hy_sample_clean_up(&nothing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_agrees_with_r),      cmocka_unit_test(even_counts_have_no_theta),
        cmocka_unit_test(theta_is_found_again),   cmocka_unit_test(histogram_is_the_sample),
        cmocka_unit_test(only_counts_are_fitted),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
