/* Statistics of how long games last: Kaplan and Meier's curve, restricted means, competing ends. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/stats_lifetimes.h"
#include "cli/stats_table.h"
#include "stats/competing.h"
#include "stats/survival.h"

static const char *const bands[] = {"log-log", "log", "plain"};

#define NUM_BANDS (sizeof bands / sizeof bands[0])

/* --- km --- */

/* Adds a value to the array of a key. */
static void append_json(json_t *out, const char *key, const char *suffix, json_t *value)
{
    char name[80];
    snprintf(name, sizeof name, "%s%s", key, suffix);
    json_t *array = json_object_get(out, name);
    if (!array) {
        array = json_array();
        json_object_set_new(out, name, array);
    }
    json_array_append_new(array, value);
}

/* An infinite number as R writes it, "Inf"; null for one that is none. */
static void append(json_t *out, const char *key, const char *suffix, double value)
{
    append_json(out, key, suffix,
                isinf(value)   ? json_string("Inf")
                : isnan(value) ? json_null()
                               : json_real(value));
}

static void append_count(json_t *out, const char *key, uint64_t value)
{
    append_json(out, key, "", json_integer((json_int_t)value));
}

static void output_points(json_t *out, const hy_survival *survival)
{
    for (size_t i = 0; i < survival->num_points; i++) {
        const hy_survival_point *point = &survival->points[i];
        append(out, "time", "", point->time);
        append_count(out, "n_risk", point->num_risk);
        append_count(out, "n_event", point->num_event);
        append_count(out, "n_censor", point->num_censor);
        append(out, "surv", "", point->survival);
        append(out, "se_surv_greenwood", "", point->standard_error);
        append(out, "se_cumhaz_log_scale(survfit$std.err)", "", point->log_error);
        append(out, "cumhaz_nelson_aalen", "", point->hazard);
        if (point->num_event == 0)
            continue;
        append(out, "event_times__statsmodels", "", point->time);
        append(out, "surv_at_event_times__statsmodels", "", point->survival);
        append(out, "se_surv__statsmodels", "", point->standard_error);
    }
}

static void output_band(json_t *out, const hy_survival *survival)
{
    char suffix[16];
    snprintf(suffix, sizeof suffix, "_%s", bands[survival->band]);
    for (size_t i = 0; i < survival->num_points; i++) {
        append(out, "lower", suffix, survival->points[i].low);
        append(out, "upper", suffix, survival->points[i].high);
    }
    for (unsigned quarter = 1; quarter <= 3; quarter++) {
        hy_estimate quantile = hy_survival_quantile(survival, quarter / 4.0);
        append(out, "quantiles_25_50_75", suffix, quantile.value);
        append(out, "q_lower", suffix, quantile.low);
        append(out, "q_upper", suffix, quantile.high);
    }
}

/* The curve at times that are asked for. */
static void output_at(hy_stats_input *in, const hy_survival *survival, json_t *out)
{
    size_t num;
    double *times = hy_input_reals(in, "at", 1, 0, INFINITY, &num);
    json_t *at = times ? hy_output_object(out, "at") : NULL;
    for (size_t i = 0; at && i < num; i++) {
        hy_estimate estimate = hy_survival_at(survival, times[i]);
        append(at, "time", "", times[i]);
        append(at, "surv", "", estimate.value);
        append(at, "se_surv", "", estimate.standard_error);
        append(at, "lower", "", estimate.low);
        append(at, "upper", "", estimate.high);
    }
    free(times);
}

static hy_status answer_km(hy_stats_input *in, json_t *out)
{
    hy_stats_lifetimes lifetimes = hy_input_lifetimes(in);
    double confidence = hy_input_confidence(in);
    for (unsigned band = 0; band < NUM_BANDS && in->status == HY_OK; band++) {
        hy_survival survival;
        in->status = hy_survival_fit(lifetimes.rows, lifetimes.num, (hy_band)band, confidence,
                                     &survival, in->error);
        if (in->status != HY_OK)
            break;
        if (band == 0)
            output_points(out, &survival);
        if (band == 0 && hy_input_has(in, "at"))
            output_at(in, &survival, out);
        output_band(out, &survival);
        hy_survival_clean_up(&survival);
    }
    hy_stats_lifetimes_clean_up(&lifetimes);
    return in->status;
}

/* --- rmst --- */

/* Two curves or one, and their common time. */
typedef struct curves {
    hy_survival pair[2];
    size_t num;
    double tau, confidence;
} curves;

