#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/tournament.h"

static hy_rating_table fit(hy_rated_game *games, size_t num_games, size_t num_players,
                           size_t anchor)
{
    hy_rating_table table;
    assert_int_equal(hy_rating_fit(games, num_games, num_players, anchor, 0.95, &table, NULL),
                     HY_OK);
    return table;
}

static const tournament usual = {
    .num_players = 6,
    .elo = {0, 150, 230, 600, 640, 900},
    .advantage = 40,
    .nu = 0.3,
    .num_pairs = 20000,
    .self = true,
};

static void known_ratings_are_recovered(void **state)
{
    (void)state;
    hy_stream stream = hy_stream_make(1, 0, HY_PURPOSE_SOUTH);
    size_t num_games;
    hy_rated_game *games = tournament_play(&usual, &stream, &num_games);
    hy_rating_table table = fit(games, num_games, usual.num_players, 0);
    for (size_t i = 0; i < usual.num_players; i++) {
        assert_int_equal(table.ratings[i].kind, HY_RATING_KNOWN);
        assert_close(table.ratings[i].elo.value, usual.elo[i], 10);
    }
    assert_close(table.advantage.value, 40, 3);
    assert_close(table.draw, 0.3, 0.01);
    assert_int_equal(table.advantage_kind, HY_ADVANTAGE_KNOWN);
    assert_false(table.held);
    assert_int_equal(table.games, num_games);
    assert_int_equal(table.clusters, usual.num_pairs);
    hy_rating_clean_up(&table);
    free(games);
}

/* Two players, no draws: both seats have a logit of their own, and a and r are their mean and half
 * their difference. */
static void two_players_have_the_closed_form(void **state)
{
    (void)state;
    hy_rated_game *games = NULL;
    size_t num = 0;
    uint64_t cluster = 0;
    add_games(&games, &num, &cluster, 1, 0, HY_POINTS_WON, 70);
    add_games(&games, &num, &cluster, 1, 0, HY_POINTS_LOST, 30);
    add_games(&games, &num, &cluster, 0, 1, HY_POINTS_WON, 40);
    add_games(&games, &num, &cluster, 0, 1, HY_POINTS_LOST, 60);
    hy_rating_table table = fit(games, num, 2, 0);
    double south = 400 * log10(70.0 / 30), north = 400 * log10(60.0 / 40);
    assert_close(table.ratings[1].elo.value, (south + north) / 2, 1e-6);
    assert_close(table.advantage.value, (south - north) / 2, 1e-6);
    double error = 400 / log(10) / 2 * sqrt(1 / 21.0 + 1 / 24.0) * sqrt(200.0 / 199);
    assert_close(table.ratings[1].elo.standard_error, error, 1e-6);
    assert_close(table.advantage.standard_error, error, 1e-6);
    assert_close(table.ratings[0].elo.value, 0, 1e-12);
    assert_close(table.ratings[0].elo.high, 0, 1e-12);
    assert_int_equal(table.degrees, 0);
    assert_true(isnan(table.chi_square) && isnan(table.p));
    hy_rating_clean_up(&table);
    free(games);
}

/* With draws and seats alike: r is 400·log10(wins / losses), ν is draws / √(wins · losses). */
static void two_players_with_draws_have_the_closed_form(void **state)
{
    (void)state;
    hy_rated_game *games = NULL;
    size_t num = 0;
    uint64_t cluster = 0;
    add_pairs(&games, &num, &cluster, 1, 0, HY_POINTS_WON, HY_POINTS_WON, 50);
    add_pairs(&games, &num, &cluster, 1, 0, HY_POINTS_DRAWN, HY_POINTS_DRAWN, 30);
    add_pairs(&games, &num, &cluster, 1, 0, HY_POINTS_LOST, HY_POINTS_LOST, 20);
    hy_rating_table table = fit(games, num, 2, 0);
    assert_close(table.ratings[1].elo.value, 400 * log10(50.0 / 20), 1e-6);
    assert_close(table.draw, 30 / sqrt(50.0 * 20), 1e-8);
    assert_close(table.advantage.value, 0, 1e-6);
    assert_close(table.dispersion, 2, 0.05);
    hy_rating_clean_up(&table);
    free(games);
}

