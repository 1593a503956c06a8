/* Shards into one database, and what does not belong together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "store/databases.h"
#include "store/internal.h"

#define GAMES 130u
#define ALL_GAMES (3 * GAMES)
#define SHARDS 3u

/* The database with the share of one shard. */
static const char *play_shard(const char *name, hy_record record, hy_shard shard)
{
    hy_experiment experiment = experiment_small(GAMES, record);
    const char *path = scratch_path(name);
    hy_error error;
    file_remove(path);
    if (play_into(path, &experiment, 2, shard, NULL, &error) != HY_OK)
        fail_msg("%s", error.text);
    hy_experiment_clean_up(&experiment);
    return path;
}

/* Merges one file into another, which is made where it is missing. */
static hy_status merge_with(const char *target, const char *source, bool commit_often,
                            hy_error *error)
{
    hy_store *from, *into;
    assert_int_equal(hy_store_open(source, &from, error), HY_OK);
    hy_experiment experiment = experiment_copy(hy_store_experiment(from));
    hy_status status = hy_store_open_for(target, &experiment, &into, error);
    hy_experiment_clean_up(&experiment);
    if (status == HY_OK) {
        if (commit_often)
            into->committed = -1e9;
        status = hy_store_merge(into, &from, 1, NULL, error);
        if (status == HY_OK)
            status = hy_store_close(into, error);
        else
            hy_store_abandon(into);
    }
    hy_store_abandon(from);
    return status;
}

static void merge(const char *target, const char *source)
{
    hy_error error;
    if (merge_with(target, source, false, &error) != HY_OK)
        fail_msg("%s", error.text);
}

static digest whole_digest(hy_record record)
{
    return digest_of(play_shard("whole.db", record, HY_WHOLE_SHARD));
}

static void any_order_of_shards_gives_the_whole(void **state)
{
    (void)state;
    static const char *const names[SHARDS] = {"1.db", "2.db", "3.db"};
    static const unsigned orders[][SHARDS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                              {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        digest whole = whole_digest(record);
        const char *shards[SHARDS];
        for (unsigned i = 0; i < SHARDS; i++)
            shards[i] = play_shard(names[i], record, SHARD(i + 1, SHARDS));
        for (size_t i = 0; i < NUM(orders); i++) {
            const char *path = scratch_path("merged.db");
            for (unsigned j = 0; j < SHARDS; j++)
                merge(path, shards[orders[i][j]]);
            assert_digest(path, &whole);
            file_remove(path);
        }
    }
}

/* Several at a time, with games in common: as one after the other. */
static void several_at_a_time_give_the_whole(void **state)
{
    (void)state;
    static const char *const names[] = {"1.db", "2.db", "3.db", "again.db", "whole.db"};
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_store *others[NUM(names)], *into;
        hy_error error;
        uint64_t games;
        atomic_int stop = 1;
        digest whole = whole_digest(record);
        for (unsigned i = 0; i < SHARDS; i++)
            play_shard(names[i], record, SHARD(i + 1, SHARDS));
        file_copy(scratch_path("2.db"), "again.db");
        for (size_t num = SHARDS; num <= NUM(names); num++) {
            const char *path = scratch_path("merged.db");
            for (size_t i = 0; i < num; i++)
                assert_int_equal(hy_store_open(scratch_path(names[i]), &others[i], &error), HY_OK);
            hy_experiment experiment = experiment_copy(hy_store_experiment(others[0]));
            assert_int_equal(hy_store_open_for(path, &experiment, &into, &error), HY_OK);
            assert_int_equal(hy_store_merge(into, others, num, &stop, &error), HY_INTERRUPTED);
            assert_int_equal(hy_store_count(into, &games, &error), HY_OK);
            assert_int_equal(games, 0);
            if (hy_store_merge(into, others, num, NULL, &error) != HY_OK)
                fail_msg("%s", error.text);
            assert_int_equal(hy_store_count(into, &games, &error), HY_OK);
            assert_int_equal(games, ALL_GAMES);
            assert_int_equal(hy_store_close(into, &error), HY_OK);
            for (size_t i = 0; i < num; i++)
                hy_store_abandon(others[i]);
            hy_experiment_clean_up(&experiment);
            assert_digest(path, &whole);
            file_remove(path);
        }
    }
}

