#include "sequential/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

hy_stop stop_half_width(hy_stop_metric metric, double half_width, uint64_t every)
{
    return (hy_stop){.kind = HY_STOP_HALF_WIDTH,
                     .every = every,
                     .metric = metric,
                     .half_width = half_width,
                     .confidence = 0.95};
}

hy_stop stop_sprt(double elo0, double elo1, uint64_t every)
{
    return (hy_stop){.kind = HY_STOP_SPRT,
                     .every = every,
                     .elo0 = elo0,
                     .elo1 = elo1,
                     .alpha = 0.05,
                     .beta = 0.05,
                     .scale = HY_SCALE_NORMALIZED};
}

hy_experiment experiment_rounds(uint64_t games, hy_record record, const hy_stop *stop)
{
    hy_experiment experiment = experiment_new(games, record);
    experiment_add(&experiment, "holes=2 seeds=4", "random", "random", false);
    experiment_add(&experiment, "holes=3 seeds=2", "greedy", "random", false);
    experiment_add(&experiment, "holes=2 seeds=5", "greedy", "random", true)->opening_plies = 1;
    experiment.stop = *stop;
    return experiment;
}

hy_experiment experiment_pairs(uint64_t games, hy_record record, const hy_stop *stop)
{
    hy_experiment experiment = experiment_new(games, record);
    experiment_add(&experiment, "holes=3 seeds=2", "greedy", "random", true);
    experiment_add(&experiment, "holes=2 seeds=4", "random", "random", true);
    experiment.stop = *stop;
    return experiment;
}

static hy_status run_missing(hy_store *store, const hy_experiment *experiment, unsigned threads,
                             hy_shard shard, atomic_int *stop, hy_error *error)
{
    hy_progress progress;
    hy_batch batch = {
        .experiment = experiment,
        .progress = &progress,
        .shard = shard,
        .threads = threads,
        .record = experiment->record,
        .stop = stop,
        .consumer = {.context = store, .take = take_chunk, .tick = tick_store},
    };
    hy_status status = hy_progress_init(&progress, experiment, error);
    if (status == HY_OK)
        status = hy_store_limit_progress(store, &progress, NULL, error);
    if (status == HY_OK)
        status = hy_store_load_progress(store, &progress, error);
    if (status == HY_OK)
        status = hy_rounds_run(store, &batch, &progress, error);
    hy_progress_clean_up(&progress);
    return status;
}

hy_status run_into(const char *path, hy_experiment *experiment, unsigned threads, hy_shard shard,
                   atomic_int *stop, hy_error *error)
{
    return play_into_by(run_missing, path, experiment, threads, shard, stop, error);
}

const char *run_all(const char *name, hy_experiment *experiment, unsigned threads)
{
    const char *path = scratch_path(name);
    hy_error error;
    if (run_into(path, experiment, threads, HY_WHOLE_SHARD, NULL, &error) != HY_OK)
        fail_msg("playing into '%s': %s", name, error.text);
    return path;
}

static hy_status verify_decisions(const char *path, hy_error *error)
{
    hy_store *store;
    hy_status status = hy_store_open(path, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_rounds_verify(store, error);
    hy_store_abandon(store);
    return status;
}

void assert_all_verifies(const char *path)
{
    hy_error error;
    uint64_t num_games;
    if (verify_file(path, 2, &num_games, &error) != HY_OK ||
        verify_decisions(path, &error) != HY_OK)
        fail_msg("verifying: %s", error.text);
    assert_int_equal(num_games, sql_integer(path, "SELECT (SELECT count(*) FROM game) + (SELECT "
                                                  "total(games) FROM block)"));
}

void assert_decision_differs(const char *path, const char *word)
{
    hy_error error = {0};
    hy_status status = verify_decisions(path, &error);
    if (status != HY_MISMATCH || !strstr(error.text, word))
        fail_msg("expected a mismatch with '%s', got status %d: %s", word, status, error.text);
}
