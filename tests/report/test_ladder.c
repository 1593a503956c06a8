#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/ladder.h"
#include "report/shown.h"

#define HALF "epsilon:rate=0.5,policy=greedy"

static hy_ladder ladder_of(const char *path, const char *anchor, hy_store **store)
{
    hy_ladder ladder;
    assert_int_equal(hy_store_open(path, store, NULL), HY_OK);
    assert_int_equal(hy_ladder_build(*store, anchor, &ladder, NULL), HY_OK);
    return ladder;
}

static void let_go(hy_ladder *ladder, hy_store *store)
{
    hy_ladder_clean_up(ladder);
    hy_store_abandon(store);
}

/* random, epsilon-greedy and greedy, each against each and, if `self`, itself, on each board. */
static hy_experiment round_robin(uint64_t games, const char *const *boards, size_t num_boards,
                                 bool self)
{
    static const char *const policies[] = {"random", HALF, "greedy"};
    hy_experiment experiment = experiment_new(games, HY_RECORD_GAMES);
    for (size_t b = 0; b < num_boards; b++) {
        for (size_t i = 0; i < NUM(policies); i++) {
            for (size_t k = self ? i : i + 1; k < NUM(policies); k++)
                experiment_add(&experiment, boards[b], policies[i], policies[k], i != k)
                    ->opening_plies = 2;
        }
    }
    return experiment;
}

static const char *const one_board[] = {"holes=6 seeds=4"};

static void stronger_policies_stand_higher(void **state)
{
    (void)state;
    hy_experiment experiment = round_robin(100, one_board, 1, true);
    hy_store *store;
    hy_ladder ladder = ladder_of(shown_database("order.db", &experiment), NULL, &store);
    assert_int_equal(ladder.num_tables, 1);
    const hy_ladder_table *table = &ladder.tables[0];
    assert_int_equal(table->num_policies, 3);
    assert_int_equal(table->num_pairings, 6);
    assert_int_equal(table->games, 900);
    assert_string_equal(table->policies[table->anchor].name, "random");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(table->order[i], 2 - i);
        assert_int_equal(
            table->policies[i].won + table->policies[i].drawn + table->policies[i].lost, 400);
        assert_int_equal(table->policies[i].self_games, 100);
        assert_true(table->policies[i].self_first_player.known);
    }
    assert_true(table->policies[0].rating.elo.high <= 0);
    assert_true(table->policies[1].rating.elo.low > 200);
    assert_true(table->policies[2].rating.elo.low > table->policies[1].rating.elo.high);
    assert_int_equal(table->num_classes, 3);
    assert_int_equal(table->chain[0], 2);
    assert_int_equal(table->chain[2], 0);
    assert_int_equal(table->fit.degrees, 1);
    let_go(&ladder, store);
    hy_experiment_clean_up(&experiment);
}

static void pairings_agree_with_the_rows(void **state)
{
    (void)state;
    hy_experiment experiment = round_robin(60, one_board, 1, true);
    const char *path = shown_database("rows.db", &experiment);
    hy_store *store;
    hy_ladder ladder = ladder_of(path, NULL, &store);
    for (size_t i = 0; i < ladder.tables[0].num_pairings; i++) {
        const hy_ladder_pairing *pairing = &ladder.tables[0].pairings[i];
        char query[300];
        uint64_t pairs = 0;
        for (size_t c = 0; c < HY_NUM_PAIR_CLASSES; c++) {
            snprintf(query, sizeof query,
                     "SELECT count(*) FROM v_pair WHERE condition_id = %u AND 2 * "
                     "first_policy_points = %zu",
                     pairing->condition + 1, c);
            assert_int_equal(pairing->pairs.num[c], sql_integer(path, query));
            pairs += pairing->pairs.num[c];
        }
        assert_int_equal(pairs, pairing->paired ? 60 : 0);
        snprintf(query, sizeof query,
                 "SELECT sum(first_policy_points = 1) FROM v_game WHERE condition_id = %u",
                 pairing->condition + 1);
        assert_int_equal(pairing->won, sql_integer(path, query));
        snprintf(query, sizeof query,
                 "SELECT 1000000 * avg(south_points) FROM v_game WHERE condition_id = %u",
                 pairing->condition + 1);
        double south = 1e6 * pairing->first_player.value;
        assert_true(fabs(south - (double)sql_integer(path, query)) < 2);
        assert_true(pairing->distinct > 50 && pairing->distinct <= pairing->units);
        assert_int_equal(pairing->units, 60);
    }
    let_go(&ladder, store);
    hy_experiment_clean_up(&experiment);
}

