/* Games that end in different ways: Aalen and Johansen's cumulative incidence. A game that became
 * endless was not cut by chance: taking it for a cut one would be wrong, it is another cause.
 *
 * Sources: Aalen and Johansen, Scandinavian Journal of Statistics 5 (1978), 141–150; standard
 * errors by the infinitesimal jackknife, as R's survfit has them for several states (Therneau and
 * Grambsch, Modeling Survival Data, 2000); intervals by ln(−ln F) (Kalbfleisch and Prentice 2002,
 * 8.2). */
#ifndef HY_STATS_COMPETING_H
#define HY_STATS_COMPETING_H

#include "stats/estimate.h"
#include "stats/lifetime.h"

typedef struct hy_incidence_point {
    double time;
    uint64_t num_risk;   /* going on just before */
    uint64_t num_censor; /* cut at this time */
    double unfinished;   /* share going on after `time`: Kaplan and Meier's, of all causes */
} hy_incidence_point;

/* Made by hy_incidence_fit, released by _clean_up. */
typedef struct hy_incidence {
    hy_incidence_point *points; /* by time */
    size_t num_points;
    size_t num_causes;
    uint64_t *num_events;  /* [point][cause]: ended at that time; causes from 0 */
    hy_estimate *by_cause; /* [point][cause]: share that ended by it up to then */
} hy_incidence;

/* `event` of a lifetime is 0 for a game cut, else the cause from 1 to num_causes. An incidence
 * that is 0 or 1 has no interval (NaN). Fails for a cause out of range, what hy_lifetimes_check
 * refuses, a confidence not in (0, 1), and want of memory. */
HY_MUST_CHECK hy_status hy_incidence_fit(const hy_lifetime *lifetimes, size_t num,
                                         size_t num_causes, double confidence,
                                         hy_incidence *incidence, hy_error *error);
void hy_incidence_clean_up(hy_incidence *incidence);

/* Share that ended by `cause` (from 0) up to `time`: 0 before the first point, unknown after the
 * last one if games were going on then. */
hy_estimate hy_incidence_at(const hy_incidence *incidence, size_t cause, double time);

#endif
