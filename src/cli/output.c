/* Results on standard output. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

const char hy_cannot_write[] = "cannot write to standard output";

hy_status hy_print_json(json_t *json, size_t flags, hy_error *error)
{
    char *text = json ? json_dumps(json, flags) : NULL;
    json_decref(json);
    if (!text)
        return hy_fail_memory(error);
    bool written = puts(text) >= 0;
    free(text);
    return written ? HY_OK : hy_fail(error, HY_STORAGE, "%s", hy_cannot_write);
}

json_t *hy_json_text(const char *text)
{
    json_t *json = json_string(text);
    return json ? json : json_string("(text that is no UTF-8)");
}
