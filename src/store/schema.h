/* The tables and views of a database, stated once: the DDL and the table `column_doc` are both made
 * from the table of columns in schema.c and the table of fields of the rules. Private to src/store.
 */
#ifndef HY_STORE_SCHEMA_H
#define HY_STORE_SCHEMA_H

#include "store/database.h"

#define HY_SCHEMA_VERSION 4

/* Makes all tables and views in an empty database, inside the caller's transaction. */
HY_MUST_CHECK hy_status hy_schema_create(const hy_database *database, hy_error *error);

/* Makes them without their documentation. */
HY_MUST_CHECK hy_status hy_schema_create_objects(const hy_database *database, hy_error *error);

/* Refuses (HY_MISMATCH, naming the object) a database whose schema is not word by word what
 * hy_schema_create makes, the statistics of ANALYZE left aside: no view, trigger, index or table of
 * somebody else is used, or changes what a query of ours means. */
HY_MUST_CHECK hy_status hy_schema_match(const hy_database *database, hy_error *error);

/* The schema version of a file; refuses one of another program. */
HY_MUST_CHECK hy_status hy_schema_version(const hy_database *database, int64_t *version,
                                          hy_error *error);

/* Refuses a database of other rules, another generator or other policies. */
HY_MUST_CHECK hy_status hy_schema_check_identifiers(const hy_database *database, hy_error *error);

/* Calls `visit` with the name of each column of a table, in order; a failure ends it. */
typedef hy_status hy_column_visit(void *context, const char *column, hy_error *error);
HY_MUST_CHECK hy_status hy_schema_each_column(const char *table, hy_column_visit *visit,
                                              void *context, hy_error *error);

#endif
