#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "policy/types.h"
#include "sim/batch.h"
#include "support/experiments.h"
#include "support/records.h"

#define GAMES 700u
#define ALL_GAMES (3 * GAMES)

/* What a batch handed over. */
typedef struct collected {
    hy_block_key keys[ALL_GAMES];
    hy_game_record records[ALL_GAMES];
    size_t num;
    hy_summary summaries[3]; /* by seating */
    uint64_t *played[3];
    unsigned num_chunks, num_ticks;
    unsigned fail_at_chunk, fail_at_tick; /* 0: never */
    bool failed;
} collected;

static collected *collected_new(void)
{
    collected *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (size_t i = 0; i < 3; i++) {
        c->played[i] = calloc(HY_BLOCK_WORDS, sizeof(uint64_t));
        assert_non_null(c->played[i]);
    }
    return c;
}

static void collected_destroy(collected *c)
{
    for (size_t i = 0; i < 3; i++) {
        free(c->played[i]);
        hy_summary_clean_up(&c->summaries[i]);
    }
    free(c);
}

static uint64_t hash_of(const uint8_t *holes, size_t num)
{
    uint64_t hash = HY_FNV1A_START;
    for (size_t i = 0; i < num; i++)
        hash = hy_fnv1a_step(hash, holes[i]);
    return hash;
}

/* The holes of all games in a row, and nothing more. */
static void check_holes(const hy_chunk *chunk)
{
    size_t used = 0;
    for (size_t i = 0; i < chunk->num_games; i++) {
        const hy_game_record *record = &chunk->records[i];
        assert_true(used + record->plies <= chunk->holes.num);
        assert_int_equal(hash_of(chunk->holes.holes + used, record->plies), record->move_hash);
        used += record->plies;
    }
    assert_int_equal(used, chunk->holes.num);
}

static void take_summary(collected *c, const hy_chunk *chunk)
{
    uint32_t seating = chunk->key.condition + chunk->key.swapped;
    uint64_t num = 0;
    for (size_t i = 0; i < HY_BLOCK_WORDS; i++) {
        assert_int_equal(c->played[seating][i] & chunk->played[i], 0);
        c->played[seating][i] |= chunk->played[i];
        num += (uint64_t)__builtin_popcountll(chunk->played[i]);
    }
    assert_int_equal(num, chunk->num_games);
    assert_int_equal(chunk->summary.games, num);
    assert_int_equal(chunk->summary.sums[HY_QUANTITY_PLIES], chunk->num_plies);
    assert_int_equal(hy_summary_merge(&c->summaries[seating], &chunk->summary, NULL), HY_OK);
    c->num += num;
}

static hy_status take(void *context, const hy_chunk *chunk, hy_error *error)
{
    collected *c = context;
    uint64_t num_plies = 0;
    assert_false(c->failed);
    assert_true(chunk->num_games > 0);
    if (++c->num_chunks == c->fail_at_chunk) {
        c->failed = true;
        return hy_fail(error, HY_STORAGE, "the disk is full");
    }
    if (!chunk->records) {
        take_summary(c, chunk);
        return HY_OK;
    }
    assert_true(chunk->num_games <= HY_CHUNK_GAMES && c->num + chunk->num_games <= ALL_GAMES);
    for (size_t i = 0; i < chunk->num_games; i++) {
        c->keys[c->num] = chunk->key;
        c->records[c->num++] = chunk->records[i];
        num_plies += chunk->records[i].plies;
        assert_int_equal(chunk->records[i].number / HY_BLOCK_GAMES, chunk->key.block);
    }
    assert_int_equal(num_plies, chunk->num_plies);
    if (chunk->holes.num > 0)
        check_holes(chunk);
    return HY_OK;
}

static hy_status tick(void *context, hy_error *error)
{
    collected *c = context;
    assert_false(c->failed);
    if (++c->num_ticks != c->fail_at_tick)
        return HY_OK;
    c->failed = true;
    return hy_fail(error, HY_STORAGE, "the clock is broken");
}

