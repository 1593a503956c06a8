/* Files that are made complete before they have their name: nobody sees a half-written one, and
 * neither a failure nor a kill leaves one.
 *
 * Until then the file has no name, where the file system can do that (O_TMPFILE). Elsewhere, and
 * for the moment in which it takes the place of another file, it is `.NAME.hoyito` in the same
 * folder; what a killed process has left there is taken over by the next one. */
#ifndef HY_BASE_DRAFT_H
#define HY_BASE_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

typedef struct hy_draft {
    FILE *file;   /* to write to */
    char *path;   /* the name that it gets */
    char *beside; /* the name that it may have until then */
    bool named;   /* it has that name */
} hy_draft;

/* Begins the file of a path. Anything but a regular file in its place is refused; HY_STORAGE names
 * path and cause. */
HY_MUST_CHECK hy_status hy_draft_open(const char *path, hy_draft *draft, hy_error *error);

/* Flushes the file to the disk and gives it its name, in the place of another file if `replace`
 * (otherwise one that is there is a failure). Releases the draft in any case. */
HY_MUST_CHECK hy_status hy_draft_keep(hy_draft *draft, bool replace, hy_error *error);

/* Gives the file up. */
void hy_draft_drop(hy_draft *draft);

#endif
