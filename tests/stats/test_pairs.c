#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "stats/pairs.h"
#include "support/dice.h"
#include "support/golden.h"

/* Golden null is NaN here. */
static void assert_golden(double value, const json_t *row, const char *key)
{
    const json_t *expected = golden_get(row, key);
    if (json_is_null(expected)) {
        if (!isnan(value))
            fail_msg("'%s' is %.17g, not undefined", key, value);
        return;
    }
    double number = json_number_value(expected);
    double allowed = 1e-9 * fabs(number) + 1e-14;
    if (fabs(number) > 1e-300 && fabs(number) < 1e-12) { /* a far tail: by its logarithm */
        value = log10(value);
        number = log10(number);
        allowed = 1e-9 * fabs(number);
    }
    if (!(fabs(value - number) <= allowed))
        fail_msg("'%s' is %.17g, not %.17g", key, value, number);
}

static void assert_strength(const hy_strength *strength, const json_t *row)
{
    const json_t *interval = golden_get(row, "ci95_wald");
    assert_int_equal(strength->n, golden_integer(row, "n_obs"));
    assert_golden(strength->score, row, "score");
    assert_golden(strength->variance, row, "var_per_obs(1/n)");
    assert_golden(strength->standard_error, row, "se");
    assert_true(fabs(strength->low - json_number_value(json_array_get(interval, 0))) < 1e-12);
    assert_true(fabs(strength->high - json_number_value(json_array_get(interval, 1))) < 1e-12);
    assert_golden(strength->elo, row, "elo");
    assert_golden(strength->elo_low, row, "elo_lo");
    assert_golden(strength->elo_high, row, "elo_hi");
    assert_golden(strength->elo_half, row, "elo_pm(fishtest/fastchess (hi-lo)/2)");
    assert_golden(strength->los, row, "los");
    assert_golden(strength->normalized, row, "nelo");
    assert_golden(strength->normalized_half, row, "nelo_pm");
}

static hy_strength strength_of(const char *id, const json_t *inputs)
{
    static const char *const keys[HY_NUM_PAIR_CLASSES] = {"LL", "LD", "WL+DD", "WD", "WW"};
    hy_pair_counts counts;
    if (strncmp(id, "wdl", 3) == 0)
        return hy_strength_of_games(golden_integer(inputs, "W"), golden_integer(inputs, "D"),
                                    golden_integer(inputs, "L"), 0.95);
    for (size_t i = 0; i < HY_NUM_PAIR_CLASSES; i++)
        counts.num[i] = golden_integer(inputs, keys[i]);
    return hy_strength_of_pairs(&counts, 0.95);
}

static void strengths_agree_with_the_golden_ones(void **state)
{
    (void)state;
    json_t *golden = golden_load("statistics.json"), *one;
    size_t i, num = 0;
    json_array_foreach(golden_get(golden, "cases"), i, one)
    {
        const char *id = golden_text(one, "id");
        if (strncmp(id, "wdl", 3) != 0 && strncmp(id, "penta", 5) != 0)
            continue;
        hy_strength strength = strength_of(id, golden_get(one, "inputs"));
        assert_strength(&strength, golden_get(one, "expected_python_only"));
        num++;
    }
    assert_int_equal(num, 8);
    json_decref(golden);
}

static void elo_is_the_logistic_scale(void **state)
{
    (void)state;
    assert_true(fabs(hy_elo(10.0 / 11) - 400) < 1e-9);
    assert_true(fabs(hy_elo(0.5)) < 1e-12);
    assert_true(fabs(hy_elo(0.75) - 190.848501887865) < 1e-9);
    assert_true(isnan(hy_elo(0)) && isnan(hy_elo(1)) && isnan(hy_elo(-0.1)) && isnan(hy_elo(NAN)));
}

/* Pairs of independent games have half the variance of a game; pairs of one opening that decides
 * the game have none, and pairs that always agree have all of it. */
