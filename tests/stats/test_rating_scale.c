#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "stats/tournament.h"

static hy_rating_table play(const tournament *all, uint64_t seed, uint64_t round)
{
    hy_stream stream = hy_stream_make(seed, round, HY_PURPOSE_SOUTH);
    hy_rating_table table;
    size_t num;
    hy_rated_game *games = tournament_play(all, &stream, &num);
    assert_int_equal(hy_rating_fit(games, num, all->num_players, 0, 0.95, &table, NULL), HY_OK);
    free(games);
    return table;
}

/* Five players have ten pairings and four distances: six cycles. */
static const tournament five = {
    .num_players = 5,
    .elo = {0, 50, 120, 200, 260},
    .advantage = 20,
    .nu = 0.2,
    .num_pairs = 200,
};

/* The test rejects a scale that holds in about 5 % of the cases, games of pairs alike or not. */
static void rejections(double opening, uint64_t seed)
{
    tournament all = five;
    unsigned rejected = 0, rounds = 1000;
    double sum = 0;
    all.opening = opening;
    all.advantage = opening > 0 ? 0 : 20;
    for (unsigned round = 0; round < rounds; round++) {
        hy_rating_table table = play(&all, seed, round);
        assert_int_equal(table.degrees, 6);
        assert_int_equal(table.num_pairings, 10);
        rejected += table.p < 0.05;
        sum += table.chi_square;
        hy_rating_clean_up(&table);
    }
    assert_close(sum / rounds, 6, 0.5);
    if (rejected < 30 || rejected > 75)
        fail_msg("%u of %u rejected", rejected, rounds);
}

static void a_scale_that_holds_is_kept(void **state)
{
    (void)state;
    rejections(0, 7);
}

static void openings_are_no_fault_of_the_scale(void **state)
{
    (void)state;
    rejections(250, 8);
}

static void cycles_are_found(void **state)
{
    (void)state;
    tournament all = five;
    all.other_skill = 120;
    for (unsigned round = 0; round < 10; round++) {
        hy_rating_table table = play(&all, 9, round);
        assert_true(table.p < 1e-4);
        hy_rating_clean_up(&table);
    }
    /* stone, paper, scissors: all equal by rating */
    tournament three = {.num_players = 3, .num_pairs = 100, .other_skill = 400};
    hy_rating_table table = play(&three, 10, 0);
    assert_int_equal(table.degrees, 1);
    assert_true(table.p < 1e-10);
    assert_true(fabs(table.pairings[0].residual) > 5);
    hy_rating_clean_up(&table);
}

static void pairings_add_up(void **state)
{
    (void)state;
    hy_rating_table table = play(&five, 11, 0);
    double balance[5] = {0};
    for (size_t i = 0; i < table.num_pairings; i++) {
        const hy_rated_pairing *pairing = &table.pairings[i];
        double away = pairing->points - pairing->expected;
        assert_true(pairing->first < pairing->second);
        assert_int_equal(pairing->games, 400);
        assert_int_equal(pairing->units, 200);
        assert_true(fabs(pairing->residual) < 5);
        balance[pairing->first] += away;
        balance[pairing->second] -= away;
    }
    /* the fit gives every player the points that he has */
    for (size_t i = 0; i < 5; i++)
        assert_close(balance[i], 0, 1e-5);
    assert_close(table.dispersion, 1, 0.15);
    hy_rating_clean_up(&table);
}

static void one_sided_pairings_are_left_out(void **state)
{
    (void)state;
    tournament all = {.num_players = 4, .elo = {0, 200, 500, 1300}, .num_pairs = 100};
    hy_rating_table table = play(&all, 12, 1);
    size_t untested = 0;
    assert_true(table.num_one_sided >= 1);
    for (size_t i = 0; i < table.num_pairings; i++)
        untested += isnan(table.pairings[i].residual) ? 1 : 0;
    assert_true(untested >= table.num_one_sided);
    hy_rating_clean_up(&table);
}

/* Every pair is split, so that no pair differs from another: nothing to measure by. */
static void pairs_without_variance_are_not_tested(void **state)
{
    (void)state;
    hy_rated_game *games = NULL;
    size_t num = 0;
    uint64_t cluster = 0;
    hy_rating_table table;
    for (uint32_t i = 0; i < 3; i++)
        add_pairs(&games, &num, &cluster, i, (i + 1) % 3, HY_POINTS_WON, HY_POINTS_LOST, 10);
    add_games(&games, &num, &cluster, 0, 0, HY_POINTS_LOST, 10);
    assert_int_equal(hy_rating_fit(games, num, 3, 0, 0.95, &table, NULL), HY_OK);
    assert_int_equal(table.degrees, 0);
    assert_true(isnan(table.dispersion) && isnan(table.p));
    assert_true(table.ratings[1].elo.high > 20);
    hy_rating_clean_up(&table);
    free(games);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scale_that_holds_is_kept),
        cmocka_unit_test(openings_are_no_fault_of_the_scale),
        cmocka_unit_test(cycles_are_found),
        cmocka_unit_test(pairings_add_up),
        cmocka_unit_test(one_sided_pairings_are_left_out),
        cmocka_unit_test(pairs_without_variance_are_not_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
