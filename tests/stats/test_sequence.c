#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats/cases.h"
#include "stats/sequence.h"

/* A result of 0, 1/2 or 1. */
static double draw_result(hy_stream *stream, double wins, double draws)
{
    double u = hy_stream_real(stream);
    return u < wins ? 1 : u < wins + draws ? 0.5 : 0;
}

/* Whether the true mean was outside at any of the looks. */
static bool misses(hy_stream *stream, double wins, double draws, uint64_t block, int looks)
{
    hy_sequence sequence = {0};
    for (int look = 0; look < looks; look++) {
        double sum = 0, squares = 0;
        for (uint64_t i = 0; i < block; i++) {
            double x = draw_result(stream, wins, draws);
            sum += x;
            squares += x * x;
        }
        hy_sequence_add(&sequence, block, sum, squares);
        hy_estimate at = hy_sequence_interval(&sequence, 0.9);
        double mean = wins + draws / 2;
        if (mean < at.low - 1e-12 || mean > at.high + 1e-12)
            return true;
    }
    return false;
}

/* At most a tenth of 200 runs misses at any of 30 looks; far fewer do, as the bound is not tight.
 */
static void holds_at_all_looks_together(void **state)
{
    (void)state;
    const double shares[][2] = {{0.5, 0}, {0.2, 0.6}, {0.02, 0.01}, {0.9, 0.1}};
    hy_stream stream = dice(31);
    for (size_t k = 0; k < 4; k++) {
        int missed = 0;
        for (int i = 0; i < 200; i++)
            missed += misses(&stream, shares[k][0], shares[k][1], k == 1 ? 1 : 20, 30);
        assert_true(missed <= 20);
    }
}

/* An interval for one look is no such thing: looked at as often, it misses far oftener. */
static void one_look_is_not_all_looks(void **state)
{
    (void)state;
    hy_stream stream = dice(32);
    int missed = 0;
    for (int i = 0; i < 500; i++) {
        uint64_t wins = 0;
        bool once = false;
        for (uint64_t n = 10; n <= 1000; n += 10) {
            wins += draw_binomial(&stream, 10, 0.5);
            hy_estimate share = hy_share(wins, n, 0.9);
            once |= share.low > 0.5 || share.high < 0.5;
        }
        missed += once;
    }
    assert_true(missed > 150);
}

/* The price of looking at all times: about twice the width of one look, less for many more games.
 */
static void narrows_like_an_interval(void **state)
{
    (void)state;
    hy_sequence sequence = {0};
    double last = 1;
    for (int block = 0; block < 1000; block++) {
        hy_sequence_add(&sequence, 1000, 500, 400); /* variance 0.15 */
        hy_estimate at = hy_sequence_interval(&sequence, 0.95);
        assert_true(at.high - at.low < last);
        assert_near(at.value, 0.5);
        last = at.high - at.low;
        double fixed = 2 * 1.96 * sqrt(0.15 / (double)sequence.n);
        assert_true(last > fixed && (sequence.n < 10000 || last < 2.2 * fixed));
    }
}

static void losses_mirror_wins(void **state)
{
    (void)state;
    hy_sequence won = {0}, lost = {0};
    hy_stream stream = dice(33);
    for (int block = 0; block < 50; block++) {
        double wins = hy_stream_below(&stream, 20), draws = hy_stream_below(&stream, 20);
        double sum = wins + draws / 2, squares = wins + draws / 4;
        hy_sequence_add(&won, 40, sum, squares);
        hy_sequence_add(&lost, 40, 40 - sum, 40 - 2 * sum + squares);
        hy_estimate a = hy_sequence_interval(&won, 0.95), b = hy_sequence_interval(&lost, 0.95);
        assert_true(fabs(a.low - (1 - b.high)) < 1e-9 && fabs(a.high - (1 - b.low)) < 1e-9);
        assert_true(a.low >= 0 && a.low <= a.value && a.value <= a.high && a.high <= 1);
    }
}

/* All won: the upper end is 1, the lower one rises; what varies less is known sooner. */
static void little_variance_is_used(void **state)
{
    (void)state;
    hy_sequence won = {0}, drawn = {0}, mixed = {0};
    for (int block = 0; block < 20; block++) {
        hy_sequence_add(&won, 100, 100, 100);
        hy_sequence_add(&drawn, 100, 50, 25);
        hy_sequence_add(&mixed, 100, 50, 50);
    }
    hy_estimate w = hy_sequence_interval(&won, 0.95), d = hy_sequence_interval(&drawn, 0.95);
    hy_estimate m = hy_sequence_interval(&mixed, 0.95);
    assert_true(w.high == 1 && w.low > 0.95 && w.low < 1);
    assert_true(d.high - d.low < (m.high - m.low) / 3);
}

/* Blocks (1, 1/2, 0), (1, 1), (0) around the guesses 1/2, 1/2 and 3.5/5. */
static void spread_is_around_what_was_known_before(void **state)
{
    (void)state;
    hy_sequence sequence = {0};
    hy_sequence_add(&sequence, 3, 1.5, 1.25);
    assert_near(sequence.spread, 0.5);
    hy_sequence_add(&sequence, 2, 2, 2);
    assert_near(sequence.spread, 1);
    hy_sequence_add(&sequence, 1, 0, 0);
    assert_near(sequence.spread, 1.49);
    assert_int_equal(sequence.n, 6);
}

static void nothing_is_unknown(void **state)
{
    (void)state;
    const hy_sequence none = {0};
    assert_false(hy_sequence_interval(&none, 0.95).known);
    hy_sequence one = {0};
    hy_sequence_add(&one, 1, 1, 1);
    hy_estimate first = hy_sequence_interval(&one, 0.95);
    assert_true(first.known && first.low == 0 && first.high == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(holds_at_all_looks_together),
        cmocka_unit_test(one_look_is_not_all_looks),
        cmocka_unit_test(narrows_like_an_interval),
        cmocka_unit_test(losses_mirror_wins),
        cmocka_unit_test(little_variance_is_used),
        cmocka_unit_test(spread_is_around_what_was_known_before),
        cmocka_unit_test(nothing_is_unknown),
    };
    return cmocka_run_group_tests(tests, cases_load, cases_unload);
}
