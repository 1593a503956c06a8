#include "store/look_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/internal.h"

hy_status hy_look_check_init(hy_look_check *check, hy_store *store, hy_progress *progress,
                             hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    size_t num = experiment->num_conditions;
    *check = (hy_look_check){.store = store, .progress = progress};
    check->by_look =
        experiment->record == HY_RECORD_SUMMARY && experiment->stop.kind == HY_STOP_HALF_WIDTH;
    check->ends = hy_new_array(num, sizeof check->ends[0]);
    check->sums = hy_new_array(2 * num, sizeof check->sums[0]);
    if (!check->ends || !check->sums) {
        hy_look_check_clean_up(check);
        return hy_fail_memory(error);
    }
    for (size_t i = 0; i < num; i++)
        check->ends[i] = progress->windows[i].end;
    return HY_OK;
}

void hy_look_check_clean_up(hy_look_check *check)
{
    free(check->ends);
    free(check->sums);
    *check = (hy_look_check){0};
}

bool hy_look_check_step(hy_look_check *check)
{
    const hy_experiment *experiment = &check->store->experiment;
    hy_window *windows = check->progress->windows;
    bool begun = check->begun, any = false;
    check->begun = true;
    if (!check->by_look)
        return !begun;
    memset(check->sums, 0, 2 * experiment->num_conditions * sizeof check->sums[0]);
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        uint64_t first = begun ? windows[i].end : 0;
        windows[i] = (hy_window){first, first};
        if (first < check->ends[i])
            windows[i].end = hy_stop_next_look(&experiment->stop, experiment->games, first);
        any |= first < check->ends[i];
    }
    return any;
}

void hy_look_check_add(hy_look_check *check, const hy_chunk *chunk)
{
    if (!check->by_look)
        return;
    hy_stop_metric_sums sums =
        hy_stop_metric_sum(check->store->experiment.stop.metric, &chunk->summary);
    hy_stop_metric_add(&check->sums[2 * chunk->key.condition + chunk->key.swapped], &sums);
}

static hy_status compare_seating(hy_look_check *check, uint32_t condition, bool swapped,
                                 hy_error *error)
{
    hy_store *store = check->store;
    const hy_condition *played = &store->experiment.conditions[condition];
    hy_window window = check->progress->windows[condition];
    hy_stop_metric_sums sums;
    hy_stopped stopped;
    bool found, ended;
    hy_status status = hy_store_get_look(store, condition, swapped, window, &sums, &found, error);
    if (status == HY_OK)
        status = hy_store_get_stop(store, condition, &stopped, &ended, error);
    if (status != HY_OK)
        return status;
    check->num_looks += found;
    bool same = found ? hy_stop_metric_same(&sums, &check->sums[2 * condition + swapped]) : !ended;
    if (same || !hy_condition_is_reproducible(played))
        return HY_OK;
    return hy_fail(error, HY_MISMATCH,
                   "the look of condition %" PRIu32 "%s in '%s' after %" PRIu64
                   " games does not replay: its sums differ",
                   condition + 1, swapped ? " (swapped)" : "", store->database.path, window.end);
}

hy_status hy_look_check_compare(hy_look_check *check, hy_error *error)
{
    const hy_experiment *experiment = &check->store->experiment;
    hy_status status = HY_OK;
    if (!check->by_look)
        return HY_OK;
    for (uint32_t i = 0; i < experiment->num_conditions; i++) {
        hy_window window = check->progress->windows[i];
        if (window.first == window.end)
            continue;
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++)
            status = compare_seating(check, i, s > 0, error);
    }
    return status;
}

hy_status hy_look_check_end(const hy_look_check *check, hy_error *error)
{
    int64_t num;
    const hy_database *database = &check->store->database;
    hy_status status = hy_database_integer(database, "SELECT count(*) FROM look", &num, error);
    if (status == HY_OK && (uint64_t)num != check->num_looks)
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' holds %" PRId64 " rows of looks, of which %" PRIu64
                         " belong to looks of its stop rule",
                         database->path, num, check->num_looks);
    return status;
}
