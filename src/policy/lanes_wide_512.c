/* Lanes in AVX-512 registers: 32 games of more than 255 counters. */
#define HY_LANES_BYTES 64
#define HY_COUNT_BYTES 2

#include "policy/lanes_paths.h"
#include "policy/lanes_run.h"

hy_status hy_lanes_play_wide_512(const hy_lanes_job *job, hy_error *error)
{
    return play(job, error);
}
