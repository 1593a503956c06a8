#include "stats/sequence.h"

#include <math.h>

#include "stats/quantile.h"

#define NUM_TILTS 24

void hy_sequence_add(hy_sequence *sequence, uint64_t n, double sum, double sum_squares)
{
    double N = (double)n, guess = sequence->n > 0 ? sequence->sum / (double)sequence->n : 0.5;
    sequence->spread += fmax(0, sum_squares - 2 * guess * sum + N * guess * guess);
    sequence->n += n;
    sequence->sum += sum;
}

/* A look at a sequence: the mixture's parts but for λ·excess. */
typedef struct look {
    const hy_sequence *sequence;
    double tilts[NUM_TILTS];
    double parts[NUM_TILTS]; /* log weight − ψ(λ)·spread */
    double limit;
    double side; /* 1: is the mean below what was seen, -1: above */
} look;

static look look_at(const hy_sequence *sequence, double confidence)
{
    look at = {.sequence = sequence, .limit = log(2 / (1 - confidence)), .side = 1};
    for (int k = 0; k < NUM_TILTS; k++) {
        double tilt = ldexp(0.75, -k), psi = -log1p(-tilt) - tilt;
        if (tilt < 1e-4) /* by its series */
            psi = tilt * tilt / 2 * (1 + 2 * tilt / 3 + tilt * tilt / 2);
        at.tilts[k] = tilt;
        at.parts[k] = -psi * sequence->spread - log((k + 1.) * (k + 2.));
    }
    return at;
}

/* The logarithm of the mixture, less the limit, if the mean is as said. */
static double beyond_limit(double mean, const void *context)
{
    const look *at = context;
    double excess = at->side * (at->sequence->sum - (double)at->sequence->n * mean);
    double exponents[NUM_TILTS], most = -INFINITY, sum = 0;
    for (int k = 0; k < NUM_TILTS; k++) {
        exponents[k] = at->tilts[k] * excess + at->parts[k];
        most = fmax(most, exponents[k]);
    }
    for (int k = 0; k < NUM_TILTS; k++) {
        if (exponents[k] > most - 40)
            sum += exp(exponents[k] - most);
    }
    return most + log(sum) - at->limit;
}

hy_estimate hy_sequence_interval(const hy_sequence *sequence, double confidence)
{
    if (sequence->n == 0 || !(confidence > 0 && confidence < 1))
        return (hy_estimate){false, NAN, NAN, NAN, NAN};
    look at = look_at(sequence, confidence);
    double mean = sequence->sum / (double)sequence->n;
    double low = beyond_limit(0, &at) < 0 ? 0 : hy_root(beyond_limit, &at, 0, mean);
    at.side = -1;
    double high = beyond_limit(1, &at) < 0 ? 1 : hy_root(beyond_limit, &at, mean, 1);
    return (hy_estimate){
        .known = true,
        .value = mean,
        .standard_error = NAN,
        .low = low,
        .high = high,
    };
}
