#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

hy_status hy_fail(hy_error *error, hy_status status, const char *format, ...)
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
    }
    return status;
}

hy_status hy_fail_memory(hy_error *error)
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
