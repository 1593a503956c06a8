/* Statistics of several tests, of equivalence, and of how many games are needed. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/stats_table.h"
#include "stats/adjust.h"
#include "stats/equivalence.h"
#include "stats/plan.h"
#include "stats/quantile.h"
#include "stats/share.h"

static hy_status answer_p_adjust(hy_stats_input *in, json_t *out)
{
    size_t num;
    double *p = hy_input_reals(in, "p", 1, 0, 1, &num);
    double *adjusted = p ? hy_new_array(num, sizeof *adjusted) : NULL;
    if (p && !adjusted)
        in->status = hy_fail_memory(in->error);
    for (unsigned i = 0; in->status == HY_OK && i < HY_NUM_ADJUSTMENTS; i++) {
        in->status = hy_adjust(p, num, (hy_adjustment)i, adjusted, in->error);
        if (in->status == HY_OK)
            hy_output_reals(out, hy_adjustment_words[i], adjusted, num);
    }
    free(p);
    free(adjusted);
    return in->status;
}

static void output_equivalence(json_t *out, const hy_equivalence *test)
{
    hy_output_real(out, "p_lower", test->p_lower);
    hy_output_real(out, "p_upper", test->p_upper);
    hy_output_real(out, "p", test->p);
    json_object_set_new(out, "equivalent",
                        test->known ? json_boolean(test->equivalent) : json_null());
}

static hy_status answer_tost(hy_stats_input *in, json_t *out)
{
    double low = hy_input_real(in, "low", -1e300, 1e300);
    double high = hy_input_real(in, "high", -1e300, 1e300);
    double alpha = hy_input_between_or(in, "alpha", 0, 0.5, 0.05);
    if (in->status == HY_OK && !(low < high))
        hy_input_refuse(in, "'low' (%g) has to be below 'high' (%g)", low, high);
    hy_equivalence test;
    if (hy_input_has(in, "successes") || hy_input_has(in, "n")) {
        uint64_t n = hy_input_count(in, "n", 1, 1000000000000u);
        uint64_t successes = hy_input_count(in, "successes", 0, n);
        test = hy_share_equivalence(successes, n, low, high, alpha);
    } else {
        hy_estimate value = {.known = true, .value = hy_input_real(in, "value", -1e300, 1e300)};
        value.standard_error = hy_input_real(in, "se", 1e-300, 1e300);
        double df = hy_input_real_or(in, "df", 1e-3, 1e300, INFINITY);
        test = hy_equivalence_test(&value, df, low, high, alpha);
    }
    if (in->status == HY_OK)
        output_equivalence(out, &test);
    return in->status;
}

typedef struct plan_inputs {
    double confidence, alpha, power;
} plan_inputs;

/* A number that may be missing: then what is computed from it is NaN, and null. */
static double optional(hy_stats_input *in, const char *key, double low, double high)
{
    return hy_input_real_or(in, key, low, high, NAN);
}

static void plan_widths(hy_stats_input *in, json_t *out, const plan_inputs *plan)
{
    double half = optional(in, "half", 1e-300, 1e300), share = optional(in, "share", 0, 1);
    double deviation = optional(in, "deviation", 0, 1e300);
    double relative = optional(in, "relative", 1e-9, 1e9);
    double index = hy_input_real_or(in, "dispersion", 1e-9, 1e9, 1);
    hy_output_real(out, "n_share_halfwidth", hy_plan_share_width(share, half, plan->confidence));
    hy_output_real(out, "n_mean_halfwidth", hy_plan_mean_width(deviation, half, plan->confidence));
    hy_output_real(out, "events_rate_relative_halfwidth",
                   index * hy_plan_rate_events(relative, plan->confidence));
}

static void plan_powers(hy_stats_input *in, json_t *out, const plan_inputs *plan)
{
    double p1 = optional(in, "p1", 0, 1), p2 = optional(in, "p2", 0, 1);
    double difference = optional(in, "difference", -1e300, 1e300);
    double sd1 = optional(in, "sd1", 0, 1e300);
    double sd2 = hy_input_real_or(in, "sd2", 0, 1e300, sd1);
    double ratio = optional(in, "hazard_ratio", 1e-9, 1e9);
    double allocation = hy_input_between_or(in, "allocation", 0, 1, 0.5);
    double h = 2 * asin(sqrt(p1)) - 2 * asin(sqrt(p2));
    hy_output_real(out, "n_per_group_two_shares",
                   hy_plan_two_shares(p1, p2, plan->alpha, plan->power));
    hy_output_real(out, "n_per_group_cohens_h", hy_plan_effect_h(h, plan->alpha, plan->power));
    hy_output_real(out, "n_per_group_two_means",
                   hy_plan_two_means(difference, sd1, sd2, plan->alpha, plan->power));
    hy_output_real(out, "events_logrank",
                   hy_plan_logrank_events(ratio, allocation, plan->alpha, plan->power));
}

static hy_status answer_plan(hy_stats_input *in, json_t *out)
{
    const plan_inputs plan = {
        .confidence = hy_input_confidence(in),
        .alpha = hy_input_between_or(in, "alpha", 0, 1, 0.05),
        .power = hy_input_between_or(in, "power", 0, 1, 0.9),
    };
    uint64_t n = hy_input_count_or(in, "n", 1, HY_STATS_MAX_COUNT, 0);
    plan_widths(in, out, &plan);
    plan_powers(in, out, &plan);
    hy_output_real(out, "upper_never_seen", hy_plan_never_seen(n, plan.confidence));
    return in->status;
}

