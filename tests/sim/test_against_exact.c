#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sim/game.h"
#include "solve/exact.h"
#include "support/policies.h"
#include "support/variants.h"

/* Random play of random small variants, simulated, against its exact probabilities and moments.
 * Probabilities are held against the Chernoff bound of the binomial distribution, which holds for
 * rare events as well; means and variances against their standard errors. Both limits leave a right
 * program a chance of about 1 in 100 over all comparisons; seeds are fixed, so that a test that has
 * passed passes. */

#define GAMES 20000u
#define MAX_PLIES 400u
#define NUM_VARIANTS 50u
#define MAX_COMPARISONS 5000.0
#define LIMIT 5.2 /* standard errors: 1 in 5,000,000 each */
#define ALMOST_ALL (1 - 1e-9)

typedef struct sample {
    double cells[HY_NUM_TERMINATIONS][HY_NUM_RESULTS];
    double sums[HY_NUM_REWARDS][5]; /* of powers */
} sample;

static void play_all(const hy_rules *rules, uint64_t seed, sample *s)
{
    hy_condition condition = {
        .rules = *rules,
        .first = spec_of("random"),
        .second = spec_of("random"),
        .max_plies = MAX_PLIES,
        .max_laps = HY_DEFAULT_MAX_LAPS,
    };
    hy_table table;
    assert_int_equal(hy_table_init(&table, &condition, false, NULL), HY_OK);
    *s = (sample){0};
    for (uint64_t n = 0; n < GAMES; n++) {
        hy_game_record record;
        assert_int_equal(hy_table_play(&table, seed, n, NULL, &record, NULL), HY_OK);
        s->cells[record.termination][record.result]++;
        double counts[HY_NUM_REWARDS] = {record.plies, record.turns, record.captures};
        for (unsigned r = 0; r < HY_NUM_REWARDS; r++) {
            for (int power = 0; power < 5; power++)
                s->sums[r][power] += pow(counts[r], power);
        }
    }
    hy_table_clean_up(&table);
    hy_policy_spec_destroy(condition.first);
    hy_policy_spec_destroy(condition.second);
}

/* n times the divergence of the share seen from the exact one; P(this far away) <= 2 e^-this. */
static double surprise(double count, double p)
{
    double share = count / GAMES, sum = 0;
    if (share > 0)
        sum += share * log(share / p);
    if (share < 1)
        sum += (1 - share) * log((1 - share) / (1 - p));
    return GAMES * sum;
}

static void assert_share(const hy_rules *rules, const char *what, double count, double p)
{
    char text[HY_RULES_TEXT_SIZE];
    hy_rules_print(rules, text);
    bool certain = p <= 1e-13 || p >= 1 - 1e-13;
    if (certain ? fabs(count - GAMES * p) > 0.5
                : surprise(count, p) > log(2 * MAX_COMPARISONS / 0.01))
        fail_msg("%s: %g of %u games, exactly %g\n%s", what, count, GAMES, p, text);
}

static void assert_near(const hy_rules *rules, const char *what, double value, double exact,
                        double error)
{
    char text[HY_RULES_TEXT_SIZE];
    hy_rules_print(rules, text);
    if (fabs(value - exact) > LIMIT * error + 1e-9)
        fail_msg("%s: %g, exactly %g, standard error %g\n%s", what, value, exact, error, text);
}

static void assert_moments(const hy_rules *rules, const double sums[5], double exact, double sd)
{
    double mean = sums[1] / GAMES, m2 = sums[2] / GAMES, m3 = sums[3] / GAMES;
    double variance = m2 - mean * mean;
    double fourth = sums[4] / GAMES - 4 * mean * m3 + 6 * mean * mean * m2 - 3 * pow(mean, 4);
    assert_near(rules, "mean", mean, exact, sd / sqrt(GAMES));
    /* A distribution with a long tail has its fourth moment in few games: only where it is known.
     */
    if (fourth < 12 * variance * variance)
        assert_near(rules, "variance", variance, sd * sd,
                    sqrt(fmax(0, fourth - variance * variance) / GAMES));
}

static void compare(const hy_rules *rules, const hy_exact *exact, const sample *s)
{
    const hy_markov *random = &exact->random;
    for (unsigned t = HY_CLAIMED; t <= HY_ENDLESS; t++) {
        for (unsigned r = 0; r < HY_NUM_RESULTS; r++)
            assert_share(rules, hy_termination_words[t], s->cells[t][r], random->share[t][r]);
    }
    assert_share(rules, "truncated", s->cells[HY_TRUNCATED][HY_RESULT_NONE], random->never);
    for (unsigned r = 0; r < HY_NUM_REWARDS && random->never == 0; r++)
        assert_moments(rules, s->sums[r], random->mean[r], random->sd[r]);
}

/* Games that do end have to do so within MAX_PLIES. */
static bool is_fit(const hy_exact *exact)
{
    return exact->lengths.num <= MAX_PLIES + 1 &&
           exact->lengths.ended >= (1 - exact->random.never) * ALMOST_ALL - 1e-12;
}

static void simulation_is_as_computed(void **state)
{
    (void)state;
    dice d = {20261129};
    unsigned num = 0, num_histories = 0, num_never = 0;
    const hy_exact_terms terms = {.memory = 2u << 20,
                                  .max_laps = HY_DEFAULT_MAX_LAPS,
                                  .mass = ALMOST_ALL,
                                  .max_plies = MAX_PLIES};
    while (num < NUM_VARIANTS) {
        hy_rules rules = variant_random(&d, 3, 4);
        rules.repetition = (uint8_t)(dice_one_in(&d, 3) ? 2 + dice_below(&d, 3) : 0);
        hy_exact exact;
        sample s;
        hy_status status = hy_exact_solve(&exact, &rules, &terms, NULL);
        bool fits = status == HY_OK && exact.positions > 4 && is_fit(&exact);
        if (fits) {
            play_all(&rules, num, &s);
            compare(&rules, &exact, &s);
            num++;
            num_histories +=
                s.cells[HY_REPETITION][HY_RESULT_NONE] + s.cells[HY_REPETITION][HY_RESULT_DRAW] > 0;
            num_never += exact.random.never > 0;
        }
        hy_exact_clean_up(&exact);
        if (status != HY_OK)
            assert_int_equal(status, HY_FAILED);
    }
    assert_true(num_histories > 3);
    assert_true(num_never > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulation_is_as_computed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
