/* The record of a game in a file: there as a whole, or not at all. */
#ifndef HY_CLI_PLAY_RECORD_H
#define HY_CLI_PLAY_RECORD_H

#include "base/status.h"

/* Whether a record can be written there; to be asked before the game. */
HY_MUST_CHECK hy_status hy_record_check(const char *path, hy_error *error);

/* Writes the line `text` to the file `path`, in the place of one that is there. */
HY_MUST_CHECK hy_status hy_record_write(const char *path, const char *text, hy_error *error);

#endif
