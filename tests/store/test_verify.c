/* Verification agrees with what was played and with nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "store/databases.h"

#define GAMES 150u
#define ALL_GAMES (3 * GAMES)

static const char *good; /* the database that a test damages a copy of */
static hy_experiment experiment;

static void set_up(hy_record record)
{
    experiment = experiment_small(GAMES, record);
    file_remove(scratch_path("good.db"));
    good = play_all("good.db", &experiment, 2);
}

static void tear_down(void)
{
    file_remove(good);
    hy_experiment_clean_up(&experiment);
}

/* Verification of a copy changed so finds a difference that names the word. */
static void finds(const char *statements, const char *word)
{
    const char *path = file_copy(good, "damaged.db");
    sql(path, statements);
    hy_error error = {0};
    uint64_t num_games;
    hy_status status = verify_file(path, 2, &num_games, &error);
    if (status != HY_MISMATCH || !strstr(error.text, word))
        fail_msg("after '%s': status %d, '%s' not in: %s", statements, status, word, error.text);
    file_remove(path);
}

static void good_data_agrees(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        set_up(record);
        const char *before = file_copy(good, "before.db");
        for (unsigned threads = 1; threads <= 5; threads += 2) {
            uint64_t num_games;
            hy_error error;
            if (verify_file(good, threads, &num_games, &error) != HY_OK)
                fail_msg("%s", error.text);
            assert_int_equal(num_games, ALL_GAMES);
        }
        assert_true(file_same(before, good));
        assert_false(file_has_company(good));
        tear_down();
    }
}

static void an_empty_database_agrees(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment none = experiment_small(GAMES, record);
        hy_store *store;
        const char *path = scratch_path("empty.db");
        assert_int_equal(hy_store_open_for(path, &none, &store, NULL), HY_OK);
        assert_int_equal(hy_store_close(store, NULL), HY_OK);
        assert_verifies(path, 0);
        file_remove(path);
        hy_experiment_clean_up(&none);
    }
}

static const char *const number_columns[] = {
    "south_score",    "north_score",  "plies",        "turns",       "passes",
    "laps",           "counters",     "captures",     "casas",       "chains",
    "longest_chain",  "longest_turn", "lead_changes", "legal_holes", "decision_plies",
    "south_captures", "south_chains", "claimed",
};

/* By one, and by 2^32, which 32 bits do not show. */
static void every_number_of_a_game_is_compared(void **state)
{
    (void)state;
    static const char *const additions[] = {"1", "4294967296", "-4294967296"};
    set_up(HY_RECORD_GAMES);
    for (size_t i = 0; i < NUM(number_columns); i++) {
        for (size_t j = 0; j < NUM(additions); j++) {
            char statement[256];
            const char *column = number_columns[i];
            snprintf(statement, sizeof statement,
                     "UPDATE game SET %s = %s + (%s) WHERE condition_id = 2 AND swapped = 1 AND "
                     "number = 149",
                     column, column, additions[j]);
            finds(statement, "149");
        }
    }
    tear_down();
}

static void every_word_of_a_game_is_compared(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"termination = CASE termination WHEN 'endless' THEN 'claimed' ELSE 'endless' END",
         "termination"},
        {"termination = 'goes_on'", "damaged"},
        {"result = CASE result WHEN 'none' THEN 'draw' ELSE 'none' END", "result"},
        {"result = 'South'", "damaged"},
        {"move_hash = substr(move_hash, 2) || substr(move_hash, 1, 1)", "move_hash"},
        {"move_hash = upper(move_hash)", "damaged"},
        {"move_hash = move_hash || ' '", "damaged"},
        {"move_hash = ' ' || move_hash", "damaged"},
        {"move_hash = ''", "damaged"},
    };
    set_up(HY_RECORD_GAMES);
    for (size_t i = 0; i < NUM(changes); i++) {
        char statement[256];
        snprintf(statement, sizeof statement,
                 "UPDATE game SET %s WHERE condition_id = 1 AND number = 3", changes[i][0]);
        finds(statement, changes[i][1]);
    }
    tear_down();
}

/* The chains of the row go as well, so that nothing else is loose. */
static void every_key_of_a_game_is_compared(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "number = 150",         "number = -1",
        "number = 4294967299",  "swapped = 1",
        "swapped = -1",         "swapped = 2",
        "swapped = 4294967296", "condition_id = 3",
        "condition_id = 0",     "condition_id = 4294967297",
    };
    set_up(HY_RECORD_GAMES);
    for (size_t i = 0; i < NUM(changes); i++) {
        char statement[256];
        snprintf(statement, sizeof statement,
                 "DELETE FROM chain WHERE condition_id = 1 AND number = 3;"
                 "UPDATE game SET %s WHERE condition_id = 1 AND number = 3",
                 changes[i]);
        finds(statement, "1 rows");
    }
    tear_down();
}

