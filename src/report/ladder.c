#include "report/ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/ladder_games.h"
#include "report/report.h"

/* --- variants --- */

static bool same_variant(const hy_condition *a, const hy_condition *b)
{
    char one[HY_RULES_TEXT_SIZE], other[HY_RULES_TEXT_SIZE];
    hy_rules_print(&a->rules, one);
    hy_rules_print(&b->rules, other);
    return strcmp(one, other) == 0 && a->opening_plies == b->opening_plies &&
           a->max_plies == b->max_plies && a->max_laps == b->max_laps;
}

static hy_ladder_table *find_table(hy_ladder *ladder, const hy_condition *condition)
{
    for (size_t i = 0; i < ladder->num_tables; i++) {
        if (same_variant(ladder->tables[i].condition, condition))
            return &ladder->tables[i];
    }
    hy_ladder_table *table = &ladder->tables[ladder->num_tables++];
    table->condition = condition;
    return table;
}

static bool find_policy(const hy_ladder_table *table, const char *name, size_t *index)
{
    for (size_t i = 0; i < table->num_policies; i++) {
        *index = i;
        if (strcmp(table->policies[i].name, name) == 0)
            return true;
    }
    return false;
}

static hy_status note_policy(hy_ladder_table *table, const hy_policy_spec *spec, size_t *index,
                             hy_error *error)
{
    char name[HY_POLICY_TEXT_SIZE];
    hy_policy_spec_print(spec, name);
    if (find_policy(table, name, index))
        return HY_OK;
    size_t num = table->num_policies + 1;
    hy_ladder_policy *policies = realloc(table->policies, num * sizeof *policies);
    if (!policies)
        return hy_fail_memory(error);
    table->policies = policies;
    *index = table->num_policies;
    policies[*index] = (hy_ladder_policy){.name = strdup(name)};
    if (!policies[*index].name)
        return hy_fail_memory(error);
    table->num_policies = num;
    return HY_OK;
}

static hy_status note_pairing(hy_ladder_table *table, const hy_condition *condition, uint32_t index,
                              hy_error *error)
{
    size_t num = table->num_pairings + 1;
    hy_ladder_pairing *pairings = realloc(table->pairings, num * sizeof *pairings);
    if (!pairings)
        return hy_fail_memory(error);
    table->pairings = pairings;
    hy_ladder_pairing *pairing = &pairings[table->num_pairings];
    *pairing = (hy_ladder_pairing){.condition = index, .expected = NAN, .residual = NAN};
    hy_status status = note_policy(table, condition->first, &pairing->first, error);
    if (status == HY_OK)
        status = note_policy(table, condition->second, &pairing->second, error);
    if (status == HY_OK)
        table->num_pairings = num;
    return status;
}

static hy_status collect(hy_ladder *ladder, hy_error *error)
{
    const hy_experiment *experiment = ladder->experiment;
    hy_status status = HY_OK;
    ladder->tables = hy_new_array(experiment->num_conditions, sizeof ladder->tables[0]);
    if (!ladder->tables)
        return hy_fail_memory(error);
    for (uint32_t i = 0; i < experiment->num_conditions && status == HY_OK; i++) {
        const hy_condition *condition = &experiment->conditions[i];
        status = note_pairing(find_table(ladder, condition), condition, i, error);
    }
    return status;
}

/* --- anchor --- */

static hy_status choose_anchors(hy_ladder *ladder, const char *anchor, hy_error *error)
{
    bool found = false;
    for (size_t i = 0; i < ladder->num_tables; i++) {
        hy_ladder_table *table = &ladder->tables[i];
        bool here = anchor && find_policy(table, anchor, &table->anchor);
        found |= here;
        if (!here && !find_policy(table, "random", &table->anchor))
            table->anchor = 0;
    }
    if (!anchor || found)
        return HY_OK;
    char names[400] = "";
    size_t used = 0;
    for (size_t i = 0; ladder->num_tables > 0 && i < ladder->tables[0].num_policies; i++) {
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                                     ladder->tables[0].policies[i].name);
    }
    return hy_fail(error, HY_INVALID, "no games of the policy '%.100s'; there are: %s", anchor,
                   names);
}

