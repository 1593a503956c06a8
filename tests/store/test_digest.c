/* One digest, however the games came into the database. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "store/databases.h"

#define GAMES 700u
#define ALL_GAMES (3 * GAMES) /* the second condition has two seatings */

/* The digest of all games, played by one thread without interruption. */
static digest plain_digest(hy_record record, uint64_t games)
{
    hy_experiment experiment = experiment_small(games, record);
    const char *path = play_all("plain.db", &experiment, 1);
    digest found = digest_of(path);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
    return found;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    static const unsigned threads[] = {2, 7};
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        digest plain = plain_digest(record, GAMES);
        for (size_t i = 0; i < NUM(threads); i++) {
            hy_experiment experiment = experiment_small(GAMES, record);
            const char *path = play_all("threads.db", &experiment, threads[i]);
            assert_digest(path, &plain);
            assert_verifies(path, ALL_GAMES);
            assert_false(file_has_company(path));
            file_remove(path);
            hy_experiment_clean_up(&experiment);
        }
    }
}

/* Stops at that choice, goes on, stops again, and so on to the end. Returns how often it stopped.
 */
static unsigned play_with_stops(const char *path, hy_record record, unsigned threads,
                                unsigned long stop_at)
{
    unsigned stops = 0;
    hy_error error;
    hy_status status;
    do {
        hy_experiment experiment = experiment_small(GAMES, record);
        experiment_hook(&experiment, stop_at);
        status = play_into(path, &experiment, threads, HY_WHOLE_SHARD, &hook.stop, &error);
        hy_experiment_clean_up(&experiment);
        stops += status == HY_INTERRUPTED;
        stop_at = stop_at * 2 + 1;
    } while (status == HY_INTERRUPTED);
    if (status != HY_OK)
        fail_msg("after %u stops: %s", stops, error.text);
    return stops;
}

static void interruptions_change_nothing(void **state)
{
    (void)state;
    static const unsigned long stops[] = {1, 40, 333, 2500};
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        digest plain = plain_digest(record, GAMES);
        for (size_t i = 0; i < NUM(stops); i++) {
            const char *path = scratch_path("stops.db");
            assert_true(play_with_stops(path, record, 1 + (unsigned)i, stops[i]) > 0);
            assert_digest(path, &plain);
            file_remove(path);
        }
    }
}

