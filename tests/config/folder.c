#include "config/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[256];

int folder_make(void **state)
{
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/hoyito-config-XXXXXX", parent ? parent : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *state, int kind, struct FTW *walk)
{
    (void)state;
    (void)kind;
    (void)walk;
    return remove(path);
}

int folder_remove(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *folder_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

const char *folder_write(const char *name, const void *bytes, size_t size)
{
    const char *path = folder_path(name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *folder_write_text(const char *name, const char *text)
{
    return folder_write(name, text, strlen(text));
}

void assert_error(hy_status status, const hy_error *error, const char *path, unsigned line,
                  unsigned column, const char *const *words)
{
    char all[1200];
    assert_int_equal(status, HY_INVALID);
    assert_int_equal(error->status, HY_INVALID);
    hy_error_format(error, all, sizeof all);
    if (strcmp(error->file, path) != 0 || error->line != line || error->column != column)
        fail_msg("expected an error at %s:%u:%u, got: %s", path, line, column, all);
    for (; *words; words++) {
        if (!strstr(error->text, *words))
            fail_msg("expected '%s' in: %s", *words, all);
    }
}
