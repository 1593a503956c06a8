/* Experiments with a stop rule: played in rounds. */
#ifndef HY_SEQUENTIAL_ROUNDS_H
#define HY_SEQUENTIAL_ROUNDS_H

#include "sequential/rule.h"

/* Plays `batch`, whose consumer stores what it takes in `store`. With a stop rule every condition
 * is played up to its next look, the rule is asked, and so on until it has ended all of them; the
 * store receives what ended each. Without one this is hy_batch_run.
 *
 * `progress` (that of the batch, with all that is stored marked) has its windows moved. HY_INVALID
 * for a rule and a shard that is not the whole. */
HY_MUST_CHECK hy_status hy_rounds_run(hy_store *store, const hy_batch *batch, hy_progress *progress,
                                      hy_error *error);

/* Holds the rule against the stored games once more and compares the outcome with what the store
 * says; HY_MISMATCH names the first condition that differs. Nothing to do without a rule. */
HY_MUST_CHECK hy_status hy_rounds_verify(hy_store *store, hy_error *error);

#endif
