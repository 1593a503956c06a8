/* A stop rule held against the games of one condition, look by look. */
#ifndef HY_SEQUENTIAL_RULE_H
#define HY_SEQUENTIAL_RULE_H

#include "stats/sequence.h"
#include "stats/sprt.h"
#include "store/store.h"

/* What the rule has seen. Half widths are looked at in each seating by itself, because its games
 * are independent and its first player is another policy; a test looks at pairs. */
typedef struct hy_rule {
    const hy_experiment *experiment;
    uint32_t condition;
    uint64_t games; /* per seating, at the last look */
    uint64_t looks;
    hy_stop_metric_sums totals[2];
    hy_sequence sequences[2];
    hy_sprt sprt;
    bool ended;
    hy_stop_reason reason; /* where ended */
} hy_rule;

/* `experiment` has a rule, and outlives this. */
HY_MUST_CHECK hy_status hy_rule_init(hy_rule *rule, const hy_experiment *experiment,
                                     uint32_t condition, hy_error *error);

/* The games of the next look; empty where the condition has ended. */
hy_window hy_rule_window(const hy_rule *rule);

/* Holds the rule against the stored games of that window; *found: they are all there, with their
 * sums. Otherwise nothing changes. */
HY_MUST_CHECK hy_status hy_rule_look(hy_rule *rule, hy_store *store, bool *found, hy_error *error);

/* Looks until the condition has ended or games are missing. */
HY_MUST_CHECK hy_status hy_rule_catch_up(hy_rule *rule, hy_store *store, hy_error *error);

/* The metric's interval in a seating after the last look, where the rule is one of half width. For
 * a bounded metric that of a confidence sequence, which holds at all looks together; for the others
 * the usual one (Student's t; clustered share), which is nominal: not corrected for looking.
 * Unknown before the first look, and for captures and length where games were cut. */
hy_estimate hy_rule_interval(const hy_rule *rule, bool swapped);

/* The usual interval of a metric from sums: score and shares as in the report. */
hy_estimate hy_stop_metric_estimate(hy_stop_metric metric, const hy_stop_metric_sums *sums,
                                    double confidence);

/* Games of a seating up to the last look that count for the metric (with a result, for the score),
 * and those that do not; for a test pairs, which count where both games have a result. */
typedef struct hy_rule_count {
    uint64_t counted, left_out;
} hy_rule_count;
hy_rule_count hy_rule_counted(const hy_rule *rule, bool swapped);

/* What is stored of an ended condition. */
hy_stopped hy_rule_stopped(const hy_rule *rule);

#endif
