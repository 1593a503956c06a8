/* Rows of games come back as they were written, whatever is in them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "store/databases.h"
#include "store/internal.h"
#include "support/dice.h"

/* Small numbers, all bits, and anything between. */
static uint32_t number_random(dice *d)
{
    static const uint32_t special[] = {0, 1, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX};
    if (dice_one_in(d, 2))
        return special[dice_below(d, NUM(special))];
    return (uint32_t)dice_u64(d) >> dice_below(d, 32);
}

static hy_game_record record_random(dice *d, uint64_t number)
{
    hy_game_record record = {
        .number = number,
        .termination = (hy_termination)(1 + dice_below(d, HY_NUM_TERMINATIONS - 1)),
        .result = (hy_result)dice_below(d, HY_NUM_RESULTS),
        .score = {number_random(d), number_random(d)},
        .plies = dice_below(d, 20),
        .turns = number_random(d),
        .passes = number_random(d),
        .laps = dice_one_in(d, 3) ? INT64_MAX : dice_u64(d) >> 1,
        .counters = dice_one_in(d, 3) ? INT64_MAX : dice_u64(d) >> 1,
        .captures = number_random(d),
        .casas = number_random(d),
        .longest_turn = number_random(d),
        .lead_changes = number_random(d),
        .legal_holes = number_random(d),
        .decision_plies = number_random(d),
        .south_captures = number_random(d),
        .south_chains = number_random(d),
        .claimed = number_random(d),
        .move_hash = dice_u64(d) >> (dice_one_in(d, 4) ? 60 : 0),
    };
    for (unsigned n = dice_below(d, 4); n > 0; n--) {
        unsigned length = 1 + dice_below(d, HY_MAX_CHAIN);
        record.chain_count[length] = number_random(d);
        record.chains += record.chain_count[length] > 0;
        if (record.chain_count[length] > 0 && record.longest_chain < length)
            record.longest_chain = length;
    }
    return record;
}

#define NUM_RECORDS 200u

typedef struct written {
    hy_game_record records[NUM_RECORDS];
    uint8_t holes[NUM_RECORDS * 20];
} written;

static const char *write_records(written *w, dice *d)
{
    hy_experiment experiment = experiment_small(NUM_RECORDS, HY_RECORD_MOVES);
    const char *path = scratch_path("games.db");
    hy_store *store;
    hy_error error;
    file_remove(path);
    size_t used = 0;
    for (unsigned i = 0; i < NUM_RECORDS; i++) {
        w->records[i] = record_random(d, i);
        for (unsigned j = 0; j < w->records[i].plies; j++)
            w->holes[used++] = (uint8_t)dice_below(d, HY_MAX_BOARD);
    }
    hy_chunk chunk = {
        .key = {1, true, 0},
        .num_games = NUM_RECORDS,
        .records = w->records,
        .holes = {.holes = w->holes, .num = used},
    };
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    if (hy_store_take(store, &chunk, &error) != HY_OK)
        fail_msg("%s", error.text);
    assert_int_equal(hy_store_close(store, &error), HY_OK);
    hy_experiment_clean_up(&experiment);
    return path;
}

static void any_record_comes_back(void **state)
{
    (void)state;
    static written w;
    dice d = {5};
    hy_store *store;
    const char *path = write_records(&w, &d);
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    hy_hole_list holes = {0};
    const uint8_t *expected = w.holes;
    for (unsigned i = 0; i < NUM_RECORDS; i++) {
        hy_game_record record;
        bool found;
        hy_error error;
        if (hy_store_game(store, 1, true, i, &record, &holes, &found, &error) != HY_OK)
            fail_msg("game %u: %s", i, error.text);
        assert_true(found);
        const char *column = hy_record_difference(&record, &w.records[i]);
        if (column)
            fail_msg("game %u: %s", i, column);
        assert_int_equal(record.number, i);
        assert_int_equal(holes.num, record.plies);
        assert_memory_equal(holes.holes, expected, holes.num);
        expected += holes.num;
        assert_int_equal(hy_store_game(store, 1, false, i, &record, NULL, &found, NULL), HY_OK);
        assert_false(found);
    }
    free(holes.holes);
    hy_store_abandon(store);
}

/* Reading all in a row gives what reading one by one does, in the order of numbers. */
static void a_cursor_reads_the_same(void **state)
{
    (void)state;
    static written w;
    dice d = {6};
    hy_store *store;
    hy_game_cursor cursor;
    hy_game_record record;
    bool found;
    const char *path = write_records(&w, &d);
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    assert_int_equal(hy_game_cursor_open(store, 1, true, &cursor, NULL), HY_OK);
    for (unsigned i = 0; i < NUM_RECORDS; i++) {
        assert_int_equal(hy_game_cursor_next(&cursor, &record, &found, NULL), HY_OK);
        assert_true(found);
        assert_int_equal(record.number, i);
        const char *column = hy_record_difference(&record, &w.records[i]);
        if (column)
            fail_msg("game %u: %s", i, column);
    }
    assert_int_equal(hy_game_cursor_next(&cursor, &record, &found, NULL), HY_OK);
    assert_false(found);
    hy_game_cursor_close(&cursor);
    hy_store_abandon(store);
}

/* Where every sowing is endless and forbidden, a game is over before its first ply. */
static void a_game_without_plies_is_stored(void **state)
{
    (void)state;
    for (hy_record level = 0; level < HY_NUM_RECORDS; level++) {
        hy_experiment experiment = experiment_new(10, level);
        experiment_add(&experiment,
                       "holes=1 seeds=2 skip_origin=true casa=2 claim=0 endless=forbid", "random",
                       "random", true);
        file_remove(scratch_path("still.db"));
        const char *path = play_all("still.db", &experiment, 2);
        assert_verifies(path, 20);
        assert_int_equal(sql_integer(path, "SELECT sum(ended_stuck) FROM v_condition"), 20);
        hy_experiment_clean_up(&experiment);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_record_comes_back),
        cmocka_unit_test(a_cursor_reads_the_same),
        cmocka_unit_test(a_game_without_plies_is_stored),
    };
    return cmocka_run_group_tests_name("store/games", tests, scratch_make, scratch_remove);
}