static void pairs_are_the_unit(void **state)
{
    (void)state;
    hy_pair_counts independent = {{100, 0, 200, 0, 100}};
    hy_pair_counts agreeing = {{200, 0, 0, 0, 200}};
    hy_strength games = hy_strength_of_games(400, 0, 400, 0.95);
    hy_strength same = hy_strength_of_pairs(&independent, 0.95);
    hy_strength wider = hy_strength_of_pairs(&agreeing, 0.95);
    assert_true(fabs(games.standard_error - same.standard_error) < 1e-15);
    assert_true(fabs(wider.standard_error - sqrt(2) * games.standard_error) < 1e-15);
}

static void seats_of_the_policies_are_exchanged(void **state)
{
    (void)state;
    hy_pair_counts counts = {{5, 40, 120, 61, 9}}, other = {{9, 61, 120, 40, 5}};
    hy_strength one = hy_strength_of_pairs(&counts, 0.9), two = hy_strength_of_pairs(&other, 0.9);
    assert_true(fabs(one.score + two.score - 1) < 1e-15);
    assert_true(fabs(one.elo + two.elo) < 1e-9);
    assert_true(fabs(one.elo_low + two.elo_high) < 1e-9);
}

/* Pairs of two independent games: their score is held as often as that of the games. The normal
 * interval holds with 80 % in the first two. */
static void pair_scores_are_held_near_0_and_1(void **state)
{
    (void)state;
    static const struct {
        unsigned pairs;
        double win, draw;
    } cases[] = {{20, 0.96, 0.02}, {20, 0.02, 0.02}, {60, 0.5, 0.3}, {500, 0.996, 0.002}};
    dice d = {20261130};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned held = 0, rounds = 5000;
        double truth = cases[i].win + cases[i].draw / 2;
        for (unsigned round = 0; round < rounds; round++) {
            hy_pair_counts counts = {{0}};
            for (unsigned pair = 0; pair < cases[i].pairs; pair++) {
                unsigned points = 0;
                for (unsigned game = 0; game < 2; game++) {
                    double u = (double)(dice_u64(&d) >> 11) * 0x1p-53;
                    points += u < cases[i].win ? 2 : u < cases[i].win + cases[i].draw;
                }
                counts.num[points]++;
            }
            hy_estimate score = hy_pair_score(&counts, 0.95);
            assert_true(score.low >= 0 && score.high <= 1);
            held += score.low <= truth && truth <= score.high;
        }
        if (held < 0.92 * rounds)
            fail_msg("case %zu: held by %u of %u", i, held, rounds);
    }
}

static void shown_scores_stay_within_bounds(void **state)
{
    (void)state;
    hy_pair_counts few = {{77, 1, 0, 0, 0}}, none = {{0}};
    hy_estimate score = hy_pair_score(&few, 0.95);
    assert_true(score.known && score.low > 0 && score.low < score.value);
    assert_true(score.high >
                2 * score.value); /* the normal interval ends at three times the score */
    assert_false(hy_pair_score(&none, 0.95).known);
    for (size_t i = 0; i < HY_NUM_PAIR_CLASSES; i++) {
        hy_pair_counts alike = {{0}};
        alike.num[i] = 20;
        score = hy_pair_score(&alike, 0.95);
        assert_true(score.known && isnan(score.standard_error));
        assert_true(score.low >= 0 && score.high <= 1 && score.low <= score.value &&
                    score.high >= score.value && score.high - score.low > 0.1);
    }
}

static void nothing_is_said_of_no_games(void **state)
{
    (void)state;
    hy_strength none = hy_strength_of_games(0, 0, 0, 0.95);
    assert_int_equal(none.n, 0);
    assert_true(isnan(none.score) && isnan(none.standard_error) && isnan(none.elo) &&
                isnan(none.los) && isnan(none.normalized) && isnan(none.normalized_half));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strengths_agree_with_the_golden_ones),
        cmocka_unit_test(elo_is_the_logistic_scale),
        cmocka_unit_test(pairs_are_the_unit),
        cmocka_unit_test(seats_of_the_policies_are_exchanged),
        cmocka_unit_test(pair_scores_are_held_near_0_and_1),
        cmocka_unit_test(shown_scores_stay_within_bounds),
        cmocka_unit_test(nothing_is_said_of_no_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
