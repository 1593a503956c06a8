/* The statistics of `hoyito stats`: a table of names, each with the keys that it reads and a
 * function that answers. To add some: write a file stats_<theme>.c with a group of them, declare it
 * below, and add it to the groups in stats_table.c. */
#ifndef HY_CLI_STATS_TABLE_H
#define HY_CLI_STATS_TABLE_H

#include <jansson.h>

#include "cli/stats_input.h"

#define HY_STATS_MAX_KEYS 20

/* A key of the input and what it holds, as `--help` shows it. */
typedef struct hy_stats_key {
    const char *key;
    const char *what;
} hy_stats_key;

/* Puts the answers into `out`, an empty object. Failures are those of `in` (hy_stats_input). */
typedef hy_status hy_stats_answer(hy_stats_input *in, json_t *out);

typedef struct hy_statistic {
    const char *name;    /* the part of the golden id before the slash, without parentheses */
    const char *answers; /* what it answers, in a line */
    const char *example; /* an input */
    hy_stats_answer *answer;
    hy_stats_key keys[HY_STATS_MAX_KEYS]; /* all that may be there; ended by a NULL key */
} hy_statistic;

/* Groups, each ended by a NULL name. */
extern const hy_statistic hy_stats_shares[];
extern const hy_statistic hy_stats_strength[];
extern const hy_statistic hy_stats_counts[];
extern const hy_statistic hy_stats_location[];
extern const hy_statistic hy_stats_planning[];
extern const hy_statistic hy_stats_survival[];
extern const hy_statistic hy_stats_hazards[];
extern const hy_statistic hy_stats_regression[];

/* The i-th of all statistics in the order of the groups; NULL past the last. */
const hy_statistic *hy_statistic_at(size_t i);

/* By its name, or a name with what is in parentheses behind it; NULL where there is none. */
const hy_statistic *hy_statistic_find(const char *name);

#endif
