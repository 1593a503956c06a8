#include "report/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/lengths.h"
#include "stats/cox.h"
#include "stats/difference.h"
#include "stats/logrank.h"
#include "stats/survival.h"
#include "stats/two_shares.h"

#define FEW_PAIRS 25u /* that differ: below, McNemar's test is exact */

static const hy_estimate unknown = {false, NAN, NAN, NAN, NAN};

static hy_status survival_of(const hy_group *group, double confidence, hy_survival *survival,
                             hy_error *error)
{
    hy_lifetime *lifetimes;
    hy_status status = hy_lifetimes_of(&group->summary, 0, &lifetimes, error);
    if (status != HY_OK)
        return status;
    status = hy_survival_fit(lifetimes, group->summary.num_lengths, HY_BAND_LOG_LOG, confidence,
                             survival, error);
    free(lifetimes);
    return status;
}

/* The value of a length as survival data. */
static hy_status survival_value(const hy_compare *compare, hy_compare_level *level, hy_error *error)
{
    hy_survival survival;
    hy_status status = survival_of(level->group, compare->options.confidence, &survival, error);
    if (status != HY_OK)
        return status;
    level->value = compare->options.metric->kind == HY_METRIC_RESTRICTED
                       ? hy_restricted_mean(&survival, compare->horizon)
                       : hy_survival_quantile(&survival, 0.5);
    hy_survival_clean_up(&survival);
    return HY_OK;
}

static hy_status measure(const hy_compare *compare, hy_compare_level *level, hy_error *error)
{
    const hy_metric *metric = compare->options.metric;
    const hy_summary *summary = &level->group->summary;
    level->of = (double)summary->games;
    level->value = unknown;
    if (metric->kind == HY_METRIC_HAZARD)
        return HY_OK;
    if (!hy_metric_is_ratio(metric, summary, compare->horizon))
        return survival_value(compare, level, error);
    level->value = hy_metric_value(metric, summary, compare->horizon, compare->options.confidence);
    level->of = hy_metric_sums(metric, summary, compare->horizon).x;
    return HY_OK;
}

/* The stratum of a group: that of an earlier one that is alike, or a new one. */
static size_t stratum_of(const hy_compare *compare, const hy_group *group)
{
    for (size_t i = 0; i < compare->num_levels; i++) {
        if (hy_groups_match(group, compare->levels[i].group, compare->options.axis))
            return compare->levels[i].stratum;
    }
    return compare->num_strata;
}

/* Whether the stratum has the level already: both seatings of a policy against itself. */
static bool has_level(const hy_compare *compare, size_t stratum, const char *level)
{
    for (size_t i = 0; i < compare->num_levels; i++) {
        if (compare->levels[i].stratum == stratum && strcmp(compare->levels[i].level, level) == 0)
            return true;
    }
    return false;
}

static hy_status find_levels(const hy_groups *groups, hy_compare *compare, hy_error *error)
{
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < groups->num; i++) {
        hy_compare_level *level = &compare->levels[compare->num_levels];
        level->group = &groups->groups[i];
        level->stratum = stratum_of(compare, level->group);
        hy_group_level(level->group, compare->options.axis, level->level);
        if (has_level(compare, level->stratum, level->level))
            continue;
        status = measure(compare, level, error);
        compare->num_strata += level->stratum == compare->num_strata;
        compare->num_levels++;
    }
    return status;
}

static void add_row(hy_compare *compare, size_t level, size_t base)
{
    compare->rows[compare->num_rows++] = (hy_compare_row){
        .level = level,
        .base = base,
        .difference = unknown,
        .ratio = unknown,
        .statistic = NAN,
        .p = NAN,
        .adjusted = NAN,
        .proportional_p = NAN,
        .degrees = INFINITY,
    };
}

/* The base of a stratum: the level asked for, or the first one; num_levels where there is none. */
static size_t base_of(const hy_compare *compare, size_t stratum)
{
    for (size_t i = 0; i < compare->num_levels; i++) {
        const hy_compare_level *level = &compare->levels[i];
        if (level->stratum == stratum &&
            (!compare->options.baseline || strcmp(level->level, compare->options.baseline) == 0))
            return i;
    }
    return compare->num_levels;
}

static void add_rows_of(hy_compare *compare, size_t stratum)
{
    size_t base = base_of(compare, stratum);
    for (size_t i = 0; i < compare->num_levels; i++) {
        if (compare->levels[i].stratum != stratum)
            continue;
        for (size_t j = 0; compare->options.all_pairs && j < i; j++) {
            if (compare->levels[j].stratum == stratum)
                add_row(compare, i, j);
        }
        if (!compare->options.all_pairs && base < compare->num_levels && i != base)
            add_row(compare, i, base);
    }
}

