#include "cli/stats_table.h"

const hy_statistic hy_stats_location[] = {
    {0},
};