/* The games with the players renumbered, in another order. */
static hy_rated_game *renumber(const hy_rated_game *games, size_t num, const uint32_t *as,
                               bool swap, hy_stream *stream)
{
    hy_rated_game *other = calloc(num, sizeof *other);
    assert_non_null(other);
    for (size_t i = 0; i < num; i++) {
        size_t k = hy_stream_below(stream, (uint32_t)i + 1);
        hy_rated_game game = games[i];
        game.south = as[games[i].south];
        game.north = as[games[i].north];
        if (swap) {
            uint32_t north = game.north;
            game.north = game.south;
            game.south = north;
            game.points = HY_POINTS_WON - game.points;
        }
        other[i] = other[k];
        other[k] = game;
    }
    return other;
}

static void assert_same(const hy_estimate *a, const hy_estimate *b, double sign)
{
    assert_close(a->value, sign * b->value, 1e-6);
    assert_close(a->standard_error, b->standard_error, 1e-6);
    assert_close(a->low, sign > 0 ? b->low : -b->high, 1e-6);
}

static void order_does_not_matter(void **state)
{
    (void)state;
    static const uint32_t as[] = {4, 2, 0, 5, 1, 3};
    tournament some = usual;
    some.num_pairs = 100;
    some.opening = 100;
    hy_stream stream = hy_stream_make(2, 0, HY_PURPOSE_SOUTH);
    size_t num;
    hy_rated_game *games = tournament_play(&some, &stream, &num);
    hy_rating_table table = fit(games, num, 6, 0);
    for (int swap = 0; swap < 2; swap++) {
        hy_rated_game *other = renumber(games, num, as, swap, &stream);
        hy_rating_table again = fit(other, num, 6, as[0]);
        for (size_t i = 0; i < 6; i++)
            assert_same(&table.ratings[i].elo, &again.ratings[as[i]].elo, 1);
        assert_same(&table.advantage, &again.advantage, swap ? -1 : 1);
        assert_close(table.chi_square, again.chi_square, 1e-5);
        assert_int_equal(table.degrees, again.degrees);
        hy_rating_clean_up(&again);
        free(other);
    }
    hy_rating_clean_up(&table);
    free(games);
}

/* Another anchor moves all ratings by the same. */
static void anchors_only_move_the_scale(void **state)
{
    (void)state;
    tournament some = usual;
    some.num_pairs = 200;
    hy_stream stream = hy_stream_make(3, 0, HY_PURPOSE_SOUTH);
    size_t num;
    hy_rated_game *games = tournament_play(&some, &stream, &num);
    hy_rating_table table = fit(games, num, 6, 0), other = fit(games, num, 6, 3);
    double moved = table.ratings[3].elo.value;
    for (size_t i = 0; i < 6; i++)
        assert_close(table.ratings[i].elo.value, other.ratings[i].elo.value + moved, 1e-6);
    assert_same(&table.advantage, &other.advantage, 1);
    assert_close(other.ratings[0].elo.standard_error, table.ratings[3].elo.standard_error, 1e-6);
    hy_rating_clean_up(&table);
    hy_rating_clean_up(&other);
    free(games);
}

/* Intervals at 95 % hold what they promise, also where openings make the games of a number alike:
 * over 1,000 tournaments 95 % have a standard deviation of 0.7 %. */
static void intervals_cover(tournament some, uint64_t seed)
{
    unsigned rounds = 1000, covered[5] = {0};
    for (unsigned round = 0; round < rounds; round++) {
        hy_stream stream = hy_stream_make(seed, round, HY_PURPOSE_SOUTH);
        size_t num;
        hy_rated_game *games = tournament_play(&some, &stream, &num);
        hy_rating_table table = fit(games, num, 4, 0);
        for (size_t i = 1; i < 4; i++)
            covered[i] +=
                table.ratings[i].elo.low <= some.elo[i] && table.ratings[i].elo.high >= some.elo[i];
        covered[4] +=
            table.advantage.low <= some.advantage && table.advantage.high >= some.advantage;
        hy_rating_clean_up(&table);
        free(games);
    }
    for (size_t i = 1; i < 5; i++) {
        if (covered[i] < 0.925 * rounds || covered[i] > 0.975 * rounds)
            fail_msg("interval %zu covers %u of %u", i, covered[i], rounds);
    }
}

