/* SQLite with this project's way of reporting failure. Private to src/store.
 *
 * Every return code is looked at; what SQLite says goes into the error, with the file's name. */
#ifndef HY_STORE_DATABASE_H
#define HY_STORE_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

#define HY_APPLICATION_ID 0x486f7949u /* "HoyI" */

/* A connection and the name that messages give it. */
typedef struct hy_database {
    sqlite3 *handle;
    char *path;
    bool reads_only; /* as it was opened; SQLite may open for reading what was to be written to */
} hy_database;

typedef enum hy_access {
    HY_ACCESS_READ,
    HY_ACCESS_WRITE,  /* the file has to exist */
    HY_ACCESS_MEMORY, /* a new database in memory; the path is only its name in messages */
} hy_access;

/* Opens a file of ours as data that anybody may have written: no triggers, no views, nothing that
 * functions with effects could be called from, and bounds on what it can make SQLite take. */
HY_MUST_CHECK hy_status hy_database_open(const char *path, hy_access access, hy_database *database,
                                         hy_error *error);
/* An empty database in memory. */
HY_MUST_CHECK hy_status hy_database_open_memory(hy_database *database, hy_error *error);

void hy_database_close(hy_database *database);

/* Writes the whole database to a file, as it would be there. */
HY_MUST_CHECK hy_status hy_database_copy(const hy_database *database, FILE *file, hy_error *error);

/* Turns SQLite's last failure into an error; `doing` says what failed ("write a game"). */
hy_status hy_database_fail(const hy_database *database, const char *doing, hy_error *error);

/* Whether SQLite's last failure was for want of memory. A column that it has no memory for reads as
 * NULL, which is not to be taken for damage. */
bool hy_database_lacks_memory(const hy_database *database);

/* Runs statements that give no rows. */
HY_MUST_CHECK hy_status hy_database_run(const hy_database *database, const char *sql,
                                        hy_error *error);

HY_MUST_CHECK hy_status hy_database_prepare(const hy_database *database, const char *sql,
                                            sqlite3_stmt **statement, hy_error *error);

/* Copies of bytes and of a value of another statement's row, bound to a parameter. SQLite has to
 * have memory for a copy, and a parameter without one would be NULL. What is there until the step
 * is better bound with SQLITE_STATIC, which cannot fail. */
HY_MUST_CHECK hy_status hy_database_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                              size_t size, hy_error *error);
HY_MUST_CHECK hy_status hy_database_bind_value(sqlite3_stmt *statement, int index,
                                               const sqlite3_value *value, hy_error *error);

/* Steps a statement that gives no row, and resets it. */
HY_MUST_CHECK hy_status hy_database_step(const hy_database *database, sqlite3_stmt *statement,
                                         const char *doing, hy_error *error);

/* Steps a query; *row says whether there is a row. */
HY_MUST_CHECK hy_status hy_database_next(const hy_database *database, sqlite3_stmt *statement,
                                         bool *row, hy_error *error);

/* The integer that a query gives. */
HY_MUST_CHECK hy_status hy_database_integer(const hy_database *database, const char *sql,
                                            int64_t *value, hy_error *error);

#endif
