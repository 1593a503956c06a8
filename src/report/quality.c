#include "report/quality.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- which games --- */

/* A walk over the lowest numbers of the stored games of a condition and seating. */
typedef struct hy_stored_walk {
    const hy_progress *progress;
    uint32_t condition;
    bool swapped;
    uint64_t next; /* number to look at */
    uint64_t left; /* games still wanted */
} hy_stored_walk;

static bool next_game(hy_stored_walk *walk, uint64_t *number)
{
    const hy_progress *progress = walk->progress;
    uint64_t end = progress->experiment->games;
    while (walk->left > 0 && walk->next < end) {
        hy_block_key key = {walk->condition, walk->swapped, walk->next / HY_BLOCK_GAMES};
        if (hy_progress_is_blank(progress, key)) { /* an experiment can ask for any number */
            walk->next = (key.block + 1) * HY_BLOCK_GAMES;
            continue;
        }
        uint64_t stored = hy_progress_word(progress, key, walk->next % HY_BLOCK_GAMES / 64,
                                           HY_WHOLE_SHARD, true) >>
                          walk->next % 64;
        if (stored == 0) {
            walk->next = (walk->next / 64 + 1) * 64;
            continue;
        }
        *number = walk->next + (uint64_t)__builtin_ctzll(stored);
        walk->next = *number + 1;
        walk->left--;
        return true;
    }
    return false;
}

static const char *why_not(const hy_experiment *experiment, uint32_t condition,
                           const hy_quality_options *options)
{
    if (options->games == 0)
        return "not asked for";
    if (!hy_condition_is_reproducible(&experiment->conditions[condition]) &&
        experiment->record != HY_RECORD_MOVES)
        return "a policy is limited by time, so the games cannot be played again, and their moves "
               "were not stored ('record: moves')";
    return NULL;
}

static bool is_asked_for(const hy_quality_options *options, uint32_t condition)
{
    return options->condition == 0 || options->condition == condition + 1;
}

static hy_status check_condition(const hy_experiment *experiment, const hy_quality_options *options,
                                 hy_error *error)
{
    if (options->condition <= experiment->num_conditions)
        return HY_OK;
    return hy_fail(error, HY_INVALID, "there is no condition %" PRIu32 "; the experiment has %zu",
                   options->condition, experiment->num_conditions);
}

static void count_games(const hy_experiment *experiment, const hy_progress *progress,
                        const hy_quality_options *options, uint64_t *games)
{
    *games = 0;
    for (uint32_t i = 0; i < experiment->num_conditions; i++) {
        if (!is_asked_for(options, i) || why_not(experiment, i, options))
            continue;
        for (unsigned s = 0; s < hy_num_seatings(&experiment->conditions[i]); s++) {
            hy_stored_walk walk = {
                .progress = progress, .condition = i, .swapped = s > 0, .left = options->games};
            for (uint64_t number; next_game(&walk, &number);)
                ++*games;
        }
    }
}

hy_status hy_quality_count(hy_store *store, const hy_quality_options *options, uint64_t *games,
                           hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_progress progress;
    *games = 0;
    hy_status status = check_condition(experiment, options, error);
    if (status == HY_OK)
        status = hy_progress_init(&progress, experiment, error);
    if (status != HY_OK)
        return status;
    status = hy_store_load_progress(store, &progress, error);
    if (status == HY_OK)
        count_games(experiment, &progress, options, games);
    hy_progress_clean_up(&progress);
    return status;
}

/* --- games played again --- */

/* What plays the games of a condition and seating again and values them. */
typedef struct hy_replayer {
    hy_store *store;
    const hy_quality_options *options;
    const hy_experiment *experiment;
    uint32_t condition;
    bool swapped;
    hy_table table;
    hy_hole_list holes;
    hy_quality quality;
    uint64_t *done; /* games of all conditions */
} hy_replayer;

static hy_status find_holes(hy_replayer *replayer, uint64_t number, hy_error *error)
{
    bool found, moves = replayer->experiment->record == HY_RECORD_MOVES;
    hy_game_record stored, record;
    hy_status status = HY_OK;
    replayer->holes.num = 0;
    if (!moves)
        status = hy_table_play(&replayer->table, replayer->experiment->seed, number,
                               &replayer->holes, &record, error);
    if (status != HY_OK || replayer->experiment->record == HY_RECORD_SUMMARY)
        return status;
    status = hy_store_game(replayer->store, replayer->condition, replayer->swapped, number, &stored,
                           moves ? &replayer->holes : NULL, &found, error);
    if (status == HY_OK && (!found || (!moves && stored.move_hash != record.move_hash)))
        status = hy_fail(error, HY_MISMATCH,
                         "game %" PRIu64 " of condition %" PRIu32
                         " is stored as another one than its seed gives",
                         number, replayer->condition + 1);
    return status;
}

