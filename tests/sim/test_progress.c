#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/progress.h"
#include "support/dice.h"
#include "support/experiments.h"

static void init(hy_progress *progress, const hy_experiment *experiment)
{
    assert_int_equal(hy_progress_init(progress, experiment, NULL), HY_OK);
}

static void mark(hy_progress *progress, uint32_t condition, bool swapped, uint64_t number)
{
    hy_block_key key = {condition, swapped, number / HY_BLOCK_GAMES};
    assert_int_equal(hy_progress_mark(progress, key, number, NULL), HY_OK);
}

/* Whether the game is among the bits of its word. */
static bool finds(const hy_progress *progress, uint32_t condition, bool swapped, uint64_t number,
                  hy_shard shard, bool played)
{
    hy_block_key key = {condition, swapped, number / HY_BLOCK_GAMES};
    uint64_t bits = hy_progress_word(progress, key, number % HY_BLOCK_GAMES / 64, shard, played);
    return bits >> number % 64 & 1;
}

static const uint64_t sizes[] = {1, 63, 64, 65, 1000, 65535, 65536, 65537, 140000};

static void nothing_has_been_played_at_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM(sizes); i++) {
        hy_experiment experiment = experiment_small(sizes[i], HY_RECORD_GAMES);
        hy_progress progress;
        init(&progress, &experiment);
        assert_int_equal(progress.num_played, 0);
        assert_int_equal(hy_progress_count(&progress, HY_WHOLE_SHARD, false), 3 * sizes[i]);
        assert_int_equal(hy_progress_count(&progress, HY_WHOLE_SHARD, true), 0);
        assert_int_equal(hy_experiment_num_games(&experiment), 3 * sizes[i]);
        hy_progress_clean_up(&progress);
        hy_experiment_clean_up(&experiment);
    }
}

/* Marked games are played, the others are missing, and a game marked twice counts once. */
static void what_is_marked_has_been_played(void **state)
{
    (void)state;
    dice d = {8};
    for (size_t i = 0; i < NUM(sizes); i++) {
        hy_experiment experiment = experiment_small(sizes[i], HY_RECORD_GAMES);
        hy_progress progress;
        init(&progress, &experiment);
        bool *done = calloc(3 * sizes[i], sizeof *done);
        uint64_t num = 0;
        for (unsigned j = 0; j < 2000; j++) {
            unsigned seating = dice_below(&d, 3), number = dice_below(&d, (unsigned)sizes[i]);
            num += !done[seating * sizes[i] + number];
            done[seating * sizes[i] + number] = true;
            mark(&progress, seating > 0, seating == 2, number);
        }
        assert_int_equal(progress.num_played, num);
        assert_int_equal(hy_progress_count(&progress, HY_WHOLE_SHARD, true), num);
        assert_int_equal(hy_progress_count(&progress, HY_WHOLE_SHARD, false), 3 * sizes[i] - num);
        for (uint64_t j = 0; j < 3 * sizes[i]; j++) {
            uint64_t seating = j / sizes[i], number = j % sizes[i];
            bool played = finds(&progress, seating > 0, seating == 2, number, HY_WHOLE_SHARD, true);
            bool missing =
                finds(&progress, seating > 0, seating == 2, number, HY_WHOLE_SHARD, false);
            assert_true(played == done[j] && missing != done[j]);
        }
        assert_int_equal(progress.num_extra, 0);
        free(done);
        hy_progress_clean_up(&progress);
        hy_experiment_clean_up(&experiment);
    }
}

/* Games beyond those asked for are extra: neither played nor missing. */
static void games_not_asked_for_are_extra(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(100, HY_RECORD_GAMES);
    hy_progress progress;
    uint64_t bitmap[HY_BLOCK_WORDS] = {0};
    init(&progress, &experiment);
    mark(&progress, 0, false, 99);
    mark(&progress, 0, false, 100);
    mark(&progress, 1, true, UINT64_MAX);
    bitmap[1] = UINT64_MAX; /* games 64 … 127 */
    bitmap[HY_BLOCK_WORDS - 1] = 1;
    assert_int_equal(hy_progress_mark_block(&progress, (hy_block_key){1, false, 0}, bitmap, NULL),
                     HY_OK);
    assert_int_equal(progress.num_played, 1 + 36);
    assert_int_equal(progress.num_extra, 2 + 28 + 1);
    assert_int_equal(hy_progress_count(&progress, HY_WHOLE_SHARD, true), 37);
    assert_int_equal(hy_progress_count(&progress, HY_WHOLE_SHARD, false), 300 - 37);
    hy_progress_clean_up(&progress);
    hy_experiment_clean_up(&experiment);
}