/* --- numbers --- */

static hy_estimate score_of(const hy_pair_counts *pairs, uint64_t won, uint64_t drawn,
                            uint64_t lost)
{
    hy_estimate score = hy_pair_score(pairs, HY_CONFIDENCE);
    return score.known ? score : hy_score(won, drawn, lost, HY_CONFIDENCE);
}

/* South's score where no seats were swapped is that of the first policy. */
static void score_pairing(hy_ladder_pairing *pairing)
{
    pairing->score = score_of(&pairing->pairs, pairing->won, pairing->drawn, pairing->lost);
    pairing->first_player = hy_pair_score(&pairing->south_pairs, HY_CONFIDENCE);
    if (!pairing->paired)
        pairing->first_player = pairing->score;
    pairing->elo = hy_elo(pairing->score.value);
    pairing->elo_low = hy_elo(pairing->score.low);
    pairing->elo_high = hy_elo(pairing->score.high);
}

static void count_pairing(hy_ladder_table *table, const hy_ladder_pairing *pairing)
{
    hy_ladder_policy *first = &table->policies[pairing->first];
    hy_ladder_policy *second = &table->policies[pairing->second];
    table->games += pairing->won + pairing->drawn + pairing->lost;
    table->no_result += pairing->no_result;
    table->repeated |= 2 * pairing->distinct < pairing->units;
    if (first == second) {
        first->self_games = pairing->won + pairing->drawn + pairing->lost;
        first->self_distinct = pairing->distinct;
        first->self_first_player = pairing->first_player;
        return;
    }
    first->won += pairing->won;
    first->drawn += pairing->drawn;
    first->lost += pairing->lost;
    second->won += pairing->lost;
    second->drawn += pairing->drawn;
    second->lost += pairing->won;
}

static void compare_with_fit(hy_ladder_table *table, hy_ladder_pairing *pairing)
{
    for (size_t i = 0; i < table->fit.num_pairings; i++) {
        const hy_rated_pairing *rated = &table->fit.pairings[i];
        bool same = rated->first == pairing->first && rated->second == pairing->second;
        bool turned = rated->second == pairing->first && rated->first == pairing->second;
        if (!same && !turned)
            continue;
        double expected = rated->expected / (double)rated->games;
        pairing->expected = same ? expected : 1 - expected;
        pairing->residual = same ? rated->residual : -rated->residual;
    }
}

/* --- order and classes --- */

static double height(const hy_rating *rating)
{
    switch (rating->kind) {
    case HY_RATING_KNOWN:
        return rating->elo.value;
    case HY_RATING_ABOVE:
        return rating->elo.low;
    case HY_RATING_BELOW:
        return rating->elo.high;
    case HY_RATING_UNKNOWN:
        break;
    }
    return -INFINITY;
}

static void sort(hy_ladder_table *table)
{
    for (size_t i = 0; i < table->num_policies; i++) {
        size_t k = i;
        double high = height(&table->policies[i].rating);
        for (; k > 0 && height(&table->policies[table->order[k - 1]].rating) < high; k--)
            table->order[k] = table->order[k - 1];
        table->order[k] = i;
    }
}

/* Whether one beats the other by a class in every condition in which they met. */
static bool is_class_above(const hy_ladder_table *table, size_t one, size_t other, bool sure)
{
    bool met = false;
    for (size_t i = 0; i < table->num_pairings; i++) {
        const hy_ladder_pairing *pairing = &table->pairings[i];
        bool same = pairing->first == one && pairing->second == other;
        bool turned = pairing->second == one && pairing->first == other;
        if ((!same && !turned) || !pairing->score.known)
            continue;
        double value = same ? pairing->score.value : 1 - pairing->score.value;
        double low = same ? pairing->score.low : 1 - pairing->score.high;
        met = true;
        if ((sure ? low : value) < HY_CLASS_SCORE)
            return false;
    }
    return met;
}

