/* Manual pages, from the tables of the commands. */
#ifndef HY_MANUAL_PAGE_H
#define HY_MANUAL_PAGE_H

#include <stdio.h>

#include "cli/command.h"

/* hoyito-NAME(1). */
void hy_write_command_page(FILE *out, const hy_command *command);

/* hoyito(1). */
void hy_write_program_page(FILE *out);

#endif
