/* When to extrapolate an iteration. Private to src/solve.
 *
 * Where play seldom leaves a block, the changes of the iteration soon shrink by the same factor rho
 * from sweep to sweep, close to 1. Then what is still to come of them is the last change times rho
 * / (1 - rho) (Aitken's extrapolation along the dominant eigenvector). It changes nothing about
 * what the iteration converges to, nor about the bounds of its error, which rest on residuals
 * alone. */
#ifndef HY_SOLVE_MARKOV_SPEED_H
#define HY_SOLVE_MARKOV_SPEED_H

#include <math.h>

#define HY_SPEED_PATIENCE 200u /* sweeps without progress, to the end */

typedef struct hy_speed {
    double dot, square;   /* of this sweep: change · change before, change before squared */
    double rho, least;    /* of the sweep before; the least of what shall become 0 */
    double at_jump;       /* that, at the last extrapolation */
    unsigned since, wait; /* sweeps since it; to wait before the next */
    unsigned idle;        /* sweeps without progress */
} hy_speed;

static inline hy_speed hy_speed_start(void)
{
    return (hy_speed){.least = INFINITY, .at_jump = INFINITY, .wait = 4};
}

static inline void hy_speed_add(hy_speed *speed, double change, double before)
{
    speed->dot += change * before;
    speed->square += before * before;
}

/* Ends a sweep after which `rest` is what shall become 0. The factor by which to extrapolate the
 * last changes, mostly 0. */
static inline double hy_speed_end(hy_speed *speed, double rest)
{
    double rho = speed->square > 0 ? speed->dot / speed->square : 0;
    double drift = fabs(rho - speed->rho);
    speed->rho = rho;
    speed->dot = speed->square = 0;
    speed->idle = rest < speed->least ? 0 : speed->idle + 1;
    speed->least = fmin(rest, speed->least);
    if (++speed->since < speed->wait || rho < 0.5 || rho >= 1 || drift > 0.1 * (1 - rho))
        return 0;
    if (rest > 0.5 * speed->at_jump)
        speed->wait *= 2;
    speed->at_jump = rest;
    speed->since = 0;
    return rho / (1 - rho);
}

#endif