static void a_merged_database_verifies(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        const char *path = play_shard("1.db", record, SHARD(1, 2));
        merge(path, play_shard("2.db", record, SHARD(2, 2)));
        assert_verifies(path, ALL_GAMES);
        assert_false(file_has_company(path));
    }
}

static void merging_twice_changes_nothing(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        digest whole = whole_digest(record);
        const char *first = play_shard("1.db", record, SHARD(1, 2));
        const char *second = play_shard("2.db", record, SHARD(2, 2));
        const char *all = scratch_path("whole.db");
        digest half = digest_of(first);
        merge(first, file_copy(first, "same.db"));
        assert_digest(first, &half);
        merge(first, second);
        merge(first, second);
        assert_digest(first, &whole);
        merge(first, all);
        assert_digest(first, &whole);
        merge(all, second);
        assert_digest(all, &whole);
        merge(second, all);
        assert_digest(second, &whole);
    }
}

/* The same file at two times: the older into the newer changes nothing, the newer into the older
 * brings it up to date. */
static void an_older_state_of_a_database_is_part_of_it(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_small(40, record);
        file_remove(scratch_path("now.db"));
        const char *now = play_all("now.db", &experiment, 2);
        const char *then = file_copy(now, "then.db");
        experiment.games = GAMES;
        play_all("now.db", &experiment, 2);
        digest whole = digest_of(now);
        merge(now, then);
        assert_digest(now, &whole);
        merge(then, now);
        assert_digest(then, &whole);
        assert_verifies(then, ALL_GAMES);
        hy_experiment_clean_up(&experiment);
    }
}

static void provenance_comes_along_once(void **state)
{
    (void)state;
    const char *first = play_shard("1.db", HY_RECORD_GAMES, SHARD(1, 2));
    const char *second = play_shard("2.db", HY_RECORD_GAMES, SHARD(2, 2));
    sql(first, "INSERT INTO provenance (timestamp, record) VALUES ('t', '{\"a\": 1}')");
    sql(second, "INSERT INTO provenance (timestamp, record) VALUES ('t', '{\"a\": 2}')");
    merge(first, second);
    merge(first, second);
    assert_int_equal(sql_integer(first, "SELECT count(*) FROM provenance"), 2);
    assert_string_equal(
        sql_text(first, "SELECT group_concat(record) FROM (SELECT record FROM provenance ORDER BY "
                        "id)"),
        "{\"a\": 1},{\"a\": 2}");
}

/* The merge fails, names the word, and the target is as it was. */
static void refuses(const char *target, const char *source, const char *word)
{
    hy_error error = {0};
    digest before = digest_of(target);
    int64_t rows = sql_integer(target, "SELECT count(*) FROM chain");
    hy_status status = merge_with(target, source, false, &error);
    if (status != HY_MISMATCH || !strstr(error.text, word))
        fail_msg("status %d, '%s' not in: %s", status, word, error.text);
    assert_digest(target, &before);
    assert_int_equal(sql_integer(target, "SELECT count(*) FROM chain"), rows);
    assert_string_equal(sql_text(target, "PRAGMA integrity_check"), "ok");
}

static void another_experiment_is_refused(void **state)
{
    (void)state;
    const char *path = play_shard("1.db", HY_RECORD_GAMES, HY_WHOLE_SHARD);
    hy_experiment others[3];
    static const char *const words[] = {"seed", "record", "seeds=4"};
    for (size_t i = 0; i < NUM(others); i++) {
        others[i] = experiment_small(10, i == 1 ? HY_RECORD_MOVES : HY_RECORD_GAMES);
        others[i].seed += i == 0;
        others[i].conditions[0].rules.seeds = i == 2 ? 3 : 4;
        const char *other = play_all("other.db", &others[i], 1);
        refuses(path, other, words[i]);
        hy_store *from, *into;
        hy_error error;
        assert_int_equal(hy_store_open(path, &into, &error), HY_OK);
        assert_int_equal(hy_store_open(other, &from, &error), HY_OK);
        assert_int_equal(hy_store_merge(into, &from, 1, NULL, &error), HY_MISMATCH);
        assert_non_null(strstr(error.text, words[i]));
        hy_store_abandon(from);
        hy_store_abandon(into);
        file_remove(other);
        hy_experiment_clean_up(&others[i]);
    }
}

