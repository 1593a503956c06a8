#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/coverage.h"

#ifndef ROUNDS
#define ROUNDS 1000
#endif

static void intervals_of_survival_hold(void **state)
{
    (void)state;
    check_coverage_of_survival(ROUNDS);
}

static void intervals_of_incidence_hold(void **state)
{
    (void)state;
    check_coverage_of_incidence(ROUNDS);
}

static void intervals_of_cox_hold(void **state)
{
    (void)state;
    check_coverage_of_cox(ROUNDS / 4);
}

static void intervals_of_regression_hold(void **state)
{
    (void)state;
    check_coverage_of_regression(ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_of_survival_hold),
        cmocka_unit_test(intervals_of_incidence_hold),
        cmocka_unit_test(intervals_of_cox_hold),
        cmocka_unit_test(intervals_of_regression_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
