/* The quality of a game as JSON. */
#include "report/json_values.h"
#include "report/quality.h"
#include "report/report.h"

static json_t *measure_json(const hy_measure *measure)
{
    json_t *object = hy_json_estimate(&measure->estimate, measure->method, measure->reason,
                                      measure->error_reason);
    json_object_set_new(object, "unit", json_string(measure->unit));
    json_object_set_new(object, "denominator", json_string(measure->denominator));
    json_object_set_new(object, "of", hy_json_number(measure->of));
    json_object_set_new(object, "games", hy_json_count(measure->games));
    return object;
}

/* An object of measures by their names. */
static json_t *measures_json(const hy_measure *measures, size_t num)
{
    json_t *object = json_object();
    for (size_t i = 0; i < num; i++)
        json_object_set_new(object, measures[i].name, measure_json(&measures[i]));
    return object;
}

static json_t *sums_json(hy_measure_kind kind, const hy_sums *sums, const char *unit,
                         const char *denominator)
{
    hy_measure measure = {.unit = unit, .denominator = denominator};
    hy_measure_fill(&measure, kind, sums);
    return measure_json(&measure);
}

static json_t *holes_json(const hy_capture_sums *sums, unsigned holes)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < 2 * holes; i++) {
        json_t *hole = json_object();
        json_object_set_new(hole, "row", json_string(i < holes ? "own" : "other"));
        json_object_set_new(hole, "hole", json_integer(i % holes + 1));
        json_object_set_new(hole, "captures", hy_json_count((uint64_t)sums->captures_at[i].y));
        json_object_set_new(hole, "chains", hy_json_count((uint64_t)sums->chains_at[i].y));
        json_object_set_new(
            hole, "capture_share",
            sums_json(HY_MEASURE_SHARE, &sums->captures_at[i], "share", "captures"));
        json_object_set_new(hole, "chain_share",
                            sums_json(HY_MEASURE_SHARE, &sums->chains_at[i], "share", "chains"));
        json_object_set_new(
            hole, "chained",
            sums_json(HY_MEASURE_SHARE, &sums->chained_at[i], "share", "captures that land there"));
        json_array_append_new(array, hole);
    }
    return array;
}

static json_t *casas_json(const hy_capture_sums *sums)
{
    json_t *array = json_array();
    for (unsigned casas = 1; casas <= sums->most_casas; casas++) {
        json_t *row = sums_json(HY_MEASURE_SHARE, &sums->casas[casas], "share", "captures");
        json_object_set_new(row, "casas", json_integer(casas));
        json_object_set_new(row, "captures", hy_json_count((uint64_t)sums->casas[casas].y));
        json_array_append_new(array, row);
    }
    return array;
}

static json_t *captures_json(const hy_capture_sums *sums, unsigned holes)
{
    json_t *object = json_object();
    json_object_set_new(object, "captures", hy_json_count((uint64_t)sums->chain_share.x));
    json_object_set_new(object, "chains", hy_json_count((uint64_t)sums->chain_share.y));
    json_object_set_new(object, "en_passant_plies", hy_json_count(sums->en_passant));
    json_object_set_new(object, "chain_share",
                        sums_json(HY_MEASURE_SHARE, &sums->chain_share, "share", "captures"));
    json_object_set_new(object, "casas_per_capture",
                        sums_json(HY_MEASURE_RATIO, &sums->casas_a_capture, "casas", "captures"));
    json_object_set_new(object, "chain_length",
                        sums_json(HY_MEASURE_RATIO, &sums->chain_length,
                                  "casas behind the landing hole", "chains"));
    json_object_set_new(object, "own_row_capture_share",
                        sums_json(HY_MEASURE_SHARE, &sums->own_captures, "share", "captures"));
    json_object_set_new(object, "own_row_chain_share",
                        sums_json(HY_MEASURE_SHARE, &sums->own_chains, "share", "chains"));
    json_object_set_new(object, "by_casas", casas_json(sums));
    json_object_set_new(object, "by_landing_hole", holes_json(sums, holes));
    return object;
}

static json_t *replayed_json(const hy_condition_quality *row, unsigned holes)
{
    static const char *const movers[HY_NUM_MOVERS] = {"south", "north", "both"};
    const hy_quality_sums *sums = row->replayed;
    if (!sums) {
        json_t *none = json_object();
        json_object_set_new(none, "games", hy_json_count(0));
        json_object_set_new(none, "reason", json_string(row->not_replayed));
        return none;
    }
    json_t *object = json_object();
    json_t *captures = json_object();
    for (unsigned i = 0; i < HY_NUM_MOVERS; i++)
        json_object_set_new(captures, movers[i], captures_json(&sums->captures[i], holes));
    json_object_set_new(object, "games", hy_json_count(sums->games));
    json_object_set_new(object, "games_without_result",
                        hy_json_count(sums->results[HY_RESULT_NONE]));
    json_object_set_new(object, "plies", hy_json_count(sums->plies));
    json_object_set_new(object, "nodes", hy_json_count(sums->nodes));
    json_object_set_new(object, "measures", measures_json(row->valued, HY_NUM_QUALITY_MEASURES));
    json_object_set_new(object, "captures", captures);
    return object;
}

static json_t *state_space_json(const hy_state_space *space)
{
    json_t *object = json_object();
    json_object_set_new(object, "positions", json_string(space->digits));
    json_object_set_new(object, "log10", json_real(space->log10));
    return object;
}

static json_t *condition_json(const hy_quality_report *report, const hy_condition_quality *row)
{
    const hy_condition *condition = &report->experiment->conditions[row->condition];
    char first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    json_t *object = json_object();
    json_object_set_new(object, "condition", hy_json_count(row->condition + 1));
    json_object_set_new(object, "swapped", json_boolean(row->swapped));
    json_object_set_new(object, "rules", hy_rules_json(&condition->rules));
    json_object_set_new(object, "south_policy", json_string(row->swapped ? second : first));
    json_object_set_new(object, "north_policy", json_string(row->swapped ? first : second));
    json_object_set_new(object, "opening_plies", hy_json_count(condition->opening_plies));
    json_object_set_new(object, "max_plies", hy_json_count(condition->max_plies));
    json_object_set_new(object, "games", hy_json_count(row->games));
    json_object_set_new(object, "games_without_result", hy_json_count(row->no_result));
    json_object_set_new(object, "longest_turn", hy_json_count(row->longest_turn));
    json_object_set_new(object, "longest_chain", hy_json_count(row->longest_chain));
    json_object_set_new(object, "state_space", state_space_json(&row->space));
    json_object_set_new(object, "measures", measures_json(row->cheap, HY_NUM_CHEAP_MEASURES));
    json_object_set_new(object, "replayed", replayed_json(row, condition->rules.holes));
    return object;
}

json_t *hy_quality_json(const hy_quality_report *report)
{
    char evaluator[HY_POLICY_TEXT_SIZE], seed[24];
    json_t *object = json_object();
    json_t *conditions = json_array();
    hy_policy_spec_print(report->evaluator, evaluator);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)report->experiment->seed);
    json_object_set_new(object, "experiment", json_string(report->experiment->name));
    json_object_set_new(object, "question", json_string(report->experiment->question));
    json_object_set_new(object, "seed", json_string(seed));
    json_object_set_new(object, "evaluator", json_string(evaluator));
    for (size_t i = 0; i < report->num_conditions; i++)
        json_array_append_new(conditions, condition_json(report, &report->conditions[i]));
    json_object_set_new(object, "conditions", conditions);
    return object;
}
