#include "report/effects_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/lengths.h"
#include "stats/cox.h"
#include "stats/difference.h"
#include "stats/quantile.h"

#define MAX_EFRON_EVENTS 300000u

static const hy_estimate unknown = {false, NAN, NAN, NAN, NAN};

/* A cell's value on the scale, and the derivative by which errors follow. */
typedef struct hy_cell_value {
    double value;
    double slope;
    double variance; /* of the value before it was transformed */
} hy_cell_value;

/* How sure an estimate is. */
typedef struct hy_spread {
    double variance;
    double degrees; /* of freedom, for Student's distribution */
} hy_spread;

static hy_status transform(hy_scale scale, const hy_group *group, hy_cell_value *cell,
                           hy_error *error)
{
    double value = cell->value;
    cell->slope = 1;
    switch (scale) {
    case HY_SCALE_DIFFERENCE:
        return HY_OK;
    case HY_SCALE_RATIO:
        if (!(value > 0))
            break;
        cell->value = log(value);
        cell->slope = 1 / value;
        return HY_OK;
    case HY_SCALE_ODDS:
        if (!(value > 0) || !(value < 1))
            break;
        cell->value = log(value / (1 - value));
        cell->slope = 1 / (value * (1 - value));
        return HY_OK;
    case HY_NUM_SCALES:
        break;
    }
    return hy_fail(error, HY_FAILED,
                   "condition %u has the value %g, which has no place on the scale '%s'; "
                   "use --scale difference",
                   (unsigned)group->condition + 1, value, hy_scale_words[scale]);
}

