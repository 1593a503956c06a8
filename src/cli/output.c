/* Results on standard output, and whether memory was refused while it was made. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

const char hy_cannot_write[] = "cannot write to standard output";

/* Jansson's setters lose what they cannot add; few callers look at each of them. */
static atomic_bool refused;

static void *new_json(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        atomic_store(&refused, true);
    return memory;
}

void hy_json_watch(void)
{
    json_set_alloc_funcs(new_json, free);
}

bool hy_json_is_whole(void)
{
    return !atomic_load(&refused);
}

hy_status hy_print_json(json_t *json, size_t flags, hy_error *error)
{
    char *text = json ? json_dumps(json, flags) : NULL;
    json_decref(json);
    if (!text || !hy_json_is_whole()) {
        free(text);
        return hy_fail_memory(error);
    }
    bool written = puts(text) >= 0;
    free(text);
    return written ? HY_OK : hy_fail(error, HY_STORAGE, "%s", hy_cannot_write);
}

json_t *hy_json_text(const char *text)
{
    json_t *json = json_string(text);
    return json ? json : json_string("(text that is no UTF-8)");
}