/* The longest chain down the order; *num is its length, `chain` (unless NULL) its policies. */
static hy_status find_chain(const hy_ladder_table *table, bool sure, size_t *chain, size_t *num,
                            hy_error *error)
{
    size_t n = table->num_policies, best = n > 0 ? n - 1 : 0;
    size_t *length = hy_new_array(n, sizeof *length), *next = hy_new_array(n, sizeof *next);
    if (!length || !next) {
        free(length);
        free(next);
        return hy_fail_memory(error);
    }
    for (size_t i = n; i-- > 0;) {
        length[i] = 1;
        next[i] = n;
        for (size_t k = i + 1; k < n; k++) {
            if (length[k] + 1 > length[i] &&
                is_class_above(table, table->order[i], table->order[k], sure)) {
                length[i] = length[k] + 1;
                next[i] = k;
            }
        }
        if (length[i] >= length[best])
            best = i;
    }
    *num = n > 0 ? length[best] : 0;
    for (size_t i = best, used = 0; chain && i < n; i = next[i])
        chain[used++] = table->order[i];
    free(length);
    free(next);
    return HY_OK;
}

/* --- a table --- */

static hy_status rate(hy_ladder_table *table, hy_ladder_games *games, hy_error *error)
{
    hy_status status = hy_rating_fit(games->games, games->num, table->num_policies, table->anchor,
                                     HY_CONFIDENCE, &table->fit, error);
    if (status != HY_OK)
        return status;
    table->misfit = table->fit.degrees > 0 && table->fit.p < HY_LEVEL_OF_FIT;
    for (size_t i = 0; i < table->num_policies; i++)
        table->policies[i].rating = table->fit.ratings[i];
    for (size_t i = 0; i < table->num_pairings; i++)
        compare_with_fit(table, &table->pairings[i]);
    table->order = hy_new_array(table->num_policies, sizeof table->order[0]);
    table->chain = hy_new_array(table->num_policies, sizeof table->chain[0]);
    if (!table->order || !table->chain)
        return hy_fail_memory(error);
    sort(table);
    status = find_chain(table, false, table->chain, &table->num_classes, error);
    if (status == HY_OK)
        status = find_chain(table, true, NULL, &table->num_sure_classes, error);
    return status;
}

static hy_status build_table(hy_store *store, hy_ladder_table *table, hy_error *error)
{
    hy_ladder_games games = {0};
    hy_status status = HY_OK;
    for (size_t i = 0; i < table->num_pairings && status == HY_OK; i++) {
        hy_ladder_pairing *pairing = &table->pairings[i];
        status = hy_ladder_read(store, pairing, &games, error);
        if (status == HY_OK) {
            score_pairing(pairing);
            count_pairing(table, pairing);
        }
    }
    if (status == HY_OK)
        status = rate(table, &games, error);
    free(games.games);
    return status;
}

hy_status hy_ladder_build(hy_store *store, const char *anchor, hy_ladder *ladder, hy_error *error)
{
    *ladder = (hy_ladder){.experiment = hy_store_experiment(store)};
    if (ladder->experiment->record == HY_RECORD_SUMMARY)
        return hy_fail(error, HY_MISMATCH,
                       "a ladder needs the result of every game, and the database was made with "
                       "'record: summary'; it takes 'record: games' or 'record: moves'");
    hy_status status = collect(ladder, error);
    if (status == HY_OK)
        status = choose_anchors(ladder, anchor, error);
    for (size_t i = 0; i < ladder->num_tables && status == HY_OK; i++)
        status = build_table(store, &ladder->tables[i], error);
    if (status != HY_OK)
        hy_ladder_clean_up(ladder);
    return status;
}

void hy_ladder_clean_up(hy_ladder *ladder)
{
    for (size_t i = 0; i < ladder->num_tables; i++) {
        hy_ladder_table *table = &ladder->tables[i];
        for (size_t k = 0; k < table->num_policies; k++)
            free(table->policies[k].name);
        free(table->policies);
        free(table->pairings);
        free(table->order);
        free(table->chain);
        hy_rating_clean_up(&table->fit);
    }
    free(ladder->tables);
    *ladder = (hy_ladder){0};
}