/* Plays into `c` what `progress` (NULL: nothing played) says. */
static hy_status play(const hy_experiment *experiment, const hy_progress *progress,
                      unsigned threads, bool replay, atomic_int *stop, collected *c,
                      hy_error *error)
{
    hy_progress none;
    assert_int_equal(hy_progress_init(&none, experiment, NULL), HY_OK);
    hy_batch batch = {
        .experiment = experiment,
        .progress = progress ? progress : &none,
        .shard = HY_WHOLE_SHARD,
        .replay = replay,
        .threads = threads,
        .record = experiment->record,
        .stop = stop,
        .consumer = {.context = c, .take = take, .tick = tick},
    };
    hy_status status = hy_batch_run(&batch, error);
    hy_progress_clean_up(&none);
    return status;
}

/* The place of every game among those of all seatings, or a failure where one is there twice. */
static const hy_game_record **by_number(const collected *c)
{
    const hy_game_record **games = calloc(ALL_GAMES, sizeof(hy_game_record *));
    assert_non_null(games);
    for (size_t i = 0; i < c->num; i++) {
        size_t seating = c->keys[i].condition + (size_t)c->keys[i].swapped;
        size_t place = seating * GAMES + c->records[i].number;
        assert_true(place < ALL_GAMES && !games[place]);
        games[place] = &c->records[i];
    }
    return games;
}

/* Every game that `part` has is there once, and as `whole` has it. Returns how many are missing. */
static size_t compare(const collected *part, const collected *whole)
{
    const hy_game_record **some = by_number(part), **all = by_number(whole);
    size_t missing = 0;
    for (size_t i = 0; i < ALL_GAMES; i++) {
        assert_non_null(all[i]);
        missing += !some[i];
        const char *field = some[i] ? record_difference(some[i], all[i]) : NULL;
        if (field)
            fail_msg("game %zu: %s", i, field);
    }
    free(some);
    free(all);
    return missing;
}

static collected *play_whole(hy_record record, unsigned threads)
{
    hy_experiment experiment = experiment_small(GAMES, record);
    collected *c = collected_new();
    assert_int_equal(play(&experiment, NULL, threads, false, NULL, c, NULL), HY_OK);
    assert_int_equal(c->num, ALL_GAMES);
    hy_experiment_clean_up(&experiment);
    return c;
}

static void threads_change_nothing(void **state)
{
    (void)state;
    collected *one = play_whole(HY_RECORD_GAMES, 1);
    static const unsigned threads[] = {1, 2, 5, 64};
    for (size_t i = 0; i < NUM(threads); i++) {
        for (hy_record record = HY_RECORD_GAMES; record < HY_NUM_RECORDS; record++) {
            collected *many = play_whole(record, threads[i]);
            assert_int_equal(compare(many, one), 0);
            collected_destroy(many);
        }
    }
    collected_destroy(one);
}

static void summaries_are_those_of_the_records(void **state)
{
    (void)state;
    collected *rows = play_whole(HY_RECORD_GAMES, 2);
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        collected *sums = play_whole(HY_RECORD_SUMMARY, threads);
        hy_summary expected[3] = {{0}};
        for (size_t i = 0; i < rows->num; i++) {
            size_t seating = rows->keys[i].condition + (size_t)rows->keys[i].swapped;
            assert_int_equal(hy_summary_add(&expected[seating], &rows->records[i], NULL), HY_OK);
        }
        for (size_t i = 0; i < 3; i++) {
            const hy_summary *found = &sums->summaries[i];
            assert_int_equal(found->games, GAMES);
            assert_memory_equal(found, &expected[i], offsetof(hy_summary, lengths));
            assert_int_equal(found->num_lengths, expected[i].num_lengths);
            hy_summary_clean_up(&expected[i]);
        }
        collected_destroy(sums);
    }
    collected_destroy(rows);
}

/* At whatever choice the stop comes: what was taken is whole games, and some are missing. */
static void a_stop_leaves_whole_games(void **state)
{
    (void)state;
    static const unsigned long stops[] = {1, 2, 10, 100, 1000, 5000, 20000};
    collected *whole = play_whole(HY_RECORD_GAMES, 1);
    for (size_t i = 0; i < NUM(stops); i++) {
        for (unsigned threads = 1; threads <= 5; threads += 2) {
            hy_experiment experiment = experiment_small(GAMES, HY_RECORD_MOVES);
            collected *part = collected_new();
            hy_error error;
            experiment_hook(&experiment, stops[i]);
            hy_status status = play(&experiment, NULL, threads, false, &hook.stop, part, &error);
            size_t missing = compare(part, whole);
            assert_int_equal(status, missing > 0 ? HY_INTERRUPTED : HY_OK);
            assert_true(missing > 0 || stops[i] > 1000);
            collected_destroy(part);
            hy_experiment_clean_up(&experiment);
        }
    }
    collected_destroy(whole);
}

