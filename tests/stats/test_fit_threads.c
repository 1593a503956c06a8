/* Fits in several threads at once, with GSL's own handler in place, which ends the program: what is
 * singular, infinite or known is the same as in one thread, and nobody reaches the handler. */
#include <pthread.h>

#include "stats/cox.h"
#include "stats/lifetimes.h"
#include "stats/logrank.h"
#include "stats/regression.h"

#define THREADS 4
#define ROUNDS 40

typedef struct answers {
    double coefficient, singular, infinite, chi_square, slope;
} answers;

static void fit_cox(answers *all)
{
    hy_lifetime rows[NUM_MADE];
    double x[2 * NUM_MADE];
    hy_cox cox;
    hy_cox_data data = {rows, x, NUM_MADE, 2};
    hy_cox_options options = {HY_TIES_EFRON, HY_COX_CLUSTERED, 0.95};
    made_lifetimes(rows, x);
    assert_ok(hy_cox_fit(&data, &options, &cox, error));
    all->coefficient = cox.coefficients[1].standard_error;
    hy_cox_clean_up(&cox);
    for (size_t i = 0; i < NUM_MADE; i++)
        x[2 * i + 1] = rows[i].event ? 0 : 1;
    assert_ok(hy_cox_fit(&data, &options, &cox, error));
    all->infinite = (int)cox.kind + 10 * cox.infinite[1];
    hy_cox_clean_up(&cox);
    for (size_t i = 0; i < NUM_MADE; i++)
        x[2 * i + 1] = 2 * x[2 * i];
    assert_ok(hy_cox_fit(&data, &options, &cox, error));
    all->singular = cox.kind;
    hy_cox_clean_up(&cox);
    hy_logrank logrank;
    assert_ok(hy_logrank_fit(rows, NUM_MADE, 12, 0, &logrank, error)); /* two are empty */
    all->chi_square = logrank.test.value;
    hy_logrank_clean_up(&logrank);
}

static void fit_regression(answers *all)
{
    static const double rows[] = {1, 0, 1, 1, 1, 2};
    static const hy_cell_sums cells[] = {{10, 4, 4}, {20, 11, 11}, {30, 21, 21}};
    hy_design design = {rows, cells, NULL, 3, 2};
    hy_regression_options options = {HY_FAMILY_LOGISTIC, HY_ERRORS_ROBUST, 0.95};
    hy_regression regression;
    assert_ok(hy_regression_fit(&design, &options, &regression, error));
    all->slope = regression.coefficients[1].value;
    hy_regression_clean_up(&regression);
}

static void *run(void *context)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        fit_cox(context);
        fit_regression(context);
    }
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    answers alone, together[THREADS];
    pthread_t threads[THREADS];
    (void)state;
    run(&alone);
    assert_true(alone.singular == HY_FIT_SINGULAR);
    assert_true(alone.infinite == (int)HY_FIT_INFINITE - 10);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, &together[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_memory_equal(&together[i], &alone, sizeof alone);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