/* Only games of a condition's window are asked for; those past it are extra. */
static void windows_limit_what_is_asked_for(void **state)
{
    (void)state;
    enum { GAMES = 140000 };
    dice d = {77};
    for (unsigned i = 0; i < 60; i++) {
        hy_experiment experiment = experiment_small(GAMES, HY_RECORD_GAMES);
        hy_progress progress;
        uint64_t played = 0, extra = 0;
        hy_shard shard = {1 + dice_below(&d, 2), 2};
        init(&progress, &experiment);
        uint64_t first = dice_below(&d, GAMES + 1);
        uint64_t end = first + dice_below(&d, (unsigned)(GAMES - first) + 1);
        if (dice_one_in(&d, 3))
            end = first + dice_below(&d, 70) % (GAMES - first + 1);
        progress.windows[0] = (hy_window){0, 0};
        progress.windows[1] = (hy_window){first, end};
        for (unsigned j = 0; j < 50; j++) {
            uint64_t number = first + dice_below(&d, 200);
            if (number >= GAMES || finds(&progress, 1, true, number, HY_WHOLE_SHARD, true))
                continue;
            mark(&progress, 1, true, number);
            played += number < end && number % 2 == shard.index - 1;
            extra += number >= end;
        }
        assert_int_equal(progress.num_extra, extra);
        uint64_t of_shard = 0, found = 0;
        for (uint64_t number = 0; number < GAMES; number++) {
            bool mine = number % 2 == shard.index - 1, within = number >= first && number < end;
            bool missing = finds(&progress, 1, true, number, shard, false);
            bool done = finds(&progress, 1, true, number, shard, true);
            of_shard += mine && within;
            found += done;
            assert_false(missing && done);
            assert_int_equal(missing || done, mine && within);
        }
        assert_int_equal(found, played);
        assert_int_equal(hy_progress_count_of(&progress, 1, shard, true), played);
        assert_int_equal(hy_progress_count(&progress, shard, true), played);
        assert_int_equal(hy_progress_count(&progress, shard, false), 2 * of_shard - played);
        assert_int_equal(hy_progress_count_of(&progress, 0, shard, false), 0);
        hy_progress_clean_up(&progress);
        hy_experiment_clean_up(&experiment);
    }
}

/* Every game belongs to one shard of N: the one whose index is its number's rest. */
static void shards_are_a_partition(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 3, 7, 63, 64, 65, 1000, 100003, 1000000};
    static const uint64_t games[] = {1, 5, 64, 1000, 65600};
    for (size_t i = 0; i < NUM(games); i++) {
        hy_experiment experiment = experiment_small(games[i], HY_RECORD_GAMES);
        hy_progress progress;
        init(&progress, &experiment);
        for (size_t j = 0; j < NUM(counts); j++) {
            for (uint64_t number = 0; number < games[i]; number += games[i] < 2000 ? 1 : 97) {
                hy_shard own = {number % counts[j] + 1, counts[j]};
                assert_true(finds(&progress, 1, true, number, own, false));
                for (unsigned k = 0; k < 5; k++) {
                    hy_shard other = {(number + k * k + 1) % counts[j] + 1, counts[j]};
                    if (other.index != own.index)
                        assert_false(finds(&progress, 1, true, number, other, false));
                }
            }
            uint64_t sum = 0;
            for (uint64_t index = 1; index <= counts[j] && counts[j] < 100; index++)
                sum += hy_progress_count(&progress, (hy_shard){index, counts[j]}, false);
            if (counts[j] < 100)
                assert_int_equal(sum, 3 * games[i]);
        }
        hy_progress_clean_up(&progress);
        hy_experiment_clean_up(&experiment);
    }
}

