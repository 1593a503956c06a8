/* Options that every command has. */
#ifndef HY_CLI_HELP_H
#define HY_CLI_HELP_H

#include <argp.h>

/* --help and --usage; not of commands with own_help. */
extern const struct argp_option hy_help_options[];

#endif
