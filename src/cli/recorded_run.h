/* A run that a row of provenance records: games played into a store, with progress on stderr. */
#ifndef HY_CLI_RECORDED_RUN_H
#define HY_CLI_RECORDED_RUN_H

#include "cli/provenance.h"

/* Plays into a store what it lacks. provenance->experiment, ->threads and ->shard say what and how.
 *
 * `wanted`: NULL: all that the experiment asks for; else the games that another database of the
 * experiment has, and those are taken out that are there already. With a stop rule it is the rule
 * that says which games are played, and `wanted` only how many to expect.
 *
 * HY_INTERRUPTED: a signal came, and what was finished is stored. */
HY_MUST_CHECK hy_status hy_recorded_run(hy_store *store, hy_provenance *provenance,
                                        hy_progress *wanted, hy_error *error);

/* Ends a store whose run ended with `status`: closes it, or abandons it after a failure. Tells of
 * an interruption how to go on with `path`. */
HY_MUST_CHECK hy_status hy_recorded_run_close(hy_store *store, hy_status status, const char *path,
                                              hy_error *error);

#endif