static hy_status find_rows(hy_compare *compare, hy_error *error)
{
    size_t num = compare->num_levels;
    bool found = false;
    compare->rows = hy_new_array(num * num / 2 + 1, sizeof compare->rows[0]);
    if (!compare->rows)
        return hy_fail_memory(error);
    for (size_t i = 0; i < compare->num_strata; i++) {
        found |= base_of(compare, i) < num;
        add_rows_of(compare, i);
    }
    const char *axis = hy_axis_word(compare->options.axis);
    if (!found)
        return hy_fail(error, HY_INVALID, "no condition has the baseline %s=%.60s", axis,
                       compare->options.baseline ? compare->options.baseline : "");
    if (compare->num_rows == 0)
        return hy_fail(error, HY_INVALID,
                       "no two conditions differ in '%s' alone, so there is nothing to compare",
                       axis);
    return HY_OK;
}

/* What the games of both groups of a row say together, by their numbers. */
typedef struct hy_pairing {
    bool paired; /* games are stored one by one, and both groups have such numbers */
    double covariance;
    uint64_t only_level, only_base; /* of shares: how many have it in one group alone */
} hy_pairing;

static hy_status pair_games(const hy_compare *compare, const hy_compare_row *row,
                            hy_pairing *pairing, hy_error *error)
{
    const hy_compare_options *options = &compare->options;
    const hy_compare_level *level = &compare->levels[row->level];
    const hy_compare_level *base = &compare->levels[row->base];
    hy_influences a, b;
    *pairing = (hy_pairing){.paired = compare->groups->has_rows};
    if (!pairing->paired)
        return HY_OK;
    hy_status status = hy_group_influences(compare->groups, level->group, options->metric,
                                           compare->horizon, &a, error);
    if (status != HY_OK)
        return status;
    status = hy_group_influences(compare->groups, base->group, options->metric, compare->horizon,
                                 &b, error);
    if (status == HY_OK) {
        pairing->covariance = hy_influences_covariance(&a, &b);
        hy_influences_discordant(&a, level->value.value, &b, base->value.value,
                                 &pairing->only_level, &pairing->only_base);
        hy_influences_clean_up(&b);
    }
    hy_influences_clean_up(&a);
    return status;
}

static bool is_share(const hy_metric *metric)
{
    return metric->kind == HY_METRIC_RESULT || metric->kind == HY_METRIC_TERMINATION;
}

/* Two shares of independent games. */
static hy_status compare_shares(const hy_compare *compare, hy_compare_row *row, hy_error *error)
{
    const hy_compare_level *level = &compare->levels[row->level];
    const hy_compare_level *base = &compare->levels[row->base];
    hy_two_shares shares = {
        .x1 = (uint64_t)llround(level->value.value * level->of),
        .n1 = (uint64_t)level->of,
        .x2 = (uint64_t)llround(base->value.value * base->of),
        .n2 = (uint64_t)base->of,
    };
    double pooled = (double)(shares.x1 + shares.x2) / (level->of + base->of);
    double smallest = fmin(pooled, 1 - pooled) * fmin(level->of, base->of);
    row->difference = hy_two_shares_newcombe(&shares, compare->options.confidence);
    row->method = "newcombe";
    if (smallest >= 5) {
        hy_test test = hy_two_shares_chi_square(&shares);
        row->test = "chi-square";
        row->statistic = test.statistic;
        row->p = test.p;
        return HY_OK;
    }
    hy_fisher fisher;
    row->test = "fisher, exact";
    hy_status status = hy_fisher_test(&shares, compare->options.confidence, &fisher, error);
    if (status == HY_OK)
        row->p = fisher.p;
    return status;
}

/* Two shares of games in pairs. With few pairs that differ the test is exact, and the interval is
 * the one of independent games, which has the right shape near 0 and 1. */
static void compare_paired_shares(const hy_compare *compare, hy_compare_row *row,
                                  const hy_pairing *pairing)
{
    const hy_estimate *level = &compare->levels[row->level].value;
    const hy_estimate *base = &compare->levels[row->base].value;
    if (pairing->only_level + pairing->only_base >= FEW_PAIRS)
        return;
    row->difference = hy_mover_difference(level, base);
    row->method = "newcombe";
    row->test = "mcnemar, exact";
    row->statistic = NAN;
    row->p = hy_mcnemar_test(pairing->only_level, pairing->only_base).exact_p;
}

