#include "cli/recorded_run.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/cli.h"
#include "cli/database_arguments.h"
#include "cli/progress_bar.h"
#include "sequential/rounds.h"

/* What the consumer of the batch needs. */
typedef struct playing {
    hy_store *store;
    hy_progress_bar bar;
    uint64_t played;
} playing;

static hy_status take(void *context, const hy_chunk *chunk, hy_error *error)
{
    playing *state = context;
    hy_status status = hy_store_take(state->store, chunk, error);
    if (status == HY_OK)
        state->played += chunk->num_games;
    return status;
}

static hy_status tick(void *context, hy_error *error)
{
    playing *state = context;
    hy_progress_bar_show(&state->bar, state->played);
    return hy_store_tick(state->store, error);
}

/* Says what there is to do, and starts the bar. */
static void announce(playing *state, const hy_provenance *provenance, const hy_progress *present,
                     const hy_progress *wanted)
{
    bool by_rule = provenance->experiment->stop.kind != HY_STOP_NEVER;
    uint64_t before = hy_progress_count(present, provenance->shard, true);
    uint64_t missing =
        wanted ? wanted->num_played : hy_progress_count(present, provenance->shard, false);
    fprintf(stderr, "seed %" PRIu64 "; %s%" PRIu64 " games to play%s, %u thread%s\n",
            provenance->experiment->seed,
            !by_rule ? ""
            : wanted ? "about "
                     : "at most ",
            missing, wanted ? " again" : "", provenance->threads,
            provenance->threads == 1 ? "" : "s");
    hy_progress_bar_start(&state->bar, before, before + missing);
}

static hy_status play(hy_store *store, const hy_provenance *provenance, hy_progress *present,
                      hy_progress *wanted, hy_error *error)
{
    const hy_experiment *experiment = provenance->experiment;
    bool again = wanted && experiment->stop.kind == HY_STOP_NEVER;
    playing state = {.store = store};
    hy_batch batch = {
        .experiment = experiment,
        .progress = again ? wanted : present,
        .shard = provenance->shard,
        .replay = again,
        .threads = provenance->threads,
        .record = experiment->record,
        .stop = &hy_signal,
        .consumer = {.context = &state, .take = take, .tick = tick},
    };
    hy_status status = wanted ? hy_progress_subtract(wanted, present, error) : HY_OK;
    if (status != HY_OK)
        return status;
    announce(&state, provenance, present, wanted);
    status = hy_rounds_run(store, &batch, present, error);
    hy_progress_bar_end(&state.bar, state.played);
    return status;
}

hy_status hy_recorded_run(hy_store *store, hy_provenance *provenance, hy_progress *wanted,
                          hy_error *error)
{
    hy_progress present;
    hy_status status = hy_progress_init(&present, provenance->experiment, error);
    if (status != HY_OK)
        return status;
    status = hy_store_limit_progress(store, &present, NULL, error);
    if (status == HY_OK)
        status = hy_store_load_progress(store, &present, error);
    if (status == HY_OK)
        status = hy_provenance_begin(provenance, store, error);
    if (status == HY_OK)
        status = play(store, provenance, &present, wanted, error);
    if (status == HY_OK || status == HY_INTERRUPTED) {
        hy_status ended = hy_provenance_end(provenance, store, error);
        status = ended == HY_OK ? status : ended;
    }
    hy_progress_clean_up(&present);
    return status;
}

hy_status hy_recorded_run_close(hy_store *store, hy_status status, const char *path,
                                hy_error *error)
{
    if (status != HY_OK && status != HY_INTERRUPTED) {
        hy_store_abandon(store);
        return status;
    }
    hy_status closed = hy_store_close(store, error);
    if (closed == HY_OK && status == HY_INTERRUPTED)
        return hy_fail(error, HY_INTERRUPTED,
                       "interrupted; what was played is in '%s', and the same command goes on",
                       path);
    if (closed == HY_OK)
        hy_note_journal(path);
    return closed;
}
