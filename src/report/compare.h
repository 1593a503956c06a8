/* One metric across one axis: the effect with its interval first, then the test, adjusted for how
 * many there are.
 *
 * Groups (conditions and seatings) are compared where they are alike on all other axes. Where games
 * are stored one by one, those of the same number are paired: they draw the same random numbers, so
 * the two samples are not independent. From `record: summary` they cannot be, and are taken to be
 * independent. */
#ifndef HY_REPORT_COMPARE_H
#define HY_REPORT_COMPARE_H

#include <jansson.h>
#include <stdio.h>

#include "report/groups.h"
#include "stats/adjust.h"
#include "stats/equivalence.h"

typedef struct hy_compare_options {
    const hy_metric *metric;
    size_t axis;
    const char *baseline; /* the level that others are compared with; NULL: the first */
    bool all_pairs;       /* every level with every earlier one instead */
    hy_adjustment adjustment;
    double confidence;
    double horizon; /* plies, for HY_METRIC_RESTRICTED; 0: as far as all groups are known */
    double margin;  /* also tests |difference| < margin; 0: no such test */
} hy_compare_options;

/* A group's value. */
typedef struct hy_compare_level {
    const hy_group *group;
    size_t stratum;
    char level[HY_LEVEL_SIZE];
    hy_estimate value; /* unknown for HY_METRIC_HAZARD */
    double of;         /* how many of the denominator it is over */
} hy_compare_level;

/* A level against another one: level − base, level / base. */
typedef struct hy_compare_row {
    size_t level, base; /* indices of levels */
    hy_estimate difference, ratio;
    const char *method; /* of the intervals */
    const char *test;   /* NULL: there is none */
    double statistic, p, adjusted;
    bool paired;
    double degrees;        /* of freedom of the difference; INFINITY: normal */
    double proportional_p; /* HY_METRIC_HAZARD: of hazards in proportion; else NaN */
    hy_equivalence equivalence;
} hy_compare_row;

/* Made by _build, released by _clean_up; the groups outlive it. */
typedef struct hy_compare {
    const hy_groups *groups;
    hy_compare_options options;
    double horizon; /* that was used */
    hy_compare_level *levels;
    size_t num_levels, num_strata;
    hy_compare_row *rows;
    size_t num_rows;
} hy_compare;

/* Fails with HY_INVALID where there is nothing to compare along the axis or no such baseline, and
 * with HY_FAILED, saying what to ask for instead, where the games cannot carry the metric. */
HY_MUST_CHECK hy_status hy_compare_build(const hy_groups *groups, const hy_compare_options *options,
                                         hy_compare *compare, hy_error *error);
void hy_compare_clean_up(hy_compare *compare);

/* What the strata differ in: "holes=6 south=random", empty where there is one. */
void hy_compare_stratum(const hy_compare *compare, size_t stratum, char *text, size_t size);

void hy_compare_print(const hy_compare *compare, FILE *out);
json_t *hy_compare_json(const hy_compare *compare);

#endif