/* The unit of the number's block, by the words of hy_shard. */
static uint64_t shard_unit(uint64_t number, uint64_t count)
{
    uint64_t first = number / HY_BLOCK_GAMES * HY_BLOCK_GAMES, unit = 1;
    while (unit < HY_BLOCK_GAMES && 2 * unit * HY_SHARD_BLOCKS * count <= first)
        unit *= 2;
    return unit < 64 || first < (uint64_t)HY_SHARD_BLOCKS * HY_BLOCK_GAMES ? 1 : unit;
}

/* The shard of a number, from 1 on. */
static uint64_t shard_of(uint64_t number, uint64_t count)
{
    return number / shard_unit(number, count) % count + 1;
}

/* Numbers of any size belong to one shard, and blocks are left out only by shards without a game.
 */
static void large_numbers_belong_to_one_shard(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 3, 7, 8, 64, 1000, 1021, 1000000};
    dice d = {31};
    hy_experiment experiment = experiment_small(HY_LIMIT_GAMES, HY_RECORD_SUMMARY);
    hy_progress progress;
    init(&progress, &experiment);
    for (unsigned i = 0; i < 20000; i++) {
        uint64_t count = counts[dice_below(&d, NUM(counts))];
        uint64_t number = (uint64_t)dice_below(&d, 1u << 30) << dice_below(&d, 10);
        uint64_t own = shard_of(number, count), other = 1 + dice_below(&d, (unsigned)count);
        assert_true(finds(&progress, 1, true, number, (hy_shard){own, count}, false));
        assert_int_equal(finds(&progress, 1, true, number, (hy_shard){other, count}, false),
                         other == own);
        assert_true(hy_shard_has_block((hy_shard){own, count}, number / HY_BLOCK_GAMES));
    }
    hy_progress_clean_up(&progress);
    hy_experiment_clean_up(&experiment);
}

/* Counts of shards are those of their numbers, and shards share a block only where they must. */
static void shards_are_counted(void **state)
{
    (void)state;
    static const uint64_t counts[] = {3, 8, 100};
    enum { BLOCKS = 200 };
    static uint64_t blocks[100], games[100];
    double most = 2; /* blocks of a shard */
    for (uint64_t block = 0; block < BLOCKS; block++)
        most += block < 2 * HY_SHARD_BLOCKS ? 1 : 2.0 * HY_SHARD_BLOCKS / (double)block;
    for (size_t i = 0; i < NUM(counts); i++) {
        memset(blocks, 0, sizeof blocks);
        memset(games, 0, sizeof games);
        for (uint64_t block = 0; block < BLOCKS; block++) {
            uint64_t before[100];
            memcpy(before, games, sizeof before);
            uint64_t step = shard_unit(block * HY_BLOCK_GAMES, counts[i]);
            for (uint64_t n = 0; n < HY_BLOCK_GAMES; n += step)
                games[shard_of(block * HY_BLOCK_GAMES + n, counts[i]) - 1] += step;
            for (uint64_t s = 0; s < counts[i]; s++) {
                blocks[s] += games[s] > before[s];
                assert_int_equal(hy_shard_has_block((hy_shard){s + 1, counts[i]}, block),
                                 games[s] > before[s]);
            }
            if (block % 9 > 0 && block < BLOCKS - 1)
                continue;
            hy_experiment experiment =
                experiment_small((block + 1) * HY_BLOCK_GAMES, HY_RECORD_SUMMARY);
            hy_progress progress;
            init(&progress, &experiment);
            for (uint64_t s = 0; s < counts[i]; s++) {
                uint64_t mean = experiment.games / counts[i];
                assert_int_equal(
                    hy_progress_count_of(&progress, 0, (hy_shard){s + 1, counts[i]}, false),
                    games[s]);
                assert_in_range(games[s], mean - mean / 8 - 1, mean + mean / 8 + 1);
            }
            hy_progress_clean_up(&progress);
            hy_experiment_clean_up(&experiment);
        }
        for (uint64_t s = 0; s < counts[i]; s++)
            assert_in_range(blocks[s], BLOCKS / counts[i], (uint64_t)most + BLOCKS / counts[i]);
    }
}

