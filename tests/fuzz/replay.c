/* Goes through files and folders of inputs, each once, where there is no libFuzzer. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz/fuzz.h"

static unsigned long replay(const char *path)
{
    struct dirent **entries;
    struct stat about;
    size_t size;
    unsigned long num = 0;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        int count = scandir(path, &entries, NULL, alphasort);
        for (int i = 0; i < count; i++) {
            char *inner;
            if (entries[i]->d_name[0] != '.' &&
                asprintf(&inner, "%s/%s", path, entries[i]->d_name) > 0) {
                num += replay(inner);
                free(inner);
            }
            free(entries[i]);
        }
        if (count >= 0)
            free(entries);
        return num;
    }
    uint8_t *bytes = hy_fuzz_read(path, &size);
    if (!bytes)
        hy_fuzz_fault(path);
    dprintf(2, "%s\n", path); /* so that the last one named is the one that failed */
    LLVMFuzzerTestOneInput(bytes, size);
    free(bytes);
    return 1;
}

int main(int argc, char **argv)
{
    unsigned long num = 0;
    for (int i = 1; i < argc; i++)
        num += replay(argv[i]);
    dprintf(2, "%lu inputs\n", num);
    return num > 0 ? 0 : 1;
}
