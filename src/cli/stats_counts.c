#include "cli/stats_table.h"

const hy_statistic hy_stats_counts[] = {
    {0},
};
