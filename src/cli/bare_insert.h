/* The bound of `hoyito bench` for storing games: what SQLite can do with the same rows. */
#ifndef HY_CLI_BARE_INSERT_H
#define HY_CLI_BARE_INSERT_H

#include "rules/game_record.h"

/* Rows of `game` and `chain`, ready to be bound; in the order of their keys. */
typedef struct hy_bare_rows hy_bare_rows;

/* Of games of the first condition, not swapped; `records` are sorted by their numbers. NULL: out of
 * memory. */
hy_bare_rows *hy_bare_rows_new(hy_game_record *records, size_t num_records);
void hy_bare_rows_destroy(hy_bare_rows *rows);

/* Inserts them into a database that has the tables: two prepared statements, one transaction,
 * SQLite's own settings. Ends with the file closed. */
HY_MUST_CHECK hy_status hy_bare_insert(const char *path, const hy_bare_rows *rows, hy_error *error);

#endif
