#include "sim/batch.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sim/dispenser.h"

#define FLUSH_SECONDS 0.25
#define TICK_NANOSECONDS 100000000

/* A chunk that shares no line of the cache with another, in which another worker counts. */
typedef struct hy_slot {
    _Alignas(HY_LINE) hy_chunk chunk;
} hy_slot;

/* Results that are full and wait for the consumer, and those that are free. */
typedef struct hy_exchange {
    pthread_mutex_t mutex;
    pthread_cond_t filled; /* for the consumer: a chunk, or a worker that ended */
    pthread_cond_t freed;  /* for the workers */
    hy_slot *slots;
    size_t num_slots;
    hy_chunk *first_full, **last_full;
    hy_chunk *first_free;
    unsigned num_working;
    atomic_int cancelled; /* by a failure, of the consumer or of a hy_worker */
    hy_status status;     /* of the first worker that failed */
    hy_error error;
} hy_exchange;

typedef struct hy_worker {
    _Alignas(HY_LINE) const hy_batch *batch;
    hy_dispenser *dispenser;
    hy_exchange *exchange;
    unsigned index;
    pthread_t thread;
    hy_table table;
    hy_block_key key;
    bool seated;      /* `table` is set up for `key` */
    bool cut;         /* a stop left games of its last run unplayed */
    hy_run run;       /* what is left of the last one */
    uint64_t in_hand; /* games that its lanes have begun and not ended */
    hy_chunk *chunk;
    double flushed; /* when */
} hy_worker;

static bool is_stopped(const hy_worker *worker)
{
    atomic_int *stop = worker->batch->stop;
    return (stop && atomic_load_explicit(stop, memory_order_relaxed) != 0) ||
           atomic_load_explicit(&worker->exchange->cancelled, memory_order_relaxed) != 0;
}

static void clear_chunk(hy_chunk *chunk, hy_record record)
{
    chunk->num_games = 0;
    chunk->num_plies = 0;
    chunk->holes.num = 0;
    if (record == HY_RECORD_SUMMARY) {
        hy_summary_clear(&chunk->summary);
        memset(chunk->played, 0, HY_BLOCK_WORDS * sizeof chunk->played[0]);
    }
}

static hy_chunk *take_free(hy_exchange *exchange)
{
    pthread_mutex_lock(&exchange->mutex);
    while (!exchange->first_free)
        pthread_cond_wait(&exchange->freed, &exchange->mutex);
    hy_chunk *chunk = exchange->first_free;
    exchange->first_free = chunk->next;
    pthread_mutex_unlock(&exchange->mutex);
    return chunk;
}

static void put_free(hy_exchange *exchange, hy_chunk *chunk)
{
    pthread_mutex_lock(&exchange->mutex);
    chunk->next = exchange->first_free;
    exchange->first_free = chunk;
    pthread_cond_signal(&exchange->freed);
    pthread_mutex_unlock(&exchange->mutex);
}

static void put_full(hy_exchange *exchange, hy_chunk *chunk)
{
    chunk->next = NULL;
    pthread_mutex_lock(&exchange->mutex);
    *exchange->last_full = chunk;
    exchange->last_full = &chunk->next;
    pthread_cond_signal(&exchange->filled);
    pthread_mutex_unlock(&exchange->mutex);
}

static void flush(hy_worker *worker)
{
    worker->flushed = hy_now();
    if (!worker->chunk)
        return;
    if (worker->chunk->num_games > 0)
        put_full(worker->exchange, worker->chunk);
    else
        put_free(worker->exchange, worker->chunk);
    worker->chunk = NULL;
}

static hy_status seat(hy_worker *worker, hy_block_key key, hy_error *error)
{
    if (worker->seated && hy_block_same(worker->key, key))
        return HY_OK;
    flush(worker);
    bool same_table = worker->seated && worker->key.condition == key.condition &&
                      worker->key.swapped == key.swapped;
    worker->key = key;
    if (same_table)
        return HY_OK;
    if (worker->seated)
        hy_table_clean_up(&worker->table);
    hy_status status = hy_table_init(
        &worker->table, &worker->batch->experiment->conditions[key.condition], key.swapped, error);
    worker->seated = status == HY_OK;
    return status;
}

