/* Text of any length, written as to a file. */
#ifndef HY_BASE_TEXT_BUFFER_H
#define HY_BASE_TEXT_BUFFER_H

#include <stdio.h>

#include "base/status.h"

/* The caller's storage, at one place from _open to _close. (open_memstream would do, but for memory
 * that is refused while the text grows: a part is lost, and neither ferror nor fclose tells.) */
typedef struct hy_text_buffer {
    FILE *out;   /* to be written to */
    char *text;  /* when closed: all of it, to be released with free() */
    size_t size; /* its bytes, without the end */
    size_t capacity;
} hy_text_buffer;

HY_MUST_CHECK hy_status hy_text_buffer_open(hy_text_buffer *buffer, hy_error *error);

/* Ends the writing. Returns `status`, that of the work so far, or HY_NO_MEMORY where a part of the
 * text was lost on the way. After a failure the text is NULL. */
HY_MUST_CHECK hy_status hy_text_buffer_close(hy_text_buffer *buffer, hy_status status,
                                             hy_error *error);

#endif
