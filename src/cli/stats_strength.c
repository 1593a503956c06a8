/* Statistics of the results of one player against another. */
#include <stdlib.h>

#include "cli/stats_table.h"
#include "stats/sequence.h"
#include "stats/sprt.h"

static void output_strength(json_t *out, const hy_strength *strength, unsigned games,
                            double confidence)
{
    hy_output_count(out, "n_obs", strength->n);
    hy_output_count(out, "games", strength->n * games);
    hy_output_real(out, "score", strength->score);
    hy_output_real(out, "var_per_obs(1/n)", strength->variance);
    hy_output_real(out, "se", strength->standard_error);
    hy_output_confident(out, "ci95_wald", confidence, strength->low, strength->high);
    hy_output_real(out, "elo", strength->elo);
    hy_output_real(out, "elo_lo", strength->elo_low);
    hy_output_real(out, "elo_hi", strength->elo_high);
    hy_output_real(out, "elo_pm(fishtest/fastchess (hi-lo)/2)", strength->elo_half);
    hy_output_real(out, "los", strength->los);
    hy_output_real(out, "nelo", strength->normalized);
    hy_output_real(out, "nelo_pm", strength->normalized_half);
}

static hy_status answer_wdl(hy_stats_input *in, json_t *out)
{
    uint64_t wins = hy_input_count(in, "W", 0, HY_STATS_MAX_COUNT / 4);
    uint64_t draws = hy_input_count(in, "D", 0, HY_STATS_MAX_COUNT / 4);
    uint64_t losses = hy_input_count(in, "L", 0, HY_STATS_MAX_COUNT / 4);
    double confidence = hy_input_confidence(in);
    if (in->status != HY_OK)
        return in->status;
    hy_strength strength = hy_strength_of_games(wins, draws, losses, confidence);
    output_strength(out, &strength, 1, confidence);
    return HY_OK;
}

static hy_status answer_penta(hy_stats_input *in, json_t *out)
{
    static const char *const keys[HY_NUM_PAIR_CLASSES] = {"LL", "LD", "WL+DD", "WD", "WW"};
    hy_pair_counts counts;
    for (unsigned i = 0; i < HY_NUM_PAIR_CLASSES; i++)
        counts.num[i] = hy_input_count(in, keys[i], 0, HY_STATS_MAX_COUNT / 16);
    double confidence = hy_input_confidence(in);
    if (in->status != HY_OK)
        return in->status;
    hy_strength strength = hy_strength_of_pairs(&counts, confidence);
    output_strength(out, &strength, 2, confidence);
    return HY_OK;
}

static void output_sprt(json_t *out, const hy_sprt *sprt)
{
    hy_sprt_bounds bounds = hy_sprt_bounds_of(sprt->alpha, sprt->beta);
    double moments = hy_sprt_llr_moments(&sprt->results, sprt->model, sprt->elo0, sprt->elo1);
    hy_output_real(out, "LLR_generalised(fishtest LLRcalc)", sprt->llr);
    if (sprt->model == HY_ELO_NORMALIZED) {
        hy_output_real(out, "LLR_normalized_alt(closed form)", moments);
    } else {
        hy_output_real(out, "LLR_alt(0.5*log ratio, closed form)", moments);
        hy_output_real(out, "LLR_alt2(Gaussian, closed form)",
                       hy_sprt_llr_gauss(&sprt->results, sprt->model, sprt->elo0, sprt->elo1));
        hy_output_real(out, "s0", hy_elo_score(sprt->elo0));
        hy_output_real(out, "s1", hy_elo_score(sprt->elo1));
    }
    hy_output_real(out, "lower", bounds.lower);
    hy_output_real(out, "upper", bounds.upper);
    json_object_set_new(out, "state", json_string(hy_sprt_state_words[sprt->state]));
}

static hy_status answer_sprt(hy_stats_input *in, json_t *out)
{
    size_t num;
    hy_sprt sprt;
    double elo0 = hy_input_real(in, "elo0", -1e4, 1e4), elo1 = hy_input_real(in, "elo1", -1e4, 1e4);
    double alpha = hy_input_between_or(in, "alpha", 0, 0.5, 0.05);
    double beta = hy_input_between_or(in, "beta", 0, 0.5, 0.05);
    hy_elo_model model = (hy_elo_model)hy_input_word(in, "model", hy_elo_model_words,
                                                     HY_NUM_ELO_MODELS, HY_NUM_ELO_MODELS);
    uint64_t *counts = hy_input_counts(in, "res", 3, 0, HY_STATS_MAX_COUNT / 16, &num);
    if (in->status == HY_OK && num != 3 && num != HY_NUM_PAIR_CLASSES)
        hy_input_refuse(in, "'res' has 3 counts (L, D, W) or 5 (LL, LD, WL+DD, WD, WW), not %zu",
                        num);
    if (in->status == HY_OK)
        in->status = hy_sprt_init(&sprt, model, (unsigned)num, elo0, elo1, alpha, beta, in->error);
    if (in->status == HY_OK) {
        hy_sprt_add(&sprt, counts);
        output_sprt(out, &sprt);
    }
    free(counts);
    return in->status;
}