static hy_status compare_ratios(const hy_compare *compare, hy_compare_row *row, hy_error *error)
{
    const hy_compare_options *options = &compare->options;
    const hy_compare_level *level = &compare->levels[row->level];
    const hy_compare_level *base = &compare->levels[row->base];
    hy_ratio_sums sums = hy_metric_sums(options->metric, &level->group->summary, compare->horizon);
    hy_ratio_sums base_sums =
        hy_metric_sums(options->metric, &base->group->summary, compare->horizon);
    hy_measured a = hy_measured_ratio(&sums), b = hy_measured_ratio(&base_sums);
    hy_pairing pairing;
    if (!level->value.known || !base->value.known)
        return HY_OK;
    hy_status status = pair_games(compare, row, &pairing, error);
    if (status != HY_OK)
        return status;
    hy_comparison difference =
        hy_difference(&a, &b, pairing.paired, pairing.covariance, options->confidence);
    row->paired = pairing.paired;
    row->ratio =
        hy_quotient(&a, &b, pairing.paired, pairing.covariance, options->confidence).estimate;
    if (is_share(options->metric) && !row->paired)
        return compare_shares(compare, row, error);
    row->difference = difference.estimate;
    row->degrees = difference.degrees;
    row->method = row->paired ? "t, games of the same number paired" : "t (welch)";
    if (difference.estimate.known) {
        row->test = row->paired ? "paired t" : "welch t";
        row->statistic = difference.statistic;
        row->p = difference.p;
    } else {
        row->difference = hy_mover_difference(&level->value, &base->value);
        row->method = "mover";
    }
    if (is_share(options->metric))
        compare_paired_shares(compare, row, &pairing);
    return HY_OK;
}

/* Lengths of both groups of a row: group 0 the level, 1 the base. */
static hy_status pool_lengths(const hy_compare *compare, const hy_compare_row *row,
                              hy_lifetime **lifetimes, size_t *num, hy_error *error)
{
    const hy_summary *first = &compare->levels[row->level].group->summary;
    const hy_summary *second = &compare->levels[row->base].group->summary;
    hy_lifetime *a, *b;
    hy_status status = hy_lifetimes_of(first, 0, &a, error);
    if (status != HY_OK)
        return status;
    status = hy_lifetimes_of(second, 1, &b, error);
    if (status != HY_OK) {
        free(a);
        return status;
    }
    *num = first->num_lengths + second->num_lengths;
    *lifetimes = hy_new_array(*num + 1, sizeof **lifetimes);
    if (*lifetimes) {
        memcpy(*lifetimes, a, first->num_lengths * sizeof *a);
        memcpy(*lifetimes + first->num_lengths, b, second->num_lengths * sizeof *b);
    }
    free(a);
    free(b);
    return *lifetimes ? HY_OK : hy_fail_memory(error);
}

static hy_status test_logrank(const hy_lifetime *lifetimes, size_t num, hy_compare_row *row,
                              hy_error *error)
{
    hy_logrank logrank;
    hy_status status = hy_logrank_fit(lifetimes, num, 2, 0, &logrank, error);
    if (status != HY_OK)
        return status;
    row->test = "log-rank";
    row->statistic = logrank.test.value;
    row->p = logrank.test.p;
    hy_logrank_clean_up(&logrank);
    return HY_OK;
}

/* One row a game, with its number as the cluster: group 0 the level, 1 the base. */
typedef struct hy_numbered {
    hy_lifetime *lifetimes;
    double *covariates;
    size_t num;
    bool is_level;
} hy_numbered;

static hy_status add_lifetime(void *context, const hy_game_record *record, hy_error *error)
{
    hy_numbered *rows = context;
    (void)error;
    rows->covariates[rows->num] = rows->is_level;
    rows->lifetimes[rows->num++] = (hy_lifetime){
        .time = record->plies,
        .event = !hy_is_cut(record->termination),
        .group = (uint32_t)record->number,
        .weight = 1,
    };
    return HY_OK;
}

static hy_status read_numbered(const hy_compare *compare, const hy_compare_row *row,
                               hy_numbered *rows, hy_error *error)
{
    const hy_group *groups[2] = {compare->levels[row->level].group,
                                 compare->levels[row->base].group};
    size_t num = groups[0]->summary.games + groups[1]->summary.games;
    *rows = (hy_numbered){.lifetimes = hy_new_array(num, sizeof rows->lifetimes[0]),
                          .covariates = hy_new_array(num, sizeof rows->covariates[0])};
    hy_status status = rows->lifetimes && rows->covariates ? HY_OK : hy_fail_memory(error);
    for (size_t i = 0; status == HY_OK && i < 2; i++) {
        rows->is_level = i == 0;
        status = hy_store_each_game(compare->groups->store, groups[i]->condition,
                                    groups[i]->swapped, add_lifetime, rows, error);
    }
    return status;
}

