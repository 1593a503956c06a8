/* Statistics of counted events. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/words.h"
#include "cli/stats_table.h"
#include "stats/bootstrap.h"
#include "stats/negative_binomial.h"
#include "stats/rate.h"

#define CONFIDENCE                                                                                 \
    {"conf", "confidence of the intervals (0.95)"},                                                \
    {                                                                                              \
        "confidence", "the same"                                                                   \
    }

static hy_status answer_poisson(hy_stats_input *in, json_t *out)
{
    uint64_t events = hy_input_count(in, "events", 0, HY_STATS_MAX_COUNT);
    double exposure = hy_input_real(in, "exposure", 1e-300, 1e300);
    double confidence = hy_input_confidence(in);
    if (in->status != HY_OK)
        return in->status;
    hy_estimate wanted = hy_rate(events, exposure, confidence);
    hy_estimate most = hy_rate(events, exposure, 0.99);
    hy_output_real(out, "rate", wanted.value);
    hy_output_confident(out, "exact_ci95", confidence, wanted.low, wanted.high);
    hy_output_interval(out, "exact_ci99", most.low, most.high);
    return HY_OK;
}

static hy_status answer_poisson_ratio(hy_stats_input *in, json_t *out)
{
    size_t num_x = 0, num_t = 0;
    uint64_t *x = hy_input_counts(in, "x", 2, 0, 1000000000000u, &num_x);
    double *t = hy_input_reals(in, "T", 2, 1e-300, 1e300, &num_t);
    double confidence = hy_input_confidence(in);
    if (in->status == HY_OK && (num_x != 2 || num_t != 2))
        hy_input_refuse(in, "'x' and 'T' have 2 elements each: events and exposure of both");
    if (in->status == HY_OK) {
        hy_rate_comparison rates = hy_rate_ratio(x[0], t[0], x[1], t[1], confidence);
        hy_output_real(out, "rate_ratio", rates.ratio.value);
        hy_output_confident(out, "ci95_conditional_exact", confidence, rates.ratio.low,
                            rates.ratio.high);
        hy_output_real(out, "p_two_sided", rates.p);
    }
    free(x);
    free(t);
    return in->status;
}

/* What happened in a game: events y among x chances. */
typedef struct game_counts {
    double game, y, x;
} game_counts;

static int by_game(const void *left, const void *right)
{
    const game_counts *a = left, *b = right;
    return (a->game > b->game) - (a->game < b->game);
}

/* Adds up rows of the same game; returns how many games there are. */
static size_t join_games(game_counts *rows, size_t num)
{
    size_t games = 0;
    qsort(rows, num, sizeof *rows, by_game);
    for (size_t i = 0; i < num; i++) {
        if (games > 0 && rows[games - 1].game == rows[i].game) {
            rows[games - 1].y += rows[i].y;
            rows[games - 1].x += rows[i].x;
        } else {
            rows[games++] = rows[i];
        }
    }
    return games;
}

static game_counts *read_games(hy_stats_input *in, size_t *num)
{
    size_t num_y, num_x, num_games = 0;
    double *y = hy_input_reals(in, "chain_captures", 1, 0, 1e15, &num_y);
    double *x = hy_input_reals(in, "captures", 1, 0, 1e15, &num_x), *game = NULL;
    game_counts *rows = NULL;
    if (hy_input_has(in, "game"))
        game = hy_input_reals(in, "game", 1, 0, 1e15, &num_games);
    if (in->status == HY_OK && (num_x != num_y || (game && num_games != num_y)))
        hy_input_refuse(in, "'chain_captures', 'captures' and 'game' have one element a game each");
    if (in->status == HY_OK && !(rows = hy_new_array(num_y, sizeof *rows)))
        in->status = hy_fail_memory(in->error);
    for (size_t i = 0; rows && i < num_y; i++)
        rows[i] = (game_counts){game ? game[i] : (double)i, y[i], x[i]};
    *num = rows ? join_games(rows, num_y) : 0;
    free(y);
    free(x);
    free(game);
    return rows;
}

