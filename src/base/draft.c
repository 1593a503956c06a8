#include "base/draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MODE 0666

static hy_status cannot_write(const char *path, int cause, hy_error *error)
{
    if (cause == ENOMEM)
        return hy_fail_memory(error);
    const char *why = cause == EBUSY ? "another process is making it" : strerror(cause);
    return hy_fail(error, HY_STORAGE, "cannot write '%.256s': %s", path, why);
}

/* The length of the folder's part of a path, with its slash. */
static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (int)(slash + 1 - path) : 0;
}

static int open_folder(const char *path, int flags, mode_t mode)
{
    char *folder;
    if (asprintf(&folder, "%.*s.", folder_length(path), path) < 0)
        return -1;
    int descriptor = open(folder, flags | O_CLOEXEC, mode);
    int cause = errno;
    free(folder);
    errno = cause;
    return descriptor;
}

/* A file without a name can get one through /proc only. */
static int open_nameless(const char *path)
{
    return access("/proc/self/fd", X_OK) == 0 ? open_folder(path, O_TMPFILE | O_RDWR, FILE_MODE)
                                              : -1;
}

/* Takes the file beside the path for this process alone; what is in it is somebody's who was
 * killed. */
static int open_beside(const char *beside)
{
    struct stat here, there;
    int descriptor = open(beside, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    if (descriptor < 0)
        return -1;
    bool taken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!taken) /* its owner may have given it its name meanwhile */
        taken = fstat(descriptor, &here) != 0 || stat(beside, &there) != 0 ||
                here.st_ino != there.st_ino;
    int cause = EBUSY;
    if (!taken && ftruncate(descriptor, 0) == 0)
        return descriptor;
    if (!taken)
        cause = errno;
    close(descriptor);
    errno = cause;
    return -1;
}

static hy_status open_file(hy_draft *draft, hy_error *error)
{
    struct stat there;
    if (stat(draft->path, &there) == 0 && !S_ISREG(there.st_mode))
        return hy_fail(error, HY_STORAGE, "cannot write '%.256s': it is no regular file",
                       draft->path);
    if (draft->path[folder_length(draft->path)] == '\0')
        return cannot_write(draft->path, ENOENT, error);
    int descriptor = open_nameless(draft->path);
    draft->named = descriptor < 0;
    if (draft->named)
        descriptor = open_beside(draft->beside);
    if (descriptor < 0) {
        draft->named = false; /* it is not ours */
        return cannot_write(draft->path, errno, error);
    }
    draft->file = fdopen(descriptor, "w+");
    if (draft->file)
        return HY_OK;
    hy_status status = cannot_write(draft->path, errno, error);
    close(descriptor);
    return status;
}

hy_status hy_draft_open(const char *path, hy_draft *draft, hy_error *error)
{
    int length = folder_length(path);
    *draft = (hy_draft){.path = strdup(path)};
    if (asprintf(&draft->beside, "%.*s.%s.hoyito", length, path, path + length) < 0)
        draft->beside = NULL;
    hy_status status =
        draft->path && draft->beside ? open_file(draft, error) : hy_fail_memory(error);
    if (status != HY_OK)
        hy_draft_drop(draft);
    return status;
}

static bool link_nameless(const hy_draft *draft, const char *name)
{
    char file[32];
    snprintf(file, sizeof file, "/proc/self/fd/%d", fileno(draft->file));
    return linkat(AT_FDCWD, file, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Some file systems know no second names. */
static bool name_new(const char *draft, const char *path)
{
    if (link(draft, path) == 0)
        return true;
    bool unknown = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS;
    return unknown && renameat2(AT_FDCWD, draft, AT_FDCWD, path, RENAME_NOREPLACE) == 0;
}

static bool name_as_new(const hy_draft *draft)
{
    return draft->named ? name_new(draft->beside, draft->path) : link_nameless(draft, draft->path);
}

static bool name_in_place(hy_draft *draft)
{
    if (!draft->named) {
        unlink(draft->beside);
        draft->named = link_nameless(draft, draft->beside);
    }
    return draft->named && rename(draft->beside, draft->path) == 0;
}

/* The name itself outlives a loss of power; where a folder cannot be flushed nothing can be done.
 */
static void flush_folder(const char *path)
{
    int descriptor = open_folder(path, O_RDONLY | O_DIRECTORY, 0);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    close(descriptor);
}

/* A stream does not keep why it could not write; another try tells. The file is not kept. */
static int cause_of_failure(FILE *file)
{
    static const char page[4096];
    if (fseek(file, 0, SEEK_END) != 0 && errno != 0)
        return errno;
    errno = 0;
    for (unsigned i = 0; i < 16; i++) {
        if (write(fileno(file), page, sizeof page) < 0)
            return errno;
    }
    return EIO;
}

hy_status hy_draft_keep(hy_draft *draft, bool replace, hy_error *error)
{
    hy_status status = HY_OK;
    errno = 0;
    bool written = !ferror(draft->file) && fflush(draft->file) == 0 &&
                   fsync(fileno(draft->file)) == 0 &&
                   (replace ? name_in_place(draft) : name_as_new(draft));
    if (written)
        flush_folder(draft->path);
    else
        status =
            cannot_write(draft->path, errno != 0 ? errno : cause_of_failure(draft->file), error);
    hy_draft_drop(draft);
    return status;
}

void hy_draft_drop(hy_draft *draft)
{
    if (draft->named)
        unlink(draft->beside); /* under the lock; gone already where it has taken its place */
    if (draft->file)
        fclose(draft->file);
    free(draft->path);
    free(draft->beside);
    *draft = (hy_draft){0};
}

hy_status hy_draft_rename(const char *draft, const char *path, hy_error *error)
{
    bool named = name_new(draft, path);
    hy_status status = named ? HY_OK : cannot_write(path, errno, error);
    unlink(draft);
    flush_folder(path);
    return status;
}
