#include "config/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

static hy_status cannot_read(const char *path, const char *why, hy_error *error)
{
    return hy_fail(error, HY_INVALID, "cannot read '%.256s': %s", path, why);
}

static hy_status too_large(const char *path, hy_error *error)
{
    return cannot_read(path, "it is larger than 1 MiB", error);
}

/* Devices and pipes have no size to look at, so the reading is bounded as well. */
static hy_status check_kind(FILE *file, const char *path, hy_error *error)
{
    struct stat state;
    if (fstat(fileno(file), &state) != 0)
        return cannot_read(path, strerror(errno), error);
    if (S_ISDIR(state.st_mode))
        return cannot_read(path, "it is a directory", error);
    if (S_ISREG(state.st_mode) && state.st_size > (off_t)HY_TEXT_FILE_LIMIT)
        return too_large(path, error);
    return HY_OK;
}

static hy_status read_all(FILE *file, const char *path, char **text, size_t *size, hy_error *error)
{
    char *buffer = hy_new_array(HY_TEXT_FILE_LIMIT + 1, 1);
    hy_status status = HY_OK;
    if (!buffer)
        return hy_fail_memory(error);
    errno = 0;
    *size = fread(buffer, 1, HY_TEXT_FILE_LIMIT + 1, file);
    if (ferror(file))
        status = cannot_read(path, strerror(errno), error);
    else if (*size > HY_TEXT_FILE_LIMIT)
        status = too_large(path, error);
    if (status != HY_OK) {
        free(buffer);
        return status;
    }
    if (*size >= 3 && memcmp(buffer, "\xef\xbb\xbf", 3) == 0) { /* a mark of UTF-8 */
        *size -= 3;
        memmove(buffer, buffer + 3, *size);
    }
    *text = buffer;
    return HY_OK;
}

hy_status hy_text_file_read(const char *path, char **text, size_t *size, hy_error *error)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return errno == ENOMEM ? hy_fail_memory(error) : cannot_read(path, strerror(errno), error);
    hy_status status = check_kind(file, path, error);
    if (status == HY_OK)
        status = read_all(file, path, text, size, error);
    fclose(file);
    return status;
}
