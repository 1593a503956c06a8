/* Statistics that compare how fast games end: the log-rank test and Cox's regression. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/stats_lifetimes.h"
#include "cli/stats_table.h"
#include "stats/cox.h"
#include "stats/logrank.h"

/* --- logrank --- */

static hy_status output_logrank(const hy_stats_lifetimes *lifetimes, double rho, json_t *out,
                                hy_error *error)
{
    hy_logrank logrank;
    hy_status status = hy_logrank_fit(lifetimes->rows, lifetimes->num, lifetimes->num_groups, rho,
                                      &logrank, error);
    if (status != HY_OK)
        return status;
    json_t *n = json_array();
    for (size_t i = 0; i < logrank.num_groups; i++)
        json_array_append_new(n, json_integer((json_int_t)logrank.num_games[i]));
    json_object_set_new(out, "n", n);
    hy_output_reals(out, "observed", logrank.observed, logrank.num_groups);
    hy_output_reals(out, "expected", logrank.expected, logrank.num_groups);
    hy_output_real(out, "var_11", logrank.variance[0]);
    hy_output_reals(out, "var", logrank.variance, logrank.num_groups * logrank.num_groups);
    hy_output_real(out, "chisq", logrank.test.value);
    hy_output_count(out, "df", logrank.test.degrees);
    hy_output_real(out, "p", logrank.test.p);
    hy_logrank_clean_up(&logrank);
    return HY_OK;
}

static hy_status answer_logrank(hy_stats_input *in, json_t *out)
{
    hy_stats_lifetimes lifetimes = hy_input_lifetimes(in);
    double rho = hy_input_real_or(in, "rho", 0, 100, 0);
    if (in->status == HY_OK && !hy_input_has(in, "group"))
        hy_input_refuse(in, "'group' is missing: an array of texts or numbers");
    hy_output_groups(in, out);
    if (in->status == HY_OK)
        in->status = output_logrank(&lifetimes, rho, out, in->error);
    if (in->status == HY_OK && !hy_input_has(in, "rho")) {
        json_t *peto = hy_output_object(out, "peto_rho1");
        in->status =
            peto ? output_logrank(&lifetimes, 1, peto, in->error) : hy_fail_memory(in->error);
    }
    hy_stats_lifetimes_clean_up(&lifetimes);
    return in->status;
}

/* --- cox --- */

static const char *const tie_words[] = {"efron", "breslow", "exact"};

#define NUM_TIES (sizeof tie_words / sizeof tie_words[0])

/* One covariate for each group but the first: whether the game is of it. */
static double *group_covariates(hy_stats_input *in, const hy_stats_lifetimes *lifetimes,
                                size_t *num)
{
    *num = lifetimes->num_groups > 0 ? lifetimes->num_groups - 1 : 0;
    double *covariates = hy_new_array(lifetimes->num * *num, sizeof *covariates);
    if (!covariates) {
        in->status = hy_fail_memory(in->error);
        return NULL;
    }
    for (size_t i = 0; i < lifetimes->num; i++) {
        if (lifetimes->rows[i].group > 0)
            covariates[i * *num + lifetimes->rows[i].group - 1] = 1;
    }
    return covariates;
}

static double *given_covariates(hy_stats_input *in, const hy_stats_lifetimes *lifetimes,
                                size_t *num)
{
    size_t num_rows;
    double *covariates = hy_input_matrix(in, "covariates", &num_rows, num);
    if (covariates && num_rows != lifetimes->num)
        hy_input_refuse(in, "'covariates' has %zu elements and 'time' %zu; each time needs its own",
                        num_rows, lifetimes->num);
    return covariates;
}

/* A number where there is one covariate, else an array. */
static void output_each(json_t *out, const char *key, const hy_estimate *estimates, size_t num,
                        double (*part)(const hy_estimate *))
{
    json_t *array = json_array();
    for (size_t i = 0; i < num; i++) {
        double value = part(&estimates[i]);
        json_array_append_new(array, isfinite(value) ? json_real(value) : json_null());
    }
    if (num == 1) {
        json_object_set(out, key, json_array_get(array, 0));
        json_decref(array);
    } else {
        json_object_set_new(out, key, array);
    }
}

static double value_of(const hy_estimate *estimate)
{
    return estimate->value;
}

static double error_of(const hy_estimate *estimate)
{
    return estimate->standard_error;
}

static double low_of(const hy_estimate *estimate)
{
    return estimate->low;
}

static double high_of(const hy_estimate *estimate)
{
    return estimate->high;
}

