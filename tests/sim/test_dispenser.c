#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dispenser.h"
#include "support/dice.h"
#include "support/experiments.h"

/* What has been handed out, as often; an index a seating and number. */
typedef struct ledger {
    hy_experiment experiment;
    hy_progress progress;
    uint8_t *times;
    uint64_t num_runs;
} ledger;

static void ledger_init(ledger *l, uint64_t games)
{
    l->experiment = experiment_small(games, HY_RECORD_GAMES);
    l->times = calloc(3 * games, 1);
    l->num_runs = 0;
    assert_non_null(l->times);
    assert_int_equal(hy_progress_init(&l->progress, &l->experiment, NULL), HY_OK);
}

static void ledger_clean_up(ledger *l)
{
    hy_progress_clean_up(&l->progress);
    hy_experiment_clean_up(&l->experiment);
    free(l->times);
}

static uint64_t index_of(const ledger *l, hy_block_key key, uint64_t number)
{
    return (key.condition + (uint64_t)key.swapped) * l->experiment.games + number;
}

static void note(ledger *l, const hy_run *run)
{
    assert_true(run->games != 0);
    assert_int_equal(run->first % 64, 0);
    assert_int_equal(run->first / HY_BLOCK_GAMES, run->key.block);
    assert_true(run->key.condition < 2 && (run->key.condition == 1 || !run->key.swapped));
    for (unsigned i = 0; i < 64; i++) {
        if (run->games >> i & 1) {
            assert_true(run->first + i < l->experiment.games);
            l->times[index_of(l, run->key, run->first + i)]++;
        }
    }
    l->num_runs++;
}

/* Each game that is asked for was handed out once, and no other one. */
static void check(const ledger *l, hy_shard shard, bool replay)
{
    for (uint64_t seating = 0; seating < 3; seating++) {
        for (uint64_t number = 0; number < l->experiment.games; number++) {
            hy_block_key key = {seating > 0, seating == 2, number / HY_BLOCK_GAMES};
            uint64_t bits = hy_progress_word(&l->progress, key, number % HY_BLOCK_GAMES / 64,
                                             HY_WHOLE_SHARD, true);
            hy_window window = l->progress.windows[key.condition];
            bool wanted = number >= window.first && number < window.end &&
                          (bits >> number % 64 & 1) == replay &&
                          number % shard.count == shard.index - 1;
            assert_int_equal(l->times[index_of(l, key, number)], wanted);
        }
    }
}

static hy_batch batch_of(const ledger *l, unsigned threads, hy_shard shard, bool replay)
{
    return (hy_batch){
        .experiment = &l->experiment,
        .progress = &l->progress,
        .shard = shard,
        .replay = replay,
        .threads = threads,
        .record = HY_RECORD_GAMES,
    };
}

/* The workers come in a random order, and some come seldom. */
static void hand_out_all(ledger *l, const hy_batch *batch, dice *d)
{
    hy_dispenser dispenser;
    hy_run run;
    bool more = true;
    assert_int_equal(hy_dispenser_init(&dispenser, batch, NULL), HY_OK);
    while (more) {
        unsigned worker = dice_below(d, batch->threads);
        if (dice_one_in(d, 2))
            worker = worker * dice_below(d, 2);
        more = hy_dispenser_take(&dispenser, worker, &run);
        if (more)
            note(l, &run);
    }
    for (unsigned i = 0; i < batch->threads; i++)
        assert_false(hy_dispenser_take(&dispenser, i, &run));
    assert_int_equal(dispenser.num_left, 0);
    hy_dispenser_clean_up(&dispenser);
}

static void mark_at_random(ledger *l, dice *d)
{
    unsigned manner = dice_below(d, 3); /* nothing, some, nearly all */
    for (uint64_t seating = 0; manner > 0 && seating < 3; seating++) {
        for (uint64_t number = 0; number < l->experiment.games; number++) {
            hy_block_key key = {seating > 0, seating == 2, number / HY_BLOCK_GAMES};
            if (dice_one_in(d, 50) != (manner == 2))
                assert_int_equal(hy_progress_mark(&l->progress, key, number, NULL), HY_OK);
        }
    }
}

static const uint64_t sizes[] = {1, 7, 64, 100, 1001, 65536, 70001};

static void each_game_once(void **state)
{
    (void)state;
    dice d = {9};
    for (size_t i = 0; i < NUM(sizes); i++) {
        for (unsigned threads = 1; threads <= 7; threads++) {
            static const uint64_t counts[] = {1, 1, 2, 3, 70, 200000};
            if (sizes[i] > 2000 && threads % 3 != 1)
                continue;
            ledger l;
            uint64_t count = counts[dice_below(&d, NUM(counts))];
            hy_shard shard = {1 + dice_below(&d, (unsigned)count), count};
            bool replay = dice_one_in(&d, 2);
            ledger_init(&l, sizes[i]);
            mark_at_random(&l, &d);
            hy_batch batch = batch_of(&l, threads, shard, replay);
            hand_out_all(&l, &batch, &d);
            check(&l, shard, replay);
            ledger_clean_up(&l);
        }
    }
}

/* All shards together hand out every game once; most of a million shards have nothing to do. */
static void shards_together_are_all(void **state)
{
    (void)state;
    dice d = {10};
    static const uint64_t counts[] = {2, 5, 64, 150};
    for (size_t i = 0; i < NUM(counts); i++) {
        ledger l;
        ledger_init(&l, 100);
        for (uint64_t index = 1; index <= counts[i]; index++) {
            hy_batch batch = batch_of(&l, 3, (hy_shard){index, counts[i]}, false);
            hand_out_all(&l, &batch, &d);
        }
        check(&l, HY_WHOLE_SHARD, false);
        ledger_clean_up(&l);
    }
}

