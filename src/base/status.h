/* How failure is reported: a status as the return value, the words in a caller-owned error. */
#ifndef HY_BASE_STATUS_H
#define HY_BASE_STATUS_H

/* Kinds of failure. What happens in a game (a draw, an endless sowing) is no failure. */
typedef enum hy_status {
    HY_OK = 0,
    HY_FAILED,      /* run-time failure: some input rows had no answer, an operation was refused */
    HY_INVALID,     /* the input or the configuration is wrong; the error names the place */
    HY_MISMATCH,    /* a database and what is asked of it do not belong together */
    HY_STORAGE,     /* a file could not be read or written */
    HY_NO_MEMORY,   /* the system refused memory */
    HY_INTERRUPTED, /* stopped on request; what was done is kept and can be resumed */
} hy_status;

#define HY_ERROR_TEXT_SIZE 768
#define HY_ERROR_FILE_SIZE 256

/* A failure in words. `line` and `column` count from 1; 0 means that they are not known. */
typedef struct hy_error {
    hy_status status;
    char text[HY_ERROR_TEXT_SIZE];
    char file[HY_ERROR_FILE_SIZE];
    unsigned line;
    unsigned column;
} hy_error;

#define HY_MUST_CHECK __attribute__((warn_unused_result))
#define HY_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* Fills `error` (may be NULL; its text is always UTF-8) and returns `status`, so that a caller can
 * write `return hy_fail(error, HY_INVALID, "unknown key '%s'", key);`. */
hy_status hy_fail(hy_error *error, hy_status status, const char *format, ...) HY_PRINTF(3, 4);

/* The failure that every refused allocation reports. */
hy_status hy_fail_memory(hy_error *error);

/* Adds the place of a failure to an error that has no file yet. */
void hy_error_locate(hy_error *error, const char *file, unsigned line, unsigned column);

/* Writes "file:line:column: text" (as much of it as is known) into `buffer` of `size` bytes. */
void hy_error_format(const hy_error *error, char *buffer, unsigned long size);

#endif
