#include "stats/lifetime.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "stats/lifetime_order.h"

#define MOST_GAMES (UINT64_C(1) << 53) /* what a double counts exactly */

hy_status hy_lifetimes_check(const hy_lifetime *lifetimes, size_t num, uint64_t *games,
                             hy_error *error)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < num; i++) {
        if (!isfinite(lifetimes[i].time) || lifetimes[i].time < 0)
            return hy_fail(error, HY_INVALID,
                           "row %zu: the time %g is not a finite number of at least 0", i + 1,
                           lifetimes[i].time);
        if (lifetimes[i].weight > MOST_GAMES - sum)
            return hy_fail(error, HY_INVALID, "row %zu: more than 2^53 games", i + 1);
        sum += lifetimes[i].weight;
    }
    if (games)
        *games = sum;
    return HY_OK;
}

hy_status hy_confidence_check(double confidence, hy_error *error)
{
    if (confidence > 0 && confidence < 1)
        return HY_OK;
    return hy_fail(error, HY_INVALID, "the confidence %g is not between 0 and 1", confidence);
}

static int compare(const void *a, const void *b)
{
    const hy_lifetime *x = a, *y = b;
    if (x->stratum != y->stratum)
        return x->stratum > y->stratum ? 1 : -1;
    return (x->time > y->time) - (x->time < y->time);
}

hy_status hy_lifetimes_order(const hy_lifetime *lifetimes, size_t num, bool strata,
                             hy_lifetime **ordered, size_t *num_ordered, uint64_t *games,
                             hy_error *error)
{
    hy_status status = hy_lifetimes_check(lifetimes, num, games, error);
    if (status != HY_OK)
        return status;
    hy_lifetime *copy = hy_new_array(num, sizeof *copy);
    if (!copy)
        return hy_fail_memory(error);
    size_t kept = 0;
    bool in_order = true;
    for (size_t i = 0; i < num; i++) {
        if (lifetimes[i].weight == 0)
            continue;
        copy[kept] = lifetimes[i];
        if (!strata)
            copy[kept].stratum = 0;
        in_order = in_order && (kept == 0 || compare(&copy[kept - 1], &copy[kept]) <= 0);
        kept++;
    }
    if (!in_order)
        qsort(copy, kept, sizeof copy[0], compare);
    *ordered = copy;
    *num_ordered = kept;
    return HY_OK;
}

size_t hy_stratum_end(const hy_lifetime *ordered, size_t num, size_t first)
{
    size_t end = first + 1;
    while (end < num && ordered[end].stratum == ordered[first].stratum)
        end++;
    return end;
}

size_t hy_time_end(const hy_lifetime *ordered, size_t num, size_t first)
{
    size_t end = first + 1;
    while (end < num && compare(&ordered[end], &ordered[first]) == 0)
        end++;
    return end;
}