/* Every column of a game, its chains and its holes. The other file has games that the target lacks,
 * before and after the one that differs. */
static void a_game_with_another_content_is_refused(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"UPDATE game SET termination = 'swept' WHERE number = 60", "termination"},
        {"UPDATE game SET result = 'none' WHERE number = 60 AND condition_id = 1", "result"},
        {"UPDATE game SET south_score = south_score + 1 WHERE number = 60", "south_score"},
        {"UPDATE game SET north_score = north_score + 1 WHERE number = 60", "north_score"},
        {"UPDATE game SET turns = turns + 1 WHERE number = 60", "turns"},
        {"UPDATE game SET passes = passes + 1 WHERE number = 60", "passes"},
        {"UPDATE game SET laps = laps + 1 WHERE number = 60", "laps"},
        {"UPDATE game SET counters = counters + 1 WHERE number = 60", "counters"},
        {"UPDATE game SET captures = captures + 1 WHERE number = 60", "captures"},
        {"UPDATE game SET casas = casas + 1 WHERE number = 60", "casas"},
        {"UPDATE game SET chains = chains + 1 WHERE number = 60", "chains"},
        {"UPDATE game SET longest_chain = longest_chain + 1 WHERE number = 60", "longest_chain"},
        {"UPDATE game SET longest_turn = longest_turn + 1 WHERE number = 60", "longest_turn"},
        {"UPDATE game SET lead_changes = lead_changes + 1 WHERE number = 60", "lead_changes"},
        {"UPDATE game SET legal_holes = legal_holes + 1 WHERE number = 60", "legal_holes"},
        {"UPDATE game SET decision_plies = decision_plies + 1 WHERE number = 60", "decision_plies"},
        {"UPDATE game SET south_captures = south_captures + 1 WHERE number = 60", "south_captures"},
        {"UPDATE game SET south_chains = south_chains + 1 WHERE number = 60", "south_chains"},
        {"UPDATE game SET claimed = claimed + 1 WHERE number = 60", "claimed"},
        {"UPDATE game SET move_hash = '0123456789abcdef' WHERE number = 60", "move_hash"},
        {"UPDATE chain SET count = count + 1 WHERE swapped = 1", "chain"},
        {"DELETE FROM chain WHERE condition_id = 2", "chain"},
        {"UPDATE game SET plies = plies + 1 WHERE number = 60", "holes"},
        {"UPDATE move SET holes = CAST(X'09' || substr(holes, 2) AS BLOB) WHERE number = 60",
         "holes"},
        {"UPDATE move SET holes = X'' WHERE number = 60", "damaged"},
    };
    for (size_t i = 0; i < NUM(changes); i++) {
        const char *whole = play_shard("whole.db", HY_RECORD_MOVES, HY_WHOLE_SHARD);
        const char *target = file_copy(whole, "target.db");
        sql(target, "DELETE FROM game WHERE number % 4 = 1; DELETE FROM chain WHERE number % 4 = 1;"
                    "DELETE FROM move WHERE number % 4 = 1");
        sql(whole, changes[i][0]);
        refuses(target, whole, changes[i][1]);
    }
}

static void blocks_that_overlap_in_part_are_refused(void **state)
{
    (void)state;
    const char *half = play_shard("half.db", HY_RECORD_SUMMARY, SHARD(1, 2));
    const char *third = play_shard("third.db", HY_RECORD_SUMMARY, SHARD(1, 3));
    const char *whole = play_shard("whole.db", HY_RECORD_SUMMARY, HY_WHOLE_SHARD);
    refuses(half, third, "in common");
    refuses(third, half, "in common");
    merge(half, whole);
    digest all = digest_of(whole);
    assert_digest(half, &all);
}

