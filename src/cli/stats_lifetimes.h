/* Reads lengths of games: "time", "status", and where they are asked for "weight", "group" and
 * "stratum". */
#ifndef HY_CLI_STATS_LIFETIMES_H
#define HY_CLI_STATS_LIFETIMES_H

#include "cli/stats_input.h"
#include "stats/lifetime.h"

/* Keys that every statistic of lengths reads, as they stand in its table. */
#define HY_KEYS_LIFETIMES                                                                          \
    {"time", "how long the games lasted: an array of numbers from 0 up"},                          \
        {"status", "how they ended: an array of 0 (cut) and 1, with competing causes 1, 2, …"},    \
    {                                                                                              \
        "weight", "games that each element stands for: an array of integers (1 each)"              \
    }

typedef struct hy_stats_lifetimes {
    hy_lifetime *rows;
    size_t num;
    size_t num_groups;      /* in order of appearance; 1 without "group" */
    uint32_t largest_event; /* of "status" */
} hy_stats_lifetimes;

/* Cleaned up by the caller in any case; empty after a failure. */
hy_stats_lifetimes hy_input_lifetimes(hy_stats_input *in);
void hy_stats_lifetimes_clean_up(hy_stats_lifetimes *lifetimes);

/* The rows of one group, in a new array: NULL for want of memory. */
hy_lifetime *hy_stats_lifetimes_of(const hy_stats_lifetimes *lifetimes, size_t group, size_t *num);

/* Answers with the names in "group" in order of appearance, which is that of all answers by group.
 */
void hy_output_groups(hy_stats_input *in, json_t *out);

/* Adds an object of its own to the answers; NULL for want of memory. */
json_t *hy_output_object(json_t *out, const char *key);

#endif