static hy_chunk *open_chunk(hy_worker *worker)
{
    if (!worker->chunk) {
        worker->chunk = take_free(worker->exchange);
        clear_chunk(worker->chunk, worker->batch->record);
        worker->chunk->key = worker->key;
    }
    return worker->chunk;
}

/* Counts a game that the worker has added to its chunk. */
static void count_game(hy_worker *worker, const hy_game_record *record)
{
    hy_chunk *chunk = worker->chunk;
    chunk->num_games++;
    chunk->num_plies += record->plies;
    if (worker->batch->record != HY_RECORD_SUMMARY && chunk->num_games == HY_CHUNK_GAMES)
        flush(worker);
}

static void flush_in_time(hy_worker *worker)
{
    if (hy_now() - worker->flushed > FLUSH_SECONDS)
        flush(worker);
}

static hy_status sum_up(hy_chunk *chunk, const hy_game_record *record, hy_error *error)
{
    uint64_t number = record->number;
    chunk->played[number % HY_BLOCK_GAMES / 64] |= (uint64_t)1 << number % 64;
    return hy_summary_add(&chunk->summary, record, error);
}

static hy_status play(hy_worker *worker, uint64_t number, hy_error *error)
{
    hy_record level = worker->batch->record;
    hy_game_record scratch;
    hy_chunk *chunk = open_chunk(worker);
    hy_game_record *record =
        level == HY_RECORD_SUMMARY ? &scratch : &chunk->records[chunk->num_games];
    hy_hole_list *holes = level == HY_RECORD_MOVES ? &chunk->holes : NULL;
    hy_status status = hy_table_play(&worker->table, worker->batch->experiment->seed, number, holes,
                                     record, error);
    if (status == HY_OK && level == HY_RECORD_SUMMARY)
        status = sum_up(chunk, record, error);
    if (status != HY_OK)
        return status;
    count_game(worker, record);
    flush_in_time(worker);
    return HY_OK;
}

static uint64_t next_of_run(hy_run *run)
{
    uint64_t number = run->first + (uint64_t)__builtin_ctzll(run->games);
    run->games &= run->games - 1;
    return number;
}

static hy_status play_run(hy_worker *worker, hy_error *error)
{
    hy_status status = HY_OK;
    while (status == HY_OK && worker->run.games) {
        worker->cut = is_stopped(worker);
        if (worker->cut)
            break;
        status = play(worker, next_of_run(&worker->run), error);
    }
    return status;
}

/* The games of lanes: those of the run, and of the runs after it that belong to the same block. */
static bool next_for_lanes(void *context, uint64_t *number)
{
    hy_worker *worker = context;
    if (is_stopped(worker) ||
        (worker->run.games == 0 &&
         !hy_dispenser_take(worker->dispenser, worker->index, &worker->run)) ||
        !hy_block_same(worker->run.key, worker->key))
        return false;
    *number = next_of_run(&worker->run);
    worker->in_hand++;
    return true;
}

static hy_status take_from_lanes(void *context, const hy_game_record *record,
                                 const hy_hole_list *holes, hy_error *error)
{
    hy_worker *worker = context;
    hy_chunk *chunk = open_chunk(worker);
    hy_status status = HY_OK;
    if (worker->batch->record == HY_RECORD_SUMMARY)
        status = sum_up(chunk, record, error);
    else
        chunk->records[chunk->num_games] = *record;
    if (worker->batch->record == HY_RECORD_MOVES)
        status = hy_hole_list_join(&chunk->holes, holes, error);
    if (status != HY_OK)
        return status;
    worker->in_hand--;
    count_game(worker, record);
    return HY_OK;
}

static hy_status play_for_lanes(void *context, uint64_t number, hy_hole_list *holes,
                                hy_game_record *record, hy_error *error)
{
    hy_worker *worker = context;
    return hy_table_play(&worker->table, worker->batch->experiment->seed, number, holes, record,
                         error);
}