static hy_status answer_sample_size(hy_stats_input *in, json_t *out)
{
    double h = 2 * asin(sqrt(0.5)) - 2 * asin(sqrt(0.53));
    (void)in;
    hy_output_real(out, "power.prop.test_p0.50_vs_0.53_power0.9_two_sided_n_per_group",
                   hy_plan_two_shares(0.5, 0.53, 0.05, 0.9));
    hy_output_real(out, "pwr.2p.test_h(0.50,0.53)_power0.9_n", hy_plan_effect_h(h, 0.05, 0.9));
    hy_output_real(out, "schoenfeld_events_HR1.2_alpha.05_power.9_equal_alloc",
                   hy_plan_logrank_events(1.2, 0.5, 0.05, 0.9));
    hy_output_real(out, "n_for_wald_halfwidth0.01_p0.5_95", hy_plan_share_width(0.5, 0.01, 0.95));
    hy_output_real(out, "n_poisson_events_for_10pct_rel_halfwidth_95",
                   hy_plan_rate_events(0.1, 0.95));
    hy_output_real(out, "rule_of_three_exact_upper95_x0_n1000", hy_plan_never_seen(1000, 0.95));
    hy_output_real(out, "clopper_pearson_two_sided_upper_x0_n1000",
                   hy_share_exact(0, 1000, 0.95).high);
    return HY_OK;
}

static hy_status answer_special(hy_stats_input *in, json_t *out)
{
    (void)in;
    hy_output_real(out, "qnorm_0.975", hy_two_sided_z(0.95));
    hy_output_real(out, "qnorm_0.995", hy_two_sided_z(0.99));
    hy_output_real(out, "pnorm_-8", gsl_cdf_ugaussian_P(-8));
    hy_output_real(out, "pchisq_upper_100_df1", gsl_cdf_chisq_Q(100, 1));
    hy_output_real(out, "pchisq_upper_5000_df1", gsl_cdf_chisq_Q(5000, 1));
    hy_output_real(out, "qbeta_0.025_1_1e6", hy_beta_quantile(0.025, 1, 1e6));
    hy_output_real(out, "qbeta_0.975_2_999999", hy_beta_upper_quantile(0.025, 2, 999999));
    hy_output_real(out, "qbeta_0.025_75512_124490", hy_beta_quantile(0.025, 75512, 124490));
    hy_output_real(out, "qgamma_0.025_106823", hy_gamma_quantile(0.025, 106823));
    hy_output_real(out, "qgamma_0.975_106824", hy_gamma_upper_quantile(0.025, 106824));
    hy_output_real(out, "qt_0.975_10", hy_two_sided_t(0.95, 10));
    hy_output_real(out, "pt_upper_5_df10", gsl_cdf_tdist_Q(5, 10));
    return HY_OK;
}

const hy_statistic hy_stats_planning[] = {
    {"p_adjust",
     "p-values of several tests, adjusted: Bonferroni, Holm, Hochberg, BH, BY",
     "{\"p\":[0.01,0.02,0.03]}",
     answer_p_adjust,
     {{"p", "an array of p-values"}}},
    {"tost",
     "is a quantity within a stated margin? Two one-sided tests, from an estimate or a share",
     "{\"value\":0.503,\"se\":0.004,\"low\":0.48,\"high\":0.52}",
     answer_tost,
     {{"low", "end of the margin"},
      {"high", "the other end, above it"},
      {"value", "an estimate: mean, score, difference"},
      {"se", "its standard error, above 0"},
      {"df", "degrees of freedom of Student's distribution (missing: normal)"},
      {"successes", "in place of value and se, a share: how many"},
      {"n", "of how many"},
      {"alpha", "level (0.05)"}}},
    {"plan",
     "how many games? What is missing in the inputs is null in the answers",
     "{\"share\":0.5,\"half\":0.01,\"p1\":0.5,\"p2\":0.53,\"hazard_ratio\":1.2}",
     answer_plan,
     {{"conf", "confidence of the intervals (0.95)"},
      {"confidence", "the same"},
      {"half", "half-width wanted, of a share or a mean"},
      {"share", "a share as expected"},
      {"deviation", "of one observation in a pilot: a score, a length"},
      {"relative", "half-width wanted of a rate, as a share of it"},
      {"dispersion", "variance over mean of the counts in a pilot (1)"},
      {"p1", "a share to be told from p2"},
      {"p2", "with the power below"},
      {"difference", "of two means to be found"},
      {"sd1", "deviation in the first"},
      {"sd2", "deviation in the second (that of the first)"},
      {"hazard_ratio", "to be found by the log-rank test"},
      {"allocation", "share of games in the first group (0.5)"},
      {"alpha", "two-sided level of the tests (0.05)"},
      {"power", "of the tests (0.9)"},
      {"n", "games in which something was never seen"}}},
    {"sample_size",
     "examples of planning, as in the golden file; 'plan' takes inputs",
     "{}",
     answer_sample_size,
     {{0}}},
    {"special",
     "quantiles and tails, to check the mathematics underneath",
     "{}",
     answer_special,
     {{0}}},
    {0},
};
