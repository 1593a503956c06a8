#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "stats/tournament.h"

typedef struct record {
    hy_rated_game *games;
    size_t num;
    uint64_t cluster;
} record;

/* `first` wins `won` pairs against `second`, loses `lost`, and splits `split`. */
static void play(record *all, uint32_t first, uint32_t second, unsigned won, unsigned split,
                 unsigned lost)
{
    add_pairs(&all->games, &all->num, &all->cluster, first, second, HY_POINTS_WON, HY_POINTS_WON,
              won);
    add_pairs(&all->games, &all->num, &all->cluster, first, second, HY_POINTS_WON, HY_POINTS_LOST,
              split / 2);
    add_pairs(&all->games, &all->num, &all->cluster, first, second, HY_POINTS_LOST, HY_POINTS_WON,
              split - split / 2);
    add_pairs(&all->games, &all->num, &all->cluster, first, second, HY_POINTS_LOST, HY_POINTS_LOST,
              lost);
}

static hy_rating_table fit(record *all, size_t num_players, size_t anchor)
{
    hy_rating_table table;
    assert_int_equal(hy_rating_fit(all->games, all->num, num_players, anchor, 0.95, &table, NULL),
                     HY_OK);
    return table;
}

/* 100 pairs won of 100: at the bound the chance of that is exp(−1.92). */
static void a_perfect_score_is_a_bound(void **state)
{
    (void)state;
    record all = {0};
    play(&all, 1, 0, 100, 0, 0);
    hy_rating_table table = fit(&all, 2, 0);
    double chance = exp(-1.920729410347062 / 100);
    assert_int_equal(table.ratings[1].kind, HY_RATING_ABOVE);
    assert_false(table.ratings[1].elo.known);
    assert_close(table.ratings[1].elo.low, 400 * log10(chance / (1 - chance)), 1e-6);
    assert_true(isnan(table.ratings[1].elo.high) && isnan(table.ratings[1].elo.value));
    hy_rating_clean_up(&table);
    table = fit(&all, 2, 1);
    assert_int_equal(table.ratings[0].kind, HY_RATING_BELOW);
    assert_close(table.ratings[0].elo.high, -400 * log10(chance / (1 - chance)), 1e-6);
    assert_true(isnan(table.ratings[0].elo.low));
    hy_rating_clean_up(&table);
    free(all.games);
}

/* More of the same raises the bound, and a single draw makes it a rating. */
static void bounds_grow_with_the_games(void **state)
{
    (void)state;
    record all = {0};
    play(&all, 1, 0, 10, 0, 0);
    hy_rating_table table = fit(&all, 2, 0);
    double bound = table.ratings[1].elo.low;
    hy_rating_clean_up(&table);
    play(&all, 1, 0, 1000, 0, 0);
    table = fit(&all, 2, 0);
    assert_true(table.ratings[1].elo.low > bound + 500);
    hy_rating_clean_up(&table);
    add_pairs(&all.games, &all.num, &all.cluster, 1, 0, HY_POINTS_DRAWN, HY_POINTS_WON, 1);
    add_pairs(&all.games, &all.num, &all.cluster, 1, 0, HY_POINTS_WON, HY_POINTS_DRAWN, 1);
    table = fit(&all, 2, 0);
    assert_true(table.held); /* drawn or won, never lost: the draws could be all that is left */
    assert_int_equal(table.ratings[1].kind, HY_RATING_KNOWN);
    hy_rating_clean_up(&table);
    free(all.games);
}

/* Two groups: random and a weak one, two strong ones that always win. The strong keep their
 * distance, as if they had played alone. */
static void groups_keep_their_distances(void **state)
{
    (void)state;
    for (uint32_t turn = 0; turn < 4; turn++) {
        uint32_t p[4];
        for (uint32_t i = 0; i < 4; i++)
            p[i] = (i + turn) % 4;
        record all = {0};
        play(&all, p[1], p[0], 50, 40, 10);
        play(&all, p[3], p[2], 50, 40, 10);
        for (uint32_t low = 0; low < 2; low++) {
            play(&all, p[2], p[low], 100, 0, 0);
            play(&all, p[3], p[low], 100, 0, 0);
        }
        hy_rating_table table = fit(&all, 4, p[0]);
        double apart = 400 * log10(70.0 / 30);
        assert_int_equal(table.ratings[p[1]].kind, HY_RATING_KNOWN);
        assert_close(table.ratings[p[1]].elo.value, apart, 1e-6);
        assert_int_equal(table.ratings[p[2]].kind, HY_RATING_ABOVE);
        assert_int_equal(table.ratings[p[3]].kind, HY_RATING_ABOVE);
        assert_close(table.ratings[p[3]].elo.low - table.ratings[p[2]].elo.low, apart, 1e-6);
        assert_true(table.ratings[p[2]].elo.low > 900);
        assert_false(table.held);
        hy_rating_clean_up(&table);
        free(all.games);
    }
}