/* What is there after a stop is whole games, each of which replays. */
static void a_stop_leaves_whole_games(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_small(GAMES, record);
        const char *path = scratch_path("stopped.db");
        hy_error error;
        uint64_t num_games;
        experiment_hook(&experiment, 1234);
        assert_int_equal(play_into(path, &experiment, 2, HY_WHOLE_SHARD, &hook.stop, &error),
                         HY_INTERRUPTED);
        assert_int_equal(verify_file(path, 2, &num_games, &error), HY_OK);
        assert_in_range(num_games, 1, ALL_GAMES - 1);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

static void playing_twice_changes_nothing(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_small(GAMES, record);
        const char *path = play_all("twice.db", &experiment, 2);
        digest once = digest_of(path);
        play_all("twice.db", &experiment, 3);
        assert_digest(path, &once);
        assert_verifies(path, ALL_GAMES);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

/* The number of games may grow, and a smaller number asked for later takes nothing away. */
static void more_games_can_be_asked_for(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        digest few = plain_digest(record, 100), many = plain_digest(record, GAMES);
        hy_experiment experiment = experiment_small(100, record);
        const char *path = play_all("more.db", &experiment, 2);
        assert_digest(path, &few);
        experiment.games = GAMES;
        play_all("more.db", &experiment, 2);
        assert_digest(path, &many);
        assert_verifies(path, ALL_GAMES);
        experiment.games = 100;
        play_all("more.db", &experiment, 2);
        assert_digest(path, &many);
        assert_int_equal(sql_integer(path, "SELECT games FROM experiment"), GAMES);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

static void a_deleted_game_is_played_again(void **state)
{
    (void)state;
    static const char *const deletions[] = {
        "DELETE FROM game WHERE number = 17 AND swapped = 0",
        "DELETE FROM game WHERE number % 5 = 3",
        ("DELETE FROM game WHERE condition_id = 1; DELETE FROM chain WHERE condition_id = 1;"
         "DELETE FROM move WHERE condition_id = 1"),
        "DELETE FROM game WHERE swapped = 1 AND number = 699",
    };
    for (hy_record record = HY_RECORD_GAMES; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_small(GAMES, record);
        const char *path = play_all("deleted.db", &experiment, 2);
        digest whole = digest_of(path);
        for (size_t i = 0; i < NUM(deletions); i++) {
            sql(path, deletions[i]);
            assert_other_digest(path, &whole);
            play_all("deleted.db", &experiment, 2);
            assert_digest(path, &whole);
            assert_verifies(path, ALL_GAMES);
        }
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

/* Seeds that a signed or floating number would not hold, and their neighbours. */
static void every_seed_is_kept_as_it_is(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {
        0, 1, (uint64_t)1 << 53, ((uint64_t)1 << 53) + 1, INT64_MAX, UINT64_MAX - 1, UINT64_MAX,
    };
    digest digests[NUM(seeds)];
    for (size_t i = 0; i < NUM(seeds); i++) {
        char text[32];
        hy_experiment experiment = experiment_small(20, HY_RECORD_GAMES);
        experiment.seed = seeds[i];
        const char *path = play_all("seed.db", &experiment, 1);
        snprintf(text, sizeof text, "%" PRIu64, seeds[i]);
        assert_string_equal(sql_text(path, "SELECT seed FROM experiment"), text);
        assert_string_equal(sql_text(path, "SELECT typeof(seed) FROM experiment"), "text");
        hy_store *store;
        assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
        assert_int_equal(hy_store_experiment(store)->seed, seeds[i]);
        hy_store_abandon(store);
        digests[i] = digest_of(path);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(digests[j].hex, digests[i].hex);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

/* `auto` is drawn once, kept, and taken up by who comes later. */
static void an_automatic_seed_is_drawn_once(void **state)
{
    (void)state;
    uint64_t seeds[2];
    for (size_t i = 0; i < 2; i++) {
        hy_experiment experiment = experiment_small(20, HY_RECORD_GAMES);
        experiment.seed_auto = true;
        const char *path = play_all("auto.db", &experiment, 1);
        digest first = digest_of(path);
        seeds[i] = experiment.seed;
        assert_false(experiment.seed_auto);
        experiment.seed_auto = true;
        experiment.seed = 0;
        play_all("auto.db", &experiment, 1);
        assert_int_equal(experiment.seed, seeds[i]);
        assert_digest(path, &first);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
    assert_int_not_equal(seeds[0], seeds[1]);
}

/* Names, questions, and the number of games left to play decide no game. */
static void names_do_not_matter(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(50, HY_RECORD_GAMES);
    const char *path = play_all("name.db", &experiment, 1);
    digest first = digest_of(path);
    snprintf(experiment.name, strlen(experiment.name) + 1, "tset");
    play_all("name.db", &experiment, 1);
    assert_digest(path, &first);
    file_remove(path);
    play_all("name.db", &experiment, 1);
    assert_digest(path, &first);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

/* Every level of record has a digest of its own, and every game counts. */
static void what_is_stored_matters(void **state)
{
    (void)state;
    digest games = plain_digest(HY_RECORD_GAMES, 50), moves = plain_digest(HY_RECORD_MOVES, 50);
    digest more = plain_digest(HY_RECORD_GAMES, 51), summary = plain_digest(HY_RECORD_SUMMARY, 50);
    digest longer = plain_digest(HY_RECORD_SUMMARY, 51);
    assert_string_not_equal(games.hex, moves.hex);
    assert_string_not_equal(games.hex, more.hex);
    assert_string_not_equal(games.hex, summary.hex);
    assert_string_not_equal(summary.hex, longer.hex);
}

/* More games than a block holds: the bitmap of a full block is not stored, and counts as full. */
static void a_full_block(void **state)
{
    (void)state;
    digest digests[3];
    for (unsigned i = 0; i < 3; i++) {
        hy_experiment experiment = experiment_new(HY_BLOCK_GAMES + 70, HY_RECORD_SUMMARY);
        experiment_add(&experiment, "holes=1 seeds=3 claim=0", "random", "random", false);
        const char *path = scratch_path("full.db");
        hy_error error;
        if (i == 2)
            assert_int_equal(play_into(path, &experiment, 2, SHARD(2, 3), NULL, &error), HY_OK);
        play_all("full.db", &experiment, 1 + 2 * i);
        digests[i] = digest_of(path);
        assert_string_equal(digests[i].hex, digests[0].hex);
        assert_int_equal(sql_integer(path, "SELECT played IS NULL FROM block WHERE block = 0"), 1);
        assert_int_equal(sql_integer(path, "SELECT games FROM block WHERE block = 1"), 70);
        assert_int_equal(sql_integer(path, "SELECT sum(games) FROM v_survival"),
                         HY_BLOCK_GAMES + 70);
        play_all("full.db", &experiment, 2);
        assert_digest(path, &digests[0]);
        if (i == 2)
            assert_verifies(path, HY_BLOCK_GAMES + 70);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

/* What every build of every compiler for every machine gives, as far as tests are run: random play
 * in lanes and one by one, with repetition, and every policy that plays without files.
 * (scripts/digests compares more.) A constant here changes with HY_RULES_VERSION, HY_GENERATOR or
 * HY_POLICIES_VERSION, and never without one of them. */
static void digests_are_the_same_everywhere(void **state)
{
    (void)state;
    static const char *const constants[HY_NUM_RECORDS] = {
        [HY_RECORD_SUMMARY] = "5f08574bfd1e4c227e4fe56e493c09d88f4ca2431329d7a1a11b97ee400149e7",
        [HY_RECORD_GAMES] = "4acf86fc1f2d542f8ae3b676e844c6359f10c52ee65a9bea84f8e0538780829c",
        [HY_RECORD_MOVES] = "44a1ac5edc7ac40a1896e2cb27f76103e7115966eca6e32232437c5c3a459f6d",
    };
    static const struct {
        const char *rules, *first, *second;
    } played[] = {
        {"holes=6", "random", "random"},
        {"holes=12 chain_capture=false", "random", "random"},
        {"holes=4 repetition=3 endless=forbid", "random", "random"},
        {"holes=4", "greedy", "epsilon:rate=0.1,policy=greedy"},
        {"holes=5", "alphabeta:depth=2", "mcts:iterations=30"},
        {"holes=4", "mcts:iterations=20,playout=greedy", "mcts:iterations=30,cut=5"},
    };
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_new(5, record);
        for (size_t i = 0; i < NUM(played); i++)
            experiment_add(&experiment, played[i].rules, played[i].first, played[i].second, i > 2)
                ->opening_plies = (uint32_t)i;
        const char *path = play_all("constant.db", &experiment, 2);
        assert_string_equal(digest_of(path).hex, constants[record]);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(interruptions_change_nothing),
        cmocka_unit_test(a_stop_leaves_whole_games),
        cmocka_unit_test(playing_twice_changes_nothing),
        cmocka_unit_test(more_games_can_be_asked_for),
        cmocka_unit_test(a_deleted_game_is_played_again),
        cmocka_unit_test(every_seed_is_kept_as_it_is),
        cmocka_unit_test(an_automatic_seed_is_drawn_once),
        cmocka_unit_test(names_do_not_matter),
        cmocka_unit_test(what_is_stored_matters),
        cmocka_unit_test(a_full_block),
        cmocka_unit_test(digests_are_the_same_everywhere),
    };
    return cmocka_run_group_tests_name("store/digest", tests, scratch_make, scratch_remove);
}
