#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "sim/game.h"
#include "support/golden_rows.h"
#include "support/policies.h"

/* Random play of small variants against its exact values. Seeds are fixed, so that a test that has
 * passed passes; 4.5 standard errors leave a right program a chance of 1 in 2,000 over all. */

#define GAMES 100000u
#define LIMIT 4.5

typedef struct sample {
    double results[HY_NUM_RESULTS];
    double endless;
    double plies[5]; /* sums of powers */
} sample;

static void play_all(const hy_rules *rules, sample *s)
{
    hy_condition condition = {
        .rules = *rules,
        .first = spec_of("random"),
        .second = spec_of("random"),
        .max_plies = HY_DEFAULT_MAX_PLIES,
        .max_laps = HY_DEFAULT_MAX_LAPS,
    };
    hy_table table;
    assert_int_equal(hy_table_init(&table, &condition, false, NULL), HY_OK);
    *s = (sample){0};
    for (uint64_t n = 0; n < GAMES; n++) {
        hy_game_record record;
        assert_int_equal(hy_table_play(&table, 20261129, n, NULL, &record, NULL), HY_OK);
        assert_int_not_equal(record.termination, HY_TRUNCATED);
        s->results[record.result]++;
        s->endless += record.termination == HY_ENDLESS;
        for (int power = 0; power < 5; power++)
            s->plies[power] += pow(record.plies, power);
    }
    hy_table_clean_up(&table);
    hy_policy_spec_destroy(condition.first);
    hy_policy_spec_destroy(condition.second);
}

static void assert_near(const char *what, double value, double exact, double error)
{
    if (fabs(value - exact) > LIMIT * error)
        fail_msg("%s is %g, but exactly %g; standard error %g", what, value, exact, error);
}

static void assert_share(const json_t *random, const char *key, double count)
{
    double p = golden_real(random, key);
    if (p <= 0)
        assert_int_equal((int)count, 0);
    assert_near(key, count / GAMES, p, sqrt(p * (1 - p) / GAMES));
}

/* The standard error of a sample's variance is that of its fourth central moment. */
static void assert_length(const json_t *random, const sample *s)
{
    double mean = s->plies[1] / GAMES, m2 = s->plies[2] / GAMES, m3 = s->plies[3] / GAMES;
    double exact = golden_real(random, "mean_plies"), sd = golden_real(random, "sd_plies");
    double variance = m2 - mean * mean;
    double fourth =
        s->plies[4] / GAMES - 4 * mean * m3 + 6 * mean * mean * m2 - 3 * mean * mean * mean * mean;
    assert_near("mean_plies", mean, exact, sd / sqrt(GAMES));
    assert_near("variance of plies", variance, sd * sd,
                sqrt((fourth - variance * variance) / GAMES));
}

static void random_play_is_as_computed(void **state)
{
    (void)state;
    json_t *root = golden_load("exact.json");
    assert_int_equal(json_array_size(root), 11);
    for (size_t i = 0; i < json_array_size(root); i++) {
        const json_t *row = json_array_get(root, i), *random = golden_get(row, "random");
        hy_rules rules = golden_pairs(row);
        sample s;
        play_all(&rules, &s);
        assert_share(random, "p_south", s.results[HY_RESULT_SOUTH]);
        assert_share(random, "p_north", s.results[HY_RESULT_NORTH]);
        assert_share(random, "p_draw", s.results[HY_RESULT_DRAW]);
        assert_share(random, "p_none", s.results[HY_RESULT_NONE]);
        assert_share(random, "p_endless", s.endless);
        assert_length(random, &s);
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_play_is_as_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