static void output_cox(json_t *out, const hy_cox *cox)
{
    static const char *const kinds[] = {
        [HY_FIT_KNOWN] = "known",
        [HY_FIT_INFINITE] = "infinite",
        [HY_FIT_SINGULAR] = "singular",
        [HY_FIT_NO_DATA] = "no events",
    };
    size_t num = cox->num_covariates;
    output_each(out, "coef", cox->coefficients, num, value_of);
    output_each(out, "se", cox->coefficients, num, error_of);
    hy_output_real(out, "loglik", cox->likelihood);
    output_each(out, "hr", cox->hazard_ratios, num, value_of);
    output_each(out, "hr_low", cox->hazard_ratios, num, low_of);
    output_each(out, "hr_high", cox->hazard_ratios, num, high_of);
    hy_output_real(out, "loglik_null", cox->null_likelihood);
    hy_output_real(out, "lr_chisq", cox->likelihood_ratio.value);
    hy_output_real(out, "lr_p", cox->likelihood_ratio.p);
    hy_output_real(out, "score_chisq", cox->score.value);
    hy_output_real(out, "score_p", cox->score.p);
    json_object_set_new(out, "fit", json_string(kinds[cox->kind]));
    json_t *infinite = json_array();
    for (size_t i = 0; i < num; i++)
        json_array_append_new(infinite, json_integer(cox->infinite[i]));
    json_object_set_new(out, "infinite", infinite);
}

static hy_status fit_cox(const hy_cox_data *data, hy_ties ties, double confidence, json_t *out,
                         hy_error *error)
{
    hy_cox cox;
    hy_cox_options options = {ties, HY_COX_MODEL, confidence};
    hy_status status = hy_cox_fit(data, &options, &cox, error);
    if (status != HY_OK)
        return status;
    output_cox(out, &cox);
    hy_cox_clean_up(&cox);
    return HY_OK;
}

/* Without "ties" all three, by their names; null where exact ties would take too long. */
static hy_status fit_all(const hy_cox_data *data, double confidence, json_t *out, hy_error *error)
{
    for (unsigned ties = 0; ties < NUM_TIES; ties++) {
        json_t *object = hy_output_object(out, tie_words[ties]);
        if (!object)
            return hy_fail_memory(error);
        hy_status status = fit_cox(data, (hy_ties)ties, confidence, object, error);
        if (status == HY_INVALID && ties == HY_TIES_EXACT)
            json_object_set_new(out, tie_words[ties], json_null());
        else if (status != HY_OK)
            return status;
    }
    return HY_OK;
}

static hy_status answer_cox(hy_stats_input *in, json_t *out)
{
    size_t num = 0;
    hy_stats_lifetimes lifetimes = hy_input_lifetimes(in);
    double confidence = hy_input_confidence(in), *covariates = NULL;
    unsigned ties = hy_input_word(in, "ties", tie_words, NUM_TIES, HY_TIES_EFRON);
    if (in->status == HY_OK && !hy_input_has(in, "covariates") && !hy_input_has(in, "group"))
        hy_input_refuse(in, "'group' is missing, or 'covariates'");
    if (in->status == HY_OK)
        covariates = hy_input_has(in, "covariates") ? given_covariates(in, &lifetimes, &num)
                                                    : group_covariates(in, &lifetimes, &num);
    hy_cox_data data = {lifetimes.rows, covariates, lifetimes.num, num};
    if (!hy_input_has(in, "covariates"))
        hy_output_groups(in, out);
    if (in->status == HY_OK)
        in->status = fit_cox(&data, (hy_ties)ties, confidence, out, in->error);
    if (in->status == HY_OK && !hy_input_has(in, "ties"))
        in->status = fit_all(&data, confidence, out, in->error);
    free(covariates);
    hy_stats_lifetimes_clean_up(&lifetimes);
    return in->status;
}

#define GROUP "array of texts or numbers, in order of appearance"
#define STRATUM                                                                                    \
    {                                                                                              \
        "stratum", "games are compared within strata only: an array of texts or numbers"           \
    }

const hy_statistic hy_stats_hazards[] = {
    {"logrank",
     "whether groups last equally long: the log-rank test, or Peto's with rho = 1 (without 'rho' "
     "both)",
     "{\"time\":[12,15,15,18,20,30],\"status\":[1,1,1,1,0,0],\"group\":[\"a\",\"a\",\"b\",\"a\","
     "\"b\",\"b\"]}",
     answer_logrank,
     {HY_KEYS_LIFETIMES,
      {"group", GROUP},
      STRATUM,
      {"rho", "games count by survival to this power (0)"}}},
    {"cox",
     "how hazards of ending differ: Cox's regression on the groups, or on covariates (Efron's "
     "ties; without 'ties' the others as well)",
     "{\"time\":[12,15,15,18,20,30],\"status\":[1,1,1,1,0,0],\"group\":[\"a\",\"a\",\"b\",\"a\","
     "\"b\",\"b\"]}",
     answer_cox,
     {HY_KEYS_LIFETIMES,
      {"group", GROUP ": each but the first is compared with the first"},
      {"covariates", "instead of groups: an array of numbers for each time"},
      STRATUM,
      {"ties", "efron, breslow or exact (efron)"},
      {"conf", "confidence of the intervals (0.95)"},
      {"confidence", "the same"}}},
    {0},
};
