/* Effects as JSON. */
#include <math.h>

#include "report/effects.h"
#include "report/json_values.h"

static json_t *level_json(const hy_factor *factor, unsigned level)
{
    char buffer[HY_FIELD_TEXT_SIZE];
    return json_string(hy_field_text(factor->field, factor->levels[level], buffer));
}

static void add_factor(json_t *object, const hy_factor *factor, unsigned level, const char *name,
                       const char *from, const char *to)
{
    json_object_set_new(object, name, json_string(factor->field->key));
    json_object_set_new(object, from, level_json(factor, 0));
    json_object_set_new(object, to, level_json(factor, level));
}

static json_t *effect_json(const hy_effects *effects, const hy_effect *effect)
{
    json_t *object = json_object();
    add_factor(object, &effects->factors[effect->factor], effect->level, "factor", "from", "to");
    if (effect->other != HY_NO_FACTOR)
        add_factor(object, &effects->factors[effect->other], effect->other_level, "with",
                   "with_from", "with_to");
    json_object_set_new(object, "estimate", hy_json_number(effect->estimate.value));
    json_object_set_new(object, "low", hy_json_number(effect->estimate.low));
    json_object_set_new(object, "high", hy_json_number(effect->estimate.high));
    json_object_set_new(object, "standard_error", hy_json_number(effect->estimate.standard_error));
    json_object_set_new(object, "p", hy_json_number(effect->p));
    json_object_set_new(object, "p_adjusted", hy_json_number(effect->adjusted));
    return object;
}

static json_t *shares_json(const hy_effects *effects, const hy_effect_table *table)
{
    json_t *array = json_array();
    for (size_t i = 0; i < table->num_shares; i++) {
        const hy_effect_share *share = &table->shares[i];
        json_t *object = json_object();
        json_object_set_new(object, "factor",
                            json_string(effects->factors[share->factor].field->key));
        if (share->other != HY_NO_FACTOR)
            json_object_set_new(object, "with",
                                json_string(effects->factors[share->other].field->key));
        json_object_set_new(object, "share", hy_json_number(share->share));
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *table_json(const hy_effects *effects, const hy_effect_table *table)
{
    json_t *object = json_object(), *mains = json_array(), *pairs = json_array();
    json_t *terminations = json_object();
    uint64_t games = 0, repeating = 0;
    for (size_t i = 0; i < table->num_cells; i++) {
        games += table->cells[i]->summary.games;
        repeating += hy_group_repeats(table->cells[i]);
    }
    for (size_t axis = hy_num_fields; axis < hy_num_axes(); axis++) {
        char level[HY_LEVEL_SIZE];
        hy_group_level(table->cells[0], axis, level);
        json_object_set_new(object, hy_axis_word(axis), json_string(level));
    }
    for (int t = HY_GOES_ON + 1; t < HY_NUM_TERMINATIONS; t++) {
        uint64_t num = 0;
        for (size_t i = 0; i < table->num_cells; i++)
            num += table->cells[i]->summary.terminations[t];
        json_object_set_new(terminations, hy_termination_words[t], hy_json_count(num));
    }
    for (size_t i = 0; i < table->num_effects; i++) {
        const hy_effect *effect = &table->effects[i];
        json_array_append_new(effect->other == HY_NO_FACTOR ? mains : pairs,
                              effect_json(effects, effect));
    }
    json_object_set_new(object, "variants", hy_json_count(table->num_cells));
    json_object_set_new(object, "games", hy_json_count(games));
    json_object_set_new(object, "repeating_variants", hy_json_count(repeating));
    if (effects->options.metric->kind == HY_METRIC_HAZARD)
        json_object_set_new(object, "proportional_p", hy_json_number(table->proportional_p));
    json_object_set_new(object, "terminations", terminations);
    json_object_set_new(object, "paired", json_boolean(table->paired));
    json_object_set_new(object, "mean", hy_json_number(table->mean.value));
    json_object_set_new(object, "main_effects", mains);
    json_object_set_new(object, "interactions", pairs);
    json_object_set_new(object, "variation", shares_json(effects, table));
    if (table->num_shares > 0)
        json_object_set_new(object, "variation_rest", hy_json_number(table->rest));
    return object;
}

json_t *hy_effects_json(const hy_effects *effects)
{
    const hy_effects_options *options = &effects->options;
    json_t *object = json_object(), *tables = json_array();
    json_object_set_new(object, "metric", json_string(options->metric->word));
    json_object_set_new(object, "meaning", json_string(options->metric->meaning));
    json_object_set_new(object, "unit", json_string(options->metric->unit));
    json_object_set_new(object, "over", json_string(options->metric->denominator));
    json_object_set_new(object, "scale",
                        json_string(options->metric->kind == HY_METRIC_HAZARD
                                        ? hy_scale_words[HY_SCALE_RATIO]
                                        : hy_scale_words[options->scale]));
    json_object_set_new(object, "confidence", json_real(options->confidence));
    json_object_set_new(object, "adjustment",
                        json_string(hy_adjustment_words[options->adjustment]));
    if (options->metric->kind == HY_METRIC_RESTRICTED)
        json_object_set_new(object, "horizon", hy_json_number(effects->horizon));
    for (size_t i = 0; i < effects->num_tables; i++)
        json_array_append_new(tables, table_json(effects, &effects->tables[i]));
    json_object_set_new(object, "tables", tables);
    return object;
}
