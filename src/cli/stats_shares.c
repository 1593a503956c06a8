#include "cli/stats_table.h"

const hy_statistic hy_stats_shares[] = {
    {0},
};
