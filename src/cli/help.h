/* Options that every command has. */
#ifndef HY_CLI_HELP_H
#define HY_CLI_HELP_H

#include <argp.h>

extern const struct argp_option hy_help_options[]; /* not of commands with own_help */
extern const struct argp_option hy_usage_options[];

#endif
