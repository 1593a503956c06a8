#include "cli/play_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static hy_status cannot_write(const char *path, int cause, hy_error *error)
{
    return hy_fail(error, HY_STORAGE, "cannot write the record '%.200s': %s", path,
                   strerror(cause));
}

/* Makes the file beside `path`; the caller releases its name. */
static hy_status open_beside(const char *path, char **name, FILE **file, hy_error *error)
{
    if (asprintf(name, "%s.%ld.tmp", path, (long)getpid()) < 0)
        return hy_fail_memory(error);
    int number = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    *file = number >= 0 ? fdopen(number, "w") : NULL;
    if (*file)
        return HY_OK;
    int cause = errno;
    if (number >= 0) {
        close(number);
        unlink(*name);
    }
    free(*name);
    return cannot_write(path, cause, error);
}

/* Whether a file can be such a record: it begins with a brace, or is empty. */
static bool may_be_record(const char *path)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return true; /* writing will say what is wrong */
    int first = fgetc(file);
    fclose(file);
    return first == EOF || first == '{';
}

hy_status hy_record_check(const char *path, hy_error *error)
{
    struct stat there;
    char *name;
    FILE *file;
    if (path[0] == '\0')
        return cannot_write(path, ENOENT, error);
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return hy_fail(error, HY_STORAGE, "cannot write the record '%.200s': it is no regular file",
                       path);
    if (!may_be_record(path))
        return hy_fail(error, HY_INVALID,
                       "'%.200s' is there and holds no record; choose another file", path);
    hy_status status = open_beside(path, &name, &file, error);
    if (status != HY_OK)
        return status;
    fclose(file);
    unlink(name);
    free(name);
    return HY_OK;
}

hy_status hy_record_write(const char *path, const char *text, hy_error *error)
{
    char *name;
    FILE *file;
    hy_status status = open_beside(path, &name, &file, error);
    if (status != HY_OK)
        return status;
    bool written = fprintf(file, "%s\n", text) > 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    int cause = errno;
    if (fclose(file) != 0 && written) {
        cause = errno;
        written = false;
    }
    if (written && rename(name, path) != 0) {
        cause = errno;
        written = false;
    }
    if (!written) {
        unlink(name);
        status = cannot_write(path, cause, error);
    }
    free(name);
    return status;
}
