/* The endgame tables that an experiment plays by, as its provenance has them. */
#ifndef HY_CLI_TABLES_H
#define HY_CLI_TABLES_H

#include <jansson.h>

#include "sim/experiment.h"

/* An array of {condition, policy, sha256}, for each policy of the experiment that plays by tables;
 * the hash is null where they cannot be opened. NULL where there is no such policy. */
json_t *hy_tables_json(const hy_experiment *experiment);

/* Refuses tables that are not there, or not those of the array `recorded` (may be NULL: nothing is
 * known of them). */
HY_MUST_CHECK hy_status hy_tables_check(const hy_experiment *experiment, const json_t *recorded,
                                        hy_error *error);

#endif
