/* A file of text, read as a whole and never without a bound. */
#ifndef HY_CONFIG_TEXT_FILE_H
#define HY_CONFIG_TEXT_FILE_H

#include <stddef.h>

#include "base/status.h"

#define HY_TEXT_FILE_LIMIT 1048576u /* bytes */

/* Reads the file into *text, which the caller releases with free(). A file that is missing, cannot
 * be read, is a directory or is larger than the limit is HY_INVALID; the error's text names it. */
HY_MUST_CHECK hy_status hy_text_file_read(const char *path, char **text, size_t *size,
                                          hy_error *error);

#endif
