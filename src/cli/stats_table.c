#include "cli/stats_table.h"

#include <string.h>

static const hy_statistic *const groups[] = {
    hy_stats_shares,   hy_stats_strength, hy_stats_counts,  hy_stats_location,
    hy_stats_planning, hy_stats_survival, hy_stats_hazards, hy_stats_regression,
};

#define NUM_GROUPS (sizeof groups / sizeof groups[0])

const hy_statistic *hy_statistic_at(size_t i)
{
    for (size_t group = 0; group < NUM_GROUPS; group++) {
        for (const hy_statistic *one = groups[group]; one->name; one++) {
            if (i-- == 0)
                return one;
        }
    }
    return NULL;
}

const hy_statistic *hy_statistic_find(const char *name)
{
    size_t length = strcspn(name, "(");
    const hy_statistic *one;
    for (size_t i = 0; (one = hy_statistic_at(i)); i++) {
        if (strlen(one->name) == length && strncmp(name, one->name, length) == 0)
            return one;
    }
    return NULL;
}
