#include "sim/threads.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

#define MAX_PATH 1024

static bool read_line(const char *path, char *line, int size)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fgets(line, size, file) != NULL;
    fclose(file);
    return read;
}

/* Quota and period in microseconds give processors; anything else gives 0. */
static unsigned from_quota(long long quota, long long period)
{
    if (quota <= 0 || period <= 0)
        return 0;
    long long cpus = quota / period + (quota % period != 0);
    return cpus < HY_LIMIT_THREADS ? (unsigned)cpus : HY_LIMIT_THREADS;
}

/* A number at *text, which then stands behind it. What is none, or too large, gives 0. */
static long long read_number(const char **text)
{
    char *end;
    errno = 0;
    long long number = strtoll(*text, &end, 10);
    *text = end;
    return errno == 0 ? number : 0;
}

static unsigned limit_of_group(const char *directory)
{
    char path[MAX_PATH + 32], line[64];
    const char *at = line;
    snprintf(path, sizeof path, "%s/cpu.max", directory);
    if (read_line(path, line, sizeof line)) {
        long long quota = read_number(&at);
        return from_quota(quota, read_number(&at));
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", directory);
    if (!read_line(path, line, sizeof line))
        return 0;
    long long quota = read_number(&at);
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", directory);
    if (!read_line(path, line, sizeof line))
        return 0;
    at = line;
    return from_quota(quota, read_number(&at));
}

static unsigned smaller_limit(unsigned a, unsigned b)
{
    if (a == 0 || b == 0)
        return a + b;
    return a < b ? a : b;
}

/* The tightest limit of `group` and all groups above it. */
static unsigned limit_up_to(const char *top, const char *group)
{
    char directory[MAX_PATH];
    size_t top_length = strlen(top);
    unsigned limit = 0;
    if (snprintf(directory, sizeof directory, "%s%s", top, group) >= (int)sizeof directory)
        return 0;
    for (;;) {
        limit = smaller_limit(limit, limit_of_group(directory));
        char *slash = strrchr(directory, '/');
        if (!slash || (size_t)(slash - directory) < top_length)
            return limit;
        *slash = '\0';
    }
}

/* Whether a list with commas has the word. */
static bool has_controller(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
        if (strcspn(list, ",") == length && strncmp(list, word, length) == 0)
            return true;
    }
    return false;
}

/* A line is "id:controllers:path"; version 2 has no controllers. */
static unsigned limit_of_line(char *line, const char *root)
{
    char top[MAX_PATH];
    char *controllers = strchr(line, ':');
    char *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return 0;
    *path++ = '\0';
    controllers++;
    if (controllers[0] == '\0')
        return limit_up_to(root, path);
    if (!has_controller(controllers, "cpu") ||
        snprintf(top, sizeof top, "%s/%s", root, controllers) >= (int)sizeof top)
        return 0;
    return limit_up_to(top, path);
}

unsigned hy_cgroup_cpus(const char *membership, const char *root)
{
    unsigned limit = 0;
    char *copy = strdup(membership), *rest = NULL;
    for (char *line = copy ? strtok_r(copy, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        limit = smaller_limit(limit, limit_of_line(line, root));
    free(copy);
    return limit;
}

static unsigned own_cgroup_cpus(void)
{
    char membership[8192];
    FILE *file = fopen("/proc/self/cgroup", "re");
    if (!file)
        return 0;
    size_t size = fread(membership, 1, sizeof membership - 1, file);
    fclose(file);
    membership[size] = '\0';
    return hy_cgroup_cpus(membership, "/sys/fs/cgroup");
}

unsigned hy_thread_count(unsigned requested)
{
    uint64_t slurm;
    const char *text = getenv("SLURM_CPUS_PER_TASK");
    if (requested > 0)
        return requested;
    if (text && hy_parse_u64(text, &slurm) && slurm > 0 && slurm <= HY_LIMIT_THREADS)
        return (unsigned)slurm;
    cpu_set_t set;
    unsigned cpus = sched_getaffinity(0, sizeof set, &set) == 0 ? (unsigned)CPU_COUNT(&set) : 1;
    cpus = smaller_limit(cpus, own_cgroup_cpus());
    return cpus > 0 ? cpus : 1;
}
