/* The same games and decisions, however they were played. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "sequential/runs.h"

#define GAMES 20000u

/* The stop rules to be tried, each with the records that it takes. */
static const struct {
    hy_stop stop;
    bool pairs;
    hy_record from;
} cases[] = {
    {{.kind = HY_STOP_HALF_WIDTH,
      .every = 100,
      .metric = HY_STOP_METRIC_FIRST_PLAYER_SCORE,
      .half_width = 0.05,
      .confidence = 0.95},
     false,
     HY_RECORD_SUMMARY},
    {{.kind = HY_STOP_HALF_WIDTH,
      .every = 130,
      .metric = HY_STOP_METRIC_PLIES,
      .half_width = 0.15,
      .confidence = 0.9},
     false,
     HY_RECORD_SUMMARY},
    {{.kind = HY_STOP_HALF_WIDTH,
      .every = 70,
      .metric = HY_STOP_METRIC_CHAINS,
      .half_width = 0.007,
      .confidence = 0.95},
     false,
     HY_RECORD_SUMMARY},
    {{.kind = HY_STOP_SPRT,
      .every = 50,
      .elo0 = 0,
      .elo1 = 20,
      .alpha = 0.05,
      .beta = 0.05,
      .scale = HY_SCALE_NORMALIZED},
     true,
     HY_RECORD_GAMES},
};

static hy_experiment experiment_of(size_t index, hy_record record)
{
    return cases[index].pairs ? experiment_pairs(GAMES, record, &cases[index].stop)
                              : experiment_rounds(GAMES, record, &cases[index].stop);
}

/* What was decided, as text. */
typedef struct decisions {
    char text[2048];
} decisions;

static decisions decisions_of(const char *path)
{
    decisions found;
    snprintf(found.text, sizeof found.text, "%s",
             sql_text(path,
                      "SELECT group_concat(condition_id || ' ' || swapped || ' ' || reason || "
                      "' ' || games || ' ' || looks || ' ' || counted || ' ' || left_out || "
                      "' ' || statistic || ' ' || low || ' ' || high, ', ') "
                      "FROM (SELECT * FROM stop ORDER BY condition_id, swapped)"));
    return found;
}

/* Exactly the games below `games` of every seating. */
static void assert_only_those_games(const char *path)
{
    assert_int_equal(sql_integer(path, "SELECT count(*) FROM condition AS c WHERE (SELECT count(*) "
                                       "FROM stop WHERE condition_id = c.id) <> 1 + c.swap"),
                     0);
    assert_int_equal(
        sql_integer(path, "SELECT count(*) FROM stop WHERE counted + left_out <> games"), 0);
    assert_int_equal(
        sql_integer(
            path, "SELECT count(*) FROM stop AS s JOIN condition AS c ON c.id = s.condition_id "
                  "WHERE (SELECT count(*) FROM game AS g WHERE g.condition_id = c.id AND g.number "
                  "< s.games) + (SELECT total(games) FROM block AS b WHERE b.condition_id = c.id) "
                  "<> s.games * (1 + c.swap)"),
        0);
    assert_int_equal(sql_integer(path, "SELECT count(*) FROM game AS g JOIN stop AS s ON "
                                       "s.condition_id = g.condition_id WHERE g.number >= s.games"),
                     0);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const unsigned threads[] = {2, 7};
    for (size_t i = 0; i < NUM(cases); i++) {
        for (hy_record record = cases[i].from; record < HY_NUM_RECORDS; record++) {
            hy_experiment experiment = experiment_of(i, record);
            const char *path = run_all("one.db", &experiment, 1);
            digest plain = digest_of(path);
            decisions decided = decisions_of(path);
            assert_only_those_games(path);
            assert_all_verifies(path);
            file_remove(path);
            for (size_t j = 0; j < NUM(threads); j++) {
                path = run_all("many.db", &experiment, threads[j]);
                decisions again = decisions_of(path);
                assert_digest(path, &plain);
                assert_string_equal(again.text, decided.text);
                file_remove(path);
            }
            hy_experiment_clean_up(&experiment);
        }
    }
}

/* The level of record does not matter for what is decided, and different conditions are ended by
 * different numbers of games, before the most. */
static void records_change_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM(cases); i++) {
        decisions first;
        for (hy_record record = cases[i].from; record < HY_NUM_RECORDS; record++) {
            hy_experiment experiment = experiment_of(i, record);
            const char *path = run_all("record.db", &experiment, 2);
            decisions found = decisions_of(path);
            if (record == cases[i].from)
                first = found;
            assert_string_equal(found.text, first.text);
            assert_true(sql_integer(path, "SELECT count(DISTINCT games) FROM stop") > 1);
            if (sql_integer(path, "SELECT max(games) FROM stop") >= GAMES)
                fail_msg("case %zu: %s", i, found.text);
            assert_in_range(sql_integer(path, "SELECT max(looks) FROM stop"), 4, 40);
            file_remove(path);
            hy_experiment_clean_up(&experiment);
        }
    }
}

