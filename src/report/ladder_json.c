/* The ladder as JSON. */
#include <inttypes.h>
#include <math.h>

#include "report/json_values.h"
#include "report/ladder.h"
#include "report/report.h"

static void put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *rating_json(const hy_rating *rating)
{
    const char *method = "maximum likelihood, sandwich clustered by game number", *bound = NULL;
    const char *reason = "no games lead to the anchor";
    if (rating->kind == HY_RATING_ABOVE) {
        reason = "won every game against those below";
        bound = "lower";
    } else if (rating->kind == HY_RATING_BELOW) {
        reason = "lost every game against those above";
        bound = "upper";
    }
    json_t *object = hy_json_estimate(&rating->elo, bound ? "likelihood ratio" : method, reason,
                                      HY_ERROR_OF_METHOD);
    put(object, "bound", bound ? json_string(bound) : json_null());
    return object;
}

static json_t *policy_json(const hy_ladder_policy *policy)
{
    uint64_t games = policy->won + policy->drawn + policy->lost;
    json_t *object = json_object();
    put(object, "policy", json_string(policy->name));
    put(object, "elo", rating_json(&policy->rating));
    put(object, "games", hy_json_count(games));
    put(object, "won", hy_json_count(policy->won));
    put(object, "drawn", hy_json_count(policy->drawn));
    put(object, "lost", hy_json_count(policy->lost));
    put(object, "score",
        hy_json_number(((double)policy->won + 0.5 * (double)policy->drawn) / (double)games));
    put(object, "self_games", hy_json_count(policy->self_games));
    put(object, "self_distinct_games", hy_json_count(policy->self_distinct));
    put(object, "self_first_player_score",
        policy->self_games > 0 ? hy_json_estimate(&policy->self_first_player, HY_SCORE_METHOD,
                                                  "no games with a result", HY_ERROR_ALIKE)
                               : json_null());
    return object;
}

static json_t *pairs_json(const hy_pair_counts *counts)
{
    static const char *const words[HY_NUM_PAIR_CLASSES] = {"LL", "LD", "WL+DD", "WD", "WW"};
    json_t *object = json_object();
    for (size_t i = 0; i < HY_NUM_PAIR_CLASSES; i++)
        put(object, words[i], hy_json_count(counts->num[i]));
    return object;
}

static json_t *pairing_json(const hy_ladder_table *table, const hy_ladder_pairing *pairing)
{
    const char *method = pairing->paired ? HY_PAIR_SCORE_METHOD : HY_SCORE_METHOD;
    json_t *object = json_object(), *elo = json_object();
    put(object, "condition", hy_json_count(pairing->condition + 1));
    put(object, "first", json_string(table->policies[pairing->first].name));
    put(object, "second", json_string(table->policies[pairing->second].name));
    put(object, "unit", json_string(pairing->paired ? "pair" : "game"));
    put(object, "units", hy_json_count(pairing->units));
    put(object, "distinct_units", hy_json_count(pairing->distinct));
    put(object, "won", hy_json_count(pairing->won));
    put(object, "drawn", hy_json_count(pairing->drawn));
    put(object, "lost", hy_json_count(pairing->lost));
    put(object, "games_without_result", hy_json_count(pairing->no_result));
    put(object, "pairs", pairing->paired ? pairs_json(&pairing->pairs) : json_null());
    put(object, "score",
        hy_json_estimate(&pairing->score, method, "no games with a result", HY_ERROR_ALIKE));
    put(elo, "estimate", hy_json_number(pairing->elo));
    put(elo, "low", hy_json_number(pairing->elo_low));
    put(elo, "high", hy_json_number(pairing->elo_high));
    put(object, "elo", elo);
    put(object, "first_player_score",
        hy_json_estimate(&pairing->first_player, method, "no pairs with two results",
                         HY_ERROR_ALIKE));
    put(object, "expected_score", hy_json_number(pairing->expected));
    put(object, "residual", hy_json_number(pairing->residual));
    return object;
}

