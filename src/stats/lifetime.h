/* Lengths of games as they are observed: a time, how it ended, and how many games were alike. */
#ifndef HY_STATS_LIFETIME_H
#define HY_STATS_LIFETIME_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A row of a histogram of lengths: `weight` games that are independent and alike. A game cut at
 * time t was still going on then: it counts as at risk at t. */
typedef struct hy_lifetime {
    double time;      /* finite, at least 0; any unit */
    uint32_t event;   /* 0: cut (censored); else it ended, with competing risks by which cause */
    uint32_t group;   /* from 0; used where groups or clusters are, else ignored */
    uint32_t stratum; /* any number; used where strata are, else ignored */
    uint64_t weight;  /* games; a row of 0 games is left out */
} hy_lifetime;

/* HY_INVALID, naming the row from 1, for a time that is not finite or negative, and for more games
 * than 2^53. *games, unless NULL, is set to their number. */
HY_MUST_CHECK hy_status hy_lifetimes_check(const hy_lifetime *lifetimes, size_t num,
                                           uint64_t *games, hy_error *error);

/* HY_INVALID unless 0 < confidence < 1. */
HY_MUST_CHECK hy_status hy_confidence_check(double confidence, hy_error *error);

#endif
