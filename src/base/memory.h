/* Memory: zeroed arrays whose size cannot overflow, lines, pages, and growth by doubling. */
#ifndef HY_BASE_MEMORY_H
#define HY_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A zeroed array of `count` things of `size` bytes (at least one byte), released with free();
 * NULL where the system refuses. */
void *hy_new_array(size_t count, size_t size);

/* What threads write to side by side is slow where it shares a line of the cache; processors fetch
 * lines in pairs. */
#define HY_LINE 128u

/* As hy_new_array, beginning at a multiple of HY_LINE. */
void *hy_new_lines(size_t count, size_t size);

/* Zeroed pages, large ones where the system can, for what is read here and there: at least `size`
 * bytes (not 0), released with hy_free_pages; NULL where the system refuses. */
void *hy_new_pages(size_t size);
void hy_free_pages(void *pages, size_t size);

/* Bytes of memory that this process can have at the most: the machine's, or less where a limit is
 * set on its addresses or on its control groups (a job of a cluster, a container); UINT64_MAX: not
 * known. Larger requests are refused before they are made, because a system that promises more than
 * it has ends the process later. */
uint64_t hy_memory_limit(void);

/* Refuses (HY_INVALID) more than that; `what` names who asks. */
HY_MUST_CHECK hy_status hy_memory_check(const char *what, double bytes, hy_error *error);

/* Makes room for `needed` things of `size` bytes in *array, whose capacity is *capacity; new
 * elements are not set. On failure nothing changes. */
HY_MUST_CHECK hy_status hy_reserve(void *array, size_t *capacity, size_t needed, size_t size,
                                   hy_error *error);

#endif
