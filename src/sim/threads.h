/* How many threads to use. */
#ifndef HY_SIM_THREADS_H
#define HY_SIM_THREADS_H

#define HY_LIMIT_THREADS 1024u

/* The number asked for, unless 0; else that of SLURM_CPUS_PER_TASK; else the processors that this
 * process may run on, as far as its control group has time on them. At least 1. */
unsigned hy_thread_count(unsigned requested);

/* Processors that the control groups of a process allow, rounded up; 0: no limit. Reads the text of
 * `membership` (as /proc/self/cgroup) and files below `root` (as /sys/fs/cgroup). */
unsigned hy_cgroup_cpus(const char *membership, const char *root);

#endif
