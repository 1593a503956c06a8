/* Files of other schema versions: what they lack, and which command helps. Private to src/store.
 *
 * 1  29 November 2026. Its first files have no policies_version (their experiment's hash is without
 *    it) and no reproducible; all lack five columns of `game`, and sums and products of `block`,
 *    which only playing again gives.
 * 2  Those columns. Has no `stop` and `look`: no experiment had a stop rule.
 * 3  Stop rules, with one row of `stop` a condition.
 * 4  One row of `stop` a condition and seating, with the games that count and those left out.
 *
 * A new version gets a line here, a row in older.c, and files in tests/store/versions. */
#ifndef HY_STORE_OLDER_H
#define HY_STORE_OLDER_H

#include "store/database.h"
#include "store/store.h"

/* The first version whose rows of games and blocks are those of today. */
#define HY_VERSION_OF_ROWS 2

/* Refuses a file of another version than this program's: names both versions and the command that
 * helps. */
HY_MUST_CHECK hy_status hy_older_refuse(const hy_database *database, int64_t version,
                                        hy_error *error);

/* Whether a file of an older version can be migrated. */
HY_MUST_CHECK hy_status hy_older_can_migrate(const hy_database *database, int64_t version,
                                             bool *can, hy_error *error);

/* Makes `experiment` and `condition` of an older file look as those of today, for this connection
 * alone: columns that it lacks have the value that held then. */
HY_MUST_CHECK hy_status hy_older_adapt(const hy_database *database, hy_error *error);

/* Whether a table is there and has a column; "": any. */
HY_MUST_CHECK hy_status hy_older_has(const hy_database *database, const char *table,
                                     const char *column, bool *has, hy_error *error);

#endif