/* Errors of the hazard ratio by the numbers of the games, where these are stored. */
static hy_status cluster_hazards(const hy_compare *compare, hy_compare_row *row, hy_error *error)
{
    hy_cox_options options = {HY_TIES_EFRON, HY_COX_CLUSTERED, compare->options.confidence};
    hy_numbered rows;
    hy_cox cox;
    hy_status status = read_numbered(compare, row, &rows, error);
    hy_cox_data data = {rows.lifetimes, rows.covariates, rows.num, 1};
    if (status == HY_OK)
        status = hy_cox_fit(&data, &options, &cox, error);
    if (status == HY_OK) {
        double z = cox.coefficients[0].value / cox.coefficients[0].standard_error;
        bool known = cox.kind == HY_FIT_KNOWN && isfinite(z);
        if (compare->options.metric->kind == HY_METRIC_HAZARD)
            row->ratio = cox.hazard_ratios[0];
        row->paired = known;
        row->test = known ? "cox z, clustered by number" : NULL;
        row->statistic = known ? z : NAN;
        row->p = known ? hy_two_sided_p(z, INFINITY) : NAN;
        hy_cox_clean_up(&cox);
    }
    free(rows.lifetimes);
    free(rows.covariates);
    return status;
}

/* The median, from the two intervals; tested by the curves. */
static hy_status compare_medians(const hy_compare *compare, hy_compare_row *row,
                                 const hy_lifetime *lifetimes, size_t num, hy_error *error)
{
    const hy_estimate *level = &compare->levels[row->level].value;
    const hy_estimate *base = &compare->levels[row->base].value;
    row->difference = hy_mover_difference(level, base);
    row->ratio = hy_mover_quotient(level, base);
    row->method = "mover";
    return test_logrank(lifetimes, num, row, error);
}

/* Restricted means where games were cut before the horizon. */
static hy_status compare_restricted(const hy_compare *compare, hy_compare_row *row, hy_error *error)
{
    double confidence = compare->options.confidence, horizon = compare->horizon;
    hy_survival a, b;
    hy_status status = survival_of(compare->levels[row->level].group, confidence, &a, error);
    if (status != HY_OK)
        return status;
    status = survival_of(compare->levels[row->base].group, confidence, &b, error);
    if (status == HY_OK) {
        hy_contrast difference = hy_restricted_mean_difference(&a, &b, horizon, confidence);
        row->difference = difference.estimate;
        row->ratio = hy_restricted_mean_ratio(&a, &b, horizon, confidence).estimate;
        row->method = "normal, greenwood";
        row->test = "z";
        row->statistic = difference.z;
        row->p = difference.p;
        hy_survival_clean_up(&b);
    }
    hy_survival_clean_up(&a);
    return status;
}

static hy_status compare_hazards(const hy_compare *compare, hy_compare_row *row,
                                 const hy_lifetime *lifetimes, size_t num, hy_error *error)
{
    hy_cox_options options = {HY_TIES_EFRON, HY_COX_MODEL, compare->options.confidence};
    double *covariates = hy_new_array(num + 1, sizeof covariates[0]);
    hy_cox cox;
    if (!covariates)
        return hy_fail_memory(error);
    for (size_t i = 0; i < num; i++)
        covariates[i] = lifetimes[i].group == 0;
    hy_cox_data data = {lifetimes, covariates, num, 1};
    hy_status status = hy_cox_fit(&data, &options, &cox, error);
    if (status == HY_OK) {
        hy_chi_square proportional[2] = {{.p = NAN}};
        row->ratio = cox.hazard_ratios[0];
        row->method = "cox, efron";
        row->test = "likelihood ratio";
        row->statistic = cox.likelihood_ratio.value;
        row->p = cox.likelihood_ratio.p;
        if (cox.kind == HY_FIT_KNOWN)
            status =
                hy_cox_proportional(&data, &options, &cox, HY_COX_TIME_KM, proportional, error);
        row->proportional_p = proportional[0].p;
        hy_cox_clean_up(&cox);
    }
    free(covariates);
    return status;
}

