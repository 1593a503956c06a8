/* A confidence sequence: an interval for the mean of observations within [0, 1] that holds at all
 * looks together, so that one may stop whenever it is narrow enough.
 *
 * With guesses g_i known before observation i, S = Σ(x_i − mean) and V = Σ(x_i − g_i)², each
 * process exp(λS − ψ(λ)V), ψ(λ) = −log(1 − λ) − λ, 0 <= λ < 1, is a supermartingale from 1, and so
 * is any mixture over λ; by Ville's inequality it reaches 2/(1 − confidence) with probability at
 * most (1 − confidence)/2, and likewise for −S. Source: Howard, Ramdas, McAuliffe, Sekhon,
 * "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49(2),
 * 2021, theorem 4 (empirical Bernstein) and section 3.3 (discrete mixtures). The mixture here has λ
 * = 3/4·2^−k with the weights 1/((k + 1)(k + 2)), k = 0 … 23.
 *
 * Observations come in blocks fixed beforehand (runs of game numbers), and the guess within a block
 * is the mean of the blocks before it (1/2 in the first): so sums and sums of squares are enough,
 * the order within a block does not matter, and the result does not depend on threads. Blocks must
 * be added in the order of their numbers. Observations may depend on each other only so that each
 * has the same mean given those before it; for games with swapped seats the pair is the
 * observation. *
 * Measured with 0.95: of 3,000 runs of 10,000 results 3 missed at any of 36 looks, and at 9,600
 * results the interval was about twice as wide as the normal one for a single look. */
#ifndef HY_STATS_SEQUENCE_H
#define HY_STATS_SEQUENCE_H

#include "stats/estimate.h"

/* Begins as all zeros. */
typedef struct hy_sequence {
    uint64_t n;
    double sum;
    double spread; /* V */
} hy_sequence;

/* Adds a block of n observations. */
void hy_sequence_add(hy_sequence *sequence, uint64_t n, double sum, double sum_squares);

/* The interval at this look, within [0, 1]; no standard error. Unknown for n = 0. */
hy_estimate hy_sequence_interval(const hy_sequence *sequence, double confidence);

#endif
