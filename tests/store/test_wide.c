/* Sums that pass 63 and 64 bits: exact in what is computed, refused where a row cannot hold them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "store/databases.h"
#include "store/internal.h"

static hy_store *open_store(const char *path)
{
    hy_store *store;
    hy_error error;
    if (hy_store_open(path, &store, &error) != HY_OK)
        fail_msg("%s", error.text);
    return store;
}

/* A database of an experiment that asks for many games, of which a few have been played. */
static const char *play_few(const char *name, hy_record record, const hy_stop *stop, uint64_t games)
{
    hy_experiment experiment = experiment_small(100, record);
    file_remove(scratch_path(name));
    const char *path = play_all(name, &experiment, 1);
    hy_store *store;
    hy_error error;
    experiment.games = games;
    if (stop) { /* as if it had been there from the first game on */
        char text[HY_STOP_TEXT_SIZE], statement[HY_STOP_TEXT_SIZE + 64];
        hy_stop_print(stop, text);
        snprintf(statement, sizeof statement, "UPDATE experiment SET stop = '%s', games = %d", text,
                 (int)games);
        sql(path, statement);
        experiment.stop = *stop;
    }
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    assert_int_equal(hy_store_close(store, &error), HY_OK);
    hy_experiment_clean_up(&experiment);
    return path;
}

static const hy_stop stop_at_plies = {.kind = HY_STOP_HALF_WIDTH,
                                      .every = 100,
                                      .metric = HY_STOP_METRIC_PLIES,
                                      .half_width = 1,
                                      .confidence = 0.95};

/* Games of the greatest length, so many that the sum of squares passes 63 bits. */
static void looks_at_rows_are_exact(void **state)
{
    (void)state;
    enum { GAMES = 200000 };
    const char *path = play_few("rows.db", HY_RECORD_GAMES, &stop_at_plies, GAMES);
    sql(path,
        "CREATE TEMP TABLE model AS SELECT * FROM game WHERE condition_id = 1 AND number = 0;"
        "UPDATE model SET plies = 10000000;"
        "DELETE FROM game WHERE condition_id = 1;"
        "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199999) "
        "INSERT INTO game SELECT condition_id, swapped, i, termination, result, south_score, "
        "north_score, plies, turns, passes, laps, counters, captures, casas, chains, "
        "longest_chain, longest_turn, lead_changes, legal_holes, decision_plies, south_captures, "
        "south_chains, claimed, move_hash FROM model, n");
    hy_store *store = open_store(path);
    hy_stop_metric_sums sums;
    hy_summary summary = {0};
    hy_error error;
    bool found;
    if (hy_store_get_look(store, 0, false, (hy_window){0, GAMES}, &sums, &found, &error) != HY_OK)
        fail_msg("%s", error.text);
    hy_wide squares = (hy_wide)HY_LIMIT_MAX_PLIES * HY_LIMIT_MAX_PLIES * GAMES; /* 2·10^19 */
    assert_true(found);
    assert_true(squares > UINT64_MAX);
    assert_true(sums.yy == squares);
    assert_int_equal(sums.y, (uint64_t)HY_LIMIT_MAX_PLIES * GAMES);
    assert_int_equal(hy_store_summary(store, 0, false, &summary, &error), HY_OK);
    assert_true(hy_summary_product(&summary, HY_PRODUCT_PLIES_PLIES) == squares);
    sums = hy_stop_metric_sum(HY_STOP_METRIC_PLIES, &summary);
    assert_true(sums.yy == squares);
    hy_summary_clean_up(&summary);
    hy_store_abandon(store);
}

/* Three blocks whose sums of squares are what a row can just hold. */
static void sums_over_blocks_are_exact(void **state)
{
    (void)state;
    const char *path = play_few("blocks.db", HY_RECORD_SUMMARY, NULL, 300000);
    sql(path,
        "UPDATE block SET products = json_set(products, '$.\"laps*laps\"', "
        "9223372036854775807) WHERE condition_id = 1;"
        "INSERT INTO block SELECT condition_id, swapped, block + 1, games, results, "
        "terminations, sums, products, max_plies, longest_turn, longest_chain, lengths, "
        "chains, sketch, sketch_full, played FROM block WHERE condition_id = 1;"
        "INSERT INTO block SELECT condition_id, swapped, block + 2, games, results, "
        "terminations, sums, products, max_plies, longest_turn, longest_chain, lengths, "
        "chains, sketch, sketch_full, played FROM block WHERE condition_id = 1 AND block = 0");
    hy_store *store = open_store(path);
    hy_summary summary = {0};
    hy_error error;
    if (hy_store_summary(store, 0, false, &summary, &error) != HY_OK)
        fail_msg("%s", error.text);
    assert_int_equal(summary.games, 300);
    assert_true(hy_summary_product(&summary, HY_PRODUCT_LAPS_LAPS) == 3 * (hy_wide)INT64_MAX);
    hy_summary_clean_up(&summary);
    hy_store_abandon(store);
}

/* A block or a look that cannot be stored is an error before anything is written. */
static void what_no_row_can_hold_is_refused(void **state)
{
    (void)state;
    const char *path = play_few("full.db", HY_RECORD_SUMMARY, &stop_at_plies, 100);
    hy_experiment experiment = experiment_small(100, HY_RECORD_SUMMARY);
    hy_store *store;
    hy_error error;
    uint64_t played[HY_BLOCK_WORDS] = {1};
    hy_summary summary = {
        .games = 1, .results = {[HY_RESULT_NONE] = 1}, .terminations = {[HY_TRUNCATED] = 1}};
    assert_int_equal(hy_summary_add_length(&summary, HY_TRUNCATED, 0, 1, NULL), HY_OK);
    experiment.stop = stop_at_plies;
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    hy_block_key key = {0, false, 5};
    summary.products[HY_PRODUCT_LAPS_LAPS] = INT64_MAX;
    assert_int_equal(hy_store_begin(store, &error), HY_OK);
    assert_int_equal(hy_store_put_block(store, key, &summary, played, &error), HY_OK);
    summary.carries[HY_PRODUCT_LAPS_LAPS] = 1;
    assert_int_equal(hy_store_put_block(store, key, &summary, played, &error), HY_FAILED);
    assert_non_null(strstr(error.text, "63 bits"));
    summary.carries[HY_PRODUCT_LAPS_LAPS] = 0;
    summary.sums[HY_QUANTITY_LAPS] = (uint64_t)INT64_MAX + 1;
    assert_int_equal(hy_store_put_block(store, key, &summary, played, &error), HY_FAILED);
    hy_summary_clean_up(&summary);
    hy_store_abandon(store);

    sql(path, "UPDATE block SET products = json_set(products, '$.\"plies*plies\"', "
              "9223372036854775807) WHERE condition_id = 1;"
              "INSERT INTO block SELECT condition_id, swapped, 1, games, results, terminations, "
              "sums, products, max_plies, longest_turn, longest_chain, lengths, chains, sketch, "
              "sketch_full, played FROM block WHERE condition_id = 1");
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    assert_int_equal(hy_store_put_look(store, 0, (hy_window){0, 200}, &error), HY_FAILED);
    assert_non_null(strstr(error.text, "63 bits"));
    hy_store_abandon(store);
    hy_experiment_clean_up(&experiment);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_at_rows_are_exact),
        cmocka_unit_test(sums_over_blocks_are_exact),
        cmocka_unit_test(what_no_row_can_hold_is_refused),
    };
    return cmocka_run_group_tests_name("store/wide", tests, scratch_make, scratch_remove);
}