static void each_board_has_a_table(void **state)
{
    (void)state;
    static const char *const boards[] = {"holes=4 seeds=4", "holes=6 seeds=4"};
    hy_experiment experiment = round_robin(30, boards, 2, false);
    hy_store *store;
    hy_ladder ladder = ladder_of(shown_database("boards.db", &experiment), "greedy", &store);
    assert_int_equal(ladder.num_tables, 2);
    for (size_t i = 0; i < 2; i++) {
        const hy_ladder_table *table = &ladder.tables[i];
        assert_int_equal(table->condition->rules.holes, i == 0 ? 4 : 6);
        assert_int_equal(table->num_pairings, 3);
        assert_int_equal(table->pairings[0].condition, 3 * i);
        assert_string_equal(table->policies[table->anchor].name, "greedy");
        assert_true(table->policies[0].rating.elo.high < 0);
        assert_int_equal(table->policies[0].self_games, 0);
    }
    let_go(&ladder, store);
    hy_experiment_clean_up(&experiment);
}

/* Games cut after three plies have no result. */
static void games_without_a_result_are_counted(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(40, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=4 seeds=4", "random", "greedy", true)->max_plies = 12;
    const char *path = shown_database("cut.db", &experiment);
    hy_store *store;
    hy_ladder ladder = ladder_of(path, NULL, &store);
    const hy_ladder_table *table = &ladder.tables[0];
    int64_t none = sql_integer(path, "SELECT count(*) FROM game WHERE result = 'none'");
    assert_true(none > 0 && none < 80);
    assert_int_equal(table->no_result, none);
    assert_int_equal(table->games, 80 - none);
    assert_int_equal(table->fit.games, 80 - none);
    uint64_t pairs = 0;
    for (size_t c = 0; c < HY_NUM_PAIR_CLASSES; c++)
        pairs += table->pairings[0].pairs.num[c];
    assert_int_equal(
        pairs, sql_integer(path, "SELECT count(*) FROM v_pair WHERE first_policy_points >= 0"));
    let_go(&ladder, store);
    hy_experiment_clean_up(&experiment);
}

/* Seats not swapped, one opening, no chance: one game again and again. */
static void repeated_games_are_noticed(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(20, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=4 seeds=4", "greedy:ties=first", "greedy:ties=first", false);
    experiment_add(&experiment, "holes=4 seeds=4", "greedy:ties=first", "random", false);
    hy_store *store;
    hy_ladder ladder = ladder_of(shown_database("same.db", &experiment), NULL, &store);
    assert_int_equal(ladder.tables[0].pairings[0].distinct, 1);
    assert_true(ladder.tables[0].repeated);
    assert_false(ladder.tables[0].pairings[1].paired);
    let_go(&ladder, store);
    hy_experiment_clean_up(&experiment);
}

static void what_cannot_be_rated_is_refused(void **state)
{
    (void)state;
    hy_experiment experiment = round_robin(5, one_board, 1, false);
    hy_store *store;
    hy_ladder ladder;
    hy_error error;
    assert_int_equal(hy_store_open(shown_database("anchor.db", &experiment), &store, NULL), HY_OK);
    assert_int_equal(hy_ladder_build(store, "greedy:ties=first", &ladder, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "'greedy:ties=first'; there are: random, " HALF ", greedy"));
    hy_store_abandon(store);
    experiment.record = HY_RECORD_SUMMARY;
    assert_int_equal(hy_store_open(shown_database("sums.db", &experiment), &store, NULL), HY_OK);
    assert_int_equal(hy_ladder_build(store, NULL, &ladder, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "record: summary"));
    hy_store_abandon(store);
    hy_experiment_clean_up(&experiment);
}

static json_t *ladder_json(const char *path)
{
    hy_store *store;
    hy_ladder ladder = ladder_of(path, NULL, &store);
    json_t *json = hy_ladder_json(&ladder);
    assert_non_null(json);
    let_go(&ladder, store);
    return json;
}

static char *ladder_text(const char *path)
{
    hy_store *store;
    char *text = NULL;
    size_t size;
    hy_ladder ladder = ladder_of(path, NULL, &store);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hy_ladder_print(&ladder, out);
    assert_int_equal(fclose(out), 0);
    let_go(&ladder, store);
    return text;
}

/* Every game won by greedy: written into the rows, as the games themselves do not. */
static void perfect_scores_are_shown_as_bounds(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(50, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=6 seeds=4", "random", "greedy", true);
    const char *path = shown_database("perfect.db", &experiment);
    sql(path, "UPDATE game SET result = CASE swapped WHEN 0 THEN 'north' ELSE 'south' END");
    json_t *json = ladder_json(path), *table = json_array_get(json_object_get(json, "tables"), 0);
    json_t *best = json_array_get(json_object_get(table, "policies"), 0);
    json_t *elo = json_object_get(best, "elo");
    assert_string_equal(json_string_value(json_object_get(best, "policy")), "greedy");
    assert_string_equal(json_string_value(json_object_get(elo, "bound")), "lower");
    assert_true(json_is_null(json_object_get(elo, "estimate")));
    assert_true(json_is_null(json_object_get(elo, "high")));
    assert_true(json_number_value(json_object_get(elo, "low")) > 400);
    assert_non_null(json_object_get(elo, "reason"));
    json_t *pairing = json_array_get(json_object_get(table, "pairings"), 0);
    json_t *pairing_elo = json_object_get(pairing, "elo");
    assert_true(json_is_null(json_object_get(pairing_elo, "estimate")));
    assert_true(json_is_null(json_object_get(pairing, "expected_score")));
    json_decref(json);
    char *text = ladder_text(path);
    assert_non_null(strstr(text, "greedy  > "));
    assert_non_null(strstr(text, "note: '>' and '<' are bounds"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    hy_experiment_clean_up(&experiment);
}

static void a_database_without_games_has_no_ratings(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(5, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=6 seeds=4", "random", "greedy", true);
    const char *path = shown_database("none.db", &experiment);
    sql(path, "DELETE FROM chain; DELETE FROM game");
    char *text = ladder_text(path);
    assert_non_null(strstr(text, "0 games with a result"));
    free(text);
    json_t *json = ladder_json(path);
    assert_int_equal(json_array_size(json_object_get(json, "tables")), 1);
    json_decref(json);
    hy_experiment_clean_up(&experiment);
}

static void damaged_rows_are_refused(void **state)
{
    (void)state;
    hy_experiment experiment = round_robin(5, one_board, 1, false);
    const char *path = shown_database("damaged.db", &experiment);
    hy_store *store;
    hy_ladder ladder;
    hy_error error;
    sql(path, "UPDATE game SET result = 'east' WHERE number = 3");
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    assert_int_equal(hy_ladder_build(store, NULL, &ladder, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "game 3"));
    hy_store_abandon(store);
    hy_experiment_clean_up(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stronger_policies_stand_higher),
        cmocka_unit_test(pairings_agree_with_the_rows),
        cmocka_unit_test(each_board_has_a_table),
        cmocka_unit_test(games_without_a_result_are_counted),
        cmocka_unit_test(repeated_games_are_noticed),
        cmocka_unit_test(what_cannot_be_rated_is_refused),
        cmocka_unit_test(perfect_scores_are_shown_as_bounds),
        cmocka_unit_test(a_database_without_games_has_no_ratings),
        cmocka_unit_test(damaged_rows_are_refused),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
