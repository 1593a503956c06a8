#include "report/report.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "report/lengths.h"
#include "stats/survival.h"

const double hy_quantiles[HY_NUM_QUANTILES] = {0.1, 0.25, 0.5, 0.75, 0.9};

/* By length; of equal lengths, the games that were cut come last. */
static int compare_plies(const void *a, const void *b)
{
    const hy_length_count *x = a, *y = b;
    if (x->plies != y->plies)
        return x->plies > y->plies ? 1 : -1;
    return (int)hy_is_cut(x->termination) - (int)hy_is_cut(y->termination);
}

/* `lengths` are ordered by plies. */
static void find_quantiles(const hy_length_count *lengths, size_t num, uint64_t games,
                           hy_length_report *report)
{
    uint64_t seen = 0;
    size_t next = 0;
    for (size_t i = 0; i < num; i++) {
        if (hy_is_cut(lengths[i].termination))
            return;
        seen += lengths[i].games;
        bool last_of_length = i + 1 == num || lengths[i + 1].plies > lengths[i].plies;
        bool censored_next = i + 1 < num && lengths[i + 1].plies == lengths[i].plies &&
                             hy_is_cut(lengths[i + 1].termination);
        if (!last_of_length && !censored_next)
            continue;
        while (next < HY_NUM_QUANTILES && (double)seen >= hy_quantiles[next] * (double)games) {
            report->quantile_known[next] = true;
            report->quantile[next++] = lengths[i].plies;
        }
    }
}

static hy_status find_median(const hy_summary *summary, hy_estimate *median, hy_error *error)
{
    hy_lifetime *lifetimes;
    hy_survival survival;
    hy_status status = hy_lifetimes_of(summary, 0, &lifetimes, error);
    if (status != HY_OK)
        return status;
    status = hy_survival_fit(lifetimes, summary->num_lengths, HY_BAND_LOG_LOG, HY_CONFIDENCE,
                             &survival, error);
    free(lifetimes);
    if (status != HY_OK)
        return status;
    *median = hy_survival_quantile(&survival, 0.5);
    hy_survival_clean_up(&survival);
    return HY_OK;
}

static hy_estimate not_known(void)
{
    return hy_share(0, 0, HY_CONFIDENCE);
}

static uint64_t num_cut(const hy_summary *summary)
{
    return summary->terminations[HY_TRUNCATED] + summary->terminations[HY_UNRESOLVED];
}

static double product_of(const hy_summary *summary, hy_product product)
{
    return (double)hy_summary_product(summary, product);
}

/* A mean a game of something that is counted: not below 0; over games that were cut it would be a
 * lower bound. */
static hy_estimate mean_of(const hy_summary *summary, hy_quantity quantity, hy_product square,
                           double *standard_deviation)
{
    hy_estimate mean = hy_mean(summary->games, (double)summary->sums[quantity],
                               product_of(summary, square), HY_CONFIDENCE, standard_deviation);
    mean.low = fmax(0, mean.low);
    return num_cut(summary) > 0 ? not_known() : mean;
}

static hy_status report_length(const hy_summary *summary, hy_length_report *report, hy_error *error)
{
    hy_length_count *lengths;
    hy_status status = hy_summary_lengths(summary, &lengths, error);
    if (status != HY_OK)
        return status;
    qsort(lengths, summary->num_lengths, sizeof lengths[0], compare_plies);
    report->num_censored = num_cut(summary);
    report->longest = summary->max_plies;
    find_quantiles(lengths, summary->num_lengths, summary->games, report);
    report->mean =
        mean_of(summary, HY_QUANTITY_PLIES, HY_PRODUCT_PLIES_PLIES, &report->standard_deviation);
    free(lengths);
    return find_median(summary, &report->median, error);
}