static bool stops_lanes(void *context)
{
    hy_worker *worker = context;
    flush_in_time(worker);
    return is_stopped(worker);
}

static hy_status play_lanes(hy_worker *worker, const hy_playout_terms *terms, hy_error *error)
{
    hy_lanes_job job = {
        .terms = terms,
        .seed = worker->batch->experiment->seed,
        .keep_holes = worker->batch->record == HY_RECORD_MOVES,
        .client = {.context = worker,
                   .next = next_for_lanes,
                   .take = take_from_lanes,
                   .play = play_for_lanes,
                   .stopped = stops_lanes},
    };
    worker->in_hand = 0;
    hy_status status = hy_lanes_play(&job, error);
    worker->cut = worker->in_hand > 0 || (is_stopped(worker) && worker->run.games != 0);
    return status;
}

/* Plays the run in hand, and perhaps others; what is left of the last is in `run` then. */
static hy_status play_some(hy_worker *worker, hy_error *error)
{
    hy_playout_terms terms;
    hy_status status = seat(worker, worker->run.key, error);
    if (status != HY_OK)
        return status;
    return hy_condition_has_lanes(worker->table.condition, &terms)
               ? play_lanes(worker, &terms, error)
               : play_run(worker, error);
}

static void *work(void *context)
{
    hy_worker *worker = context;
    hy_exchange *exchange = worker->exchange;
    hy_error error = {0};
    hy_status status = HY_OK;
    worker->flushed = hy_now();
    while (
        status == HY_OK && !worker->cut &&
        (worker->run.games || (!is_stopped(worker) &&
                               hy_dispenser_take(worker->dispenser, worker->index, &worker->run))))
        status = play_some(worker, &error);
    flush(worker);
    if (worker->seated)
        hy_table_clean_up(&worker->table);
    pthread_mutex_lock(&exchange->mutex);
    if (status != HY_OK && exchange->status == HY_OK) {
        exchange->status = status;
        exchange->error = error;
        atomic_store(&exchange->cancelled, 1);
    }
    exchange->num_working--;
    pthread_cond_signal(&exchange->filled);
    pthread_mutex_unlock(&exchange->mutex);
    return NULL;
}

static hy_status make_chunks(hy_exchange *exchange, const hy_batch *batch, hy_error *error)
{
    exchange->num_slots = 2u * batch->threads + 2;
    exchange->slots = hy_new_lines(exchange->num_slots, sizeof exchange->slots[0]);
    if (!exchange->slots)
        return hy_fail_memory(error);
    for (size_t i = 0; i < exchange->num_slots; i++) {
        hy_chunk *chunk = &exchange->slots[i].chunk;
        bool summary = batch->record == HY_RECORD_SUMMARY;
        if (summary)
            chunk->played = hy_new_array(HY_BLOCK_WORDS, sizeof chunk->played[0]);
        else
            chunk->records = hy_new_array(HY_CHUNK_GAMES, sizeof chunk->records[0]);
        if (summary ? !chunk->played : !chunk->records)
            return hy_fail_memory(error);
        chunk->next = exchange->first_free;
        exchange->first_free = chunk;
    }
    return HY_OK;
}

static hy_status exchange_init(hy_exchange *exchange, const hy_batch *batch, hy_error *error)
{
    *exchange = (hy_exchange){.last_full = &exchange->first_full};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&exchange->mutex, NULL);
    pthread_cond_init(&exchange->filled, &monotonic);
    pthread_cond_init(&exchange->freed, NULL);
    pthread_condattr_destroy(&monotonic);
    return make_chunks(exchange, batch, error);
}

static void exchange_clean_up(hy_exchange *exchange)
{
    for (size_t i = 0; exchange->slots && i < exchange->num_slots; i++) {
        hy_chunk *chunk = &exchange->slots[i].chunk;
        hy_summary_clean_up(&chunk->summary);
        free(chunk->records);
        free(chunk->played);
        free(chunk->holes.holes);
    }
    free(exchange->slots);
    pthread_cond_destroy(&exchange->freed);
    pthread_cond_destroy(&exchange->filled);
    pthread_mutex_destroy(&exchange->mutex);
}