static void a_stop_beforehand_plays_nothing(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(GAMES, HY_RECORD_GAMES);
    collected *c = collected_new();
    atomic_int stop = 1;
    assert_int_equal(play(&experiment, NULL, 3, false, &stop, c, NULL), HY_INTERRUPTED);
    assert_int_equal(c->num, 0);
    collected_destroy(c);
    hy_experiment_clean_up(&experiment);
}

/* A stop after the last game is none. */
static void nothing_left_to_play(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(GAMES, HY_RECORD_GAMES);
    hy_progress progress;
    uint64_t all[HY_BLOCK_WORDS];
    collected *c = collected_new();
    atomic_int stop = 1;
    memset(all, 0xff, sizeof all);
    assert_int_equal(hy_progress_init(&progress, &experiment, NULL), HY_OK);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(
            hy_progress_mark_block(&progress, (hy_block_key){i > 0, i == 2, 0}, all, NULL), HY_OK);
    assert_int_equal(play(&experiment, &progress, 3, false, &stop, c, NULL), HY_OK);
    assert_int_equal(play(&experiment, &progress, 3, false, NULL, c, NULL), HY_OK);
    assert_int_equal(c->num, 0);
    hy_progress_clean_up(&progress);
    collected_destroy(c);
    hy_experiment_clean_up(&experiment);
}

/* Whichever chunk the consumer fails at, its status comes back and nothing more is taken. */
static void a_failing_consumer_stops_the_batch(void **state)
{
    (void)state;
    static const unsigned chunks[] = {1, 2, 5, 9};
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        for (size_t i = 0; i < NUM(chunks); i++) {
            for (unsigned threads = 1; threads <= 7; threads += 3) {
                hy_experiment experiment = experiment_small(GAMES, record);
                collected *c = collected_new();
                hy_error error = {0};
                c->fail_at_chunk = chunks[i];
                hy_status status = play(&experiment, NULL, threads, false, NULL, c, &error);
                assert_int_equal(status, c->failed ? HY_STORAGE : HY_OK);
                assert_true(c->failed || record == HY_RECORD_SUMMARY || chunks[i] > 5);
                if (c->failed)
                    assert_string_equal(error.text, "the disk is full");
                collected_destroy(c);
                hy_experiment_clean_up(&experiment);
            }
        }
    }
}

/* Replays play what has been played, and a batch what has not: together each game once. */
static void replays_play_the_rest(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(GAMES, HY_RECORD_GAMES);
    hy_progress progress;
    collected *whole = play_whole(HY_RECORD_GAMES, 1), *both = collected_new();
    assert_int_equal(hy_progress_init(&progress, &experiment, NULL), HY_OK);
    for (uint64_t number = 0; number < GAMES; number += 1 + number % 7)
        assert_int_equal(hy_progress_mark(&progress, (hy_block_key){1, true, 0}, number, NULL),
                         HY_OK);
    uint64_t played = progress.num_played;
    assert_int_equal(play(&experiment, &progress, 2, true, NULL, both, NULL), HY_OK);
    assert_int_equal(both->num, played);
    assert_int_equal(progress.num_played, played);
    assert_int_equal(play(&experiment, &progress, 3, false, NULL, both, NULL), HY_OK);
    assert_int_equal(compare(both, whole), 0);
    hy_progress_clean_up(&progress);
    collected_destroy(both);
    collected_destroy(whole);
    hy_experiment_clean_up(&experiment);
}

/* Policies of this test's own. */
static atomic_int held;     /* somebody waits within a choice */
static atomic_int released; /* he may go on */

static unsigned choose_slowly(hy_policy *policy, const hy_choice *choice)
{
    (void)policy;
    usleep(2000);
    return hy_choose_at_random(choice);
}

static unsigned choose_and_wait(hy_policy *policy, const hy_choice *choice)
{
    (void)policy;
    if (atomic_exchange(&held, 1) == 0) {
        while (atomic_load(&released) == 0)
            usleep(1000);
    }
    return hy_choose_at_random(choice);
}