static void report_captures(const hy_summary *summary, hy_condition_report *report)
{
    const uint64_t *sums = summary->sums;
    hy_ratio_sums chains = {
        .n = summary->games,
        .x = (double)sums[HY_QUANTITY_CAPTURES],
        .y = (double)sums[HY_QUANTITY_CHAINS],
        .xx = product_of(summary, HY_PRODUCT_CAPTURES_CAPTURES),
        .yy = product_of(summary, HY_PRODUCT_CHAINS_CHAINS),
        .xy = product_of(summary, HY_PRODUCT_CHAINS_CAPTURES),
    };
    hy_ratio_sums captures = {
        .n = summary->games,
        .x = (double)sums[HY_QUANTITY_PLIES],
        .y = (double)sums[HY_QUANTITY_CAPTURES],
        .xx = product_of(summary, HY_PRODUCT_PLIES_PLIES),
        .yy = product_of(summary, HY_PRODUCT_CAPTURES_CAPTURES),
        .xy = product_of(summary, HY_PRODUCT_CAPTURES_PLIES),
    };
    report->captures = mean_of(summary, HY_QUANTITY_CAPTURES, HY_PRODUCT_CAPTURES_CAPTURES, NULL);
    report->casas = mean_of(summary, HY_QUANTITY_CASAS, HY_PRODUCT_CASAS_CASAS, NULL);
    report->captures_per_ply = hy_ratio(&captures, HY_CONFIDENCE);
    report->chains = hy_clustered_share(&chains, HY_CONFIDENCE);
    report->num_captures = sums[HY_QUANTITY_CAPTURES];
    report->num_chains = sums[HY_QUANTITY_CHAINS];
    report->longest_chain = summary->longest_chain;
}

static hy_status report_condition(const hy_summary *summary, hy_condition_report *report,
                                  hy_error *error)
{
    report->games = summary->games;
    for (size_t i = 0; i < HY_NUM_TERMINATIONS; i++)
        report->terminations[i] = summary->terminations[i];
    for (size_t i = 0; i < HY_NUM_RESULTS; i++) {
        report->results[i] = summary->results[i];
        report->shares[i] = hy_share(summary->results[i], summary->games, HY_CONFIDENCE);
    }
    report->scored = summary->games - summary->results[HY_RESULT_NONE];
    report->first_player_score =
        hy_score(summary->results[HY_RESULT_SOUTH], summary->results[HY_RESULT_DRAW],
                 summary->results[HY_RESULT_NORTH], HY_CONFIDENCE);
    report_captures(summary, report);
    return report_length(summary, &report->length, error);
}

bool hy_games_repeat(const hy_condition_report *row)
{
    return row->distinct.estimate + 4 * row->distinct.standard_error < 0.5 * (double)row->games;
}

static hy_status build_condition(hy_store *store, uint32_t condition, bool swapped,
                                 hy_summary *summary, hy_report *report, hy_error *error)
{
    hy_condition_report *row = &report->conditions[report->num_conditions++];
    row->condition = condition;
    row->swapped = swapped;
    hy_status status = hy_store_summary(store, condition, swapped, summary, error);
    if (status == HY_OK)
        status = report_condition(summary, row, error);
    if (status == HY_OK)
        status = hy_store_distinct(store, condition, swapped, summary, &row->distinct, error);
    report->games += row->games;
    report->censored |= row->length.num_censored > 0;
    return status;
}

/* Without a stop rule all games are asked for. */
static hy_status build_rules(hy_store *store, hy_report *report, hy_error *error)
{
    const hy_experiment *experiment = report->experiment;
    hy_status status = HY_OK;
    report->asked = hy_experiment_num_games(experiment);
    if (experiment->stop.kind == HY_STOP_NEVER)
        return HY_OK;
    report->rules = hy_new_array(experiment->num_conditions, sizeof report->rules[0]);
    if (!report->rules)
        return hy_fail_memory(error);
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        hy_rule *rule = &report->rules[i];
        status = hy_rule_init(rule, experiment, i, error);
        if (status == HY_OK)
            status = hy_rule_catch_up(rule, store, error);
        if (status == HY_OK && rule->ended)
            report->asked -=
                (experiment->games - rule->games) * hy_num_seatings(&experiment->conditions[i]);
    }
    return status;
}

hy_status hy_report_build(hy_store *store, hy_report *report, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_summary summary = {0};
    hy_status status = HY_OK;
    *report = (hy_report){.experiment = experiment};
    report->conditions = hy_new_array(2 * experiment->num_conditions, sizeof report->conditions[0]);
    if (!report->conditions)
        return hy_fail_memory(error);
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++)
            status = build_condition(store, i, s > 0, &summary, report, error);
    }
    hy_summary_clean_up(&summary);
    if (status == HY_OK)
        status = build_rules(store, report, error);
    if (status != HY_OK)
        hy_report_clean_up(report);
    return status;
}

void hy_report_clean_up(hy_report *report)
{
    free(report->conditions);
    free(report->rules);
    *report = (hy_report){0};
}
