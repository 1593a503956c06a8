/* A comparison as JSON. */
#include <math.h>

#include "report/compare.h"
#include "report/json_values.h"

/* An estimate by its numbers alone. */
static json_t *interval_json(const hy_estimate *value)
{
    json_t *object = json_object();
    json_object_set_new(object, "estimate", hy_json_number(value->value));
    json_object_set_new(object, "standard_error", hy_json_number(value->standard_error));
    json_object_set_new(object, "low", hy_json_number(value->low));
    json_object_set_new(object, "high", hy_json_number(value->high));
    return object;
}

static json_t *level_json(const hy_compare *compare, const hy_compare_level *level)
{
    const hy_summary *summary = &level->group->summary;
    json_t *object = interval_json(&level->value);
    json_t *terminations = json_object();
    json_object_set_new(object, "level", json_string(level->level));
    json_object_set_new(object, "condition", hy_json_count(level->group->condition + 1));
    json_object_set_new(object, "swapped", json_boolean(level->group->swapped));
    json_object_set_new(object, "of", hy_json_number(level->of));
    json_object_set_new(object, "games", hy_json_count(summary->games));
    json_object_set_new(object, "games_asked_for",
                        hy_json_count(hy_store_experiment(compare->groups->store)->games));
    json_object_set_new(object, "distinct_games", hy_json_number(level->group->distinct.estimate));
    json_object_set_new(object, "repeats", json_boolean(hy_group_repeats(level->group)));
    json_object_set_new(object, "no_result", hy_json_count(summary->results[HY_RESULT_NONE]));
    for (size_t i = HY_GOES_ON + 1; i < HY_NUM_TERMINATIONS; i++)
        json_object_set_new(terminations, hy_termination_words[i],
                            hy_json_count(summary->terminations[i]));
    json_object_set_new(object, "terminations", terminations);
    if (!level->value.known)
        json_object_set_new(object, "reason",
                            json_string(compare->options.metric->kind == HY_METRIC_HAZARD
                                            ? "a hazard is known as a ratio only"
                                            : "not reached, or nothing to count"));
    return object;
}

static json_t *equivalence_json(const hy_compare *compare, const hy_compare_row *row)
{
    json_t *object = json_object();
    json_object_set_new(object, "margin", json_real(compare->options.margin));
    json_object_set_new(object, "shown",
                        row->equivalence.known ? json_boolean(row->equivalence.equivalent)
                                               : json_null());
    json_object_set_new(object, "p",
                        hy_json_number(row->equivalence.known ? row->equivalence.p : NAN));
    return object;
}

static json_t *row_json(const hy_compare *compare, const hy_compare_row *row)
{
    json_t *object = json_object();
    json_object_set_new(object, "level", json_string(compare->levels[row->level].level));
    json_object_set_new(object, "base", json_string(compare->levels[row->base].level));
    json_object_set_new(object, "difference", interval_json(&row->difference));
    json_object_set_new(object, "ratio", interval_json(&row->ratio));
    json_object_set_new(object, "method", row->method ? json_string(row->method) : json_null());
    json_object_set_new(object, "paired", json_boolean(row->paired));
    json_object_set_new(object, "test", row->test ? json_string(row->test) : json_null());
    json_object_set_new(object, "statistic", hy_json_number(row->statistic));
    json_object_set_new(object, "p", hy_json_number(row->p));
    json_object_set_new(object, "p_adjusted", hy_json_number(row->adjusted));
    if (compare->options.metric->kind == HY_METRIC_HAZARD)
        json_object_set_new(object, "proportional_p", hy_json_number(row->proportional_p));
    if (compare->options.margin > 0)
        json_object_set_new(object, "equivalence", equivalence_json(compare, row));
    return object;
}

static json_t *stratum_json(const hy_compare *compare, size_t stratum)
{
    json_t *object = json_object(), *levels = json_array(), *rows = json_array();
    char text[512];
    hy_compare_stratum(compare, stratum, text, sizeof text);
    for (size_t i = 0; i < compare->num_levels; i++) {
        if (compare->levels[i].stratum == stratum)
            json_array_append_new(levels, level_json(compare, &compare->levels[i]));
    }
    for (size_t i = 0; i < compare->num_rows; i++) {
        if (compare->levels[compare->rows[i].level].stratum == stratum)
            json_array_append_new(rows, row_json(compare, &compare->rows[i]));
    }
    json_object_set_new(object, "stratum", json_string(text));
    json_object_set_new(object, "levels", levels);
    json_object_set_new(object, "comparisons", rows);
    return object;
}

json_t *hy_compare_json(const hy_compare *compare)
{
    const hy_compare_options *options = &compare->options;
    const hy_metric *metric = options->metric;
    json_t *object = json_object(), *strata = json_array();
    json_object_set_new(object, "metric", json_string(metric->word));
    json_object_set_new(object, "meaning", json_string(metric->meaning));
    json_object_set_new(object, "unit", json_string(metric->unit));
    json_object_set_new(object, "over", json_string(metric->denominator));
    json_object_set_new(object, "by", json_string(hy_axis_word(options->axis)));
    json_object_set_new(object, "confidence", json_real(options->confidence));
    json_object_set_new(object, "adjustment",
                        json_string(hy_adjustment_words[options->adjustment]));
    json_object_set_new(object, "num_comparisons", hy_json_count(compare->num_rows));
    if (metric->kind == HY_METRIC_RESTRICTED)
        json_object_set_new(object, "horizon", hy_json_number(compare->horizon));
    for (size_t i = 0; i < compare->num_strata; i++)
        json_array_append_new(strata, stratum_json(compare, i));
    json_object_set_new(object, "strata", strata);
    return object;
}