static void intervals_cover_independent_games(void **state)
{
    (void)state;
    intervals_cover((tournament){.num_players = 4,
                                 .elo = {0, 120, 300, 450},
                                 .advantage = 30,
                                 .nu = 0.2,
                                 .num_pairs = 100,
                                 .self = true},
                    4);
}

static void intervals_cover_games_of_shared_openings(void **state)
{
    (void)state;
    /* equals, so that the openings do not bend the scale */
    intervals_cover((tournament){.num_players = 4, .nu = 0.2, .opening = 400, .num_pairs = 100}, 5);
}

/* One south and one north only: neither seat nor strength. */
static void seats_that_are_never_swapped_are_reported(void **state)
{
    (void)state;
    hy_rated_game *games = NULL;
    size_t num = 0;
    uint64_t cluster = 0;
    add_games(&games, &num, &cluster, 1, 0, HY_POINTS_WON, 70);
    add_games(&games, &num, &cluster, 1, 0, HY_POINTS_LOST, 30);
    hy_rating_table table = fit(games, num, 2, 0);
    assert_int_equal(table.advantage_kind, HY_ADVANTAGE_CONFOUNDED);
    assert_false(table.advantage.known);
    assert_close(table.ratings[1].elo.value, 400 * log10(70.0 / 30), 1e-6);
    hy_rating_clean_up(&table);
    /* a game against oneself tells them apart */
    add_games(&games, &num, &cluster, 0, 0, HY_POINTS_WON, 60);
    add_games(&games, &num, &cluster, 0, 0, HY_POINTS_LOST, 40);
    table = fit(games, num, 2, 0);
    assert_int_equal(table.advantage_kind, HY_ADVANTAGE_KNOWN);
    assert_close(table.advantage.value, 400 * log10(60.0 / 40), 1e-6);
    assert_close(table.ratings[1].elo.value, 400 * log10(70.0 / 30 * 40 / 60), 1e-6);
    hy_rating_clean_up(&table);
    free(games);
}

static void one_cluster_has_no_interval(void **state)
{
    (void)state;
    hy_rated_game games[] = {
        {0, 0, 1, HY_POINTS_WON}, {0, 1, 0, HY_POINTS_WON}, {0, 0, 1, HY_POINTS_LOST}};
    hy_rating_table table = fit(games, 3, 2, 0);
    assert_true(table.ratings[1].elo.known && isnan(table.ratings[1].elo.low));
    hy_rating_clean_up(&table);
}

static void no_games_give_no_ratings(void **state)
{
    (void)state;
    hy_rating_table table = fit(NULL, 0, 3, 1);
    assert_int_equal(table.ratings[1].kind, HY_RATING_KNOWN);
    assert_int_equal(table.ratings[0].kind, HY_RATING_UNKNOWN);
    assert_int_equal(table.advantage_kind, HY_ADVANTAGE_NO_GAMES);
    assert_int_equal(table.num_pairings, 0);
    hy_rating_clean_up(&table);
}

static void fail_if_called(const char *reason, const char *file, int line, int code)
{
    (void)file;
    (void)line;
    (void)code;
    fail_msg("GSL's handler was called: %s", reason);
}

static void the_callers_error_handler_is_kept(void **state)
{
    (void)state;
    gsl_error_handler_t *before = gsl_set_error_handler(fail_if_called);
    hy_rated_game games[] = {{0, 0, 1, HY_POINTS_DRAWN}, {1, 1, 0, HY_POINTS_DRAWN}};
    hy_rating_table table = fit(games, 2, 2, 0);
    hy_rating_clean_up(&table);
    assert_ptr_equal(gsl_set_error_handler(before), fail_if_called);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_ratings_are_recovered),
        cmocka_unit_test(two_players_have_the_closed_form),
        cmocka_unit_test(two_players_with_draws_have_the_closed_form),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(anchors_only_move_the_scale),
        cmocka_unit_test(intervals_cover_independent_games),
        cmocka_unit_test(intervals_cover_games_of_shared_openings),
        cmocka_unit_test(seats_that_are_never_swapped_are_reported),
        cmocka_unit_test(one_cluster_has_no_interval),
        cmocka_unit_test(no_games_give_no_ratings),
        cmocka_unit_test(the_callers_error_handler_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