static json_t *advantage_json(const hy_rating_table *fit)
{
    return hy_json_estimate(&fit->advantage,
                            "maximum likelihood, sandwich clustered by game number",
                            fit->advantage_kind == HY_ADVANTAGE_CONFOUNDED
                                ? "seats were not swapped: seat and strength cannot be told apart"
                                : "no games that tell",
                            NULL);
}

static json_t *scale_json(const hy_ladder_table *table)
{
    const hy_rating_table *fit = &table->fit;
    json_t *object = json_object();
    put(object, "chi_square", hy_json_number(fit->degrees > 0 ? fit->chi_square : NAN));
    put(object, "degrees_of_freedom", hy_json_count(fit->degrees));
    put(object, "p", hy_json_number(fit->degrees > 0 ? fit->p : NAN));
    put(object, "dispersion", hy_json_number(fit->dispersion));
    put(object, "one_sided_pairings", hy_json_count(fit->num_one_sided));
    put(object, "fits", fit->degrees > 0 ? json_boolean(!table->misfit) : json_null());
    if (fit->degrees == 0)
        put(object, "reason", json_string("no cycle of pairings with enough points on both sides"));
    return object;
}

static json_t *classes_json(const hy_ladder_table *table)
{
    json_t *object = json_object(), *chain = json_array();
    for (size_t i = 0; i < table->num_classes; i++)
        json_array_append_new(chain, json_string(table->policies[table->chain[i]].name));
    put(object, "score", json_real(HY_CLASS_SCORE));
    put(object, "classes", hy_json_count(table->num_classes));
    put(object, "sure_classes", hy_json_count(table->num_sure_classes));
    put(object, "chain", chain);
    return object;
}

static json_t *table_json(const hy_ladder_table *table)
{
    json_t *object = json_object(), *policies = json_array(), *pairings = json_array();
    for (size_t i = 0; i < table->num_policies; i++)
        json_array_append_new(policies, policy_json(&table->policies[table->order[i]]));
    for (size_t i = 0; i < table->num_pairings; i++)
        json_array_append_new(pairings, pairing_json(table, &table->pairings[i]));
    put(object, "rules", hy_rules_json(&table->condition->rules));
    put(object, "opening_plies", hy_json_count(table->condition->opening_plies));
    put(object, "max_plies", hy_json_count(table->condition->max_plies));
    put(object, "anchor", json_string(table->policies[table->anchor].name));
    put(object, "games", hy_json_count(table->games));
    put(object, "games_without_result", hy_json_count(table->no_result));
    put(object, "clusters", hy_json_count(table->fit.clusters));
    put(object, "policies", policies);
    put(object, "first_player_elo", advantage_json(&table->fit));
    put(object, "draw_nu", hy_json_number(table->fit.draw));
    put(object, "held_by_prior", json_boolean(table->fit.held));
    put(object, "scale_test", scale_json(table));
    put(object, "skill", classes_json(table));
    put(object, "repeated", json_boolean(table->repeated));
    put(object, "pairings", pairings);
    return object;
}

json_t *hy_ladder_json(const hy_ladder *ladder)
{
    const hy_experiment *experiment = ladder->experiment;
    char seed[24];
    json_t *object = json_object(), *tables = json_array();
    snprintf(seed, sizeof seed, "%" PRIu64, experiment->seed);
    for (size_t i = 0; i < ladder->num_tables; i++)
        json_array_append_new(tables, table_json(&ladder->tables[i]));
    put(object, "experiment", json_string(experiment->name));
    put(object, "question", json_string(experiment->question));
    put(object, "seed", json_string(seed));
    put(object, "scale", json_string("logistic Elo, 400 points a factor of 10"));
    put(object, "model", json_string("Davidson 1970, order effect of Davidson and Beaver 1977"));
    put(object, "tables", tables);
    return object;
}