static hy_status replay_games(hy_replayer *replayer, const hy_progress *progress, hy_error *error)
{
    hy_stored_walk walk = {.progress = progress,
                           .condition = replayer->condition,
                           .swapped = replayer->swapped,
                           .left = replayer->options->games};
    hy_status status = HY_OK;
    for (uint64_t number; status == HY_OK && next_game(&walk, &number);) {
        status = find_holes(replayer, number, error);
        if (status == HY_OK)
            status = hy_quality_add(&replayer->quality, &replayer->holes, error);
        if (status == HY_OK && replayer->options->tick)
            replayer->options->tick(replayer->options->context, ++*replayer->done);
    }
    return status;
}

static hy_status replay(hy_replayer *replayer, const hy_progress *progress,
                        hy_condition_quality *row, hy_error *error)
{
    const hy_condition *condition = &replayer->experiment->conditions[replayer->condition];
    hy_status status = HY_OK;
    if (replayer->experiment->record != HY_RECORD_MOVES)
        status = hy_table_init(&replayer->table, condition, replayer->swapped, error);
    if (status == HY_OK)
        status = hy_quality_init(&replayer->quality, condition, replayer->options->evaluator,
                                 replayer->options->stop, error);
    if (status == HY_OK)
        status = replay_games(replayer, progress, error);
    if (status == HY_OK) {
        row->replayed = hy_new_array(1, sizeof *row->replayed);
        if (!row->replayed)
            status = hy_fail_memory(error);
        else
            *row->replayed = replayer->quality.sums;
    }
    hy_quality_clean_up(&replayer->quality);
    hy_table_clean_up(&replayer->table);
    free(replayer->holes.holes);
    return status;
}

/* --- a condition and seating --- */

static hy_status add_sums(hy_store *store, const hy_condition *condition, hy_condition_quality *row,
                          hy_error *error)
{
    hy_summary summary = {0};
    hy_status status = hy_store_summary(store, row->condition, row->swapped, &summary, error);
    row->space = hy_state_space_of(&condition->rules);
    row->games = summary.games;
    row->no_result = summary.results[HY_RESULT_NONE];
    row->longest_turn = summary.longest_turn;
    row->longest_chain = summary.longest_chain;
    if (status == HY_OK)
        status = hy_quality_from_summary(&condition->rules, &summary, row->cheap, error);
    hy_summary_clean_up(&summary);
    return status;
}

static hy_status build_condition(hy_store *store, const hy_quality_options *options,
                                 const hy_progress *progress, hy_condition_quality *row,
                                 uint64_t *done, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_status status = add_sums(store, &experiment->conditions[row->condition], row, error);
    row->not_replayed = why_not(experiment, row->condition, options);
    if (!row->not_replayed && row->games == 0)
        row->not_replayed = "no games";
    if (status != HY_OK || row->not_replayed)
        return status;
    hy_replayer replayer = {.store = store,
                            .options = options,
                            .experiment = experiment,
                            .condition = row->condition,
                            .swapped = row->swapped,
                            .done = done};
    status = replay(&replayer, progress, row, error);
    if (status == HY_OK)
        hy_quality_from_sums(row->replayed, row->valued);
    return status;
}

static hy_status build_all(hy_store *store, const hy_quality_options *options,
                           const hy_progress *progress, hy_quality_report *report, hy_error *error)
{
    const hy_experiment *experiment = report->experiment;
    uint64_t done = 0;
    hy_status status = HY_OK;
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        unsigned seatings =
            is_asked_for(options, i) ? hy_num_seatings(&experiment->conditions[i]) : 0;
        for (unsigned s = 0; status == HY_OK && s < seatings; s++) {
            hy_condition_quality *row = &report->conditions[report->num_conditions++];
            row->condition = i;
            row->swapped = s > 0;
            status = build_condition(store, options, progress, row, &done, error);
        }
    }
    return status;
}

hy_status hy_quality_build(hy_store *store, const hy_quality_options *options,
                           hy_quality_report *report, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_progress progress;
    *report = (hy_quality_report){.experiment = experiment, .evaluator = options->evaluator};
    hy_status status = check_condition(experiment, options, error);
    if (status == HY_OK)
        status = hy_progress_init(&progress, experiment, error);
    if (status != HY_OK)
        return status;
    status = hy_store_load_progress(store, &progress, error);
    size_t num = options->condition > 0 ? 1 : experiment->num_conditions;
    report->conditions = hy_new_array(2 * num, sizeof report->conditions[0]);
    if (status == HY_OK && !report->conditions)
        status = hy_fail_memory(error);
    if (status == HY_OK)
        status = build_all(store, options, &progress, report, error);
    hy_progress_clean_up(&progress);
    if (status != HY_OK)
        hy_quality_report_clean_up(report);
    return status;
}

void hy_quality_report_clean_up(hy_quality_report *report)
{
    for (size_t i = 0; i < report->num_conditions; i++)
        free(report->conditions[i].replayed);
    free(report->conditions);
    *report = (hy_quality_report){0};
}