static void a_block_with_another_content_is_refused(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"UPDATE block SET sums = json_set(sums, '$.laps', 1) WHERE swapped = 1", "sums"},
        {"UPDATE block SET longest_turn = 1000 WHERE swapped = 1", "longest_turn"},
        {"UPDATE block SET chains = json_set(chains, '$[0][0]', 60) WHERE swapped = 1", "chains"},
        {"UPDATE block SET lengths = '{}' WHERE swapped = 1", "damaged"},
    };
    for (size_t i = 0; i < NUM(changes); i++) {
        const char *whole = play_shard("whole.db", HY_RECORD_SUMMARY, HY_WHOLE_SHARD);
        const char *target = file_copy(whole, "target.db");
        sql(target, "DELETE FROM block WHERE condition_id = 1");
        sql(whole, changes[i][0]);
        refuses(target, whole, changes[i][1]);
    }
}

/* Of many games a shard has some blocks alone. */
static void blocks_that_one_has_alone_come_along(void **state)
{
    (void)state;
    const char *one = play_shard("one.db", HY_RECORD_SUMMARY, SHARD(1, 2));
    const char *two = play_shard("two.db", HY_RECORD_SUMMARY, SHARD(2, 2));
    const char *both = scratch_path("both.db");
    sql(two, "UPDATE block SET block = 3 WHERE condition_id = 1;"
             "UPDATE block SET block = 1 WHERE condition_id = 2");
    for (unsigned order = 0; order < 2; order++) {
        hy_store *others[2], *into;
        hy_error error;
        file_remove(both);
        assert_int_equal(hy_store_open(order == 0 ? one : two, &others[0], &error), HY_OK);
        assert_int_equal(hy_store_open(order == 0 ? two : one, &others[1], &error), HY_OK);
        hy_experiment experiment = experiment_copy(hy_store_experiment(others[0]));
        assert_int_equal(hy_store_open_for(both, &experiment, &into, &error), HY_OK);
        assert_int_equal(hy_store_merge(into, others, 2, NULL, &error), HY_OK);
        assert_int_equal(hy_store_close(into, &error), HY_OK);
        hy_experiment_clean_up(&experiment);
        hy_store_abandon(others[0]);
        hy_store_abandon(others[1]);
        assert_string_equal(sql_text(both, "SELECT group_concat(condition_id || ':' || block, ' ') "
                                           "FROM (SELECT * FROM block WHERE swapped = 0 AND "
                                           "condition_id < 3 ORDER BY condition_id, block)"),
                            "1:0 1:3 2:0 2:1");
        assert_int_equal(sql_integer(both, "SELECT sum(games) FROM block"), ALL_GAMES);
    }
}

/* A long merge commits on its way; what it has then is whole games, and repeating it is allowed. */
static void a_long_merge_is_refused_with_whole_games_only(void **state)
{
    (void)state;
    const char *whole = play_shard("whole.db", HY_RECORD_MOVES, HY_WHOLE_SHARD);
    const char *target = file_copy(whole, "target.db");
    digest all = digest_of(whole);
    const char *bad = file_copy(whole, "bad.db");
    hy_error error;
    uint64_t num_games;
    sql(target, "DELETE FROM game WHERE number < 60; DELETE FROM chain WHERE number < 60;"
                "DELETE FROM move WHERE number < 60");
    sql(bad, "UPDATE game SET laps = laps + 1 WHERE number = 70");
    assert_int_equal(merge_with(target, bad, true, &error), HY_MISMATCH);
    assert_int_equal(verify_file(target, 1, &num_games, &error), HY_OK);
    merge(target, whole);
    assert_digest(target, &all);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_of_shards_gives_the_whole),
        cmocka_unit_test(several_at_a_time_give_the_whole),
        cmocka_unit_test(a_merged_database_verifies),
        cmocka_unit_test(merging_twice_changes_nothing),
        cmocka_unit_test(an_older_state_of_a_database_is_part_of_it),
        cmocka_unit_test(provenance_comes_along_once),
        cmocka_unit_test(another_experiment_is_refused),
        cmocka_unit_test(a_game_with_another_content_is_refused),
        cmocka_unit_test(blocks_that_overlap_in_part_are_refused),
        cmocka_unit_test(a_block_with_another_content_is_refused),
        cmocka_unit_test(blocks_that_one_has_alone_come_along),
        cmocka_unit_test(a_long_merge_is_refused_with_whole_games_only),
    };
    return cmocka_run_group_tests_name("store/merge", tests, scratch_make, scratch_remove);
}
