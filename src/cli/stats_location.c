/* Statistics of samples of numbers. */
#include <math.h>
#include <stdio.h>

#include "cli/stats_table.h"
#include "stats/location.h"

#define SAMPLE "an array of numbers, or {\"value\":[...],\"count\":[...]}"
#define CONFIDENCE                                                                                 \
    {"conf", "confidence of the intervals (0.95)"},                                                \
    {                                                                                              \
        "confidence", "the same"                                                                   \
    }

static void output_quantiles(json_t *out, const hy_sample *x)
{
    static const unsigned types[] = {1, 2, 6, 7, 8};
    static const double shares[] = {0.025, 0.25, 0.5, 0.75, 0.975};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        char key[64];
        double values[5];
        snprintf(key, sizeof key, "quantile_type%u_0.025_0.25_0.5_0.75_0.975", types[i]);
        for (size_t k = 0; k < 5; k++)
            values[k] = hy_sample_quantile(x, shares[k], types[i]);
        hy_output_reals(out, key, values, 5);
    }
}

static void output_descriptive(json_t *out, const hy_sample *x, double confidence, double mad)
{
    hy_estimate mean = hy_sample_mean_estimate(x, confidence);
    double variance = hy_sample_variance(x);
    hy_output_count(out, "n", x->n);
    hy_output_real(out, "mean", hy_sample_mean(x));
    hy_output_real(out, "var_n-1", variance);
    hy_output_real(out, "sd", sqrt(variance));
    hy_output_real(out, "min", hy_sample_quantile(x, 0, 1));
    hy_output_real(out, "max", hy_sample_quantile(x, 1, 1));
    output_quantiles(out, x);
    hy_output_real(out, "mad_1.4826", mad);
    if (confidence == 0.95) {
        hy_output_real(out, "t_ci95_lower", mean.low);
        hy_output_real(out, "t_ci95_upper", mean.high);
    } else {
        hy_output_confident(out, "t_ci95", confidence, mean.low, mean.high);
    }
}

static hy_status answer_descriptive(hy_stats_input *in, json_t *out)
{
    double mad;
    hy_sample x = hy_input_sample(in, "x");
    double confidence = hy_input_confidence(in);
    if (in->status == HY_OK)
        in->status = hy_sample_mad(&x, &mad, in->error);
    if (in->status == HY_OK)
        output_descriptive(out, &x, confidence, mad);
    hy_sample_clean_up(&x);
    return in->status;
}

static hy_status answer_welch(hy_stats_input *in, json_t *out)
{
    hy_sample x = hy_input_sample(in, "x"), y = hy_input_sample(in, "y");
    double confidence = hy_input_confidence(in);
    if (in->status == HY_OK) {
        hy_welch welch = hy_welch_test(&x, &y, confidence);
        hy_output_real(out, "t", welch.t);
        hy_output_real(out, "df", welch.df);
        hy_output_real(out, "p", welch.p);
        hy_output_real(out, "diff", welch.difference.value);
        hy_output_confident(out, "ci95_diff", confidence, welch.difference.low,
                            welch.difference.high);
    }
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
    return in->status;
}

static hy_status compare(hy_stats_input *in, const hy_sample *x, const hy_sample *y,
                         double confidence, json_t *out)
{
    hy_mann_whitney ranks;
    hy_estimate shift;
    hy_test smirnov;
    bool exact;
    hy_status status = hy_mann_whitney_test(x, y, &ranks, in->error);
    if (status == HY_OK)
        status = hy_hodges_lehmann(x, y, confidence, &shift, &exact, in->error);
    if (status == HY_OK)
        status = hy_smirnov_test(x, y, &smirnov, in->error);
    if (status != HY_OK)
        return status;
    hy_test munzel = hy_brunner_munzel_test(x, y);
    hy_output_real(out, "U_x(W)", ranks.u);
    hy_output_real(out, "p_asymptotic_cc", ranks.p_corrected);
    hy_output_real(out, "p_asymptotic_nocc", ranks.p);
    hy_output_real(out, "A12_P(x>y)+0.5P(x=y)", ranks.a12);
    hy_output_real(out, "cliffs_delta", ranks.cliffs_delta);
    hy_output_real(out, "hodges_lehmann_median_of_x-y", shift.value);
    hy_output_confident(out, "hl_shift_ci95", confidence, shift.low, shift.high);
    hy_output_real(out, "p_exact", ranks.p_exact);
    hy_output_confident(out, "hl_shift_ci95_exact", confidence, exact ? shift.low : NAN,
                        exact ? shift.high : NAN);
    hy_output_real(out, "hl_shift_est_wilcox.test", exact ? shift.value : NAN);
    hy_output_real(out, "brunner_munzel_stat", munzel.statistic);
    hy_output_real(out, "brunner_munzel_p", munzel.p);
    hy_output_real(out, "ks_D", smirnov.statistic);
    hy_output_real(out, "ks_p_exact", hy_smirnov_is_exact(x, y) ? smirnov.p : NAN);
    hy_output_real(out, "ks_p", smirnov.p);
    return HY_OK;
}

static hy_status answer_mann_whitney(hy_stats_input *in, json_t *out)
{
    hy_sample x = hy_input_sample(in, "x"), y = hy_input_sample(in, "y");
    double confidence = hy_input_confidence(in);
    if (in->status == HY_OK)
        in->status = compare(in, &x, &y, confidence, out);
    hy_sample_clean_up(&x);
    hy_sample_clean_up(&y);
    return in->status;
}

const hy_statistic hy_stats_location[] = {
    {"descriptive",
     "a sample: mean, deviation, quantiles, Student's interval",
     "{\"x\":[57,12,88,34,21,21,140,99,63,45,72]}",
     answer_descriptive,
     {{"x", SAMPLE}, CONFIDENCE}},
    {"welch_t",
     "the difference of two means, variances unequal",
     "{\"x\":[57,12,88,34,21],\"y\":[300,120,220,90,410]}",
     answer_welch,
     {{"x", SAMPLE}, {"y", SAMPLE}, CONFIDENCE}},
    {"mannwhitney",
     "is one sample larger? Mann-Whitney, A12, Hodges-Lehmann, Brunner-Munzel, Smirnov",
     "{\"x\":[17,21,21,25,30],\"y\":{\"value\":[21,30,41,57],\"count\":[1,1,2,1]}}",
     answer_mann_whitney,
     {{"x", SAMPLE}, {"y", SAMPLE}, CONFIDENCE}},
    {0},
};
