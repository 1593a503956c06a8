/* A command: what it does, and what its help, its manual page and its completion know of it.
 *
 * The text of an argp is light: paragraphs are separated by an empty line; a paragraph of lines
 * that begin with two blanks holds examples, in which two blanks part a command from its
 * explanation and a backslash at the end goes on in the next line. No line of an example is longer
 * than 79 characters. `words` in backquotes are the user's, to be typed or read as they are. */
#ifndef HY_CLI_COMMAND_H
#define HY_CLI_COMMAND_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

/* A word and what it means; lists of them end with a row of NULL. Both fit in a line of 79
 * characters together with the widest word of the list. */
typedef struct hy_help_row {
    const char *word;
    const char *meaning;
} hy_help_row;

typedef struct hy_command {
    const char *name;
    const char *summary; /* one line, without a capital and a full stop */
    const struct argp *argp;
    /* Gets its own arguments, argv[0] being "hoyito NAME"; what went wrong is in the error. */
    hy_status (*run)(int argc, char **argv, hy_error *error);
    const hy_help_row *exits;
    const hy_help_row *environment; /* variables that it reads; NULL: none */
    const hy_help_row *files;       /* beside its arguments; NULL: none */
    bool own_help;                  /* --help is among its own options */
} hy_command;

/* Commands of one theme; the list ends with NULL. */
typedef struct hy_command_group {
    const char *title;
    const hy_command *const *commands;
} hy_command_group;

/* All commands, in the order in which the help lists them. */
extern const hy_command_group hy_command_groups[];
extern const size_t hy_num_command_groups;

/* The program itself: argp, exits, environment and files as for a command; `run` is NULL. */
extern const hy_command hy_program;

/* The i-th command of all groups; NULL past the last. */
const hy_command *hy_command_at(size_t index);

/* NULL where there is none of that name. */
const hy_command *hy_command_find(const char *name);

/* The name nearest to a misspelt one; NULL where none is near. */
const char *hy_command_near(const char *name);

/* Rows that several commands share. */
#define HY_EXIT_DONE                                                                               \
    {                                                                                              \
        "0", "done"                                                                                \
    }
#define HY_EXIT_FAILED                                                                             \
    {                                                                                              \
        "1", "a failure while it ran, such as memory that is refused"                              \
    }
#define HY_EXIT_ROWS                                                                               \
    {                                                                                              \
        "1", "a row without an answer, or another failure"                                         \
    }
#define HY_EXIT_USAGE                                                                              \
    {                                                                                              \
        "2", "wrong usage"                                                                         \
    }
#define HY_EXIT_USAGE_VARIANT                                                                      \
    {                                                                                              \
        "2", "wrong usage, or an error in the rules"                                               \
    }
#define HY_EXIT_DATABASE                                                                           \
    {                                                                                              \
        "3", "the file is not a database of hoyito, is damaged or of another version"              \
    }
#define HY_EXIT_STORAGE                                                                            \
    {                                                                                              \
        "5", "a file or standard output that cannot be read or written"                            \
    }
#define HY_EXIT_INTERRUPTED                                                                        \
    {                                                                                              \
        "129, 130, 143", "interrupted by SIGHUP, SIGINT or SIGTERM"                                \
    }
#define HY_EXIT_RESUME                                                                             \
    {                                                                                              \
        "129, 130, 143", "interrupted by SIGHUP, SIGINT or SIGTERM; the same command goes on"      \
    }

extern const hy_help_row hy_environment_threads[]; /* of commands with -j */
extern const hy_help_row hy_environment_colour[];  /* of those that draw boards */
extern const hy_help_row hy_files_database[];      /* of commands that read a database */

#endif
