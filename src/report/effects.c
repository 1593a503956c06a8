/* The design: factors, cells, and which effects there are. effects_fit.c estimates them. */
#include "report/effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/effects_fit.h"

const char *const hy_scale_words[HY_NUM_SCALES] = {"difference", "ratio", "odds"};

unsigned hy_factor_level(const hy_factor *factor, const hy_group *group)
{
    unsigned value = hy_field_get(factor->field, &group->terms->rules);
    for (unsigned i = 0; i < factor->num_levels; i++) {
        if (factor->levels[i] == value)
            return i;
    }
    return factor->num_levels;
}

static hy_status add_level(hy_factor *factor, const hy_group *group, hy_error *error)
{
    if (hy_factor_level(factor, group) < factor->num_levels)
        return HY_OK;
    if (factor->num_levels == HY_MAX_LEVELS)
        return hy_fail(error, HY_INVALID, "'%s' has more than %d values", factor->field->key,
                       HY_MAX_LEVELS);
    factor->levels[factor->num_levels++] = hy_field_get(factor->field, &group->terms->rules);
    return HY_OK;
}

static hy_status find_factors(hy_effects *effects, hy_error *error)
{
    const hy_groups *groups = effects->groups;
    for (size_t i = 0; i < hy_num_fields; i++) {
        hy_factor factor = {.field = &hy_fields[i]};
        hy_status status = HY_OK;
        for (size_t j = 0; status == HY_OK && j < groups->num; j++)
            status = add_level(&factor, &groups->groups[j], error);
        if (status != HY_OK)
            return status;
        if (factor.num_levels < 2)
            continue;
        if (effects->num_factors == HY_MAX_FACTORS)
            return hy_fail(error, HY_INVALID, "more than %d rules vary", HY_MAX_FACTORS);
        effects->factors[effects->num_factors++] = factor;
    }
    return effects->num_factors > 0
               ? HY_OK
               : hy_fail(error, HY_INVALID,
                         "no rule varies in this database: give a field of the rules a list of "
                         "values");
}

/* Whether two groups belong to one table: alike but for the rules. */
static bool same_table(const hy_group *a, const hy_group *b)
{
    for (size_t axis = hy_num_fields; axis < hy_num_axes(); axis++) {
        char level[HY_LEVEL_SIZE], other[HY_LEVEL_SIZE];
        hy_group_level(a, axis, level);
        hy_group_level(b, axis, other);
        if (strcmp(level, other) != 0)
            return false;
    }
    return true;
}

static hy_effect_table *table_of(hy_effects *effects, const hy_group *group)
{
    for (size_t i = 0; i < effects->num_tables; i++) {
        if (same_table(effects->tables[i].cells[0], group))
            return &effects->tables[i];
    }
    return &effects->tables[effects->num_tables];
}

static hy_status find_tables(hy_effects *effects, hy_error *error)
{
    const hy_groups *groups = effects->groups;
    effects->tables = hy_new_array(groups->num, sizeof effects->tables[0]);
    if (!effects->tables)
        return hy_fail_memory(error);
    for (size_t i = 0; i < groups->num; i++) {
        hy_effect_table *table = table_of(effects, &groups->groups[i]);
        if (!table->cells) {
            effects->num_tables++;
            table->cells = hy_new_array(groups->num, sizeof(const hy_group *));
            if (!table->cells)
                return hy_fail_memory(error);
        }
        table->cells[table->num_cells++] = &groups->groups[i];
    }
    return HY_OK;
}

/* Cells are all different, so the design is full where there are as many as combinations. */
static hy_status check_table(hy_effects *effects, const hy_effect_table *table, hy_error *error)
{
    size_t combinations = 1;
    for (size_t i = 0; i < effects->num_factors; i++)
        combinations *= effects->factors[i].num_levels;
    if (table->num_cells != combinations)
        return hy_fail(error, HY_INVALID,
                       "this is no full factorial: %zu of %zu combinations of the rules that vary "
                       "were played; 'hoyito compare' compares along one of them",
                       table->num_cells, combinations);
    for (size_t i = 0; i < table->num_cells; i++) {
        uint64_t games = table->cells[i]->summary.games;
        effects->games = games > effects->games ? games : effects->games;
    }
    return HY_OK;
}

