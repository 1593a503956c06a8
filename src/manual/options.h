/* All options of a command, in the order of its tables. */
#ifndef HY_MANUAL_OPTIONS_H
#define HY_MANUAL_OPTIONS_H

#include "cli/argument_words.h"
#include "cli/command.h"

#define HY_MAX_OPTIONS 64

typedef struct hy_option_list {
    const struct argp_option *at[HY_MAX_OPTIONS]; /* those that help shows */
    size_t num;
} hy_option_list;

/* Its own, those of its children, --help and --usage. */
hy_option_list hy_options_of(const hy_command *command);

/* Whether the option has a letter. */
bool hy_has_letter(const struct argp_option *option);

/* What its argument can be: NULL where it takes none. Ends the program where the name of the
 * argument is not in the table of cli/argument_words.c. */
const hy_argument *hy_option_argument(const hy_command *command, const struct argp_option *option);

#endif