/* Waits for a chunk, a tick's time at the most; *working says whether more can come. */
static hy_chunk *take_full(hy_exchange *exchange, bool *working)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += TICK_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&exchange->mutex);
    int waited = 0;
    while (!exchange->first_full && exchange->num_working > 0 && waited == 0)
        waited = pthread_cond_timedwait(&exchange->filled, &exchange->mutex, &until);
    hy_chunk *chunk = exchange->first_full;
    if (chunk) {
        exchange->first_full = chunk->next;
        if (!exchange->first_full)
            exchange->last_full = &exchange->first_full;
    }
    *working = exchange->num_working > 0;
    pthread_mutex_unlock(&exchange->mutex);
    return chunk;
}

/* Consumes until every worker has ended and every chunk is taken. After a failure chunks are
 * dropped, so that no worker waits for a free one for ever. */
static hy_status consume(const hy_batch *batch, hy_exchange *exchange, hy_error *error)
{
    const hy_consumer *consumer = &batch->consumer;
    hy_status status = HY_OK;
    double ticked = hy_now();
    for (;;) {
        bool working;
        hy_chunk *chunk = take_full(exchange, &working);
        if (!chunk && !working)
            return status;
        if (chunk && status == HY_OK)
            status = consumer->take(consumer->context, chunk, error);
        if (chunk)
            put_free(exchange, chunk);
        if (status == HY_OK && consumer->tick && hy_now() - ticked > 1e-9 * TICK_NANOSECONDS) {
            status = consumer->tick(consumer->context, error);
            ticked = hy_now();
        }
        if (status != HY_OK)
            atomic_store(&exchange->cancelled, 1);
    }
}

/* Starts as many workers as the system allows; one is enough. */
static unsigned start(const hy_batch *batch, hy_dispenser *dispenser, hy_exchange *exchange,
                      hy_worker *workers)
{
    unsigned num = 0;
    pthread_mutex_lock(&exchange->mutex);
    for (; num < batch->threads; num++) {
        workers[num] =
            (hy_worker){.batch = batch, .dispenser = dispenser, .exchange = exchange, .index = num};
        if (pthread_create(&workers[num].thread, NULL, work, &workers[num]) != 0)
            break;
    }
    exchange->num_working = num;
    pthread_mutex_unlock(&exchange->mutex);
    return num;
}

static hy_status run(const hy_batch *batch, hy_dispenser *dispenser, hy_exchange *exchange,
                     hy_error *error)
{
    hy_worker *workers = hy_new_lines(batch->threads, sizeof *workers);
    if (!workers)
        return hy_fail_memory(error);
    unsigned num = start(batch, dispenser, exchange, workers);
    hy_status status = consume(batch, exchange, error);
    bool cut = false;
    for (unsigned i = 0; i < num; i++) {
        pthread_join(workers[i].thread, NULL);
        cut |= workers[i].cut;
    }
    free(workers);
    if (num == 0)
        return hy_fail(error, HY_FAILED, "cannot start a thread");
    if (status == HY_OK && exchange->status != HY_OK) {
        status = exchange->status;
        if (error)
            *error = exchange->error;
    }
    bool stopped = batch->stop && atomic_load(batch->stop) != 0;
    if (status == HY_OK && stopped && (cut || dispenser->num_left > 0))
        return hy_fail(error, HY_INTERRUPTED, "interrupted");
    return status;
}

hy_status hy_batch_run(const hy_batch *batch, hy_error *error)
{
    hy_dispenser dispenser;
    hy_exchange exchange;
    hy_status status = hy_experiment_check_memory(batch->experiment, batch->threads, error);
    if (status == HY_OK)
        status = hy_dispenser_init(&dispenser, batch, error);
    if (status != HY_OK)
        return status;
    status = exchange_init(&exchange, batch, error);
    if (status == HY_OK)
        status = run(batch, &dispenser, &exchange, error);
    exchange_clean_up(&exchange);
    hy_dispenser_clean_up(&dispenser);
    return status;
}
