#include "stats/pairs.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

double hy_elo(double score)
{
    return score > 0 && score < 1 ? -400 * log10(1 / score - 1) : NAN;
}

/* `counts` of observations whose score is 0, 1/(num − 1), … 1; each of `games` games. */
static hy_strength strength_of(const uint64_t *counts, unsigned num, double games,
                               double confidence)
{
    const double scale = 800 / log(10);
    hy_strength strength = {0};
    double sum = 0, squares = 0, z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
    for (unsigned i = 0; i < num; i++) {
        double score = (double)i / (num - 1);
        strength.n += counts[i];
        sum += (double)counts[i] * score;
    }
    double n = (double)strength.n;
    strength.score = strength.n > 0 ? sum / n : NAN;
    for (unsigned i = 0; i < num; i++) {
        double away = (double)i / (num - 1) - strength.score;
        squares += (double)counts[i] * away * away;
    }
    strength.variance = squares / n;
    strength.standard_error = sqrt(strength.variance / n);
    strength.low = strength.score - z * strength.standard_error;
    strength.high = strength.score + z * strength.standard_error;
    strength.elo = hy_elo(strength.score);
    strength.elo_low = hy_elo(strength.low);
    strength.elo_high = hy_elo(strength.high);
    strength.elo_half = (strength.elo_high - strength.elo_low) / 2;
    bool varies = strength.variance > 0;
    strength.los =
        varies ? gsl_cdf_ugaussian_P((strength.score - 0.5) / strength.standard_error) : NAN;
    strength.normalized =
        varies ? (strength.score - 0.5) / sqrt(games * strength.variance) * scale : NAN;
    strength.normalized_half = varies ? z / sqrt(games * n) * scale : NAN;
    return strength;
}

hy_strength hy_strength_of_games(uint64_t wins, uint64_t draws, uint64_t losses, double confidence)
{
    const uint64_t counts[] = {losses, draws, wins};
    return strength_of(counts, 3, 1, confidence);
}

hy_strength hy_strength_of_pairs(const hy_pair_counts *counts, double confidence)
{
    return strength_of(counts->num, HY_NUM_PAIR_CLASSES, 2, confidence);
}

hy_estimate hy_pair_score(const hy_pair_counts *counts, double confidence)
{
    hy_strength strength = hy_strength_of_pairs(counts, confidence);
    if (strength.n == 0)
        return hy_share(0, 0, confidence);
    double error = strength.standard_error, as_many = strength.score * (1 - strength.score);
    if (strength.variance > 0) {
        double z = gsl_cdf_ugaussian_Qinv((1 - confidence) / 2);
        hy_estimate score = hy_wilson(strength.score, as_many / (error * error), z);
        score.standard_error = error;
        return score;
    }
    double alike = hy_share(strength.n, strength.n, confidence).low;
    return (hy_estimate){
        .known = true,
        .value = strength.score,
        .standard_error = NAN,
        .low = strength.score * alike,
        .high = strength.score * alike + (1 - alike),
    };
}
