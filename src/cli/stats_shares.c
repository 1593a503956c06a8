/* Statistics of one share and of two. */
#include <stdlib.h>

#include "cli/stats_table.h"
#include "stats/share.h"
#include "stats/two_shares.h"

static void output_estimate(json_t *out, const char *key, double confidence,
                            const hy_estimate *estimate)
{
    hy_output_confident(out, key, confidence, estimate->low, estimate->high);
}

#define MAX_SHARE 1000000000000u /* the exact test takes time by the root of it */

static hy_status answer_prop(hy_stats_input *in, json_t *out)
{
    uint64_t n = hy_input_count(in, "n", 0, MAX_SHARE);
    uint64_t successes = hy_input_count(in, "successes", 0, n);
    double confidence = hy_input_confidence(in), null = hy_input_real_or(in, "null", 0, 1, 0.5);
    if (in->status != HY_OK)
        return in->status;
    hy_estimate wilson = hy_share(successes, n, confidence);
    hy_estimate corrected = hy_share_corrected(successes, n, confidence);
    hy_estimate exact = hy_share_exact(successes, n, confidence);
    hy_estimate jeffreys = hy_share_jeffreys(successes, n, confidence);
    hy_output_real(out, "share", wilson.value);
    hy_output_interval(out, "wilson", wilson.low, wilson.high);
    hy_output_interval(out, "wilson_cc", corrected.low, corrected.high);
    hy_output_interval(out, "clopper_pearson", exact.low, exact.high);
    hy_output_interval(out, "jeffreys", jeffreys.low, jeffreys.high);
    hy_output_real(out, null == 0.5 ? "binom_p_two_sided_0.5" : "binom_p_two_sided",
                   hy_binomial_test(successes, n, null));
    hy_output_interval(out, "clopper_pearson__statsmodels", exact.low, exact.high);
    hy_output_interval(out, "wilson__statsmodels", wilson.low, wilson.high);
    hy_output_interval(out, "jeffreys__statsmodels", jeffreys.low, jeffreys.high);
    return HY_OK;
}

#define MAX_FISHER 10000000u /* a table of the test takes that many numbers */

static hy_status answer_two_prop(hy_stats_input *in, json_t *out)
{
    hy_two_shares s;
    hy_fisher fisher;
    s.n1 = hy_input_count(in, "n1", 1, MAX_FISHER);
    s.x1 = hy_input_count(in, "x1", 0, s.n1);
    s.n2 = hy_input_count(in, "n2", 1, MAX_FISHER);
    s.x2 = hy_input_count(in, "x2", 0, s.n2);
    double confidence = hy_input_confidence(in);
    if (in->status == HY_OK)
        in->status = hy_fisher_test(&s, confidence, &fisher, in->error);
    if (in->status != HY_OK)
        return in->status;
    hy_test chi = hy_two_shares_chi_square(&s);
    hy_estimate wald = hy_two_shares_wald(&s, confidence);
    hy_estimate newcombe = hy_two_shares_newcombe(&s, confidence);
    hy_estimate agresti = hy_two_shares_agresti(&s, confidence);
    hy_estimate score = hy_two_shares_score(&s, confidence);
    hy_estimate faulty = hy_two_shares_score_statsmodels(&s, confidence);
    hy_output_real(out, "diff", wald.value);
    hy_output_real(out, "chisq_nocc", chi.statistic);
    hy_output_real(out, "p_nocc", chi.p);
    output_estimate(out, "wald_ci95_diff", confidence, &wald);
    hy_output_real(out, "fisher_p", fisher.p);
    hy_output_real(out, "fisher_or_cond_mle", fisher.odds_ratio.value);
    output_estimate(out, "fisher_or_ci95", confidence, &fisher.odds_ratio);
    hy_output_real(out, "cohens_h", hy_two_shares_h(&s));
    output_estimate(out, "diff_ci95_newcomb", confidence, &newcombe);
    output_estimate(out, "diff_ci95_agresti-caffo", confidence, &agresti);
    output_estimate(out, "diff_ci95_miettinen_nurminen", confidence, &score);
    output_estimate(out, "diff_ci95_score", confidence, &faulty);
    hy_output_real(out, "sample_odds_ratio", hy_two_shares_odds_ratio(&s));
    return HY_OK;
}

static hy_status answer_mcnemar(hy_stats_input *in, json_t *out)
{
    size_t num = 0;
    uint64_t *table = hy_input_counts(in, "table_rowmajor", 4, 0, HY_STATS_MAX_COUNT / 4, &num);
    if (in->status == HY_OK && num != 4)
        hy_input_refuse(in, "'table_rowmajor' has 4 counts: both yes, only the first, only the "
                            "second, neither");
    if (in->status == HY_OK) {
        hy_mcnemar test = hy_mcnemar_test(table[1], table[2]);
        hy_output_real(out, "exact_p", test.exact_p);
        hy_output_real(out, "chisq_nocc", test.plain.statistic);
        hy_output_real(out, "p_nocc", test.plain.p);
        hy_output_real(out, "chisq_cc", test.corrected.statistic);
        hy_output_real(out, "p_cc", test.corrected.p);
    }
    free(table);
    return in->status;
}

const hy_statistic hy_stats_shares[] = {
    {"prop",
     "a share: Wilson's, Clopper and Pearson's and Jeffreys' intervals, exact test",
     "{\"successes\":37,\"n\":100}",
     answer_prop,
     {{"successes", "how many succeeded, 0 to n"},
      {"n", "of how many"},
      {"conf", "confidence of the intervals (0.95)"},
      {"confidence", "the same"},
      {"null", "the share that is tested (0.5)"}}},
    {"two_prop",
     "two independent shares: tests, intervals of the difference, odds ratio (diff_ci95_score is "
     "that of statsmodels 0.13.5, which errs: use diff_ci95_miettinen_nurminen)",
     "{\"x1\":378,\"n1\":1000,\"x2\":428,\"n2\":1000}",
     answer_two_prop,
     {{"x1", "successes of the first, 0 to n1"},
      {"n1", "of how many"},
      {"x2", "successes of the second, 0 to n2"},
      {"n2", "of how many"},
      {"conf", "confidence of the intervals (0.95)"},
      {"confidence", "the same"}}},
    {"mcnemar",
     "two shares of the same things (matched pairs)",
     "{\"table_rowmajor\":[30,12,5,53]}",
     answer_mcnemar,
     {{"table_rowmajor", "4 counts: both yes, only the first, only the second, neither"}}},
    {0},
};
