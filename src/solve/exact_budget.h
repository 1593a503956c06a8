/* Memory with a limit: every large array of an exact solution is counted, and refused with figures
 * where it does not fit. */
#ifndef HY_SOLVE_EXACT_BUDGET_H
#define HY_SOLVE_EXACT_BUDGET_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* In bytes. */
typedef struct hy_budget {
    uint64_t limit, used, peak;
} hy_budget;

/* Counts `bytes` more; HY_FAILED, saying what for, where the limit would be passed. */
HY_MUST_CHECK hy_status hy_budget_take(hy_budget *budget, uint64_t bytes, const char *what,
                                       hy_error *error);

/* A zeroed array in *array, counted. Released with hy_budget_free. */
HY_MUST_CHECK hy_status hy_budget_new(hy_budget *budget, void *array, size_t count, size_t size,
                                      const char *what, hy_error *error);

/* Room for `needed` things in *array, whose capacity is *capacity; grows by half. */
HY_MUST_CHECK hy_status hy_budget_reserve(hy_budget *budget, void *array, size_t *capacity,
                                          size_t needed, size_t size, const char *what,
                                          hy_error *error);

/* Releases an array (may be NULL) of that many things. */
void hy_budget_free(hy_budget *budget, void *array, size_t count, size_t size);

#endif