static hy_status measure(const hy_effects *effects, const hy_effect_table *table,
                         hy_cell_value *cells, hy_error *error)
{
    for (size_t i = 0; i < table->num_cells; i++) {
        const hy_group *group = table->cells[i];
        hy_ratio_sums sums =
            hy_metric_sums(effects->options.metric, &group->summary, effects->horizon);
        hy_measured measured = hy_measured_ratio(&sums);
        cells[i] = (hy_cell_value){.value = measured.value, .variance = measured.variance};
        if (!hy_metric_is_ratio(effects->options.metric, &group->summary, effects->horizon))
            return hy_fail(error, HY_FAILED,
                           "games were cut before the horizon of %g plies; give a lower one",
                           effects->horizon);
        if (!isfinite(measured.value))
            return hy_fail(error, HY_FAILED,
                           "condition %u has %s, so '%s' and its error are not known there",
                           (unsigned)group->condition + 1,
                           sums.n < 2 ? "fewer than two games" : "nothing to count over",
                           effects->options.metric->word);
        hy_status status = transform(effects->options.scale, group, &cells[i], error);
        if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

/* 1 at the level, −1 at the base, 0 elsewhere, over the number of cells that have a level. */
static double contrast_of(const hy_factor *factor, unsigned level, const hy_group *group,
                          size_t num_cells)
{
    unsigned at = hy_factor_level(factor, group);
    double sign = at == level ? 1 : at == 0 ? -1 : 0;
    return sign * (double)factor->num_levels / (double)num_cells;
}

/* The weight of a cell in an effect. */
static double weight_of(const hy_effects *effects, const hy_effect_table *table,
                        const hy_effect *effect, size_t cell)
{
    double num = (double)table->num_cells;
    const hy_group *group = table->cells[cell];
    double main =
        contrast_of(&effects->factors[effect->factor], effect->level, group, table->num_cells);
    if (effect->other == HY_NO_FACTOR)
        return main;
    return main * num *
           contrast_of(&effects->factors[effect->other], effect->other_level, group,
                       table->num_cells);
}

/* Room for the sums, by number of the game, of the influences on each effect and on the mean. */
typedef struct hy_replicates {
    size_t num_columns;
    uint64_t games;
    double *sums; /* [column][game] */
} hy_replicates;

static bool are_numbered(const hy_influences *influences)
{
    return influences->num > 0 && influences->numbers[influences->num - 1] == influences->num - 1;
}

/* Adds a cell's games to all columns; *numbered is cleared where they are not those from 0 on. */
static hy_status add_cell(const hy_effects *effects, const hy_effect_table *table, size_t cell,
                          double slope, hy_replicates *replicates, bool *numbered, hy_error *error)
{
    hy_influences influences;
    hy_status status =
        hy_group_influences(effects->groups, table->cells[cell], effects->options.metric,
                            effects->horizon, &influences, error);
    if (status != HY_OK)
        return status;
    *numbered &= are_numbered(&influences);
    for (size_t column = 0; *numbered && column < replicates->num_columns; column++) {
        double *sums = replicates->sums + column * replicates->games;
        double weight = column < table->num_effects
                            ? weight_of(effects, table, &table->effects[column], cell)
                            : 1.0 / (double)table->num_cells;
        double part = weight * slope / (double)influences.num;
        for (size_t i = 0; part != 0 && i < influences.num; i++)
            sums[i] += part * influences.values[i];
    }
    hy_influences_clean_up(&influences);
    return HY_OK;
}

/* Numbers are clusters: the variance of the sum over them, with n / (n − 1). */
static hy_spread paired_spread(const hy_replicates *replicates, size_t column)
{
    const double *sums = replicates->sums + column * replicates->games;
    double n = (double)replicates->games, squares = 0;
    for (uint64_t i = 0; i < replicates->games; i++)
        squares += sums[i] * sums[i];
    return (hy_spread){n > 1 ? squares * n / (n - 1) : NAN, n - 1};
}

/* Of cells that are independent; Satterthwaite's degrees of freedom. */
static void independent_spreads(const hy_effects *effects, const hy_effect_table *table,
                                const hy_cell_value *cells, hy_spread *spreads)
{
    for (size_t column = 0; column <= table->num_effects; column++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < table->num_cells; i++) {
            double weight = column < table->num_effects
                                ? weight_of(effects, table, &table->effects[column], i)
                                : 1.0 / (double)table->num_cells;
            double part = weight * cells[i].slope;
            double variance = part * part * cells[i].variance;
            sum += variance;
            squares += variance * variance / ((double)table->cells[i]->summary.games - 1);
        }
        spreads[column] = (hy_spread){sum, sum * sum / squares};
    }
}

/* Of the effects, and of the mean behind them. */
static hy_status find_spreads(const hy_effects *effects, hy_effect_table *table,
                              const hy_cell_value *cells, hy_spread *spreads, hy_error *error)
{
    hy_replicates replicates = {.num_columns = table->num_effects + 1, .games = effects->games};
    hy_status status = HY_OK;
    independent_spreads(effects, table, cells, spreads);
    table->paired = effects->groups->has_rows;
    if (!table->paired)
        return HY_OK;
    replicates.sums =
        hy_new_array(replicates.num_columns * replicates.games, sizeof replicates.sums[0]);
    if (!replicates.sums)
        return hy_fail_memory(error);
    for (size_t i = 0; status == HY_OK && i < table->num_cells; i++)
        status = add_cell(effects, table, i, cells[i].slope, &replicates, &table->paired, error);
    for (size_t i = 0; table->paired && i < replicates.num_columns; i++)
        spreads[i] = paired_spread(&replicates, i);
    free(replicates.sums);
    return status;
}

/* An estimate on the scale, shown as a ratio where the scale is one of logarithms. Without any
 * variance there is no interval. */
static hy_estimate estimate_on(hy_scale scale, double value, const hy_spread *spread,
                               double confidence)
{
    hy_estimate estimate = {true, value, NAN, NAN, NAN};
    if (spread->variance > 0) {
        double error = sqrt(spread->variance), t = hy_two_sided_t(confidence, spread->degrees);
        estimate = (hy_estimate){true, value, error, value - t * error, value + t * error};
    }
    if (scale == HY_SCALE_DIFFERENCE)
        return estimate;
    return (hy_estimate){true, exp(estimate.value), estimate.standard_error, exp(estimate.low),
                         exp(estimate.high)};
}

static double mean_of(const hy_effect_table *table, const hy_cell_value *cells)
{
    double sum = 0;
    for (size_t i = 0; i < table->num_cells; i++)
        sum += cells[i].value;
    return sum / (double)table->num_cells;
}

/* The mean of the cells that have these levels; `other` may be HY_NO_FACTOR. */
static double mean_at(const hy_effects *effects, const hy_effect_table *table,
                      const hy_cell_value *cells, const hy_effect_share *share, unsigned level,
                      unsigned other_level)
{
    double sum = 0, num = 0;
    for (size_t i = 0; i < table->num_cells; i++) {
        const hy_group *group = table->cells[i];
        if (share->factor != HY_NO_FACTOR &&
            hy_factor_level(&effects->factors[share->factor], group) != level)
            continue;
        if (share->other != HY_NO_FACTOR &&
            hy_factor_level(&effects->factors[share->other], group) != other_level)
            continue;
        sum += cells[i].value;
        num++;
    }
    return sum / num;
}

/* The mean square of what a term adds to the terms below it. */
static double mean_square(const hy_effects *effects, const hy_effect_table *table,
                          const hy_cell_value *cells, const hy_effect_share *share)
{
    const hy_effect_share first = {.factor = share->factor, .other = HY_NO_FACTOR};
    const hy_effect_share second = {.factor = share->other, .other = HY_NO_FACTOR};
    bool pair = share->other != HY_NO_FACTOR;
    unsigned levels = effects->factors[share->factor].num_levels;
    unsigned others = pair ? effects->factors[share->other].num_levels : 1;
    double mean = mean_of(table, cells), squares = 0;
    for (unsigned i = 0; i < levels; i++) {
        for (unsigned j = 0; j < others; j++) {
            double rest = mean_at(effects, table, cells, share, i, j) - mean;
            if (pair)
                rest -= mean_at(effects, table, cells, &first, i, 0) +
                        mean_at(effects, table, cells, &second, j, 0) - 2 * mean;
            squares += rest * rest;
        }
    }
    return squares / (levels * others);
}

static void find_shares(const hy_effects *effects, hy_effect_table *table,
                        const hy_cell_value *cells)
{
    double mean = mean_of(table, cells), total = 0;
    for (size_t i = 0; i < table->num_cells; i++)
        total += (cells[i].value - mean) * (cells[i].value - mean) / (double)table->num_cells;
    table->rest = 1;
    if (!(total > 0))
        table->num_shares = 0; /* nothing varies */
    for (size_t i = 0; i < table->num_shares; i++) {
        hy_effect_share *share = &table->shares[i];
        share->share = mean_square(effects, table, cells, share) / total;
        table->rest -= share->share;
    }
    if (fabs(table->rest) < 1e-9)
        table->rest = 0; /* what rounding leaves */
}

static void estimate(const hy_effects *effects, hy_effect_table *table, const hy_cell_value *cells,
                     const hy_spread *spreads)
{
    hy_scale scale = effects->options.scale;
    double confidence = effects->options.confidence;
    for (size_t i = 0; i < table->num_effects; i++) {
        hy_effect *effect = &table->effects[i];
        double value = 0;
        for (size_t cell = 0; cell < table->num_cells; cell++)
            value += weight_of(effects, table, effect, cell) * cells[cell].value;
        effect->estimate = estimate_on(scale, value, &spreads[i], confidence);
        effect->statistic = spreads[i].variance > 0 ? value / sqrt(spreads[i].variance) : NAN;
        effect->p = hy_two_sided_p(effect->statistic, spreads[i].degrees);
    }
    double mean = mean_of(table, cells);
    table->mean = estimate_on(scale, mean, &spreads[table->num_effects], confidence);
    if (scale == HY_SCALE_ODDS) {
        table->mean.value /= 1 + table->mean.value;
        table->mean.low /= 1 + table->mean.low;
        table->mean.high /= 1 + table->mean.high;
    }
}

hy_status hy_effects_fit(const hy_effects *effects, hy_effect_table *table, hy_error *error)
{
    hy_cell_value *cells = hy_new_array(table->num_cells, sizeof cells[0]);
    hy_spread *spreads = hy_new_array(table->num_effects + 1, sizeof spreads[0]);
    hy_status status =
        cells && spreads ? measure(effects, table, cells, error) : hy_fail_memory(error);
    if (status == HY_OK)
        status = find_spreads(effects, table, cells, spreads, error);
    if (status == HY_OK) {
        estimate(effects, table, cells, spreads);
        find_shares(effects, table, cells);
    }
    free(cells);
    free(spreads);
    return status;
}

/* A centred column: 1 − 1/levels at the level, −1/levels elsewhere. */
static double column_of(const hy_factor *factor, unsigned level, const hy_group *group)
{
    return (hy_factor_level(factor, group) == level) - 1.0 / factor->num_levels;
}

static void fill_row(const hy_effects *effects, const hy_effect_table *table, size_t cell,
                     double *row)
{
    const hy_group *group = table->cells[cell];
    for (size_t i = 0; i < table->num_effects; i++) {
        const hy_effect *effect = &table->effects[i];
        row[i] = column_of(&effects->factors[effect->factor], effect->level, group);
        if (effect->other != HY_NO_FACTOR)
            row[i] *= column_of(&effects->factors[effect->other], effect->other_level, group);
    }
}

/* All lengths of all cells, with their rows of the design. */
static hy_status pool(const hy_effects *effects, const hy_effect_table *table, hy_cox_data *data,
                      hy_lifetime *lifetimes, double *rows, hy_error *error)
{
    for (size_t cell = 0; cell < table->num_cells; cell++) {
        const hy_summary *summary = &table->cells[cell]->summary;
        hy_lifetime *own;
        hy_status status = hy_lifetimes_of(summary, 0, &own, error);
        if (status != HY_OK)
            return status;
        memcpy(lifetimes + data->num, own, summary->num_lengths * sizeof own[0]);
        free(own);
        for (size_t i = 0; i < summary->num_lengths; i++)
            fill_row(effects, table, cell, rows + data->num++ * table->num_effects);
    }
    data->lifetimes = lifetimes;
    data->covariates = rows;
    data->num_covariates = table->num_effects;
    return HY_OK;
}

static uint64_t num_events(const hy_effect_table *table, size_t *num_rows)
{
    uint64_t events = 0;
    *num_rows = 0;
    for (size_t i = 0; i < table->num_cells; i++) {
        const hy_summary *summary = &table->cells[i]->summary;
        events += summary->games - hy_num_censored(summary);
        *num_rows += summary->num_lengths;
    }
    return events;
}

/* Of all terms together. */
static hy_status test_proportional(const hy_cox_data *data, const hy_cox_options *options,
                                   const hy_cox *cox, hy_effect_table *table, hy_error *error)
{
    hy_chi_square *tests = hy_new_array(table->num_effects + 1, sizeof tests[0]);
    if (!tests)
        return hy_fail_memory(error);
    hy_status status = hy_cox_proportional(data, options, cox, HY_COX_TIME_KM, tests, error);
    table->proportional_p = status == HY_OK ? tests[table->num_effects].p : NAN;
    free(tests);
    return status;
}

static hy_status fit_hazard(const hy_effects *effects, hy_effect_table *table,
                            const hy_cox_data *data, uint64_t events, hy_error *error)
{
    hy_cox_options options = {
        .ties = events <= MAX_EFRON_EVENTS ? HY_TIES_EFRON : HY_TIES_BRESLOW,
        .errors = HY_COX_MODEL,
        .confidence = effects->options.confidence,
    };
    hy_cox cox;
    hy_status status = hy_cox_fit(data, &options, &cox, error);
    if (status != HY_OK)
        return status;
    table->proportional_p = NAN;
    if (cox.kind == HY_FIT_KNOWN)
        status = test_proportional(data, &options, &cox, table, error);
    for (size_t i = 0; i < table->num_effects; i++) {
        hy_effect *effect = &table->effects[i];
        const hy_estimate *log_ratio = &cox.coefficients[i];
        effect->estimate = cox.hazard_ratios[i];
        effect->estimate.standard_error = log_ratio->standard_error;
        effect->statistic = log_ratio->value / log_ratio->standard_error;
        effect->p = hy_two_sided_p(effect->statistic, INFINITY);
    }
    hy_cox_clean_up(&cox);
    return status;
}

hy_status hy_effects_fit_hazard(const hy_effects *effects, hy_effect_table *table, hy_error *error)
{
    size_t num_rows;
    uint64_t events = num_events(table, &num_rows);
    hy_lifetime *lifetimes = hy_new_array(num_rows + 1, sizeof lifetimes[0]);
    double *rows = hy_new_array(num_rows * table->num_effects + 1, sizeof rows[0]);
    hy_cox_data data = {0};
    table->mean = unknown;
    table->num_shares = 0;
    hy_status status = lifetimes && rows ? pool(effects, table, &data, lifetimes, rows, error)
                                         : hy_fail_memory(error);
    if (status == HY_OK)
        status = fit_hazard(effects, table, &data, events, error);
    free(lifetimes);
    free(rows);
    return status;
}
