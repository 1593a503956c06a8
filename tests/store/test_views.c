/* The views say the same of rows as of blocks, and their totals are the games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "store/databases.h"

#define GAMES 300u

static const char *rows, *blocks;

/* The same games as rows and as blocks: two conditions, three seatings. */
static int set_up(void **state)
{
    if (scratch_make(state) != 0)
        return -1;
    hy_experiment experiment = experiment_small(GAMES, HY_RECORD_GAMES);
    rows = play_all("rows.db", &experiment, 2);
    experiment.record = HY_RECORD_SUMMARY;
    blocks = play_all("blocks.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    return 0;
}

static void assert_both(const char *query, int64_t expected)
{
    assert_int_equal(sql_integer(rows, query), expected);
    assert_int_equal(sql_integer(blocks, query), expected);
}

/* The query gives the same text in both databases. */
static void assert_same(const char *query)
{
    char text[16384];
    snprintf(text, sizeof text, "%s", sql_text(rows, query));
    assert_true(strlen(text) > 0 && strcmp(text, "NULL") != 0);
    assert_string_equal(sql_text(blocks, query), text);
}

static void the_tallies_are_partitions(void **state)
{
    (void)state;
    assert_both("SELECT count(*) FROM v_condition", 3);
    assert_both("SELECT sum(games) FROM v_condition", 3 * GAMES);
    assert_both("SELECT count(*) FROM v_condition WHERE south + north + draw + none != games", 0);
    assert_both("SELECT count(*) FROM v_condition WHERE ended_claimed + ended_exhausted + "
                "ended_swept + ended_stuck + "
                "ended_repetition + ended_endless + ended_unresolved + ended_truncated != games",
                0);
    assert_true(sql_integer(rows, "SELECT min(ended_truncated) FROM v_condition WHERE id = 2") > 0);
    assert_true(sql_integer(rows, "SELECT ended_endless FROM v_condition WHERE id = 1") > 0);
    assert_same(
        "SELECT group_concat(condition_id || ' ' || swapped || ' ' || holes || ' ' || south "
        "|| ' ' || north || ' ' || draw || ' ' || none || ' ' || ended_claimed || ' ' || "
        "ended_exhausted || ' ' || ended_swept || ' ' || ended_stuck || ' ' || ended_repetition || "
        "' ' || ended_endless "
        "|| ' ' || ended_unresolved || ' ' || ended_truncated || ' ' || captures || ' ' || chains) "
        "FROM "
        "(SELECT * FROM v_condition ORDER BY condition_id, swapped)");
    assert_int_equal(sql_integer(rows, "SELECT sum(captures) FROM game"),
                     sql_integer(blocks, "SELECT sum(captures) FROM v_condition"));
}

static void chains_add_up(void **state)
{
    (void)state;
    assert_true(sql_integer(rows, "SELECT sum(count) FROM v_chain") > 30);
    assert_both("SELECT count(*) FROM v_condition AS c WHERE chains != (SELECT "
                "coalesce(sum(count), 0) FROM v_chain AS n WHERE n.condition_id = c.condition_id "
                "AND n.swapped = c.swapped)",
                0);
    assert_same("SELECT group_concat(condition_id || ' ' || swapped || ' ' || length || ' ' || "
                "count) FROM (SELECT * FROM v_chain ORDER BY condition_id, swapped, length)");
    assert_int_equal(sql_integer(rows, "SELECT max(length) FROM v_chain"),
                     sql_integer(rows, "SELECT max(longest_chain) FROM game"));
}

static void lengths_add_up(void **state)
{
    (void)state;
    assert_both("SELECT sum(games) FROM v_survival", 3 * GAMES);
    assert_both(
        "SELECT count(*) FROM v_condition AS c WHERE ended_truncated + ended_unresolved != (SELECT "
        "sum(games * (1 - finished)) FROM v_survival AS s WHERE s.condition_id = "
        "c.condition_id AND s.swapped = c.swapped)",
        0);
    assert_both("SELECT count(*) FROM v_survival WHERE finished NOT IN (0, 1)", 0);
    assert_both("SELECT count(*) FROM v_survival WHERE NOT finished AND termination NOT IN "
                "('truncated', 'unresolved')",
                0);
    assert_both("SELECT count(*) FROM v_survival WHERE termination = 'truncated' AND time != 25",
                0);
    assert_same(
        "SELECT group_concat(condition_id || ' ' || swapped || ' ' || time || ' ' || "
        "finished || ' ' || termination || ' ' || games) FROM (SELECT condition_id, "
        "swapped, time, finished, termination, sum(games) AS games FROM v_survival GROUP BY "
        "condition_id, swapped, time, finished, termination ORDER BY 1, 2, 3, 4, 5)");
    assert_int_equal(sql_integer(rows, "SELECT sum(plies) FROM game"),
                     sql_integer(blocks, "SELECT sum(time * games) FROM v_survival"));
}

/* Points are the players' and the policies' in turn: together they are 1 where there is a result.
 */
static void points_of_games(void **state)
{
    (void)state;
    assert_int_equal(sql_integer(rows, "SELECT count(*) FROM v_game"), 3 * GAMES);
    static const char *const faults[] = {
        "south_points IS NOT 1.0 AND result = 'south'",
        "south_points IS NOT 0.0 AND result = 'north'",
        "south_points IS NOT 0.5 AND result = 'draw'",
        "south_points IS NOT NULL AND result = 'none'",
        "swapped = 0 AND first_policy_points IS NOT south_points",
        "swapped = 1 AND first_policy_points IS NOT 1 - south_points",
        "swapped = 0 AND (south_policy != first_policy OR north_policy != second_policy)",
        "swapped = 1 AND (south_policy != second_policy OR north_policy != first_policy)",
        "finished != (termination NOT IN ('truncated', 'unresolved'))",
        "condition_id = 1 AND (holes, seeds) != (3, 4)",
        "condition_id = 2 AND (holes, seeds) != (2, 5)",
    };
    for (size_t i = 0; i < NUM(faults); i++) {
        char query[256];
        snprintf(query, sizeof query, "SELECT count(*) FROM v_game WHERE %s", faults[i]);
        if (sql_integer(rows, query) != 0)
            fail_msg("%s", query);
    }
    assert_true(sql_integer(rows, "SELECT count(*) FROM v_game WHERE result = 'none'") > 0);
}

/* One row a number, whose points are those of the first policy in both games. */
static void pairs(void **state)
{
    (void)state;
    assert_int_equal(sql_integer(rows, "SELECT count(*) FROM v_pair"), GAMES);
    assert_int_equal(sql_integer(rows, "SELECT count(DISTINCT number) FROM v_pair"), GAMES);
    assert_int_equal(sql_integer(rows,
                                 "SELECT count(*) FROM v_pair WHERE first_policy != 'greedy' OR "
                                 "second_policy != 'random' OR condition_id != 2"),
                     0);
    assert_int_equal(
        sql_integer(rows, "SELECT count(*) FROM v_pair AS p WHERE first_policy_points IS NOT "
                          "(SELECT CASE WHEN count(first_policy_points) = 2 THEN "
                          "sum(first_policy_points) END FROM v_game AS g WHERE g.condition_id = "
                          "p.condition_id AND g.number = p.number)"),
        0);
    assert_int_equal(sql_integer(rows, "SELECT sum(plies + swapped_plies) FROM v_pair"),
                     sql_integer(rows, "SELECT sum(plies) FROM game WHERE condition_id = 2"));
    assert_int_equal(
        sql_integer(rows, "SELECT sum(first_policy_points_south) * 2 FROM v_pair"),
        sql_integer(rows,
                    "SELECT sum(south_points) * 2 FROM v_game WHERE south_policy = 'greedy'"));
    assert_int_equal(sql_integer(rows, "SELECT sum(first_policy_points_north) * 2 FROM v_pair"),
                     sql_integer(rows, "SELECT sum(1 - south_points) * 2 FROM v_game WHERE "
                                       "north_policy = 'greedy'"));
    assert_int_equal(sql_integer(blocks, "SELECT count(*) FROM v_pair"), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tallies_are_partitions),
        cmocka_unit_test(chains_add_up),
        cmocka_unit_test(lengths_add_up),
        cmocka_unit_test(points_of_games),
        cmocka_unit_test(pairs),
    };
    return cmocka_run_group_tests_name("store/views", tests, set_up, scratch_remove);
}