/* Runs get short towards the end, so that no worker is left with much. */
static void the_last_runs_are_short(void **state)
{
    (void)state;
    ledger l;
    hy_dispenser dispenser;
    hy_run run;
    ledger_init(&l, 1000);
    hy_batch batch = batch_of(&l, 4, HY_WHOLE_SHARD, false);
    assert_int_equal(hy_dispenser_init(&dispenser, &batch, NULL), HY_OK);
    for (unsigned i = 0; hy_dispenser_take(&dispenser, i % 4, &run); i++) {
        uint64_t num = (uint64_t)__builtin_popcountll(run.games);
        assert_true(num <= (dispenser.num_left + num) / 16 + 1);
        note(&l, &run);
    }
    check(&l, HY_WHOLE_SHARD, false);
    hy_dispenser_clean_up(&dispenser);
    ledger_clean_up(&l);
}

/* What threads take at the same time. */
typedef struct taker {
    pthread_t thread;
    hy_dispenser *dispenser;
    unsigned index;
    hy_run *runs;
    size_t num;
} taker;

static void *take_all(void *context)
{
    taker *t = context;
    while (hy_dispenser_take(t->dispenser, t->index, &t->runs[t->num]))
        t->num++;
    return NULL;
}

static void threads_take_each_game_once(void **state)
{
    (void)state;
    enum { THREADS = 5, GAMES = 20000 };
    ledger l;
    taker takers[THREADS];
    hy_dispenser dispenser;
    ledger_init(&l, GAMES);
    hy_batch batch = batch_of(&l, THREADS, HY_WHOLE_SHARD, false);
    assert_int_equal(hy_dispenser_init(&dispenser, &batch, NULL), HY_OK);
    for (unsigned i = 0; i < THREADS; i++) {
        takers[i] = (taker){.dispenser = &dispenser, .index = i};
        takers[i].runs = calloc(GAMES, sizeof *takers[i].runs);
        assert_non_null(takers[i].runs);
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&takers[i].thread, NULL, take_all, &takers[i]), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(takers[i].thread, NULL), 0);
        for (size_t j = 0; j < takers[i].num; j++)
            note(&l, &takers[i].runs[j]);
        free(takers[i].runs);
    }
    check(&l, HY_WHOLE_SHARD, false);
    hy_dispenser_clean_up(&dispenser);
    ledger_clean_up(&l);
}

/* No game outside of the windows, each within them once; windows may be empty, also the first. */
static void windows_limit_what_is_handed_out(void **state)
{
    (void)state;
    enum { GAMES = 2 * HY_BLOCK_GAMES };
    dice d = {5};
    for (unsigned i = 0; i < 40; i++) {
        ledger l;
        ledger_init(&l, GAMES);
        for (unsigned c = 0; c < 2; c++) {
            uint64_t first = dice_one_in(&d, 4) ? GAMES : dice_below(&d, GAMES + 1);
            uint64_t end = first + dice_below(&d, (unsigned)(GAMES - first) + 1);
            l.progress.windows[c] = (hy_window){first, dice_one_in(&d, 4) ? first : end};
        }
        mark_at_random(&l, &d);
        hy_batch batch = batch_of(&l, 1 + dice_below(&d, 4), HY_WHOLE_SHARD, false);
        hand_out_all(&l, &batch, &d);
        check(&l, HY_WHOLE_SHARD, false);
        ledger_clean_up(&l);
    }
}

/* Few games among very many that are asked for: 10^10 words looked at one by one would take
 * minutes. */
static void blank_blocks_are_passed_over(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 65535, 5000000000, 99999999999};
    hy_experiment experiment = experiment_small(100000000000, HY_RECORD_GAMES);
    ledger l = {.experiment = experiment};
    assert_int_equal(hy_progress_init(&l.progress, &l.experiment, NULL), HY_OK);
    for (size_t i = 0; i < 4; i++) {
        hy_block_key key = {i % 2, false, numbers[i] / HY_BLOCK_GAMES};
        assert_int_equal(hy_progress_mark(&l.progress, key, numbers[i], NULL), HY_OK);
    }
    hy_batch batch = batch_of(&l, 2, HY_WHOLE_SHARD, true);
    hy_dispenser dispenser;
    hy_run run;
    unsigned num = 0;
    assert_int_equal(hy_dispenser_init(&dispenser, &batch, NULL), HY_OK);
    for (; hy_dispenser_take(&dispenser, num % 2, &run); num++)
        assert_true(run.games == (uint64_t)1 << numbers[2 * num % 4 + num / 2] % 64);
    assert_int_equal(num, 4);
    hy_dispenser_clean_up(&dispenser);
    hy_progress_clean_up(&l.progress);
    hy_experiment_clean_up(&l.experiment);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_game_once),
        cmocka_unit_test(shards_together_are_all),
        cmocka_unit_test(the_last_runs_are_short),
        cmocka_unit_test(threads_take_each_game_once),
        cmocka_unit_test(windows_limit_what_is_handed_out),
        cmocka_unit_test(blank_blocks_are_passed_over),
    };
    return cmocka_run_group_tests_name("sim/dispenser", tests, NULL, NULL);
}
