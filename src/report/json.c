/* The report as JSON. */
#include <inttypes.h>

#include "report/json_values.h"
#include "report/report.h"
#include "report/stopping.h"

static json_t *results_json(const hy_condition_report *row)
{
    json_t *object = json_object();
    for (size_t i = 0; i < HY_NUM_RESULTS; i++) {
        json_t *share = hy_json_estimate(&row->shares[i], "wilson", "no games", NULL);
        json_object_set_new(share, "games", hy_json_count(row->results[i]));
        json_object_set_new(share, "of", hy_json_count(row->games));
        json_object_set_new(object, hy_result_words[i], share);
    }
    return object;
}

static json_t *terminations_json(const hy_condition_report *row)
{
    json_t *object = json_object();
    for (size_t i = HY_GOES_ON + 1; i < HY_NUM_TERMINATIONS; i++)
        json_object_set_new(object, hy_termination_words[i], hy_json_count(row->terminations[i]));
    return object;
}

static json_t *length_json(const hy_condition_report *row)
{
    const hy_length_report *length = &row->length;
    const char *reason = length->num_censored > 0
                             ? "games were truncated or unresolved; their length is a lower bound"
                             : "fewer than two games";
    static const char *const names[HY_NUM_QUANTILES] = {"0.1", "0.25", "0.5", "0.75", "0.9"};
    bool all_known = true;
    json_t *object = json_object();
    json_t *quantiles = json_object();
    for (size_t i = 0; i < HY_NUM_QUANTILES; i++) {
        all_known &= length->quantile_known[i];
        json_object_set_new(quantiles, names[i],
                            length->quantile_known[i] ? hy_json_count(length->quantile[i])
                                                      : json_null());
    }
    json_object_set_new(object, "unit", json_string("plies"));
    json_object_set_new(object, "censored", hy_json_count(length->num_censored));
    json_object_set_new(object, "mean", hy_json_estimate(&length->mean, "t", reason, NULL));
    json_object_set_new(object, "standard_deviation",
                        length->mean.known ? hy_json_number(length->standard_deviation)
                                           : json_null());
    json_object_set_new(object, "median",
                        hy_json_estimate(&length->median, "kaplan-meier, log-log",
                                         row->games == 0 ? "no games" : "not reached",
                                         HY_ERROR_OF_METHOD));
    json_object_set_new(object, "quantiles", quantiles);
    if (!all_known)
        json_object_set_new(object, "quantiles_reason",
                            json_string(row->games == 0 ? "no games"
                                                        : "not reached: at or above a length that "
                                                          "is only a lower bound"));
    json_object_set_new(object, "longest", hy_json_count(length->longest));
    return object;
}

static const char *mean_reason(const hy_condition_report *row)
{
    return row->length.num_censored > 0
               ? "games were truncated or unresolved, so it would be a lower bound"
               : "fewer than two games";
}

static json_t *captures_json(const hy_condition_report *row)
{
    json_t *object = json_object();
    json_t *chains = hy_json_estimate(
        &row->chains, HY_SHARE_METHOD,
        row->num_captures == 0 ? "no captures" : "fewer than two games", HY_ERROR_OF_SHARE);
    json_object_set_new(chains, "chains", hy_json_count(row->num_chains));
    json_object_set_new(chains, "of", hy_json_count(row->num_captures));
    json_object_set_new(object, "per_game",
                        hy_json_estimate(&row->captures, "t", mean_reason(row), NULL));
    json_object_set_new(object, "casas_per_game",
                        hy_json_estimate(&row->casas, "t", mean_reason(row), NULL));
    json_object_set_new(object, "per_ply",
                        hy_json_estimate(&row->captures_per_ply, HY_RATIO_METHOD,
                                         row->games < 2 ? "fewer than two games" : "no plies",
                                         NULL));
    json_object_set_new(object, "chain_share", chains);
    json_object_set_new(object, "longest_chain", hy_json_count(row->longest_chain));
    return object;
}

json_t *hy_rules_json(const hy_rules *rules)
{
    json_t *object = json_object();
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        unsigned value = hy_field_get(field, rules);
        json_t *json = NULL;
        switch (field->kind) {
        case HY_FIELD_INTEGER:
            json = json_integer(value);
            break;
        case HY_FIELD_BOOLEAN:
            json = json_boolean(value);
            break;
        case HY_FIELD_WORD:
            json = json_string(field->words[value]);
            break;
        }
        json_object_set_new(object, field->key, json);
    }
    return object;
}

static json_t *condition_json(const hy_report *report, const hy_condition_report *row)
{
    const hy_condition *condition = &report->experiment->conditions[row->condition];
    char first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    json_t *object = json_object();
    json_t *distinct = json_object();
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    json_object_set_new(distinct, "estimate", hy_json_number(row->distinct.estimate));
    json_object_set_new(distinct, "standard_error", hy_json_number(row->distinct.standard_error));
    json_object_set_new(object, "condition", hy_json_count(row->condition + 1));
    json_object_set_new(object, "swapped", json_boolean(row->swapped));
    json_object_set_new(object, "rules", hy_rules_json(&condition->rules));
    json_object_set_new(object, "south_policy", json_string(row->swapped ? second : first));
    json_object_set_new(object, "north_policy", json_string(row->swapped ? first : second));
    json_object_set_new(object, "opening_plies", hy_json_count(condition->opening_plies));
    json_object_set_new(object, "reproducible",
                        json_boolean(hy_condition_is_reproducible(condition)));
    json_object_set_new(object, "repeats_other_seating",
                        json_boolean(row->swapped && hy_condition_repeats_swapped(condition)));
    json_object_set_new(object, "max_plies", hy_json_count(condition->max_plies));
    json_object_set_new(object, "games", hy_json_count(row->games));
    json_object_set_new(object, "distinct_games", distinct);
    json_object_set_new(object, "terminations", terminations_json(row));
    json_object_set_new(object, "results", results_json(row));
    json_t *score = hy_json_estimate(&row->first_player_score, HY_SCORE_METHOD,
                                     "no games with a result", HY_ERROR_ALIKE);
    json_object_set_new(score, "of", hy_json_count(row->scored));
    json_object_set_new(object, "first_player_score", score);
    json_object_set_new(object, "length", length_json(row));
    json_object_set_new(object, "captures", captures_json(row));
    if (report->rules)
        json_object_set_new(object, "stop",
                            hy_stopping_json(&report->rules[row->condition], row->swapped));
    return object;
}

json_t *hy_report_json(const hy_report *report)
{
    const hy_experiment *experiment = report->experiment;
    char seed[24];
    json_t *object = json_object();
    json_t *conditions = json_array();
    snprintf(seed, sizeof seed, "%" PRIu64, experiment->seed);
    json_object_set_new(object, "experiment", json_string(experiment->name));
    json_object_set_new(object, "question", json_string(experiment->question));
    json_object_set_new(object, "seed", json_string(seed));
    json_object_set_new(object, "games", hy_json_count(report->games));
    json_object_set_new(object, "games_asked_for", hy_json_count(report->asked));
    if (report->rules) {
        char rule[HY_STOP_TEXT_SIZE];
        hy_stop_print(&experiment->stop, rule);
        json_object_set_new(object, "stop_rule", json_loads(rule, 0, NULL));
        json_object_set_new(object, "games_at_most",
                            hy_json_count(hy_experiment_num_games(experiment)));
    }
    for (size_t i = 0; i < report->num_conditions; i++)
        json_array_append_new(conditions, condition_json(report, &report->conditions[i]));
    json_object_set_new(object, "conditions", conditions);
    return object;
}
