#include "cli/play_record.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/draft.h"

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
    hy_draft record;
    hy_status status = hy_draft_open(path, &record, error);
    if (status != HY_OK)
        return status;
    hy_draft_drop(&record);
    if (may_be_record(path))
        return HY_OK;
    return hy_fail(error, HY_INVALID, "'%.200s' is there and holds no record; choose another file",
                   path);
}

hy_status hy_record_write(const char *path, const char *text, hy_error *error)
{
    hy_draft record;
    hy_status status = hy_draft_open(path, &record, error);
    if (status != HY_OK)
        return status;
    fprintf(record.file, "%s\n", text);
    return hy_draft_keep(&record, true, error);
}
