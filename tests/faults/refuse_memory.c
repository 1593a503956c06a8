/* Preloaded into a program: refuses memory at chosen requests.
 *
 *   HOYITO_REFUSE=12     the 12th request
 *   HOYITO_REFUSE=12+    the 12th and all after it
 *   HOYITO_REFUSE_COUNT=FILE   the number of requests goes there when the program exits
 *
 * Requests are those of the C library's allocation functions, from whatever library, and anonymous
 * mappings. */
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The C library's own, under the names that it exports for this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong num_requests;
static unsigned long first_refused;
static bool refuses_on;

static bool refused(void)
{
    unsigned long number = atomic_fetch_add(&num_requests, 1) + 1;
    if (first_refused == 0 || number < first_refused || (number > first_refused && !refuses_on))
        return false;
    errno = ENOMEM;
    return true;
}

__attribute__((constructor)) static void read_wish(void)
{
    const char *wish = getenv("HOYITO_REFUSE");
    char *end = NULL;
    if (!wish)
        return;
    first_refused = strtoul(wish, &end, 10);
    refuses_on = *end == '+';
    atomic_store(&num_requests, 0);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("HOYITO_REFUSE_COUNT");
    unsigned long count = atomic_load(&num_requests);
    first_refused = 0;
    FILE *file = path ? fopen(path, "we") : NULL;
    if (!file)
        return;
    fprintf(file, "%lu\n", count);
    fclose(file);
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return refused() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return refused() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size)
{
    void *made = memalign(alignment, size);
    if (!made)
        return ENOMEM;
    *pointer = made;
    return 0;
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    if ((flags & MAP_ANONYMOUS) && refused())
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