static void read_tau(hy_stats_input *in, curves *all)
{
    if (hy_input_has(in, "tau"))
        all->tau = hy_input_real(in, "tau", 0, INFINITY);
}

/* A curve for each group of a row. */
static hy_status read_groups(hy_stats_input *in, curves *all)
{
    hy_stats_lifetimes lifetimes = hy_input_lifetimes(in);
    if (all->num + lifetimes.num_groups > 2)
        hy_input_refuse(in, "there are %zu groups; means are compared of two",
                        all->num + lifetimes.num_groups);
    for (size_t i = 0; i < lifetimes.num_groups && in->status == HY_OK; i++) {
        size_t num;
        hy_lifetime *rows = hy_stats_lifetimes_of(&lifetimes, i, &num);
        in->status = rows ? hy_survival_fit(rows, num, HY_BAND_LOG_LOG, all->confidence,
                                            &all->pair[all->num], in->error)
                          : hy_fail_memory(in->error);
        all->num += in->status == HY_OK;
        free(rows);
    }
    hy_stats_lifetimes_clean_up(&lifetimes);
    return in->status;
}

#define MAX_DEPTH 3

/* "see" holds the row that has the lengths, or two of them. */
static hy_status read_curves(hy_stats_input *in, unsigned depth, curves *all)
{
    const json_t *see = hy_input_find(in, "see");
    size_t num = json_is_object(see) ? 1 : json_array_size(see);
    read_tau(in, all);
    if (num == 0 || depth == MAX_DEPTH || json_is_string(json_array_get(see, 0)))
        return read_groups(in, all);
    for (size_t i = 0; i < num && in->status == HY_OK; i++) {
        hy_stats_input inner = {.row = json_is_object(see) ? see : json_array_get(see, i),
                                .error = in->error};
        in->status = read_curves(&inner, depth + 1, all);
    }
    return in->status;
}

static void output_mean(json_t *out, const hy_survival *survival, double tau, double confidence)
{
    hy_estimate mean = hy_restricted_mean(survival, tau);
    hy_output_real(out, "rmst", mean.value);
    hy_output_real(out, "se", mean.standard_error);
    hy_output_confident(out, "ci95", confidence, mean.low, mean.high);
}

/* Second less first, and second over first. */
static void output_comparison(json_t *out, const hy_survival pair[2], double tau, double confidence)
{
    hy_contrast minus = hy_restricted_mean_difference(&pair[1], &pair[0], tau, confidence);
    hy_contrast over = hy_restricted_mean_ratio(&pair[1], &pair[0], tau, confidence);
    const double means[] = {hy_restricted_mean(&pair[0], tau).value,
                            hy_restricted_mean(&pair[1], tau).value};
    hy_output_reals(out, "rmst", means, 2);
    hy_output_real(out, "diff", minus.estimate.value);
    hy_output_real(out, "se", minus.estimate.standard_error);
    hy_output_real(out, "z", minus.z);
    hy_output_real(out, "p_two_sided", minus.p);
    hy_output_confident(out, "diff_ci95", confidence, minus.estimate.low, minus.estimate.high);
    hy_output_real(out, "ratio", over.estimate.value);
    hy_output_real(out, "se_log_ratio", over.estimate.standard_error);
    hy_output_confident(out, "ratio_ci95", confidence, over.estimate.low, over.estimate.high);
}

static hy_status answer_rmst(hy_stats_input *in, json_t *out)
{
    curves all = {.tau = NAN, .confidence = hy_input_confidence(in)};
    if (in->status == HY_OK)
        in->status = read_curves(in, 0, &all);
    if (isnan(all.tau))
        hy_input_refuse(in, "'tau' is missing: a number from 0 up");
    if (in->status == HY_OK && all.num < 2)
        output_mean(out, &all.pair[0], all.tau, all.confidence);
    else if (in->status == HY_OK)
        output_comparison(out, all.pair, all.tau, all.confidence);
    hy_survival_clean_up(&all.pair[0]);
    hy_survival_clean_up(&all.pair[1]);
    return in->status;
}

/* --- competing --- */

#define CAUSE_NAME_SIZE 32

static void cause_name(size_t cause, char name[CAUSE_NAME_SIZE])
{
    static const char *const words[] = {"finished", "endless"};
    if (cause < 2)
        snprintf(name, CAUSE_NAME_SIZE, "%s", words[cause]);
    else
        snprintf(name, CAUSE_NAME_SIZE, "cause_%zu", cause + 1);
}

