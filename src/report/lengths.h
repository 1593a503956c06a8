/* Lengths of a group's games as survival data: truncated and unresolved games are cut. */
#ifndef HY_REPORT_LENGTHS_H
#define HY_REPORT_LENGTHS_H

#include "sim/summary.h"
#include "stats/lifetime.h"

/* The histogram of lengths as rows with the group `group`; summary->num_lengths of them, which the
 * caller frees. `event` is 1 for a game that the rules ended, else 0. */
HY_MUST_CHECK hy_status hy_lifetimes_of(const hy_summary *summary, uint32_t group,
                                        hy_lifetime **lifetimes, hy_error *error);

/* The number of plies up to which the summary's curve is known: INFINITY where nothing was cut
 * after the last end. */
double hy_known_until(const hy_summary *summary);

#endif