/* Blocks marked as whole ones are played, once, and can be forgotten. */
static void whole_blocks_are_marked(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(5 * HY_BLOCK_GAMES / 2, HY_RECORD_SUMMARY);
    hy_progress progress;
    uint64_t bitmap[HY_BLOCK_WORDS];
    memset(bitmap, 0xff, sizeof bitmap);
    init(&progress, &experiment);
    mark(&progress, 1, true, HY_BLOCK_GAMES + 7);
    for (unsigned again = 0; again < 2; again++) {
        for (uint64_t block = 0; block < 3; block++)
            assert_int_equal(
                hy_progress_mark_block(&progress, (hy_block_key){1, true, block}, bitmap, NULL),
                HY_OK);
        assert_int_equal(progress.num_played, experiment.games);
        assert_int_equal(progress.num_extra, (again + 1) * HY_BLOCK_GAMES / 2);
    }
    mark(&progress, 1, true, 12);
    assert_int_equal(progress.num_played, experiment.games);
    assert_int_equal(hy_progress_count(&progress, HY_WHOLE_SHARD, true), experiment.games);
    assert_int_equal(hy_progress_count(&progress, (hy_shard){1, 2}, true), experiment.games / 2);
    assert_true(finds(&progress, 1, true, 2 * HY_BLOCK_GAMES - 1, HY_WHOLE_SHARD, true));
    assert_true(finds(&progress, 1, false, 0, HY_WHOLE_SHARD, false));
    progress.windows[1] = (hy_window){10, HY_BLOCK_GAMES + 5};
    assert_int_equal(hy_progress_count_of(&progress, 1, HY_WHOLE_SHARD, true), HY_BLOCK_GAMES - 5);
    hy_progress_forget(&progress, 1);
    assert_int_equal(progress.num_played, 0);
    assert_true(finds(&progress, 1, true, 12, HY_WHOLE_SHARD, false));
    hy_progress_clean_up(&progress);
    hy_experiment_clean_up(&experiment);
}

/* No bit stands for a game that is not asked for, played or not, in any shard. */
static void no_bit_is_beyond_the_games(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM(sizes); i++) {
        hy_experiment experiment = experiment_small(sizes[i], HY_RECORD_GAMES);
        hy_progress progress;
        init(&progress, &experiment);
        for (uint64_t block = 0; block < progress.blocks_each; block++) {
            for (uint64_t word = 0; word < HY_BLOCK_WORDS; word++) {
                uint64_t first = block * HY_BLOCK_GAMES + word * 64;
                uint64_t bits = hy_progress_word(&progress, (hy_block_key){0, false, block}, word,
                                                 HY_WHOLE_SHARD, false);
                uint64_t num = sizes[i] > first ? sizes[i] - first : 0;
                assert_int_equal(__builtin_popcountll(bits), num < 64 ? num : 64);
                assert_true(num >= 64 || bits >> num == 0);
            }
        }
        hy_progress_clean_up(&progress);
        hy_experiment_clean_up(&experiment);
    }
}

/* Counting does not go through the games one by one: the largest experiment is counted at once. */
static void the_largest_experiment_is_counted(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(HY_LIMIT_GAMES, HY_RECORD_SUMMARY);
    hy_progress progress;
    uint64_t all = hy_experiment_num_games(&experiment), sum = 0;
    init(&progress, &experiment);
    assert_true(hy_progress_count(&progress, HY_WHOLE_SHARD, false) == all);
    for (uint64_t i = 1; i <= 7; i++)
        sum += hy_progress_count(&progress, (hy_shard){i, 7}, false);
    assert_true(sum == all);
    assert_int_equal(hy_progress_mark(&progress, (hy_block_key){0, false, 1}, HY_BLOCK_GAMES, NULL),
                     HY_OK);
    assert_true(hy_progress_count(&progress, HY_WHOLE_SHARD, false) == all - 1);
    hy_progress_clean_up(&progress);
    hy_experiment_clean_up(&experiment);
}

