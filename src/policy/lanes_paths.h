/* The paths of policy/lanes.h by the bits of their vectors. Private to src/policy. */
#ifndef HY_POLICY_LANES_PATHS_H
#define HY_POLICY_LANES_PATHS_H

#include "policy/lanes.h"

HY_MUST_CHECK hy_status hy_lanes_play_128(const hy_lanes_job *job, hy_error *error);
HY_MUST_CHECK hy_status hy_lanes_play_256(const hy_lanes_job *job, hy_error *error);
HY_MUST_CHECK hy_status hy_lanes_play_512(const hy_lanes_job *job, hy_error *error);

/* For more than 255 counters. */
HY_MUST_CHECK hy_status hy_lanes_play_wide_128(const hy_lanes_job *job, hy_error *error);
HY_MUST_CHECK hy_status hy_lanes_play_wide_256(const hy_lanes_job *job, hy_error *error);
HY_MUST_CHECK hy_status hy_lanes_play_wide_512(const hy_lanes_job *job, hy_error *error);

#endif
