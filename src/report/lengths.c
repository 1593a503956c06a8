#include "report/lengths.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

hy_status hy_lifetimes_of(const hy_summary *summary, uint32_t group, hy_lifetime **lifetimes,
                          hy_error *error)
{
    hy_length_count *lengths;
    hy_status status = hy_summary_lengths(summary, &lengths, error);
    if (status != HY_OK)
        return status;
    *lifetimes = hy_new_array(summary->num_lengths + 1, sizeof **lifetimes);
    for (size_t i = 0; *lifetimes && i < summary->num_lengths; i++) {
        (*lifetimes)[i] = (hy_lifetime){
            .time = lengths[i].plies,
            .event = !hy_is_cut(lengths[i].termination),
            .group = group,
            .weight = lengths[i].games,
        };
    }
    free(lengths);
    return *lifetimes ? HY_OK : hy_fail_memory(error);
}

double hy_known_until(const hy_summary *summary)
{
    double last_end = 0, last_cut = -1;
    for (size_t i = 0; i < summary->length_capacity; i++) {
        const hy_length_count *length = &summary->lengths[i];
        if (length->games == 0)
            continue;
        double *last = hy_is_cut(length->termination) ? &last_cut : &last_end;
        if (length->plies > *last)
            *last = length->plies;
    }
    return last_cut >= last_end ? last_cut : INFINITY;
}
