#include "base/status.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The length of the UTF-8 character at `text` (RFC 3629, but for surrogates), 0: there is none. */
static size_t character_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t length = c[0] < 0x80                    ? 1
                    : c[0] >= 0xc2 && c[0] <= 0xdf ? 2
                    : c[0] >= 0xe0 && c[0] <= 0xef ? 3
                    : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4
                                                   : 0;
    for (size_t i = 1; i < length; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    return length;
}

/* Messages quote what people have written, which may be anything, and may be cut anywhere. */
static void make_utf8(char *text)
{
    while (*text) {
        size_t length = character_length(text);
        if (length == 0)
            *text = '?';
        text += length > 0 ? length : 1;
    }
}

/* Names in parentheses: scripts/analysis.h has macros of the same names. */
hy_status(hy_fail)(hy_error *error, hy_status status, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->status = status;
        error->file[0] = '\0';
        error->line = 0;
        error->column = 0;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        make_utf8(error->text);
    }
    return status;
}

hy_status(hy_fail_memory)(hy_error *error)
{
    return hy_fail(error, HY_NO_MEMORY, "out of memory");
}

void hy_error_locate(hy_error *error, const char *file, unsigned line, unsigned column)
{
    if (!error || error->file[0] != '\0')
        return;
    snprintf(error->file, sizeof error->file, "%s", file);
    error->line = line;
    error->column = column;
}

void hy_error_format(const hy_error *error, char *buffer, unsigned long size)
{
    if (error->file[0] == '\0')
        snprintf(buffer, size, "%s", error->text);
    else if (error->line == 0)
        snprintf(buffer, size, "%s: %s", error->file, error->text);
    else
        snprintf(buffer, size, "%s:%u:%u: %s", error->file, error->line, error->column,
                 error->text);
}
