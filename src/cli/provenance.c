#include "cli/provenance.h"

#include <gsl/gsl_version.h>
#include <inttypes.h>
#include <jansson.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/tables.h"

static json_t *software(void)
{
    return json_pack("{s:s, s:s}", "name", "hoyito", "version", hy_version);
}

/* NULL: no games were left to other shards. */
static json_t *shard_json(hy_shard shard)
{
    if (shard.count <= 1)
        return NULL;
    return json_sprintf("%" PRIu64 "/%" PRIu64, shard.index, shard.count);
}

static json_t *parameters(const hy_provenance *provenance)
{
    const hy_experiment *experiment = provenance->experiment;
    char seed[24], hash[HY_SHA256_HEX_SIZE];
    json_t *arguments = json_array();
    for (int i = 0; i < provenance->argc; i++)
        json_array_append_new(arguments, hy_json_text(provenance->argv[i]));
    snprintf(seed, sizeof seed, "%" PRIu64, experiment->seed);
    hy_experiment_hash(experiment, hash);
    return json_pack("{s:o, s:s, s:s, s:I, s:s, s:i, s:o*, s:o*, s:o*, s:O*}", "command", arguments,
                     "experiment_hash", hash, "seed", seed, "games", (json_int_t)experiment->games,
                     "record", hy_record_words[experiment->record], "threads",
                     (int)provenance->threads, "experiment_file",
                     experiment->source ? hy_json_text(experiment->source) : NULL, "shard",
                     shard_json(provenance->shard), "tables", hy_tables_json(experiment), "origin",
                     provenance->origin);
}

static json_t *environment(void)
{
    struct utsname system;
    if (uname(&system) != 0)
        return json_object();
    return json_pack("{s:{s:s, s:s, s:s, s:s}, s:{s:s}, s:{s:s, s:s, s:s}}", "os", "system",
                     system.sysname, "node", system.nodename, "release", system.release, "machine",
                     system.machine, "compiler", "version", __VERSION__, "libraries", "gsl",
                     GSL_VERSION, "jansson", JANSSON_VERSION, "sqlite", sqlite3_libversion());
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static json_t *resources(const hy_provenance *provenance)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return json_pack("{s:f, s:f, s:f, s:I}", "elapsed_time", hy_now() - provenance->started,
                     "user_time", seconds_of(usage.ru_utime), "sys_time",
                     seconds_of(usage.ru_stime), "max_memory", (json_int_t)usage.ru_maxrss * 1024);
}

static hy_status make_record(const hy_provenance *provenance, bool complete, char **text,
                             hy_error *error)
{
    json_t *record =
        json_pack("{s:s, s:o, s:o, s:o}", "schema_version", "1.0.0", "software", software(),
                  "parameters", parameters(provenance), "environment", environment());
    if (complete)
        json_object_set_new(record, "resources", resources(provenance));
    *text = record ? json_dumps(record, JSON_COMPACT) : NULL;
    json_decref(record);
    return *text ? HY_OK : hy_fail_memory(error);
}

hy_status hy_provenance_begin(hy_provenance *provenance, hy_store *store, hy_error *error)
{
    char *text;
    provenance->started = hy_now();
    hy_status status = make_record(provenance, false, &text, error);
    if (status != HY_OK)
        return status;
    status = hy_store_add_provenance(store, text, &provenance->id, error);
    free(text);
    return status;
}

hy_status hy_provenance_end(const hy_provenance *provenance, hy_store *store, hy_error *error)
{
    char *text;
    hy_status status = make_record(provenance, true, &text, error);
    if (status != HY_OK)
        return status;
    status = hy_store_set_provenance(store, provenance->id, text, error);
    free(text);
    return status;
}