static hy_status fail_to_start(hy_policy *policy, const hy_rules *rules, hy_error *error)
{
    (void)policy;
    (void)rules;
    return hy_fail(error, HY_FAILED, "no table of endgames");
}

static const hy_policy_type slow_policy = {.name = "random", .choose = choose_slowly};
static const hy_policy_type waiting_policy = {.name = "random", .choose = choose_and_wait};
static const hy_policy_type failing_policy = {
    .name = "random", .init = fail_to_start, .choose = choose_slowly};

static hy_experiment experiment_with(const hy_policy_type *type, uint64_t games)
{
    hy_experiment experiment = experiment_new(games, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=3 seeds=4", "random", "random", false);
    experiment.conditions[0].first->type = type;
    experiment.conditions[0].second->type = type;
    return experiment;
}

static void a_failing_tick_stops_the_batch(void **state)
{
    (void)state;
    for (unsigned at = 1; at <= 3; at += 2) {
        hy_experiment experiment = experiment_with(&slow_policy, ALL_GAMES);
        collected *c = collected_new();
        hy_error error = {0};
        c->fail_at_tick = at;
        assert_int_equal(play(&experiment, NULL, 2, false, NULL, c, &error), HY_STORAGE);
        assert_string_equal(error.text, "the clock is broken");
        assert_int_equal(c->num_ticks, at);
        collected_destroy(c);
        hy_experiment_clean_up(&experiment);
    }
}

static void a_worker_that_fails_stops_the_batch(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 7; threads += 3) {
        hy_experiment experiment = experiment_small(GAMES, HY_RECORD_GAMES);
        collected *c = collected_new();
        hy_error error = {0};
        experiment.conditions[1].second->type = &failing_policy;
        assert_int_equal(play(&experiment, NULL, threads, false, NULL, c, &error), HY_FAILED);
        assert_string_equal(error.text, "no table of endgames");
        assert_true(c->num < ALL_GAMES);
        collected_destroy(c);
        hy_experiment_clean_up(&experiment);
    }
}

/* Counts ticks in which nothing more came; then stops the batch and lets the waiting one go on. */
typedef struct quiet {
    uint64_t num_games;
    unsigned num_quiet;
    atomic_int stop;
} quiet;

static hy_status take_quietly(void *context, const hy_chunk *chunk, hy_error *error)
{
    (void)error;
    quiet *q = context;
    q->num_games += chunk->num_games;
    q->num_quiet = 0;
    return HY_OK;
}

static hy_status tick_quietly(void *context, hy_error *error)
{
    (void)error;
    quiet *q = context;
    if (++q->num_quiet == 4) {
        atomic_store(&q->stop, 1);
        atomic_store(&released, 1);
    }
    return HY_OK;
}

/* One worker is in the first game of its run when the last games are handed out and the stop
 * comes: the rest of its run is missing, and the batch says so. */
static void a_stop_in_the_last_runs_is_told(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_with(&waiting_policy, 40);
    hy_progress progress;
    quiet q = {0};
    atomic_store(&held, 0);
    atomic_store(&released, 0);
    assert_int_equal(hy_progress_init(&progress, &experiment, NULL), HY_OK);
    hy_batch batch = {
        .experiment = &experiment,
        .progress = &progress,
        .shard = HY_WHOLE_SHARD,
        .threads = 2,
        .record = HY_RECORD_GAMES,
        .stop = &q.stop,
        .consumer = {.context = &q, .take = take_quietly, .tick = tick_quietly},
    };
    assert_int_equal(hy_batch_run(&batch, NULL), HY_INTERRUPTED);
    assert_in_range(q.num_games, 1, 39);
    hy_progress_clean_up(&progress);
    hy_experiment_clean_up(&experiment);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(summaries_are_those_of_the_records),
        cmocka_unit_test(a_stop_leaves_whole_games),
        cmocka_unit_test(a_stop_beforehand_plays_nothing),
        cmocka_unit_test(nothing_left_to_play),
        cmocka_unit_test(a_failing_consumer_stops_the_batch),
        cmocka_unit_test(replays_play_the_rest),
        cmocka_unit_test(a_failing_tick_stops_the_batch),
        cmocka_unit_test(a_worker_that_fails_stops_the_batch),
        cmocka_unit_test(a_stop_in_the_last_runs_is_told),
    };
    return cmocka_run_group_tests_name("sim/batch", tests, NULL, NULL);
}
