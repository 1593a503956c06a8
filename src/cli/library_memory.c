/* Memory for libraries that do not get along without. What is committed stays when the program ends
 * here, as when it is killed. */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

void hy_out_of_memory(void)
{
    fprintf(stderr, "hoyito: out of memory\n");
    exit(1);
}

static void *new_or_end(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        hy_out_of_memory();
    return memory;
}

static void *grow_or_end(void *old, size_t old_size, size_t size)
{
    void *memory = new_or_end(size);
    memcpy(memory, old, old_size < size ? old_size : size);
    free(old);
    return memory;
}

/* GMP aborts by itself. Jansson 2.14 writes beyond a string whose buffer could not grow, and its
 * setters lose what they have no memory for. */
void hy_library_memory(void)
{
    mp_set_memory_functions(new_or_end, grow_or_end, NULL);
    json_set_alloc_funcs(new_or_end, free);
}
