/* Lengths of games for tests: golden ones, made ones that R has answered as well, drawn ones. */
#ifndef HY_TESTS_STATS_LIFETIMES_H
#define HY_TESTS_STATS_LIFETIMES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <jansson.h>

#include "stats/lifetime.h"
#include "support/dice.h"

/* The inputs and the expected answers of the golden case with that id. */
const json_t *golden_inputs(const json_t *golden, const char *id);
const json_t *golden_expected(const json_t *golden, const char *id);

/* Rows of weight 1 from the arrays "time", "status…" and "group" ("2x6" is 0) of golden inputs. */
size_t golden_lifetimes(const json_t *inputs, hy_lifetime *lifetimes, size_t most);

/* An element of the array `key`: NaN for null. */
double golden_element(const json_t *row, const char *key, size_t index);

#define NUM_MADE 60

/* The rows i = 0 … 59 with time (37 i mod 23) + 1, weight 1 + (11 i mod 4) and the covariates
 * x1 = i mod 2, x2 = (7 i mod 11) − 5. */
void made_lifetimes(hy_lifetime lifetimes[NUM_MADE], double covariates[2 * NUM_MADE]);

/* Each row `weight` times with weight 1; the caller releases both. `covariates` may be NULL. */
hy_lifetime *replicate(const hy_lifetime *lifetimes, size_t num, const double *covariates,
                       size_t num_covariates, size_t *num_copies, double **copied);

/* Rows with their covariates in another order. */
void shuffle(hy_lifetime *lifetimes, size_t num, double *covariates, size_t num_covariates,
             dice *d);

/* In (0, 1). */
double draw_uniform(dice *d);

#define assert_relative(a, b, tolerance)                                                           \
    do {                                                                                           \
        double value_ = (a), expected_ = (b);                                                      \
        double size_ = fabs(expected_) > 1e-300 ? fabs(expected_) : 1;                             \
        if (isnan(expected_) ? !isnan(value_)                                                      \
                             : !(fabs(value_ - expected_) <= (tolerance)*size_ ||                  \
                                 (isinf(value_) && isinf(expected_))))                             \
            fail_msg("line %d: %.17g is not %.17g", __LINE__, value_, expected_);                  \
    } while (0)

#define assert_near(a, b) assert_relative(a, b, 1e-9)

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        hy_error error_ = {0}, *error = &error_;                                                   \
        if ((call) != HY_OK)                                                                       \
            fail_msg("line %d: %s", __LINE__, error->text);                                        \
    } while (0)

#endif