static void output_chain_rate(json_t *out, const hy_ratio_sums *sums, bool is_share,
                              double confidence)
{
    hy_estimate ratio =
        is_share ? hy_clustered_share(sums, confidence) : hy_ratio(sums, confidence);
    hy_ratio_errors errors = hy_ratio_errors_of(sums);
    hy_dispersion dispersion = hy_dispersion_of(sums->n, sums->y, sums->yy);
    hy_output_real(out, "ratio", ratio.value);
    hy_output_confident(out, "ci95_clustered", confidence, ratio.low, ratio.high);
    hy_output_real(out, "se_naive_binomial_on_captures", errors.binomial);
    hy_output_real(out, "se_naive_poisson", errors.poisson);
    hy_output_real(out, "se_cluster_linearised_CR0", errors.clustered_0);
    hy_output_real(out, "se_cluster_linearised_n_over_n-1", errors.clustered);
    hy_output_real(out, "se_log_ratio_sandwich_HC0(glm_poisson_offset)", errors.log_robust);
    hy_output_real(out, "se_log_ratio_model_poisson", errors.log_poisson);
    hy_output_real(out, "dispersion_index_var_over_mean(n-1)", dispersion.index);
    hy_output_real(out, "dispersion_chisq", dispersion.chi_square);
    hy_output_real(out, "dispersion_p_upper", dispersion.p_upper);
    hy_output_real(out, "dispersion_p_lower", dispersion.p_lower);
}

static hy_status answer_chain_rate(hy_stats_input *in, json_t *out)
{
    size_t num;
    hy_ratio_sums sums = {0};
    bool is_share = true;
    double confidence = hy_input_confidence(in);
    game_counts *rows = read_games(in, &num);
    for (size_t i = 0; i < num; i++) {
        sums.n++;
        sums.x += rows[i].x;
        sums.y += rows[i].y;
        sums.xx += rows[i].x * rows[i].x;
        sums.yy += rows[i].y * rows[i].y;
        sums.xy += rows[i].x * rows[i].y;
        is_share &= rows[i].y <= rows[i].x;
    }
    free(rows);
    if (in->status == HY_OK)
        output_chain_rate(out, &sums, is_share, confidence);
    return in->status;
}

static hy_status answer_negbin(hy_stats_input *in, json_t *out)
{
    hy_negative_binomial fit;
    hy_sample y = hy_input_sample(in, "y");
    if (in->status == HY_OK)
        in->status = hy_negative_binomial_fit(&y, &fit, in->error);
    if (in->status == HY_OK) {
        double n = (double)y.n, mean = fit.mean, variance = hy_sample_variance(&y);
        double squares = variance * (n - 1) + n * mean * mean;
        hy_dispersion dispersion = hy_dispersion_of(y.n, n * mean, squares);
        hy_output_real(out, "mu_mle", mean);
        hy_output_real(out, "theta_mle_root_of_score", fit.theta);
        hy_output_real(out, "theta_glm.nb", fit.theta);
        hy_output_real(out, "loglik", fit.log_likelihood);
        hy_output_real(out, "loglik_poisson", fit.log_likelihood_poisson);
        hy_output_real(out, "dispersion_chisq", dispersion.chi_square);
        hy_output_real(out, "dispersion_p_upper", dispersion.p_upper);
        hy_output_real(out, "dispersion_p_lower", dispersion.p_lower);
        hy_output_real(out, "var_over_mean", dispersion.index);
        hy_output_real(out, "se_mean_poisson", fit.error_poisson);
        hy_output_real(out, "se_mean_sample", fit.error_sample);
        hy_output_real(out, "se_mean_negbin", fit.error);
    }
    hy_sample_clean_up(&y);
    return in->status;
}

static void output_bootstrap(json_t *out, const hy_bootstrap *b, double confidence)
{
    hy_output_real(out, "theta_hat", b->value);
    hy_output_real(out, "boot_mean", b->mean);
    hy_output_real(out, "boot_sd(1/N)", b->deviation);
    hy_output_confident(out, "percentile_ci95_inverse_cdf", confidence, b->percentile_low,
                        b->percentile_high);
    hy_output_real(out, "frac_less", b->share_less);
    hy_output_real(out, "frac_equal", b->share_equal);
    hy_output_real(out, "bca_z0(midrank)", b->z0);
    hy_output_real(out, "bca_acceleration_jackknife", b->acceleration);
    hy_output_confident(out, "bca_adjusted_alphas_95", confidence, b->alpha_low, b->alpha_high);
    hy_output_confident(out, "bca_ci95_inverse_cdf", confidence, b->bca_low, b->bca_high);
    hy_output_count(out, "distinct_values", b->distinct);
}

static hy_status answer_bootstrap_exact(hy_stats_input *in, json_t *out)
{
    size_t num_y, num_x;
    hy_bootstrap wanted, less;
    double *y = hy_input_reals(in, "y", 1, -1e15, 1e15, &num_y);
    double *x = hy_input_reals(in, "x", 1, 0, 1e15, &num_x);
    double confidence = hy_input_confidence(in);
    if (in->status == HY_OK && num_x != num_y)
        hy_input_refuse(in, "'y' and 'x' have one element a game each");
    if (in->status == HY_OK)
        in->status = hy_bootstrap_exact(y, x, num_y, confidence, &wanted, in->error);
    if (in->status == HY_OK)
        in->status = hy_bootstrap_exact(y, x, num_y, 0.9, &less, in->error);
    if (in->status == HY_OK) {
        hy_output_count(out, "n_resamples_enumerated", wanted.resamples);
        output_bootstrap(out, &wanted, confidence);
        hy_output_interval(out, "percentile_ci90_inverse_cdf", less.percentile_low,
                           less.percentile_high);
    }
    free(y);
    free(x);
    return in->status;
}