static void output_cause(json_t *out, const hy_incidence *incidence, size_t cause)
{
    char name[CAUSE_NAME_SIZE];
    cause_name(cause, name);
    for (size_t i = 0; i < incidence->num_points; i++) {
        const hy_estimate *one = &incidence->by_cause[i * incidence->num_causes + cause];
        append(out, "cuminc_", name, one->value);
        append(out, "se_cuminc_", name, one->standard_error);
        append(out, "lower_cuminc_", name, one->low);
        append(out, "upper_cuminc_", name, one->high);
    }
}

/* Every cause at times that are asked for. */
static void output_incidence_at(hy_stats_input *in, const hy_incidence *incidence, json_t *out)
{
    size_t num;
    double *times = hy_input_reals(in, "at", 1, 0, INFINITY, &num);
    json_t *at = times ? hy_output_object(out, "at") : NULL;
    for (size_t i = 0; at && i < num; i++)
        append(at, "time", "", times[i]);
    for (size_t cause = 0; at && cause < incidence->num_causes; cause++) {
        char name[CAUSE_NAME_SIZE];
        cause_name(cause, name);
        for (size_t i = 0; i < num; i++) {
            hy_estimate estimate = hy_incidence_at(incidence, cause, times[i]);
            append(at, "cuminc_", name, estimate.value);
            append(at, "se_cuminc_", name, estimate.standard_error);
            append(at, "lower_cuminc_", name, estimate.low);
            append(at, "upper_cuminc_", name, estimate.high);
        }
    }
    free(times);
}

static hy_status answer_competing(hy_stats_input *in, json_t *out)
{
    hy_incidence incidence = {0};
    hy_stats_lifetimes lifetimes = hy_input_lifetimes(in);
    double confidence = hy_input_confidence(in);
    size_t causes = lifetimes.largest_event > 2 ? lifetimes.largest_event : 2;
    if (in->status == HY_OK)
        in->status = hy_incidence_fit(lifetimes.rows, lifetimes.num, causes, confidence, &incidence,
                                      in->error);
    for (size_t i = 0; in->status == HY_OK && i < incidence.num_points; i++) {
        append(out, "time", "", incidence.points[i].time);
        append_count(out, "n_risk", incidence.points[i].num_risk);
        append(out, "p_unfinished", "", incidence.points[i].unfinished);
    }
    for (size_t cause = 0; in->status == HY_OK && cause < causes; cause++)
        output_cause(out, &incidence, cause);
    if (in->status == HY_OK && hy_input_has(in, "at"))
        output_incidence_at(in, &incidence, out);
    hy_incidence_clean_up(&incidence);
    hy_stats_lifetimes_clean_up(&lifetimes);
    return in->status;
}

#define CONFIDENCE                                                                                 \
    {"conf", "confidence of the intervals (0.95)"},                                                \
    {                                                                                              \
        "confidence", "the same"                                                                   \
    }
#define AT                                                                                         \
    {                                                                                              \
        "at", "times at which the curves are read as well: an array of numbers from 0 up"          \
    }
#define SEE                                                                                        \
    {                                                                                              \
        "see", "instead of lengths: an object that has them, or an array of two"                   \
    }

const hy_statistic hy_stats_survival[] = {
    {"km",
     "how long games last where some were cut: Kaplan-Meier, Nelson-Aalen, quantiles",
     "{\"time\":[12,15,15,18,20,30],\"status\":[1,1,1,1,0,0]}",
     answer_km,
     {HY_KEYS_LIFETIMES, AT, CONFIDENCE}},
    {"rmst",
     "the mean length cut at tau; of two groups second less first, and second over first",
     "{\"time\":[12,15,15,18,20,30],\"status\":[1,1,1,1,0,0],\"tau\":20}",
     answer_rmst,
     {HY_KEYS_LIFETIMES,
      {"tau", "the common time up to which lengths are counted"},
      {"group", "one or two groups: an array of texts or numbers, in order of appearance"},
      SEE,
      CONFIDENCE}},
    {"competing",
     "games that end in different ways: cumulative incidence of each (Aalen-Johansen)",
     "{\"time\":[12,15,15,18,20,30],\"status\":[1,1,2,1,2,0]}",
     answer_competing,
     {HY_KEYS_LIFETIMES, AT, CONFIDENCE}},
    {0},
};