static hy_status answer_sprt_bounds(hy_stats_input *in, json_t *out)
{
    double alpha = hy_input_between_or(in, "alpha", 0, 0.5, 0.05);
    double beta = hy_input_between_or(in, "beta", 0, 0.5, 0.05);
    if (in->status != HY_OK)
        return in->status;
    hy_sprt_bounds bounds = hy_sprt_bounds_of(alpha, beta);
    hy_output_real(out, "lower", bounds.lower);
    hy_output_real(out, "upper", bounds.upper);
    return HY_OK;
}

typedef struct block_lists {
    uint64_t *n;
    double *sum, *squares;
    size_t num;
} block_lists;

/* Sums that numbers within [0, 1] can have: squares between sum²/n and sum. */
static void check_block(hy_stats_input *in, const block_lists *blocks, size_t i)
{
    double n = (double)blocks->n[i], sum = blocks->sum[i], squares = blocks->squares[i];
    if (sum > n || squares > sum || squares < sum * sum / n * (1 - 1e-9))
        hy_input_refuse(in,
                        "block %zu: %g numbers from 0 to 1 cannot have the sum %g and the sum "
                        "of squares %g",
                        i + 1, n, sum, squares);
}

static block_lists read_blocks(hy_stats_input *in)
{
    size_t num_n, num_sum, num_squares;
    block_lists blocks = {.n = hy_input_counts(in, "n", 1, 1, HY_STATS_MAX_COUNT / 16, &num_n)};
    blocks.sum = hy_input_reals(in, "sum", 1, 0, 1e15, &num_sum);
    blocks.squares = hy_input_reals(in, "sum_squares", 1, 0, 1e15, &num_squares);
    if (in->status == HY_OK && (num_n != num_sum || num_n != num_squares))
        hy_input_refuse(in, "'n', 'sum' and 'sum_squares' have one element a block each");
    blocks.num = in->status == HY_OK ? num_n : 0;
    for (size_t i = 0; i < blocks.num; i++)
        check_block(in, &blocks, i);
    return blocks;
}

static hy_status answer_sequence(hy_stats_input *in, json_t *out)
{
    hy_sequence sequence = {0};
    double confidence = hy_input_confidence(in);
    block_lists blocks = read_blocks(in);
    json_t *low = json_array(), *high = json_array();
    for (size_t i = 0; in->status == HY_OK && i < blocks.num; i++) {
        hy_sequence_add(&sequence, blocks.n[i], blocks.sum[i], blocks.squares[i]);
        hy_estimate look = hy_sequence_interval(&sequence, confidence);
        json_array_append_new(low, json_real(look.low));
        json_array_append_new(high, json_real(look.high));
    }
    if (in->status == HY_OK) {
        hy_output_count(out, "n", sequence.n);
        hy_output_real(out, "mean", sequence.sum / (double)sequence.n);
        json_object_set(out, "low", low);
        json_object_set(out, "high", high);
    }
    json_decref(low);
    json_decref(high);
    free(blocks.n);
    free(blocks.sum);
    free(blocks.squares);
    return in->status;
}

const hy_statistic hy_stats_strength[] = {
    {"wdl",
     "score and Elo from wins, draws and losses of single games",
     "{\"W\":378,\"D\":185,\"L\":437}",
     answer_wdl,
     {{"W", "games won"},
      {"D", "games drawn"},
      {"L", "games lost"},
      {"conf", "confidence of the intervals (0.95)"},
      {"confidence", "the same"}}},
    {"penta",
     "score and Elo from pairs of games with the seats swapped",
     "{\"LL\":5,\"LD\":40,\"WL+DD\":120,\"WD\":61,\"WW\":9}",
     answer_penta,
     {{"LL", "pairs with 0 points"},
      {"LD", "pairs with 1/2 point"},
      {"WL+DD", "pairs with 1 point"},
      {"WD", "pairs with 3/2 points"},
      {"WW", "pairs with 2 points"},
      {"conf", "confidence of the intervals (0.95)"},
      {"confidence", "the same"}}},
    {"sprt",
     "is a player stronger? Generalised log-likelihood ratio, bounds, and where it stands",
     "{\"elo0\":0,\"elo1\":5,\"model\":\"logistic\",\"res\":[759,1863,880]}",
     answer_sprt,
     {{"elo0", "the difference under H0"},
      {"elo1", "the difference under H1, above elo0"},
      {"model", "of the scale: logistic or normalized"},
      {"res", "L, D, W of games, or LL, LD, WL+DD, WD, WW of pairs"},
      {"res_order", "not read"},
      {"alpha", "error of the first kind (0.05)"},
      {"beta", "error of the second kind (0.05)"}}},
    {"sprt_bounds",
     "Wald's bounds of the log-likelihood ratio",
     "{\"alpha\":0.05,\"beta\":0.05}",
     answer_sprt_bounds,
     {{"alpha", "error of the first kind (0.05)"}, {"beta", "error of the second kind (0.05)"}}},
    {"sequence",
     "a mean of numbers from 0 to 1 at every look: intervals that hold at all of them together",
     "{\"n\":[100,100],\"sum\":[52,49.5],\"sum_squares\":[48,46.25]}",
     answer_sequence,
     {{"n", "observations of each block, blocks in their order"},
      {"sum", "of each block"},
      {"sum_squares", "of each block"},
      {"conf", "confidence over all looks (0.95)"},
      {"confidence", "the same"}}},
    {0},
};
