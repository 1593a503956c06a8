#include "cli/stats_lifetimes.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

#define MAX_GROUPS 1000
#define MAX_CAUSES 1000

/* Fails unless an array of `found` is as long as that of the times. */
static void check_length(hy_stats_input *in, const char *key, size_t found, size_t num)
{
    if (found != num)
        hy_input_refuse(in, "'%s' has %zu elements and 'time' %zu; each time needs its own", key,
                        found, num);
}

/* An array of integers for each row; NULL where the key is missing or after a failure. */
static uint64_t *read_counts(hy_stats_input *in, const char *key, uint64_t high, size_t num)
{
    size_t found;
    uint64_t *counts = hy_input_counts(in, key, 0, 0, high, &found);
    if (counts)
        check_length(in, key, found, num);
    return counts;
}

/* The number of a name (a text or a number) among those seen: the element's own if it is new. */
static uint32_t number_name(hy_stats_input *in, const json_t *names, const char *key, size_t place,
                            const json_t **seen, size_t *num_seen)
{
    const json_t *name = json_array_get(names, place);
    if (!json_is_string(name) && !json_is_number(name)) {
        hy_input_refuse(in, "'%s' (element %zu) is a text or a number", key, place + 1);
        return 0;
    }
    for (size_t i = *num_seen; i-- > 0;) {
        if (json_equal(name, seen[i]))
            return (uint32_t)i;
    }
    if (*num_seen == MAX_GROUPS) {
        hy_input_refuse(in, "'%s' has more than %d different elements", key, MAX_GROUPS);
        return 0;
    }
    seen[*num_seen] = name;
    return (uint32_t)(*num_seen)++;
}

/* Numbers the names of a key by appearance, into groups or strata. */
static void read_names(hy_stats_input *in, const char *key, hy_stats_lifetimes *lifetimes,
                       bool strata)
{
    const json_t *names = hy_input_find(in, key), *seen[MAX_GROUPS];
    size_t num_seen = 0;
    if (!names || in->status != HY_OK)
        return;
    if (!json_is_array(names)) {
        hy_input_refuse(in, "'%s' is an array of texts or numbers", key);
        return;
    }
    check_length(in, key, json_array_size(names), lifetimes->num);
    for (size_t i = 0; i < lifetimes->num && in->status == HY_OK; i++) {
        uint32_t number = number_name(in, names, key, i, seen, &num_seen);
        *(strata ? &lifetimes->rows[i].stratum : &lifetimes->rows[i].group) = number;
    }
    if (!strata)
        lifetimes->num_groups = num_seen;
}

static void fill(hy_stats_input *in, const double *times, const uint64_t *events,
                 const uint64_t *weights, hy_stats_lifetimes *lifetimes)
{
    lifetimes->rows = hy_new_array(lifetimes->num, sizeof lifetimes->rows[0]);
    lifetimes->num_groups = 1;
    if (!lifetimes->rows) {
        in->status = hy_fail_memory(in->error);
        return;
    }
    for (size_t i = 0; i < lifetimes->num; i++) {
        uint32_t event = (uint32_t)events[i];
        lifetimes->rows[i] =
            (hy_lifetime){.time = times[i], .event = event, .weight = weights ? weights[i] : 1};
        lifetimes->largest_event =
            event > lifetimes->largest_event ? event : lifetimes->largest_event;
    }
    read_names(in, "group", lifetimes, false);
    read_names(in, "stratum", lifetimes, true);
}

hy_stats_lifetimes hy_input_lifetimes(hy_stats_input *in)
{
    hy_stats_lifetimes lifetimes = {0};
    const json_t *see = hy_input_find(in, "see");
    if (json_is_string(see) || json_is_string(json_array_get(see, 0)))
        hy_input_refuse(in, "'see' names another row, which is not known here: give its 'time' and "
                            "'status'");
    double *times = hy_input_reals(in, "time", 0, 0, INFINITY, &lifetimes.num);
    uint64_t *events = times ? read_counts(in, "status", MAX_CAUSES, lifetimes.num) : NULL;
    uint64_t *weights = events && hy_input_has(in, "weight")
                            ? read_counts(in, "weight", HY_STATS_MAX_COUNT, lifetimes.num)
                            : NULL;
    if (events && in->status == HY_OK)
        fill(in, times, events, weights, &lifetimes);
    free(times);
    free(events);
    free(weights);
    if (in->status != HY_OK)
        hy_stats_lifetimes_clean_up(&lifetimes);
    return lifetimes;
}

void hy_stats_lifetimes_clean_up(hy_stats_lifetimes *lifetimes)
{
    free(lifetimes->rows);
    *lifetimes = (hy_stats_lifetimes){0};
}

hy_lifetime *hy_stats_lifetimes_of(const hy_stats_lifetimes *lifetimes, size_t group, size_t *num)
{
    hy_lifetime *rows = hy_new_array(lifetimes->num, sizeof *rows);
    *num = 0;
    for (size_t i = 0; rows && i < lifetimes->num; i++) {
        if (lifetimes->rows[i].group == group)
            rows[(*num)++] = lifetimes->rows[i];
    }
    return rows;
}

void hy_output_groups(hy_stats_input *in, json_t *out)
{
    const json_t *names = hy_input_find(in, "group"), *seen[MAX_GROUPS];
    size_t num_seen = 0;
    if (in->status != HY_OK)
        return;
    for (size_t i = 0; i < json_array_size(names); i++)
        (void)number_name(in, names, "group", i, seen, &num_seen);
    json_t *groups = json_array();
    for (size_t i = 0; i < num_seen; i++)
        json_array_append(groups, (json_t *)seen[i]);
    json_object_set_new(out, "groups", groups);
}

json_t *hy_output_object(json_t *out, const char *key)
{
    json_t *object = json_object();
    return json_object_set_new(out, key, object) == 0 ? object : NULL;
}