/* A seed is a decimal text, because not every one is a number in JSON; an integer will do. */
static uint64_t read_seed(hy_stats_input *in)
{
    uint64_t seed = 1;
    const json_t *value = hy_input_find(in, "seed");
    if (!json_is_string(value))
        return hy_input_count_or(in, "seed", 0, HY_STATS_MAX_COUNT, seed);
    if (!hy_parse_u64(json_string_value(value), &seed))
        hy_input_refuse(in, "'seed' is a decimal integer below 2^64, such as \"20261129\"");
    return seed;
}

#define MAX_DRAWS 1e10

static hy_status answer_bootstrap(hy_stats_input *in, json_t *out)
{
    size_t num_y, num_x;
    hy_bootstrap wanted;
    double *y = hy_input_reals(in, "y", 1, -1e15, 1e15, &num_y);
    double *x = hy_input_reals(in, "x", 1, 0, 1e15, &num_x);
    double confidence = hy_input_confidence(in);
    uint64_t seed = read_seed(in);
    char seed_text[24];
    uint64_t resamples = hy_input_count_or(in, "resamples", 100, 10000000, 10000);
    if (in->status == HY_OK && num_x != num_y)
        hy_input_refuse(in, "'y' and 'x' have one element a game each");
    if (in->status == HY_OK && (double)resamples * (double)num_y > MAX_DRAWS)
        hy_input_refuse(in, "%" PRIu64 " 'resamples' of %zu games are more than 10^10 draws",
                        resamples, num_y);
    if (in->status == HY_OK)
        in->status =
            hy_bootstrap_ratio(y, x, num_y, confidence, seed, resamples, &wanted, in->error);
    if (in->status == HY_OK) {
        snprintf(seed_text, sizeof seed_text, "%" PRIu64, seed);
        json_object_set_new(out, "seed", json_string(seed_text));
        hy_output_count(out, "n_resamples", wanted.resamples);
        output_bootstrap(out, &wanted, confidence);
    }
    free(y);
    free(x);
    return in->status;
}

const hy_statistic hy_stats_counts[] = {
    {"poisson",
     "events per exposure, exact interval for independent events",
     "{\"events\":120,\"exposure\":2084.507}",
     answer_poisson,
     {{"events", "how many"}, {"exposure", "in how much, above 0"}, CONFIDENCE}},
    {"poisson_ratio",
     "the ratio of two rates of independent events, exact",
     "{\"x\":[101,72],\"T\":[10000,9000]}",
     answer_poisson_ratio,
     {{"x", "events of the first and of the second"},
      {"T", "their exposures, above 0"},
      CONFIDENCE}},
    {"chain_rate",
     "chain captures per capture, the game being the unit, beside the errors that ignore it",
     "{\"chain_captures\":[0,1,0,2],\"captures\":[10,11,9,12]}",
     answer_chain_rate,
     {{"game", "its number, an element a row; rows of the same are added up (each its own)"},
      {"chain_captures", "events, an element a row"},
      {"captures", "of how many, an element a row"},
      CONFIDENCE}},
    {"negbin",
     "counts that vary more than Poisson's: negative binomial by maximum likelihood",
     "{\"y\":[0,0,0,1,0,2,9,0,1,0,5]}",
     answer_negbin,
     {{"y", "counts, an array or {\"value\":[...],\"count\":[...]}; theta is null where they vary "
            "no more than Poisson's"}}},
    {"bootstrap_exact",
     "sum(y)/sum(x) over games, all resamples of at most 7 games",
     "{\"y\":[2,0,1,4,0],\"x\":[10,9,11,14,8]}",
     answer_bootstrap_exact,
     {{"y", "events, an element a game"}, {"x", "of how many, an element a game"}, CONFIDENCE}},
    {"bootstrap",
     "sum(y)/sum(x) over games, resampled with a fixed seed",
     "{\"y\":[2,0,1,4,0],\"x\":[10,9,11,14,8],\"resamples\":2000}",
     answer_bootstrap,
     {{"y", "events, an element a game"},
      {"x", "of how many, an element a game"},
      {"resamples", "how many, 100 to 10000000 (10000)"},
      {"seed", "of the draws, a decimal text or an integer (1)"},
      CONFIDENCE}},
    {0},
};
