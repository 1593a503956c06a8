#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/cgroup.h"

void *hy_new_array(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size > 0 ? size : 1);
}

void *hy_new_lines(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count > 0 ? count : 1, size > 0 ? size : 1, &bytes) ||
        __builtin_add_overflow(bytes, HY_LINE - 1, &bytes))
        return NULL;
    bytes -= bytes % HY_LINE;
    void *lines = aligned_alloc(HY_LINE, bytes);
    if (lines)
        memset(lines, 0, bytes);
    return lines;
}

void *hy_new_pages(size_t size)
{
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    madvise(pages, size, MADV_HUGEPAGE); /* a wish */
#endif
    return pages;
}

void hy_free_pages(void *pages, size_t size)
{
    if (pages)
        munmap(pages, size);
}

uint64_t hy_memory_limit(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < memory)
        memory = limit.rlim_cur;
    uint64_t group = hy_cgroup_memory(HY_CGROUP_MEMBERSHIP, HY_CGROUP_MOUNT);
    return group < memory ? group : memory;
}

hy_status hy_memory_check(const char *what, double bytes, hy_error *error)
{
    double there = (double)hy_memory_limit();
    if (bytes <= there)
        return HY_OK;
    return hy_fail(error, HY_INVALID,
                   "%.300s takes %.0f MiB of memory, and this process can have %.0f MiB", what,
                   bytes / 1048576, there / 1048576);
}

hy_status hy_reserve(void *array, size_t *capacity, size_t needed, size_t size, hy_error *error)
{
    if (needed <= *capacity)
        return HY_OK;
    size_t wanted = *capacity < 8 ? 8 : *capacity;
    while (wanted < needed) {
        if (__builtin_mul_overflow(wanted, (size_t)2, &wanted))
            return hy_fail_memory(error);
    }
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = reallocarray(old, wanted, size);
    if (!grown)
        return hy_fail_memory(error);
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return HY_OK;
}