/* What another progress has is taken out, and nothing else. */
static void subtracted_games_are_gone(void **state)
{
    (void)state;
    dice d = {31};
    for (size_t i = 0; i < NUM(sizes); i++) {
        hy_experiment experiment = experiment_small(sizes[i], HY_RECORD_GAMES);
        hy_progress progress, other;
        init(&progress, &experiment);
        init(&other, &experiment);
        for (unsigned j = 0; j < 300; j++) {
            unsigned seating = dice_below(&d, 3);
            uint64_t number = dice_below(&d, (unsigned)sizes[i]);
            if (dice_below(&d, 3) > 0)
                mark(&progress, seating > 0, seating > 1, number);
            if (dice_below(&d, 3) > 0)
                mark(&other, seating > 0, seating > 1, number);
        }
        assert_int_equal(hy_progress_subtract(&progress, &other, NULL), HY_OK);
        mark(&other, 0, false, 0);
        assert_int_equal(hy_progress_subtract(&progress, &other, NULL), HY_OK);
        assert_int_equal(progress.num_played, hy_progress_count(&progress, HY_WHOLE_SHARD, true));
        for (uint64_t number = 0; number < sizes[i] && number < 70000; number++)
            assert_false(finds(&progress, 1, true, number, HY_WHOLE_SHARD, true) &&
                         finds(&other, 1, true, number, HY_WHOLE_SHARD, true));
        assert_int_equal(hy_progress_subtract(&progress, &progress, NULL), HY_OK);
        assert_int_equal(progress.num_played, 0);
        hy_progress_clean_up(&progress);
        hy_progress_clean_up(&other);
        hy_experiment_clean_up(&experiment);
    }
}

/* Whole blocks share a bitmap, which taking games out of one must not change. */
static void games_of_one_whole_block_are_subtracted(void **state)
{
    (void)state;
    static uint64_t all[HY_BLOCK_WORDS];
    hy_experiment experiment = experiment_small(3 * HY_BLOCK_GAMES, HY_RECORD_GAMES);
    hy_progress progress, other;
    init(&progress, &experiment);
    init(&other, &experiment);
    memset(all, 0xff, sizeof all);
    for (uint64_t block = 0; block < 3; block++)
        assert_int_equal(
            hy_progress_mark_block(&progress, (hy_block_key){1, true, block}, all, NULL), HY_OK);
    mark(&other, 1, true, 7);
    assert_int_equal(hy_progress_mark_block(&other, (hy_block_key){1, true, 2}, all, NULL), HY_OK);
    assert_int_equal(hy_progress_subtract(&progress, &other, NULL), HY_OK);
    assert_int_equal(progress.num_played, 2 * HY_BLOCK_GAMES - 1);
    assert_int_equal(progress.num_played, hy_progress_count(&progress, HY_WHOLE_SHARD, true));
    assert_false(finds(&progress, 1, true, 7, HY_WHOLE_SHARD, true));
    assert_true(finds(&progress, 1, true, HY_BLOCK_GAMES + 7, HY_WHOLE_SHARD, true));
    assert_false(finds(&progress, 1, true, 2 * HY_BLOCK_GAMES + 7, HY_WHOLE_SHARD, true));
    hy_progress_clean_up(&progress);
    hy_progress_clean_up(&other);
    hy_experiment_clean_up(&experiment);
}

/* Books of more than a quarter of the memory are refused before they are made. */
static void books_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    hy_progress progress;
    hy_error error = {0};
    hy_experiment experiment = experiment_small(HY_LIMIT_GAMES, HY_RECORD_GAMES);
    size_t num_conditions = experiment.num_conditions;
    experiment.num_conditions = 100000000;
    assert_int_equal(hy_progress_init(&progress, &experiment, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "100000000 conditions of 1000000000000 games"));
    hy_progress_clean_up(&progress);
    experiment.num_conditions = num_conditions;
    hy_experiment_clean_up(&experiment);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_has_been_played_at_first),
        cmocka_unit_test(what_is_marked_has_been_played),
        cmocka_unit_test(games_not_asked_for_are_extra),
        cmocka_unit_test(windows_limit_what_is_asked_for),
        cmocka_unit_test(shards_are_a_partition),
        cmocka_unit_test(large_numbers_belong_to_one_shard),
        cmocka_unit_test(shards_are_counted),
        cmocka_unit_test(whole_blocks_are_marked),
        cmocka_unit_test(no_bit_is_beyond_the_games),
        cmocka_unit_test(the_largest_experiment_is_counted),
        cmocka_unit_test(subtracted_games_are_gone),
        cmocka_unit_test(games_of_one_whole_block_are_subtracted),
        cmocka_unit_test(books_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests_name("sim/progress", tests, NULL, NULL);
}