/* Stops at that choice, goes on, stops again, and so on to the end. */
static unsigned run_with_stops(const char *path, size_t index, hy_record record, unsigned threads,
                               unsigned long stop_at)
{
    unsigned stops = 0;
    hy_error error;
    hy_status status;
    do {
        hy_experiment experiment = experiment_of(index, record);
        experiment_hook(&experiment, stop_at);
        status = run_into(path, &experiment, threads, HY_WHOLE_SHARD, &hook.stop, &error);
        hy_experiment_clean_up(&experiment);
        stops += status == HY_INTERRUPTED;
        stop_at = 4 * stop_at + 1;
        if (status == HY_INTERRUPTED)
            assert_all_verifies(path);
    } while (status == HY_INTERRUPTED);
    if (status != HY_OK)
        fail_msg("after %u stops: %s", stops, error.text);
    return stops;
}

static void interruptions_change_nothing(void **state)
{
    (void)state;
    static const unsigned long stops[] = {1, 400};
    for (size_t i = 0; i < NUM(cases); i++) {
        for (hy_record record = cases[i].from; record < HY_NUM_RECORDS; record++) {
            hy_experiment experiment = experiment_of(i, record);
            const char *path = run_all("plain.db", &experiment, 1);
            digest plain = digest_of(path);
            decisions decided = decisions_of(path);
            file_remove(path);
            hy_experiment_clean_up(&experiment);
            for (size_t j = 0; j < NUM(stops); j++) {
                path = scratch_path("stops.db");
                assert_true(run_with_stops(path, i, record, 1 + 2 * (unsigned)j, stops[j]) > 1);
                decisions again = decisions_of(path);
                assert_digest(path, &plain);
                assert_string_equal(again.text, decided.text);
                file_remove(path);
            }
        }
    }
}

/* A kill between the last game of a look and its decision: rows of `stop` and the last rows of
 * `look` are missing. The same command finds the same decision, without another game. */
static void lost_decisions_are_made_again(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM(cases); i++) {
        for (hy_record record = cases[i].from; record < HY_NUM_RECORDS; record++) {
            hy_experiment experiment = experiment_of(i, record);
            const char *path = run_all("lost.db", &experiment, 2);
            digest plain = digest_of(path);
            decisions decided = decisions_of(path);
            sql(path, "DELETE FROM look WHERE (condition_id, games) IN (SELECT condition_id, games "
                      "FROM stop); DELETE FROM stop");
            assert_all_verifies(path);
            run_all("lost.db", &experiment, 1);
            decisions again = decisions_of(path);
            assert_digest(path, &plain);
            assert_string_equal(again.text, decided.text);
            assert_all_verifies(path);
            file_remove(path);
            hy_experiment_clean_up(&experiment);
        }
    }
}

/* The digest is that of as many games asked for by number: it is over the games, however their
 * number was chosen. */
static void the_digest_is_that_of_the_games(void **state)
{
    (void)state;
    hy_stop stop = stop_half_width(HY_STOP_METRIC_DRAWS, 0.03, 200);
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_new(GAMES, record);
        experiment_add(&experiment, "holes=2 seeds=4", "random", "random", true);
        hy_experiment fixed = experiment_copy(&experiment);
        experiment.stop = stop;
        const char *path = run_all("rule.db", &experiment, 2);
        digest found = digest_of(path);
        fixed.games = (uint64_t)sql_integer(path, "SELECT max(games) FROM stop");
        assert_in_range(fixed.games, 201, GAMES - 1);
        assert_digest(run_all("fixed.db", &fixed, 2), &found);
        file_remove(path);
        file_remove(scratch_path("fixed.db"));
        hy_experiment_clean_up(&fixed);
        hy_experiment_clean_up(&experiment);
    }
}

