/* The tables and views of a database, stated once: the DDL and the table `column_doc` are both made
 * from the table of columns in schema.c and the table of fields of the rules. Private to src/store.
 */
#ifndef HY_STORE_SCHEMA_H
#define HY_STORE_SCHEMA_H

#include "store/database.h"

#define HY_SCHEMA_VERSION 4

/* Makes all tables and views in an empty database, inside the caller's transaction. */
HY_MUST_CHECK hy_status hy_schema_create(const hy_database *database, hy_error *error);

/* Refuses a database of another program, schema version, generator or rules version. */
HY_MUST_CHECK hy_status hy_schema_check(const hy_database *database, hy_error *error);

#endif
