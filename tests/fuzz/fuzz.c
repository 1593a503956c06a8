#include "fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <gsl/gsl_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MAX_ARGUMENTS 32

static char folder[64];
static pid_t owner;

_Noreturn void hy_fuzz_fault(const char *what)
{
    dprintf(2, "fault: %s\n", what);
    abort();
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about;
    (void)kind;
    (void)place;
    return remove(path);
}

static void remove_folder(void)
{
    if (getpid() == owner)
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

char *hy_fuzz_path(const char *name)
{
    char *path;
    if (!folder[0]) {
        bool fast = access("/dev/shm", W_OK | X_OK) == 0;
        snprintf(folder, sizeof folder, "%s/hoyito-fuzz-XXXXXX", fast ? "/dev/shm" : "/tmp");
        if (!mkdtemp(folder))
            hy_fuzz_fault("cannot make a scratch folder");
        owner = getpid();
        atexit(remove_folder);
    }
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        hy_fuzz_fault("out of memory");
    return path;
}

void hy_fuzz_write(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wbe");
    if (!file || (size > 0 && fwrite(bytes, size, 1, file) != 1) || fclose(file) != 0)
        hy_fuzz_fault("cannot write a scratch file");
}

uint8_t *hy_fuzz_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rbe");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    if (!bytes || (*size > 0 && fread(bytes, *size, 1, file) != 1))
        hy_fuzz_fault("cannot read a scratch file");
    fclose(file);
    return bytes;
}

/* Standard input becomes a file in memory, for reads of the stream and of the descriptor. */
static void set_input(const char *input, size_t size)
{
    static int file = -1;
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        if (file < 0 || dup2(file, STDIN_FILENO) < 0)
            hy_fuzz_fault("cannot make a file in memory");
    }
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0 ||
        (size > 0 && write(file, input, size) != (ssize_t)size))
        hy_fuzz_fault("cannot write a file in memory");
    rewind(stdin);
}

/* The commands' streams, not the descriptors: those are libFuzzer's and the sanitizers'. */
static void hush(void)
{
    static FILE *nowhere;
    if (nowhere)
        return;
    gsl_set_error_handler_off();
    nowhere = fopen("/dev/null", "we");
    if (!nowhere)
        hy_fuzz_fault("cannot open /dev/null");
    stdout = nowhere;
    stderr = nowhere;
}

hy_status hy_fuzz_command(const hy_command *command, const char *input, size_t size,
                          const char *const *arguments)
{
    char *argv[MAX_ARGUMENTS] = {strdup("hoyito")};
    int argc = 1;
    hy_error error = {0};
    for (; arguments[argc - 1] && argc < MAX_ARGUMENTS - 1; argc++)
        argv[argc] = strdup(arguments[argc - 1]);
    char *owned[MAX_ARGUMENTS];
    memcpy(owned, argv, sizeof owned); /* argp moves them about */
    set_input(input, size);
    hush();
    hy_status status = command->run(argc, argv, &error);
    if (status != HY_OK && (error.text[0] == '\0' || error.status != status))
        hy_fuzz_fault("a failure without a message");
    if (status == HY_INTERRUPTED)
        hy_fuzz_fault("interrupted by nobody");
    for (int i = 0; i < argc; i++)
        free(owned[i]);
    return status;
}
