/* Statistics of the results of one player against another. */
#include <math.h>

#include "cli/stats_table.h"
#include "stats/pairs.h"

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
    {0},
};