static void list_effects(const hy_effects *effects, hy_effect_table *table, size_t factor,
                         size_t other)
{
    unsigned others = other == HY_NO_FACTOR ? 2 : effects->factors[other].num_levels;
    for (unsigned level = 1; level < effects->factors[factor].num_levels; level++) {
        for (unsigned other_level = 1; other_level < others; other_level++)
            table->effects[table->num_effects++] = (hy_effect){
                .factor = factor, .other = other, .level = level, .other_level = other_level};
    }
    table->shares[table->num_shares++] = (hy_effect_share){.factor = factor, .other = other};
}

/* Main effects first, then interactions. */
static hy_status make_effects(const hy_effects *effects, hy_effect_table *table, hy_error *error)
{
    size_t columns = 0, num = effects->num_factors;
    for (size_t i = 0; i < num; i++)
        columns += effects->factors[i].num_levels - 1;
    table->effects = hy_new_array(columns * (columns + 1), sizeof table->effects[0]);
    table->shares = hy_new_array(num * (num + 1), sizeof table->shares[0]);
    if (!table->effects || !table->shares)
        return hy_fail_memory(error);
    for (size_t i = 0; i < num; i++)
        list_effects(effects, table, i, HY_NO_FACTOR);
    for (size_t i = 0; i < num; i++) {
        for (size_t j = i + 1; j < num; j++)
            list_effects(effects, table, i, j);
    }
    return HY_OK;
}

static hy_status adjust(const hy_effects *effects, hy_effect_table *table, hy_error *error)
{
    double *p = hy_new_array(table->num_effects, sizeof p[0]);
    if (!p)
        return hy_fail_memory(error);
    for (size_t i = 0; i < table->num_effects; i++)
        p[i] = table->effects[i].p;
    hy_status status = hy_adjust(p, table->num_effects, effects->options.adjustment, p, error);
    for (size_t i = 0; i < table->num_effects; i++)
        table->effects[i].adjusted = p[i];
    free(p);
    return status;
}

static hy_status analyse(const hy_effects *effects, hy_effect_table *table, hy_error *error)
{
    hy_status status = make_effects(effects, table, error);
    if (status == HY_OK)
        status = effects->options.metric->kind == HY_METRIC_HAZARD
                     ? hy_effects_fit_hazard(effects, table, error)
                     : hy_effects_fit(effects, table, error);
    return status == HY_OK ? adjust(effects, table, error) : status;
}

hy_status hy_effects_build(const hy_groups *groups, const hy_effects_options *options,
                           hy_effects *effects, hy_error *error)
{
    *effects = (hy_effects){.groups = groups, .options = *options};
    if (groups->num == 0)
        return hy_fail(error, HY_FAILED, "the database has no games yet");
    hy_status status =
        options->metric->kind == HY_METRIC_MEDIAN
            ? hy_fail(error, HY_INVALID,
                      "medians do not add up; ask for restricted_plies or hazard")
            : hy_groups_carry(groups, options->metric, options->horizon, &effects->horizon, error);
    if (status == HY_OK)
        status = find_factors(effects, error);
    if (status == HY_OK)
        status = find_tables(effects, error);
    for (size_t i = 0; status == HY_OK && i < effects->num_tables; i++)
        status = check_table(effects, &effects->tables[i], error);
    for (size_t i = 0; status == HY_OK && i < effects->num_tables; i++)
        status = analyse(effects, &effects->tables[i], error);
    if (status != HY_OK)
        hy_effects_clean_up(effects);
    return status;
}

void hy_effects_clean_up(hy_effects *effects)
{
    for (size_t i = 0; i < effects->num_tables; i++) {
        free(effects->tables[i].cells);
        free(effects->tables[i].effects);
        free(effects->tables[i].shares);
    }
    free(effects->tables);
    effects->tables = NULL;
    effects->num_tables = 0;
}
