/* A measure of a game's quality: a number with its interval, its unit and what it is a share of. */
#ifndef HY_REPORT_MEASURE_H
#define HY_REPORT_MEASURE_H

#include "sim/sums.h"
#include "stats/estimate.h"

/* Texts are constants. */
typedef struct hy_measure {
    const char *name;
    const char *unit;
    const char *denominator;  /* what is counted by `of` */
    const char *method;       /* of the interval */
    const char *reason;       /* why it is unknown; NULL: it is known */
    const char *error_reason; /* why it has no standard error, where it has none */
    double least, most;       /* what it can be; most 0: no limit */
    hy_estimate estimate;     /* its interval lies within */
    double of;                /* size of the denominator */
    uint64_t games;           /* that take part */
} hy_measure;

/* How y and x of many games become an estimate. */
typedef enum hy_measure_kind {
    HY_MEASURE_MEAN,       /* of the y of games whose x is 1; Student's t */
    HY_MEASURE_GAME_SHARE, /* the same where y is 0 or 1; Wilson */
    HY_MEASURE_RATIO,      /* Σy / Σx, clustered by game: hy_ratio */
    HY_MEASURE_SHARE,      /* the same where y of x things are counted: hy_clustered_share */
} hy_measure_kind;

extern const char *const hy_measure_methods[];

/* An estimate of that kind at HY_CONFIDENCE. */
hy_estimate hy_measure_estimate(hy_measure_kind kind, const hy_sums *sums);

/* Fills method, reason, estimate, of and games from the sums; the texts and limits stay. A share
 * with `most` is one of y of most·x. */
void hy_measure_fill(hy_measure *measure, hy_measure_kind kind, const hy_sums *sums);

/* Cuts the interval at the measure's limits. */
void hy_measure_limit(hy_measure *measure);

#endif