static hy_status compare_survival(const hy_compare *compare, hy_compare_row *row, hy_error *error)
{
    hy_lifetime *lifetimes;
    size_t num;
    if (compare->options.metric->kind == HY_METRIC_RESTRICTED)
        return compare_restricted(compare, row, error);
    hy_status status = pool_lengths(compare, row, &lifetimes, &num, error);
    if (status != HY_OK)
        return status;
    status = compare->options.metric->kind == HY_METRIC_MEDIAN
                 ? compare_medians(compare, row, lifetimes, num, error)
                 : compare_hazards(compare, row, lifetimes, num, error);
    free(lifetimes);
    if (status == HY_OK && compare->groups->has_rows)
        status = cluster_hazards(compare, row, error);
    return status;
}

/* Two one-sided tests; without a standard error, whether the interval lies within the margin. */
static hy_equivalence equivalence_of(const hy_compare_row *row, const hy_compare_options *options)
{
    const hy_estimate *difference = &row->difference;
    if (difference->known && !(difference->standard_error > 0))
        return (hy_equivalence){
            .known = true,
            .p_lower = NAN,
            .p_upper = NAN,
            .p = NAN,
            .equivalent = difference->low > -options->margin && difference->high < options->margin,
        };
    return hy_equivalence_test(difference, row->degrees, -options->margin, options->margin,
                               1 - options->confidence);
}

static hy_status compare_row(const hy_compare *compare, hy_compare_row *row, hy_error *error)
{
    const hy_compare_options *options = &compare->options;
    bool ratios = hy_metric_is_ratio(options->metric, &compare->levels[row->level].group->summary,
                                     compare->horizon) &&
                  hy_metric_is_ratio(options->metric, &compare->levels[row->base].group->summary,
                                     compare->horizon);
    hy_status status =
        ratios ? compare_ratios(compare, row, error) : compare_survival(compare, row, error);
    if (options->margin > 0)
        row->equivalence = equivalence_of(row, options);
    return status;
}

static hy_status adjust(hy_compare *compare, hy_error *error)
{
    double *p = hy_new_array(compare->num_rows, sizeof p[0]);
    if (!p)
        return hy_fail_memory(error);
    for (size_t i = 0; i < compare->num_rows; i++)
        p[i] = compare->rows[i].p;
    hy_status status = hy_adjust(p, compare->num_rows, compare->options.adjustment, p, error);
    for (size_t i = 0; i < compare->num_rows; i++)
        compare->rows[i].adjusted = p[i];
    free(p);
    return status;
}

hy_status hy_compare_build(const hy_groups *groups, const hy_compare_options *options,
                           hy_compare *compare, hy_error *error)
{
    *compare = (hy_compare){.groups = groups, .options = *options};
    if (groups->num == 0)
        return hy_fail(error, HY_FAILED, "the database has no games yet");
    if (options->margin > 0 && options->metric->kind == HY_METRIC_HAZARD)
        return hy_fail(error, HY_INVALID, "a margin is for differences; a hazard is a ratio");
    compare->levels = hy_new_array(groups->num + 1, sizeof compare->levels[0]);
    hy_status status = compare->levels ? HY_OK : hy_fail_memory(error);
    if (status == HY_OK)
        status =
            hy_groups_carry(groups, options->metric, options->horizon, &compare->horizon, error);
    if (status == HY_OK)
        status = find_levels(groups, compare, error);
    if (status == HY_OK)
        status = find_rows(compare, error);
    for (size_t i = 0; status == HY_OK && i < compare->num_rows; i++)
        status = compare_row(compare, &compare->rows[i], error);
    if (status == HY_OK)
        status = adjust(compare, error);
    if (status != HY_OK)
        hy_compare_clean_up(compare);
    return status;
}

void hy_compare_clean_up(hy_compare *compare)
{
    free(compare->levels);
    free(compare->rows);
    compare->levels = NULL;
    compare->rows = NULL;
}

void hy_compare_stratum(const hy_compare *compare, size_t stratum, char *text, size_t size)
{
    const hy_group *group = NULL;
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; !group && i < compare->num_levels; i++) {
        if (compare->levels[i].stratum == stratum)
            group = compare->levels[i].group;
    }
    for (size_t axis = 0; group && axis < hy_num_axes(); axis++) {
        char level[HY_LEVEL_SIZE], other[HY_LEVEL_SIZE];
        bool varies = false;
        hy_group_level(group, axis, level);
        for (size_t i = 0; axis != compare->options.axis && i < compare->num_levels; i++) {
            hy_group_level(compare->levels[i].group, axis, other);
            varies |= compare->levels[i].stratum != stratum && strcmp(level, other) != 0;
        }
        if (varies && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used > 0 ? " " : "",
                                     hy_axis_word(axis), level);
    }
}
