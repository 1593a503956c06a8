/* The games of a database by condition and seating, and what tells these groups apart. */
#ifndef HY_REPORT_GROUPS_H
#define HY_REPORT_GROUPS_H

#include "report/metric.h"
#include "store/store.h"

/* The games of one condition and seating. */
typedef struct hy_group {
    uint32_t condition;
    bool swapped;
    const hy_condition *terms; /* the store's */
    hy_distinct distinct;      /* games */
    hy_summary summary;
} hy_group;

/* Made by _load, released by _clean_up; the store outlives it. */
typedef struct hy_groups {
    hy_store *store;
    hy_group *groups; /* those that have games */
    size_t num;
    bool has_rows; /* games are stored one by one */
} hy_groups;

HY_MUST_CHECK hy_status hy_groups_load(hy_store *store, hy_groups *groups, hy_error *error);
void hy_groups_clean_up(hy_groups *groups);

/* What can tell groups apart: the fields of the rules, south and north (policies by the seat they
 * have), opening_plies, max_plies, max_laps, swapped. */
size_t hy_num_axes(void);
const char *hy_axis_word(size_t axis);

/* The axis of that word; HY_INVALID with the words there are. */
HY_MUST_CHECK hy_status hy_axis_parse(const char *word, size_t *axis, hy_error *error);

/* The group's value on an axis, as text. */
#define HY_LEVEL_SIZE HY_POLICY_TEXT_SIZE
void hy_group_level(const hy_group *group, size_t axis, char level[HY_LEVEL_SIZE]);

/* Whether most games of the group repeat one another, so that its intervals are too narrow. */
bool hy_group_repeats(const hy_group *group);

/* Whether they are alike on all axes but `axis`; seats swapped do not matter where the axis is a
 * seat's policy. On the axis `swapped` the two seatings of a condition match. */
bool hy_groups_match(const hy_group *a, const hy_group *b, size_t axis);

/* Refuses, with HY_FAILED and what to ask for instead, a metric that the games of some group cannot
 * carry: a mean where games were cut. *horizon is set for HY_METRIC_RESTRICTED: to `asked`, or,
 * where that is 0, to the furthest number of plies that all groups are known to. */
HY_MUST_CHECK hy_status hy_groups_carry(const hy_groups *groups, const hy_metric *metric,
                                        double asked, double *horizon, hy_error *error);

/* How the games of a metric vary by their number: influences (see metric.h) in the order of the
 * numbers. The arrays are the caller's to free. */
typedef struct hy_influences {
    uint64_t *numbers;
    double *values;
    size_t num;
} hy_influences;

/* Reads the games of a group; needs rows, and a metric that is a ratio with x̄ > 0. */
HY_MUST_CHECK hy_status hy_group_influences(const hy_groups *groups, const hy_group *group,
                                            const hy_metric *metric, double horizon,
                                            hy_influences *influences, hy_error *error);
void hy_influences_clean_up(hy_influences *influences);

/* The covariance of the two groups' values: games of the same number draw the same random numbers,
 * so they are not independent. */
double hy_influences_covariance(const hy_influences *a, const hy_influences *b);

/* Of shares (y is 1 or 0, with the means `share`): how many numbers have y = 1 in `a` alone, and in
 * `b` alone. */
void hy_influences_discordant(const hy_influences *a, double share_a, const hy_influences *b,
                              double share_b, uint64_t *only_a, uint64_t *only_b);

#endif
