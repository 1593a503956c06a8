/* The sums at looks (table `look`), compared with games that are played again look by look. Private
 * to src/store. */
#ifndef HY_STORE_LOOK_CHECK_H
#define HY_STORE_LOOK_CHECK_H

#include "store/store.h"

/* Made by _init, released by _clean_up. Where the database has no such sums there is one step, with
 * all games. */
typedef struct hy_look_check {
    hy_store *store;
    hy_progress *progress; /* its windows are moved */
    bool by_look;
    bool begun;
    uint64_t *ends;            /* [condition]: its games */
    hy_stop_metric_sums *sums; /* [condition][swapped]: over the games of this look */
    uint64_t num_looks;        /* rows that were met */
} hy_look_check;

/* The windows of `progress` hold the games that are there. */
HY_MUST_CHECK hy_status hy_look_check_init(hy_look_check *check, hy_store *store,
                                           hy_progress *progress, hy_error *error);
void hy_look_check_clean_up(hy_look_check *check);

/* Asks for the games of the next look of every condition; false: there are none. */
bool hy_look_check_step(hy_look_check *check);

void hy_look_check_add(hy_look_check *check, const hy_chunk *chunk);

/* Compares what has been added since the last step; HY_MISMATCH where a row says something else. */
HY_MUST_CHECK hy_status hy_look_check_compare(hy_look_check *check, hy_error *error);

/* HY_MISMATCH where the table has rows that no look made. */
HY_MUST_CHECK hy_status hy_look_check_end(const hy_look_check *check, hy_error *error);

#endif