/* Three steps of perfect scores: each bound rests on the one below, in whatever order. */
static void bounds_rest_on_bounds(void **state)
{
    (void)state;
    static const uint32_t orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
    double bound[4] = {0};
    for (size_t k = 0; k < 3; k++) {
        const uint32_t *p = orders[k];
        record all = {0};
        for (uint32_t i = 0; i < 4; i++) {
            for (uint32_t j = 0; j < i; j++)
                play(&all, p[i], p[j], 100, 0, 0);
        }
        hy_rating_table table = fit(&all, 4, p[0]);
        for (uint32_t i = 1; i < 4; i++) {
            const hy_rating *rating = &table.ratings[p[i]];
            assert_int_equal(rating->kind, HY_RATING_ABOVE);
            assert_true(rating->elo.low > 650 * i);
            if (k > 0)
                assert_close(rating->elo.low, bound[i], 1e-3);
            bound[i] = rating->elo.low;
        }
        hy_rating_clean_up(&table);
        table = fit(&all, 4, p[2]);
        assert_int_equal(table.ratings[p[0]].kind, HY_RATING_BELOW);
        assert_int_equal(table.ratings[p[3]].kind, HY_RATING_ABOVE);
        assert_true(table.ratings[p[0]].elo.high < table.ratings[p[1]].elo.high - 650);
        hy_rating_clean_up(&table);
        free(all.games);
    }
}

static void those_who_did_not_meet_are_unknown(void **state)
{
    (void)state;
    record all = {0};
    play(&all, 1, 0, 50, 40, 10);
    play(&all, 3, 2, 50, 40, 10);
    add_games(&all.games, &all.num, &all.cluster, 4, 4, HY_POINTS_WON, 20);
    add_games(&all.games, &all.num, &all.cluster, 4, 4, HY_POINTS_LOST, 30);
    hy_rating_table table = fit(&all, 6, 0);
    assert_int_equal(table.ratings[1].kind, HY_RATING_KNOWN);
    for (size_t i = 2; i < 6; i++) {
        assert_int_equal(table.ratings[i].kind, HY_RATING_UNKNOWN);
        assert_true(isnan(table.ratings[i].elo.low) && isnan(table.ratings[i].elo.high));
    }
    hy_rating_clean_up(&table);
    free(all.games);
}

/* Connected both ways, and yet without a maximum: south won everything. */
static void what_one_seat_always_wins_is_held_finite(void **state)
{
    (void)state;
    record all = {0};
    play(&all, 1, 0, 0, 0, 0);
    add_pairs(&all.games, &all.num, &all.cluster, 0, 1, HY_POINTS_WON, HY_POINTS_LOST, 50);
    hy_rating_table table = fit(&all, 2, 0);
    assert_true(table.held);
    assert_close(table.ratings[1].elo.value, 0, 1e-6);
    assert_true(table.advantage.known && table.advantage.value > 500);
    hy_rating_clean_up(&table);
    free(all.games);
    /* all drawn */
    all = (record){0};
    add_pairs(&all.games, &all.num, &all.cluster, 0, 1, HY_POINTS_DRAWN, HY_POINTS_DRAWN, 50);
    table = fit(&all, 2, 0);
    assert_true(table.held);
    assert_close(table.ratings[1].elo.value, 0, 1e-6);
    assert_true(table.draw > 10 && isfinite(table.draw));
    hy_rating_clean_up(&table);
    free(all.games);
    /* one seat is always won, the other now and then: seat and strength grow together */
    all = (record){0};
    add_games(&all.games, &all.num, &all.cluster, 1, 0, HY_POINTS_WON, 50);
    add_games(&all.games, &all.num, &all.cluster, 0, 1, HY_POINTS_WON, 20);
    add_games(&all.games, &all.num, &all.cluster, 0, 1, HY_POINTS_LOST, 30);
    table = fit(&all, 2, 0);
    assert_true(table.held && table.ratings[1].elo.value > 200 && table.advantage.value > 200);
    assert_true(isfinite(table.ratings[1].elo.high));
    hy_rating_clean_up(&table);
    free(all.games);
}

/* A bound at 95 % is passed by the true rating in at least 95 of 100 cases. */
static void bounds_hold(void **state)
{
    (void)state;
    tournament some = {.num_players = 2, .elo = {0, 1000}, .num_pairs = 100};
    unsigned perfect = 0, wrong = 0;
    for (unsigned round = 0; round < 400; round++) {
        hy_stream stream = hy_stream_make(6, round, HY_PURPOSE_SOUTH);
        size_t num;
        hy_rated_game *games = tournament_play(&some, &stream, &num);
        record all = {games, num, 0};
        hy_rating_table table = fit(&all, 2, 0);
        if (table.ratings[1].kind == HY_RATING_ABOVE) {
            perfect++;
            wrong += table.ratings[1].elo.low > some.elo[1];
        }
        hy_rating_clean_up(&table);
        free(games);
    }
    assert_true(perfect > 50);
    assert_int_equal(wrong, 0); /* the bound for 100 pairs lies below 1000 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_perfect_score_is_a_bound),
        cmocka_unit_test(bounds_grow_with_the_games),
        cmocka_unit_test(groups_keep_their_distances),
        cmocka_unit_test(bounds_rest_on_bounds),
        cmocka_unit_test(those_who_did_not_meet_are_unknown),
        cmocka_unit_test(what_one_seat_always_wins_is_held_finite),
        cmocka_unit_test(bounds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
