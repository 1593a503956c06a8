/* Lines from a person or a pipe, so that a signal ends the wait. */
#ifndef HY_CLI_PLAY_INPUT_H
#define HY_CLI_PLAY_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#define HY_LINE_SIZE 256

typedef enum hy_line_kind {
    HY_LINE_TEXT,
    HY_LINE_TOO_LONG, /* its beginning is there */
    HY_LINE_END,      /* of the input */
    HY_LINE_SIGNAL,   /* hy_signal says which */
    HY_LINE_FAULT,    /* errno says which */
} hy_line_kind;

/* The caller's storage, zeroed before first use. */
typedef struct hy_line_input {
    char buffer[4096];
    size_t used, at;
    bool ended;
} hy_line_input;

/* Reads the next line of standard input without its end; characters that are no printable ASCII
 * become '?', so that a message can repeat the line. */
hy_line_kind hy_line_read(hy_line_input *input, char line[HY_LINE_SIZE]);

#endif
