#include "solve/solve.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solve/iterate.h"
#include "solve/packed.h"

#define SECONDS_BETWEEN_TICKS 0.2

/* What a tick of a layer needs to know. */
typedef struct teller {
    const hy_solve_options *options;
    hy_solve_progress progress;
    uint64_t before; /* positions of the layers that are done */
    double told;
} teller;

static void on_tick(hy_layer_work *work, uint64_t done)
{
    teller *self = work->context;
    double now = hy_now();
    if (!self->options->progress || now < self->told + SECONDS_BETWEEN_TICKS)
        return;
    self->told = now;
    self->progress.done = self->before + done;
    self->options->progress(self->options->context, &self->progress);
}

static hy_codes codes_of(const hy_endgame *endgame, unsigned counters)
{
    return (hy_codes){.levels = (int)counters / endgame->unit, .max_open = endgame->rules.holes};
}

static void to_values(hy_layer_work *work)
{
    int8_t values[HY_NUM_CODES];
    hy_codes_values(&work->codes, values);
    for (uint64_t i = 0; i < work->num; i++)
        work->table[i] = (uint8_t)values[work->table[i]];
}

static hy_status retrograde(const hy_endgame *endgame, const hy_layer *layer, hy_method method,
                            const hy_solve_options *options, uint8_t *table, hy_error *error)
{
    bool packable = method == HY_METHOD_BEST && hy_packed_handles(endgame, layer->counters);
    hy_packed *packed = packable ? malloc(sizeof *packed) : NULL;
    teller told = {.options = options};
    hy_layer_work work = {
        .endgame = endgame,
        .counters = layer->counters,
        .num = layer->num,
        .max_laps = options->max_laps > 0 ? options->max_laps : HY_DEFAULT_MAX_LAPS,
        .num_threads = options->num_threads > 0 ? options->num_threads : 1,
        .stop = options->stop,
        .engine = packed ? &hy_packed_engine : &hy_general_engine,
        .packed = packed,
        .codes = codes_of(endgame, layer->counters),
        .table = table,
        .tick = on_tick,
        .context = &told,
    };
    if (packed)
        hy_packed_init(packed, endgame, layer->counters);
    told.progress.counters = layer->counters;
    told.progress.max_counters = hy_layer_counters(endgame, endgame->max_layers - 1);
    for (unsigned i = 0; i < endgame->max_layers; i++) {
        told.progress.total += endgame->layers[i].num;
        told.before += i < endgame->num_layers ? endgame->layers[i].num : 0;
    }
    hy_work_run(&work);
    free(packed);
    if (atomic_load(&work.status) != HY_OK)
        return hy_fail(error, work.failure.status, "%s", work.failure.text);
    to_values(&work);
    return HY_OK;
}

hy_status hy_endgame_solve_layer(hy_endgame *endgame, hy_method method,
                                 const hy_solve_options *options, hy_error *error)
{
    static const hy_solve_options defaults = {0};
    hy_layer *layer = &endgame->layers[endgame->num_layers];
    hy_codes codes = codes_of(endgame, layer->counters);
    hy_status status;
    options = options ? options : &defaults;
    if (layer->num >= HY_INDEX_LIMIT || codes.levels > INT8_MAX)
        return hy_fail(error, HY_INVALID, "positions of %u counters are too many for a table",
                       layer->counters);
    uint8_t *table = hy_map_memory(layer->num);
    if (!table)
        return hy_fail_memory(error);
    layer->map = table;
    layer->map_size = layer->num;
    if (method == HY_METHOD_ITERATE || !hy_codes_fit(&codes))
        status = hy_layer_iterate(endgame, layer->counters,
                                  options->max_laps > 0 ? options->max_laps : HY_DEFAULT_MAX_LAPS,
                                  options->stop, (int8_t *)table, error);
    else
        status = retrograde(endgame, layer, method, options, table, error);
    if (status != HY_OK) {
        munmap(table, layer->num);
        layer->map = NULL;
        return status;
    }
    layer->values = (const int8_t *)table;
    endgame->num_layers++;
    return HY_OK;
}

uint64_t hy_solve_memory(const hy_endgame *endgame)
{
    uint64_t bytes = 0;
    for (unsigned i = 0; i < endgame->max_layers && bytes < HY_INDEX_LIMIT; i++)
        bytes += endgame->layers[i].num;
    return bytes;
}

hy_status hy_solve_check_size(const hy_endgame *endgame, uint64_t max_memory, hy_error *error)
{
    uint64_t bytes = hy_solve_memory(endgame);
    if (endgame->max_layers == 0)
        return hy_fail(error, HY_INVALID,
                       "the variant's smallest table is that of %u counters: its total of %u, less "
                       "whole casas",
                       endgame->first, hy_rules_total(&endgame->rules));
    if (bytes >= UINT64_C(1) << 46)
        return hy_fail(error, HY_INVALID, "these tables have more positions than any memory holds");
    if (max_memory > 0 && bytes > max_memory)
        return hy_fail(
            error, HY_INVALID,
            "these tables take %.1f MiB, and more while they are made; %.1f MiB are allowed",
            (double)bytes / 1048576, (double)max_memory / 1048576);
    return HY_OK;
}

hy_status hy_endgame_solve(const hy_rules *rules, unsigned max_counters,
                           const hy_solve_options *options, hy_endgame **endgame, hy_error *error)
{
    hy_endgame *made;
    hy_status status = hy_endgame_new(rules, max_counters, &made, error);
    if (status != HY_OK)
        return status;
    status = hy_solve_check_size(made, options ? options->max_memory : 0, error);
    while (status == HY_OK && made->num_layers < made->max_layers)
        status = hy_endgame_solve_layer(made, HY_METHOD_BEST, options, error);
    if (status != HY_OK) {
        hy_endgame_destroy(made);
        return status;
    }
    *endgame = made;
    return HY_OK;
}