/* One game's row in the place of another one's. */
static void a_row_in_anothers_place_is_found(void **state)
{
    (void)state;
    set_up(HY_RECORD_GAMES);
    finds("DELETE FROM game WHERE condition_id = 2 AND swapped = 0 AND number = 5;"
          "UPDATE game SET swapped = 0 WHERE condition_id = 2 AND swapped = 1 AND number = 5",
          "game 5");
    finds("DELETE FROM game WHERE condition_id = 1 AND number = 5;"
          "DELETE FROM chain WHERE condition_id = 1 AND number IN (5, 6);"
          "UPDATE game SET number = 5 WHERE condition_id = 1 AND number = 6",
          "game 5");
    finds("INSERT INTO game SELECT condition_id, swapped, 150, termination, result, south_score, "
          "north_score, plies, turns, passes, laps, counters, captures, casas, chains, "
          "longest_chain, longest_turn, lead_changes, legal_holes, decision_plies, south_captures, "
          "south_chains, claimed, move_hash FROM game WHERE condition_id = 1 "
          "AND number = 149",
          "1 rows");
    tear_down();
}

#define ONE_CHAIN                                                                                  \
    "WHERE (condition_id, swapped, number, length) = (SELECT condition_id, swapped, number, "      \
    "length FROM chain ORDER BY length DESC, number LIMIT 1)"

static void every_change_of_chains_is_found(void **state)
{
    (void)state;
    set_up(HY_RECORD_GAMES);
    assert_true(sql_integer(good, "SELECT count(*) FROM chain") > 20);
    finds("DELETE FROM chain " ONE_CHAIN, "chain");
    finds("UPDATE chain SET count = count + 1 " ONE_CHAIN, "chain");
    finds("UPDATE chain SET count = count + 4294967296 " ONE_CHAIN, "damaged");
    finds("UPDATE chain SET length = length + 1 " ONE_CHAIN, "chain");
    finds("UPDATE chain SET length = 64 " ONE_CHAIN, "damaged");
    finds("UPDATE chain SET length = 0 " ONE_CHAIN, "damaged");
    finds("UPDATE chain SET number = 150 " ONE_CHAIN, "rows");
    finds("INSERT INTO chain VALUES (1, 0, 200, 1, 1)", "1 rows");
    finds("INSERT INTO chain VALUES (1, 1, 1, 1, 1)", "1 rows");
    finds("INSERT INTO chain SELECT condition_id, swapped, number, 50, 0 FROM game WHERE number = "
          "1 AND condition_id = 1",
          "damaged");
    tear_down();
}

#define ONE_MOVE "WHERE condition_id = 2 AND swapped = 1 AND number = 77"

static void every_change_of_holes_is_found(void **state)
{
    (void)state;
    set_up(HY_RECORD_MOVES);
    finds("UPDATE move SET holes = substr(holes, 1, length(holes) - 1) " ONE_MOVE, "holes");
    finds("UPDATE move SET holes = CAST(holes || X'00' AS BLOB) " ONE_MOVE, "holes");
    finds("UPDATE move SET holes = CAST(X'09' || substr(holes, 2) AS BLOB) " ONE_MOVE, "holes");
    finds("UPDATE move SET holes = X'' " ONE_MOVE, "holes");
    finds("DELETE FROM move " ONE_MOVE, "holes");
    finds("UPDATE move SET number = 150 " ONE_MOVE, "rows");
    finds("INSERT INTO move VALUES (1, 1, 0, X'00')", "1 rows");
    finds("UPDATE game SET plies = plies + 1 " ONE_MOVE, "plies");
    tear_down();
}

#define ONE_BLOCK " WHERE condition_id = 2 AND swapped = 1"
#define JSON_PLUS(column, key)                                                                     \
    "UPDATE block SET " column " = json_set(" column ", '$." key "', (" column " ->> '" key        \
    "') + 1)" ONE_BLOCK

