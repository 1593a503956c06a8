#include "solve/exact_budget.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MIB 1048576u
#define FIRST_CAPACITY 1024u

hy_status hy_budget_take(hy_budget *budget, uint64_t bytes, const char *what, hy_error *error)
{
    if (bytes > budget->limit || budget->used > budget->limit - bytes)
        return hy_fail(error, HY_FAILED,
                       "does not fit: %s take the memory to %" PRIu64 " MiB or more, and the limit "
                       "is %" PRIu64 " MiB (--memory)",
                       what, (budget->used + bytes) / MIB + 1, budget->limit / MIB);
    budget->used += bytes;
    if (budget->used > budget->peak)
        budget->peak = budget->used;
    return HY_OK;
}

hy_status hy_budget_new(hy_budget *budget, void *array, size_t count, size_t size, const char *what,
                        hy_error *error)
{
    hy_status status = hy_budget_take(budget, (uint64_t)count * size, what, error);
    if (status != HY_OK)
        return status;
    void *made = hy_new_array(count, size);
    if (!made) {
        budget->used -= (uint64_t)count * size;
        return hy_fail_memory(error);
    }
    memcpy(array, &made, sizeof made);
    return HY_OK;
}

hy_status hy_budget_reserve(hy_budget *budget, void *array, size_t *capacity, size_t needed,
                            size_t size, const char *what, hy_error *error)
{
    if (needed <= *capacity)
        return HY_OK;
    size_t wanted = *capacity < FIRST_CAPACITY ? FIRST_CAPACITY : *capacity + *capacity / 2;
    if (wanted < needed)
        wanted = needed;
    uint64_t more = (uint64_t)(wanted - *capacity) * size;
    hy_status status = hy_budget_take(budget, more, what, error);
    if (status != HY_OK)
        return status;
    void *old;
    memcpy(&old, array, sizeof old);
    void *grown = reallocarray(old, wanted, size);
    if (!grown) {
        budget->used -= more;
        return hy_fail_memory(error);
    }
    memcpy(array, &grown, sizeof grown);
    *capacity = wanted;
    return HY_OK;
}

void hy_budget_free(hy_budget *budget, void *array, size_t count, size_t size)
{
    if (array)
        budget->used -= (uint64_t)count * size;
    free(array);
}
