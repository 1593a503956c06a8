/* What an argument can be, by its name in the tables of options ("DB", "POLICY"): for completion,
 * and for the lists of the manual pages. */
#ifndef HY_CLI_ARGUMENT_WORDS_H
#define HY_CLI_ARGUMENT_WORDS_H

#include "cli/command.h"

typedef enum hy_argument_files {
    HY_FILES_NONE,
    HY_FILES_ANY,
    HY_FILES_DATABASE, /* *.db */
    HY_FILES_YAML,     /* *.yaml */
    HY_FILES_FOLDER,
} hy_argument_files;

typedef struct hy_argument {
    const char *name;
    hy_argument_files files;
    /* The i-th word that is known, NULL past the last; *meaning may be set, NULL for none. The
     * function is NULL where there are no words. */
    const char *(*word)(size_t index, const char **meaning);
    const char *list; /* what a list of the words is called in a manual; NULL: it is not wanted */
    const char *command; /* only there; NULL: everywhere */
} hy_argument;

/* NULL where the name is unknown. */
const hy_argument *hy_argument_find(const char *command, const char *name);

/* What the command's own arguments are, from its args_doc; NULL where it takes none that are
 * known. */
const hy_argument *hy_command_argument(const hy_command *command);

#endif
