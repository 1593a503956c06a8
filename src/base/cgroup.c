#include "base/cgroup.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"

/* The number in a file; "max", and files that are not there: no limit. */
static uint64_t read_limit(const char *path)
{
    char text[32] = "";
    uint64_t limit = UINT64_MAX;
    FILE *file = fopen(path, "re");
    if (!file)
        return limit;
    if (fgets(text, sizeof text, file)) {
        text[strcspn(text, "\n")] = '\0';
        if (!hy_parse_u64(text, &limit))
            limit = UINT64_MAX;
    }
    fclose(file);
    return limit;
}

/* The least limit from a group up to the root of its hierarchy. A group that is not there is one
 * whose name is that outside of a container; what the container sees of it is the root. */
static uint64_t least_limit(const char *hierarchy, char *group, const char *name)
{
    uint64_t least = UINT64_MAX;
    for (;;) {
        char path[PATH_MAX];
        int length = snprintf(path, sizeof path, "%s%s/%s", hierarchy, group, name);
        uint64_t limit = length > 0 && (size_t)length < sizeof path ? read_limit(path) : UINT64_MAX;
        least = limit < least ? limit : least;
        char *last = strrchr(group, '/');
        if (!last)
            return least;
        *last = '\0';
    }
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list; list += *list == ',') {
        size_t next = strcspn(list, ",");
        if (next == length && strncmp(list, word, length) == 0)
            return true;
        list += next;
    }
    return false;
}

/* A line is NUMBER:CONTROLLERS:/GROUP; version 2 has no controllers in it. */
static uint64_t line_limit(char *line, const char *mount)
{
    char *rest = line, hierarchy[PATH_MAX];
    strsep(&rest, ":");
    const char *controllers = strsep(&rest, ":");
    if (!rest)
        return UINT64_MAX;
    rest[strcspn(rest, "\n")] = '\0';
    if (controllers[0] == '\0')
        return least_limit(mount, rest, "memory.max");
    int length = snprintf(hierarchy, sizeof hierarchy, "%s/memory", mount);
    if (!has_word(controllers, "memory") || length < 0 || (size_t)length >= sizeof hierarchy)
        return UINT64_MAX;
    return least_limit(hierarchy, rest, "memory.limit_in_bytes");
}

uint64_t hy_cgroup_memory(const char *membership, const char *mount)
{
    uint64_t least = UINT64_MAX;
    char *line = NULL;
    size_t size = 0;
    FILE *file = fopen(membership, "re");
    if (!file)
        return least;
    while (getline(&line, &size, file) >= 0) {
        uint64_t limit = line_limit(line, mount);
        least = limit < least ? limit : least;
    }
    free(line);
    fclose(file);
    return least;
}
