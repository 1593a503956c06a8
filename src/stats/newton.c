#include "stats/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MAX_STEPS 200
#define MAX_HALVINGS 60
#define SHORT_STEP 1e-9
#define STUCK 1e-4  /* a step as long as that is no rounding */
#define LOST 1e10   /* growth of a variance at which its number is on its way to infinity */
#define MOVING 1e-3 /* of the longest step: a number that does not move less than that */
#define SLACK 1e-12 /* by which the likelihood may fall, relative: rounding */

hy_status hy_newton_init(hy_newton *newton, size_t n, hy_error *error)
{
    *newton = (hy_newton){
        .n = n,
        .values = hy_new_array(n, sizeof(double)),
        .infinite = hy_new_array(n, sizeof(int)),
        .gradient = hy_new_array(n, sizeof(double)),
        .information = hy_new_array(n * n, sizeof(double)),
        .covariance = hy_new_array(n * n, sizeof(double)),
        .step = hy_new_array(n, sizeof(double)),
        .trial = hy_new_array(n, sizeof(double)),
        .start_variance = hy_new_array(n, sizeof(double)),
    };
    hy_status status = hy_symmetric_init(&newton->room, n, error);
    bool made = newton->values && newton->infinite && newton->gradient && newton->information &&
                newton->covariance && newton->step && newton->trial && newton->start_variance;
    if (status == HY_OK && !made)
        status = hy_fail_memory(error);
    if (status != HY_OK)
        hy_newton_clean_up(newton);
    return status;
}

void hy_newton_clean_up(hy_newton *newton)
{
    free(newton->values);
    free(newton->infinite);
    free(newton->gradient);
    free(newton->information);
    free(newton->covariance);
    free(newton->step);
    free(newton->trial);
    free(newton->start_variance);
    hy_symmetric_clean_up(&newton->room);
    *newton = (hy_newton){0};
}

/* The next step; returns the longest of its parts. */
static double set_step(hy_newton *newton)
{
    double longest = 0;
    for (size_t i = 0; i < newton->n; i++) {
        double step = 0;
        for (size_t k = 0; k < newton->n; k++)
            step += newton->covariance[i * newton->n + k] * newton->gradient[k];
        newton->step[i] = step;
        longest = fmax(longest, fabs(step));
    }
    return longest;
}

/* Goes along the step, halved until the likelihood does not fall; returns the share taken. */
static double go(hy_newton *newton, hy_newton_evaluate *evaluate, void *context)
{
    double share = 1, least = newton->likelihood - SLACK * (1 + fabs(newton->likelihood));
    memcpy(newton->trial, newton->values, newton->n * sizeof newton->values[0]);
    for (unsigned halvings = 0; halvings < MAX_HALVINGS; halvings++, share /= 2) {
        for (size_t i = 0; i < newton->n; i++)
            newton->values[i] = newton->trial[i] + share * newton->step[i];
        double found = evaluate(context, newton->values, newton->gradient, newton->information);
        if (isfinite(found) && found >= least) {
            newton->likelihood = found;
            return share;
        }
    }
    memcpy(newton->values, newton->trial, newton->n * sizeof newton->values[0]);
    newton->likelihood = evaluate(context, newton->values, newton->gradient, newton->information);
    return 0;
}

/* Takes the inverse of the information; false where a number has lost its information. */
static bool take_covariance(hy_newton *newton, bool first)
{
    size_t n = newton->n;
    if (!hy_symmetric_invert(&newton->room, newton->information))
        return false;
    for (size_t i = 0; i < n; i++) {
        double variance = newton->room.inverse[i * (n + 1)];
        if (first)
            newton->start_variance[i] = variance;
        else if (!(variance < LOST * newton->start_variance[i]))
            return false;
    }
    memcpy(newton->covariance, newton->room.inverse, n * n * sizeof(double));
    return true;
}

/* The steps at the end tell what still moves. */
static hy_status set_infinite(hy_newton *newton, double longest)
{
    newton->kind = HY_FIT_INFINITE;
    for (size_t i = 0; i < newton->n; i++) {
        bool moves = fabs(newton->step[i]) > MOVING * longest;
        newton->infinite[i] = moves ? (newton->step[i] > 0 ? 1 : -1) : 0;
    }
    return HY_OK;
}

hy_status hy_newton_climb(hy_newton *newton, hy_newton_evaluate *evaluate, void *context,
                          hy_error *error)
{
    newton->likelihood = evaluate(context, newton->values, newton->gradient, newton->information);
    newton->start_likelihood = newton->likelihood;
    newton->kind = HY_FIT_KNOWN;
    if (!isfinite(newton->likelihood))
        return hy_fail(error, HY_FAILED, "the likelihood cannot be computed: numbers too large");
    if (!take_covariance(newton, true)) {
        newton->kind = HY_FIT_SINGULAR;
        return HY_OK;
    }
    newton->start_score =
        hy_bilinear(newton->covariance, newton->n, newton->gradient, newton->gradient);
    double longest = 0;
    for (unsigned steps = 0; steps < MAX_STEPS; steps++) {
        if (steps > 0 && !take_covariance(newton, false))
            return set_infinite(newton, longest);
        longest = set_step(newton);
        double share = go(newton, evaluate, context);
        if (share == 0 && longest > STUCK)
            break;
        if (longest * share < SHORT_STEP)
            return take_covariance(newton, false) ? HY_OK : set_infinite(newton, longest);
    }
    return hy_fail(error, HY_FAILED, "no maximum of the likelihood was found");
}
