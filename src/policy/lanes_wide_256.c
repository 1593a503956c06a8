/* Lanes in AVX2 registers: 16 games of more than 255 counters. */
#define HY_LANES_BYTES 32
#define HY_COUNT_BYTES 2

#include "policy/lanes_paths.h"
#include "policy/lanes_run.h"

hy_status hy_lanes_play_wide_256(const hy_lanes_job *job, hy_error *error)
{
    return play(job, error);
}