/* What cannot be reached is played to the end. */
static void the_most_games_end_it(void **state)
{
    (void)state;
    hy_stop stop = stop_half_width(HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.001, 100);
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_rounds(330, record, &stop);
        const char *path = run_all("most.db", &experiment, 2);
        assert_int_equal(
            sql_integer(path,
                        "SELECT count(*) FROM stop WHERE reason = 'games' AND games = 330 AND "
                        "looks = 4 AND high - low > 0.002"),
            sql_integer(path, "SELECT sum(1 + swap) FROM condition"));
        assert_all_verifies(path);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

static void what_does_not_belong_together_is_refused(void **state)
{
    (void)state;
    hy_stop stop = stop_half_width(HY_STOP_METRIC_DRAWS, 0.1, 100);
    hy_experiment experiment = experiment_rounds(GAMES, HY_RECORD_GAMES, &stop);
    const char *path = run_all("first.db", &experiment, 2);
    hy_error error;
    experiment.games = GAMES + 1;
    assert_int_equal(run_into(path, &experiment, 1, HY_WHOLE_SHARD, NULL, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "at most 20000 games, not 20001"));
    experiment.games = GAMES;
    experiment.stop.half_width = 0.09;
    assert_int_equal(run_into(path, &experiment, 1, HY_WHOLE_SHARD, NULL, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "\"half_width\":0.1,"));
    experiment.stop.kind = HY_STOP_NEVER;
    assert_int_equal(run_into(path, &experiment, 1, HY_WHOLE_SHARD, NULL, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "not {}"));
    experiment.stop = stop;
    const char *other = scratch_path("shard.db");
    assert_int_equal(run_into(other, &experiment, 1, SHARD(1, 2), NULL, &error), HY_INVALID);
    assert_int_equal(sql_integer(other, "SELECT count(*) FROM game"), 0);
    file_remove(other);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

static void shards_are_not_merged(void **state)
{
    (void)state;
    hy_stop stop = stop_half_width(HY_STOP_METRIC_DRAWS, 0.1, 100);
    hy_experiment experiment = experiment_rounds(GAMES, HY_RECORD_GAMES, &stop);
    const char *path = run_all("whole.db", &experiment, 2);
    hy_store *store, *other;
    hy_error error;
    assert_int_equal(hy_store_open(path, &other, &error), HY_OK);
    assert_int_equal(hy_store_open_for(scratch_path("out.db"), &experiment, &store, &error), HY_OK);
    assert_int_equal(hy_store_merge(store, &other, 1, NULL, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "stop rule"));
    hy_store_abandon(other);
    hy_store_abandon(store);
    file_remove(path);
    file_remove(scratch_path("out.db"));
    hy_experiment_clean_up(&experiment);
}

static void damage(const char *path, const char *statement, const char *word, bool decision)
{
    const char *bad = file_copy(path, "bad.db");
    sql(bad, statement);
    if (decision)
        assert_decision_differs(bad, word);
    else
        assert_verify_finds(bad, word);
    file_remove(bad);
}

static void damaged_looks_and_decisions_are_found(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_stop stop = stop_half_width(HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.05, 100);
        hy_experiment experiment = experiment_rounds(GAMES, record, &stop);
        const char *path = run_all("good.db", &experiment, 2);
        damage(path, "UPDATE stop SET reason = 'games' WHERE condition_id = 2", "'reason'", true);
        damage(path, "UPDATE stop SET looks = looks + 1 WHERE condition_id = 3", "'looks'", true);
        damage(path, "UPDATE stop SET anytime = 0", "'anytime'", true);
        damage(path, "UPDATE stop SET statistic = statistic + 1e-6", "'statistic'", true);
        damage(path, "UPDATE stop SET low = NULL", "'low, high'", true);
        damage(path, "UPDATE stop SET reason = 'soon'", "damaged", true);
        damage(path, "UPDATE stop SET games = games + 100 WHERE condition_id = 1", "'games'", true);
        if (record == HY_RECORD_SUMMARY) {
            damage(path, "UPDATE look SET y = y + 1 WHERE games = 200", "200 games", false);
            damage(path, "DELETE FROM look WHERE games = 300 AND condition_id = 3", "300 games",
                   false);
            damage(path,
                   "INSERT INTO look SELECT condition_id, swapped, 250, n, x, y, xx, xy, yy, "
                   "cut FROM look LIMIT 1",
                   "rows of looks", false);
        } else {
            damage(path,
                   "INSERT INTO look SELECT id, 0, 100, 1, 1, 1, 1, 1, 1, 0 FROM condition LIMIT 1",
                   "rows of looks", false);
            damage(path, "UPDATE stop SET games = 100 WHERE condition_id = 1", "rows that belong",
                   false);
        }
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(records_change_nothing),
        cmocka_unit_test(interruptions_change_nothing),
        cmocka_unit_test(lost_decisions_are_made_again),
        cmocka_unit_test(the_digest_is_that_of_the_games),
        cmocka_unit_test(the_most_games_end_it),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(shards_are_not_merged),
        cmocka_unit_test(damaged_looks_and_decisions_are_found),
    };
    return cmocka_run_group_tests_name("sequential/rounds", tests, scratch_make, scratch_remove);
}
