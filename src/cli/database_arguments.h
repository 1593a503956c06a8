/* The arguments of commands that read one database: DB [--json] [-j N]. */
#ifndef HY_CLI_DATABASE_ARGUMENTS_H
#define HY_CLI_DATABASE_ARGUMENTS_H

#include "cli/cli.h"

typedef struct hy_database_arguments {
    const char *database;
    bool json;
    uint64_t threads; /* 0: not given */
} hy_database_arguments;

extern const struct argp_option hy_database_options[];       /* --json */
extern const struct argp_option hy_database_batch_options[]; /* --json, -j */

/* For struct argp; the input is hy_database_arguments. */
error_t hy_parse_database_option(int key, char *text, struct argp_state *state);

/* Whether two names are those of one file that is there. */
bool hy_is_same_file(const char *a, const char *b);

/* Says on stderr where a part of a database that has been closed is still in its journal, because
 * somebody reads it. */
void hy_note_journal(const char *path);

#endif
