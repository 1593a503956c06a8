/* Limits of memory that control groups set, as schedulers of clusters and containers do. */
#ifndef HY_BASE_CGROUP_H
#define HY_BASE_CGROUP_H

#include <stdint.h>

/* Where Linux has them. */
#define HY_CGROUP_MEMBERSHIP "/proc/self/cgroup"
#define HY_CGROUP_MOUNT "/sys/fs/cgroup"

/* Bytes that the groups named in the file `membership`, and those around them, allow together at
 * the most; UINT64_MAX: no limit, or none that can be read. Version 2 (one hierarchy, its limit in
 * memory.max) and version 1 (hierarchy `memory`, memory.limit_in_bytes): see cgroups(7). */
uint64_t hy_cgroup_memory(const char *membership, const char *mount);

#endif
