/* Intervals that hold at all looks, and tests with the errors that were asked for: simulated over
 * many seeds, which are fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "sequential/rule.h"
#include "support/golden_rows.h"
#include "support/policies.h"

#define SEEDS 600u
#define MOST_GAMES 6000u

/* South's exact score under random play, and the variant it is of. */
static double exact_score(size_t index, hy_rules *rules)
{
    json_t *root = golden_load("exact.json");
    const json_t *row = json_array_get(root, index), *random = golden_get(row, "random");
    assert_non_null(random);
    double none = golden_real(random, "p_none");
    assert_true(none == 0);
    double score = golden_real(random, "p_south") + golden_real(random, "p_draw") / 2;
    *rules = golden_pairs(row);
    json_decref(root);
    return score;
}

static void play_look(hy_table *table, uint64_t seed, hy_window window, hy_sequence *sequence)
{
    double sum = 0, squares = 0;
    for (uint64_t n = window.first; n < window.end; n++) {
        hy_game_record record;
        assert_int_equal(hy_table_play(table, seed, n, NULL, &record, NULL), HY_OK);
        double points = record.result == HY_RESULT_SOUTH  ? 1
                        : record.result == HY_RESULT_DRAW ? 0.5
                                                          : 0;
        sum += points;
        squares += points * points;
    }
    hy_sequence_add(sequence, window.end - window.first, sum, squares);
}

/* What the rule of half width would show: whether the exact score was left out at any look, and at
 * the look where it would have stopped. */
typedef struct misses {
    bool ever, at_stop;
    bool naive; /* the usual interval, at any look */
} misses;

static misses look_on(hy_table *table, uint64_t seed, double exact, double confidence)
{
    hy_stop stop = {.every = 100};
    hy_sequence sequence = {0};
    misses missed = {false, false, false};
    bool stopped = false;
    for (hy_window window = {0, 0}; window.end < MOST_GAMES;) {
        window = (hy_window){window.end, hy_stop_next_look(&stop, MOST_GAMES, window.end)};
        play_look(table, seed, window, &sequence);
        hy_estimate interval = hy_sequence_interval(&sequence, confidence);
        bool outside = interval.low > exact || interval.high < exact;
        missed.ever |= outside;
        if (!stopped && interval.high - interval.low <= 0.06) {
            stopped = true;
            missed.at_stop = outside;
        }
        double mean = sequence.sum / (double)sequence.n;
        double half = 1.959964 * sqrt(sequence.spread) / (double)sequence.n;
        missed.naive |= fabs(mean - exact) > half;
    }
    assert_true(stopped);
    return missed;
}

/* The exact score is left out at any look in at most 1 − confidence of the runs; 3 standard errors
 * are allowed. The usual interval, looked at as often, fails far more often. */
static void check_coverage(size_t index, double confidence)
{
    hy_condition condition = {.first = spec_of("random"),
                              .second = spec_of("random"),
                              .max_plies = HY_DEFAULT_MAX_PLIES,
                              .max_laps = HY_DEFAULT_MAX_LAPS};
    double exact = exact_score(index, &condition.rules), level = 1 - confidence;
    unsigned ever = 0, at_stop = 0, naive = 0;
    hy_table table;
    assert_int_equal(hy_table_init(&table, &condition, false, NULL), HY_OK);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        misses missed = look_on(&table, 1000 + seed, exact, confidence);
        ever += missed.ever;
        at_stop += missed.at_stop;
        naive += missed.naive;
    }
    print_message("variant %zu at %g: missed at any look %u, at the stop %u, by the usual 95 %% "
                  "interval %u of %u\n",
                  index, confidence, ever, at_stop, naive, SEEDS);
    assert_true(ever <= SEEDS * level + 3 * sqrt(SEEDS * level * (1 - level)));
    assert_true(at_stop <= ever);
    assert_true(naive > SEEDS * 0.1);
    hy_table_clean_up(&table);
    hy_policy_spec_destroy(condition.first);
    hy_policy_spec_destroy(condition.second);
}

static void intervals_hold_at_all_looks(void **state)
{
    (void)state;
    check_coverage(0, 0.95); /* 2×2 with 4 seeds */
    check_coverage(0, 0.8);
    check_coverage(1, 0.95);
}

/* A pair by the shares of its results. */
static unsigned draw_pair(dice *d, const double shares[5])
{
    double u = (double)(dice_u64(d) >> 11) * 0x1p-53;
    unsigned result = 0;
    for (; result < 4 && u >= shares[result]; result++)
        u -= shares[result];
    return result;
}

/* Symmetric shares tilted so that the score is that of `elo` on the logistic scale. */
static void tilt_shares(double elo, double shares[5])
{
    static const double even[5] = {0.1, 0.2, 0.4, 0.2, 0.1};
    double goal = hy_elo_score(elo), low = -2, high = 2;
    for (int i = 0; i < 80; i++) {
        double tilt = (low + high) / 2, sum = 0, score = 0;
        for (int k = 0; k < 5; k++)
            sum += shares[k] = even[k] * exp(tilt * (k - 2));
        for (int k = 0; k < 5; k++)
            score += (shares[k] /= sum) * k / 4;
        if (score < goal)
            low = tilt;
        else
            high = tilt;
    }
}

static unsigned count_upper(double elo, double alpha, double beta, unsigned tests, double *mean)
{
    double shares[5];
    unsigned upper = 0;
    uint64_t pairs = 0;
    dice d = {99};
    hy_stop stop = {.every = 50};
    tilt_shares(elo, shares);
    for (unsigned i = 0; i < tests; i++) {
        hy_sprt sprt;
        uint64_t games = 0;
        assert_int_equal(hy_sprt_init(&sprt, HY_ELO_LOGISTIC, 5, 0, 30, alpha, beta, NULL), HY_OK);
        while (sprt.state == HY_SPRT_CONTINUE) {
            uint64_t counts[5] = {0}, next = hy_stop_next_look(&stop, HY_LIMIT_GAMES, games);
            for (; games < next; games++)
                counts[draw_pair(&d, shares)]++;
            hy_sprt_add(&sprt, counts);
        }
        upper += sprt.state == HY_SPRT_UPPER;
        pairs += games;
    }
    *mean = (double)pairs / tests;
    return upper;
}

/* Errors of both kinds at the looks of a stop rule; 3 standard errors are allowed. */
static void tests_err_as_seldom_as_asked_for(void **state)
{
    (void)state;
    enum { TESTS = 1000 };
    static const double levels[][2] = {{0.05, 0.05}, {0.1, 0.02}};
    for (size_t i = 0; i < 2; i++) {
        double alpha = levels[i][0], beta = levels[i][1], pairs[2];
        unsigned wrong = count_upper(0, alpha, beta, TESTS, &pairs[0]);
        unsigned missed = TESTS - count_upper(30, alpha, beta, TESTS, &pairs[1]);
        print_message("alpha %g, beta %g: H1 accepted wrongly %u, H0 %u times of %u; %.0f and %.0f "
                      "pairs\n",
                      alpha, beta, wrong, missed, TESTS, pairs[0], pairs[1]);
        assert_true(wrong <= TESTS * alpha + 3 * sqrt(TESTS * alpha * (1 - alpha)));
        assert_true(missed <= TESTS * beta + 3 * sqrt(TESTS * beta * (1 - beta)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_at_all_looks),
        cmocka_unit_test(tests_err_as_seldom_as_asked_for),
    };
    return cmocka_run_group_tests_name("sequential/coverage", tests, NULL, NULL);
}