static void every_column_of_a_block_is_compared(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"UPDATE block SET results = json_set(results, '$.south', results ->> 'north', '$.north', "
         "results ->> 'draw', '$.draw', results ->> 'none', '$.none', results ->> "
         "'south')" ONE_BLOCK,
         "results"},
        {JSON_PLUS("results", "south"), "damaged"}, /* they are not as many as the games */
        {JSON_PLUS("results", "none"), "damaged"},
        {JSON_PLUS("terminations", "claimed"), "damaged"},
        {JSON_PLUS("terminations", "truncated"), "damaged"},
        {JSON_PLUS("sums", "plies"), "damaged"}, /* nor those of the lengths */
        {JSON_PLUS("sums", "laps"), "sums"},
        {JSON_PLUS("sums", "north_score"), "sums"},
        {JSON_PLUS("products", "\"plies*plies\""), "products"},
        {JSON_PLUS("products", "\"casas*captures\""), "products"},
        {JSON_PLUS("results", "nobody"), "block"},
        {"UPDATE block SET games = games + 1" ONE_BLOCK, "block"},
        {"UPDATE block SET max_plies = max_plies + 1" ONE_BLOCK, "damaged"},
        {"UPDATE block SET longest_turn = longest_turn + 1" ONE_BLOCK, "longest_turn"},
        {"UPDATE block SET longest_chain = longest_chain + 1" ONE_BLOCK, "longest_chain"},
        {"UPDATE block SET lengths = json_set(lengths, '$.truncated', json('[[25, 1]]'))" ONE_BLOCK,
         "damaged"},
        {"UPDATE block SET lengths = json_set(lengths, '$.goes_on', json('[[25, 1]]'))" ONE_BLOCK,
         "damaged"},
        {"UPDATE block SET chains = json_set(chains, '$[0][0]', 60)" ONE_BLOCK, "chains"},
        {"UPDATE block SET chains = '[]'" ONE_BLOCK, "damaged"},
        {"UPDATE block SET chains = json_insert(chains, '$[#]', json('[60, 1]'))" ONE_BLOCK,
         "damaged"},
        {"UPDATE block SET chains = json_insert(chains, '$[#]', json_extract(chains, "
         "'$[0]'))" ONE_BLOCK,
         "damaged"},
        {"UPDATE block SET sketch = CAST(substr(sketch, 9) AS BLOB)" ONE_BLOCK, "sketch"},
        {"UPDATE block SET sketch_full = 1 - sketch_full" ONE_BLOCK, "sketch"},
        {"UPDATE block SET sketch_full = 2" ONE_BLOCK, "damaged"},
        {"UPDATE block SET played = NULL" ONE_BLOCK, "damaged"},
        {"UPDATE block SET played = CAST(substr(played, 2) AS BLOB)" ONE_BLOCK, "damaged"},
        {"UPDATE block SET played = CAST(X'fe' || substr(played, 2, 99) || X'01' || "
         "substr(played, 102) AS BLOB)" ONE_BLOCK,
         "rows"},
        {"UPDATE block SET block = 1" ONE_BLOCK, "rows"},
        {"UPDATE block SET swapped = 2" ONE_BLOCK, "rows"},
        {"UPDATE block SET condition_id = 1" ONE_BLOCK, "rows"},
        {"UPDATE block SET condition_id = 7" ONE_BLOCK, "rows"},
    };
    set_up(HY_RECORD_SUMMARY);
    for (size_t i = 0; i < NUM(changes); i++)
        finds(changes[i][0], changes[i][1]);
    tear_down();
}

/* A table of another level of record has no rows; the views would count them as well. */
static void rows_of_another_level_are_found(void **state)
{
    (void)state;
    static const char block[] =
        "INSERT INTO block VALUES (1, 0, 0, 1, '{}', '{}', '{}', '{}', 1, 1, 1, '{}', '[]', X'', "
        "0, NULL)";
    static const char game[] = "INSERT INTO game VALUES (1, 0, 0, 'claimed', 'draw', 0, 0, 0, 0, "
                               "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '0123456789abcdef')";
    static const char move[] = "INSERT INTO move VALUES (1, 0, 0, X'00')";
    set_up(HY_RECORD_SUMMARY);
    finds(game, "1 rows");
    finds(move, "1 rows");
    finds("INSERT INTO chain VALUES (1, 0, 0, 1, 1)", "1 rows");
    tear_down();
    set_up(HY_RECORD_GAMES);
    finds(block, "1 rows");
    finds(move, "1 rows");
    tear_down();
    set_up(HY_RECORD_MOVES);
    finds(block, "1 rows");
    tear_down();
}

static void an_interrupted_verification_says_so(void **state)
{
    (void)state;
    set_up(HY_RECORD_GAMES);
    atomic_int stop = 1;
    hy_verification verification = {.threads = 2, .stop = &stop};
    hy_store *store;
    uint64_t num_games;
    assert_int_equal(hy_store_open(good, &store, NULL), HY_OK);
    assert_int_equal(hy_store_verify(store, &verification, &num_games, NULL), HY_INTERRUPTED);
    assert_int_equal(num_games, 0);
    hy_store_abandon(store);
    tear_down();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_data_agrees),
        cmocka_unit_test(an_empty_database_agrees),
        cmocka_unit_test(every_number_of_a_game_is_compared),
        cmocka_unit_test(every_word_of_a_game_is_compared),
        cmocka_unit_test(every_key_of_a_game_is_compared),
        cmocka_unit_test(a_row_in_anothers_place_is_found),
        cmocka_unit_test(every_change_of_chains_is_found),
        cmocka_unit_test(every_change_of_holes_is_found),
        cmocka_unit_test(every_column_of_a_block_is_compared),
        cmocka_unit_test(rows_of_another_level_are_found),
        cmocka_unit_test(an_interrupted_verification_says_so),
    };
    return cmocka_run_group_tests_name("store/verify", tests, scratch_make, scratch_remove);
}
