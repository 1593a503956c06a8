#include "cli/rerun.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/database_arguments.h"
#include "cli/recorded_run.h"
#include "cli/tables.h"

/* What the rows of `provenance` say. */
typedef struct runs {
    size_t num;
    char *source;   /* the experiment's file; NULL: none had it */
    json_t *tables; /* endgame tables of the last run that had some; or NULL */
} runs;

static hy_status read_run(void *context, const char *timestamp, const char *record, hy_error *error)
{
    runs *read = context;
    json_t *json = json_loads(record ? record : "", 0, NULL);
    const json_t *parameters = json_object_get(json, "parameters");
    const char *source = json_string_value(json_object_get(parameters, "experiment_file"));
    json_t *tables = json_object_get(parameters, "tables");
    hy_status status = HY_OK;
    (void)timestamp;
    read->num++;
    if (source && !read->source) {
        read->source = strdup(source);
        status = read->source ? HY_OK : hy_fail_memory(error);
    }
    if (tables) {
        json_decref(read->tables);
        read->tables = json_incref(tables);
    }
    json_decref(json);
    return status;
}

static json_t *origin_json(const hy_rerun *rerun, const runs *read)
{
    return json_pack("{s:o, s:I, s:s?, s:I}", "database", hy_json_text(rerun->database),
                     "schema_version", (json_int_t)rerun->version, "digest",
                     rerun->has_digest ? rerun->before : NULL, "runs", (json_int_t)read->num);
}

static hy_status play_into(const hy_rerun *rerun, const runs *read, hy_store *store,
                           hy_progress *wanted, hy_error *error)
{
    hy_experiment experiment = *hy_store_experiment(store); /* shares what the store owns */
    experiment.source = read->source;
    json_t *origin = origin_json(rerun, read);
    hy_provenance provenance = {.argc = rerun->argc,
                                .argv = rerun->argv,
                                .experiment = &experiment,
                                .threads = rerun->threads,
                                .shard = HY_WHOLE_SHARD,
                                .origin = origin};
    hy_status status = hy_recorded_run(store, &provenance, wanted, error);
    json_decref(origin);
    return status;
}

static hy_status write_output(const hy_rerun *rerun, const runs *read, hy_store *old,
                              hy_progress *wanted, hy_error *error)
{
    hy_experiment experiment = *hy_store_experiment(old); /* shares what `old` owns */
    hy_store *store;
    experiment.seed_auto = false;
    hy_status status = hy_store_open_for(rerun->output, &experiment, &store, error);
    if (status != HY_OK)
        return status;
    status = play_into(rerun, read, store, wanted, error);
    return hy_recorded_run_close(store, status, rerun->output, error);
}

static hy_status compare(hy_rerun *rerun, hy_store *old, hy_error *error)
{
    hy_store *again;
    hy_status status = hy_store_open(rerun->output, &again, error);
    if (status != HY_OK)
        return status;
    rerun->comparison.subset = rerun->unfinished;
    status = hy_store_compare(old, again, &rerun->comparison, &rerun->difference);
    if (status == HY_MISMATCH)
        status = HY_OK;
    else if (status != HY_OK && error)
        *error = rerun->difference;
    if (status == HY_OK)
        status = hy_store_digest(again, rerun->after, error);
    hy_store_abandon(again);
    if (status == HY_OK && rerun->difference.status == HY_OK && hy_rerun_has_same_games(rerun) &&
        strcmp(rerun->before, rerun->after) != 0)
        (void)hy_fail(&rerun->difference, HY_MISMATCH, "the digests differ");
    return status;
}

bool hy_rerun_has_same_games(const hy_rerun *rerun)
{
    return rerun->has_digest && rerun->reproducible && !rerun->unfinished;
}

/* What there is to play, and whether it can be played. */
static hy_status look_at(hy_rerun *rerun, hy_store *old, runs *read, hy_progress *wanted,
                         hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(old);
    size_t num_ended = 0;
    hy_status status = hy_store_each_provenance(old, read_run, read, error);
    if (status == HY_OK)
        status = hy_tables_check(experiment, read->tables, error);
    if (status == HY_OK)
        status = hy_store_load_progress(old, wanted, error);
    if (status == HY_OK && wanted->num_extra > 0)
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' holds %" PRIu64 " games that its experiment does not ask for",
                         rerun->database, wanted->num_extra);
    if (status == HY_OK)
        status = hy_store_num_ended(old, &num_ended, error);
    rerun->version = hy_store_version(old);
    rerun->num_games = wanted->num_played;
    rerun->unfinished =
        experiment->stop.kind != HY_STOP_NEVER && num_ended < experiment->num_conditions;
    rerun->has_digest = hy_store_has_digest(old);
    rerun->reproducible = true;
    for (size_t i = 0; i < experiment->num_conditions; i++)
        rerun->reproducible &= hy_condition_is_reproducible(&experiment->conditions[i]);
    if (status == HY_OK && rerun->has_digest)
        status = hy_store_digest(old, rerun->before, error);
    return status;
}

hy_status hy_rerun_do(hy_rerun *rerun, hy_error *error)
{
    hy_store *old;
    hy_progress wanted;
    runs read = {0};
    if (hy_is_same_file(rerun->database, rerun->output))
        return hy_fail(error, HY_INVALID, "'%s' is both the input and the output", rerun->output);
    hy_status status = hy_store_open_older(rerun->database, &old, error);
    if (status != HY_OK)
        return status;
    status = hy_progress_init(&wanted, hy_store_experiment(old), error);
    if (status != HY_OK) {
        hy_store_abandon(old);
        return status;
    }
    status = look_at(rerun, old, &read, &wanted, error);
    if (status == HY_OK)
        status = write_output(rerun, &read, old, &wanted, error);
    if (status == HY_OK)
        status = compare(rerun, old, error);
    hy_progress_clean_up(&wanted);
    free(read.source);
    json_decref(read.tables);
    hy_store_abandon(old);
    return status;
}
