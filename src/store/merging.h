/* What the two halves of a merge share. Private to src/store. */
#ifndef HY_STORE_MERGING_H
#define HY_STORE_MERGING_H

#include "store/internal.h"

typedef struct hy_merging {
    hy_store *store;
    hy_store *const *others;
    size_t num_others;
    const atomic_int *stop; /* may be NULL */
} hy_merging;

/* HY_INTERRUPTED once `stop` is set. */
HY_MUST_CHECK hy_status hy_merging_check_stop(const hy_merging *merging, hy_error *error);

/* Joins the blocks of a condition and seating. */
HY_MUST_CHECK hy_status hy_merge_blocks(const hy_merging *merging, uint32_t condition, bool swapped,
                                        hy_error *error);

#endif
