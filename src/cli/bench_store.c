/* Benches of batches and of the database. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/bare_insert.h"
#include "cli/bench.h"
#include "store/store.h"

#define SUMMARY_GAMES 3e6 /* a second, about */
#define ROW_GAMES 130e3   /* likewise */

/* A database in a folder of its own, for a round. */
typedef struct hy_bench_file {
    char folder[512], path[544];
    hy_experiment experiment;
    hy_store *store;
} hy_bench_file;

static hy_status file_init(hy_bench_file *file, const hy_bench *bench, double games,
                           hy_error *error)
{
    const char *parent = getenv("TMPDIR");
    *file = (hy_bench_file){0};
    snprintf(file->folder, sizeof file->folder, "%s/hoyito-bench-XXXXXX",
             parent ? parent : P_tmpdir);
    if (!mkdtemp(file->folder)) {
        hy_status status = hy_fail(error, HY_STORAGE, "cannot make the folder '%s'", file->folder);
        file->folder[0] = 0;
        return status;
    }
    snprintf(file->path, sizeof file->path, "%s/bench.db", file->folder);
    hy_status status = hy_bench_experiment(bench, 1 + (uint64_t)games, &file->experiment, error);
    if (status == HY_OK)
        status = hy_store_open_for(file->path, &file->experiment, &file->store, error);
    return status;
}

static hy_status close_store(hy_bench_file *file, hy_error *error)
{
    hy_store *store = file->store;
    file->store = NULL;
    return hy_store_close(store, error);
}

static void file_clean_up(hy_bench_file *file)
{
    hy_store_abandon(file->store);
    hy_experiment_clean_up(&file->experiment);
    if (file->folder[0] == 0)
        return;
    unlink(file->path);
    rmdir(file->folder);
}

static hy_status run_batch(hy_bench_file *file, unsigned threads, hy_consumer consumer,
                           hy_error *error)
{
    hy_progress progress;
    hy_status status = hy_progress_init(&progress, &file->experiment, error);
    if (status != HY_OK)
        return status;
    hy_batch batch = {
        .experiment = &file->experiment,
        .progress = &progress,
        .shard = HY_WHOLE_SHARD,
        .threads = threads,
        .record = file->experiment.record,
        .consumer = consumer,
    };
    status = hy_batch_run(&batch, error);
    hy_progress_clean_up(&progress);
    return status;
}

static uint64_t num_rows(const hy_game_record *record)
{
    uint64_t num = 1;
    for (unsigned length = 1; length <= record->longest_chain; length++)
        num += record->chain_count[length] > 0;
    return num;
}

static void count_chunk(hy_bench_work *work, const hy_chunk *chunk, hy_record record)
{
    work->games += (double)chunk->num_games;
    if (record == HY_RECORD_SUMMARY) {
        work->amount += (double)chunk->num_plies;
        work->laps += (double)chunk->summary.sums[HY_QUANTITY_LAPS];
        return;
    }
    for (uint64_t i = 0; i < chunk->num_games; i++) {
        work->amount += (double)num_rows(&chunk->records[i]);
        work->laps += (double)chunk->records[i].laps;
    }
}

typedef struct hy_filling {
    hy_bench_file file;
    hy_bench_work *work;
} hy_filling;

static hy_status fill(void *context, const hy_chunk *chunk, hy_error *error)
{
    hy_filling *filling = context;
    count_chunk(filling->work, chunk, filling->file.experiment.record);
    return hy_store_take(filling->file.store, chunk, error);
}

hy_status hy_bench_batch(const hy_bench *bench, double seconds, hy_bench_work *work,
                         hy_error *error)
{
    hy_filling filling = {.work = work};
    double rate = bench->record == HY_RECORD_SUMMARY ? SUMMARY_GAMES : ROW_GAMES;
    hy_status status = file_init(&filling.file, bench, rate * seconds, error);
    double started = hy_now();
    if (status == HY_OK)
        status = run_batch(&filling.file, bench->threads,
                           (hy_consumer){.context = &filling, .take = fill}, error);
    if (status == HY_OK)
        status = close_store(&filling.file, error);
    work->seconds = hy_now() - started;
    file_clean_up(&filling.file);
    return status;
}

/* Games that have been played, in the order in which a batch of one thread delivers them. */
typedef struct hy_played {
    hy_bench_work *work;
    hy_chunk *chunks;
    size_t num_chunks, max_chunks;
    hy_game_record *records;
    size_t num_records, max_records;
} hy_played;

static hy_status keep(void *context, const hy_chunk *chunk, hy_error *error)
{
    hy_played *played = context;
    size_t num = played->num_records + chunk->num_games;
    hy_status status =
        hy_reserve(&played->records, &played->max_records, num, sizeof played->records[0], error);
    if (status == HY_OK)
        status = hy_reserve(&played->chunks, &played->max_chunks, played->num_chunks + 1,
                            sizeof played->chunks[0], error);
    if (status != HY_OK)
        return status;
    count_chunk(played->work, chunk, HY_RECORD_GAMES);
    memcpy(played->records + played->num_records, chunk->records,
           chunk->num_games * sizeof chunk->records[0]);
    played->chunks[played->num_chunks++] =
        (hy_chunk){.key = chunk->key, .num_games = chunk->num_games, .num_plies = chunk->num_plies};
    played->num_records = num;
    return HY_OK;
}

static hy_status store_played(hy_bench_file *file, const hy_played *played, hy_error *error)
{
    hy_game_record *records = played->records;
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < played->num_chunks; i++) {
        hy_chunk chunk = played->chunks[i];
        chunk.records = records;
        records += chunk.num_games;
        status = hy_store_take(file->store, &chunk, error);
    }
    return status == HY_OK ? close_store(file, error) : status;
}

static hy_status insert_played(hy_bench_file *file, const hy_bare_rows *rows, hy_error *error)
{
    return rows ? hy_bare_insert(file->path, rows, error) : hy_fail_memory(error);
}

static hy_status write_played(const hy_bench *bench, bool bare, double seconds, hy_bench_work *work,
                              hy_error *error)
{
    hy_bench_file file;
    hy_played played = {.work = work};
    hy_bare_rows *rows = NULL;
    hy_status status = file_init(&file, bench, ROW_GAMES * seconds, error);
    if (status == HY_OK)
        status = run_batch(&file, 1, (hy_consumer){.context = &played, .take = keep}, error);
    if (status == HY_OK && bare) {
        rows = hy_bare_rows_new(played.records, played.num_records);
        status = close_store(&file, error);
    }
    work->laps = 0;
    double started = hy_now();
    if (status == HY_OK)
        status = bare ? insert_played(&file, rows, error) : store_played(&file, &played, error);
    work->seconds = hy_now() - started;
    hy_bare_rows_destroy(rows);
    free(played.records);
    free(played.chunks);
    file_clean_up(&file);
    return status;
}

hy_status hy_bench_store(const hy_bench *bench, double seconds, hy_bench_work *work,
                         hy_error *error)
{
    return write_played(bench, false, seconds, work, error);
}

hy_status hy_bench_insert(const hy_bench *bench, double seconds, hy_bench_work *work,
                          hy_error *error)
{
    return write_played(bench, true, seconds, work, error);
}
