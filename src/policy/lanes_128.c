/* Lanes in registers that every machine of its kind has: 16 games. */
#define HY_LANES_BYTES 16
#define HY_COUNT_BYTES 1

#include "policy/lanes_paths.h"
#include "policy/lanes_run.h"

hy_status hy_lanes_play_128(const hy_lanes_job *job, hy_error *error)
{
    return play(job, error);
}
