/* Preloaded into a program: refuses memory at chosen requests.
 *
 *   HOYITO_REFUSE=12     the 12th request
 *   HOYITO_REFUSE=12+    the 12th and all after it
 *   HOYITO_REFUSE_SITES=FILE   when the program exits, the numbers of requests go there that come
 *                        by another way than all before them: by other calls within the program,
 *                        or from the program into a library
 *
 * Requests are those of the C library's allocation functions, from whatever library, and anonymous
 * mappings. */
#include <errno.h>
#include <execinfo.h>
#include <link.h>
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

#define MAX_SITES 65536u
#define MAX_FRAMES 48

static atomic_ulong num_requests;
static unsigned long first_refused;
static bool refuses_on;

/* Ways by which requests come that have been seen: a hash of each, and the request that came by it
 * first. */
static bool notes_sites;
static struct {
    uint64_t hash;
    unsigned long number;
} sites[MAX_SITES];
static size_t num_sites;
static uintptr_t program_first, program_end; /* its code */
static atomic_flag sites_taken = ATOMIC_FLAG_INIT;
static _Thread_local bool within; /* the walk over the calls, which may ask for memory itself */

static bool is_program(const void *address)
{
    return (uintptr_t)address >= program_first && (uintptr_t)address < program_end;
}

static uint64_t hash_calls(void)
{
    void *frames[MAX_FRAMES];
    int num = backtrace(frames, MAX_FRAMES);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < num; i++) {
        if (is_program(frames[i]) || (i + 1 < num && is_program(frames[i + 1])))
            hash = (hash ^ (uintptr_t)frames[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* The program is the first object in the list. */
static int find_program(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X)) {
            program_first = object->dlpi_addr + part->p_vaddr;
            program_end = program_first + part->p_memsz;
        }
    }
    return 1;
}

static void note_site(unsigned long number)
{
    within = true;
    uint64_t hash = hash_calls();
    while (atomic_flag_test_and_set(&sites_taken)) {
    }
    size_t i = 0;
    while (i < num_sites && sites[i].hash != hash)
        i++;
    if (i == num_sites && num_sites < MAX_SITES) {
        sites[i].hash = hash;
        sites[i].number = number;
        num_sites++;
    }
    atomic_flag_clear(&sites_taken);
    within = false;
}

static bool refused(void)
{
    if (within)
        return false;
    unsigned long number = atomic_fetch_add(&num_requests, 1) + 1;
    if (notes_sites)
        note_site(number);
    if (first_refused == 0 || number < first_refused || (number > first_refused && !refuses_on))
        return false;
    errno = ENOMEM;
    return true;
}

__attribute__((constructor)) static void read_wish(void)
{
    const char *wish = getenv("HOYITO_REFUSE");
    char *end = NULL;
    notes_sites = getenv("HOYITO_REFUSE_SITES") != NULL;
    if (notes_sites) {
        within = true;
        (void)dl_iterate_phdr(find_program, NULL);
        (void)hash_calls(); /* the first walk loads a library */
        within = false;
    }
    if (wish) {
        first_refused = strtoul(wish, &end, 10);
        refuses_on = *end == '+';
    }
    atomic_store(&num_requests, 0);
}

__attribute__((destructor)) static void write_sites(void)
{
    const char *path = getenv("HOYITO_REFUSE_SITES");
    first_refused = 0;
    notes_sites = false;
    FILE *file = path ? fopen(path, "we") : NULL;
    if (!file)
        return;
    for (size_t i = 0; i < num_sites; i++)
        fprintf(file, "%lu\n", sites[i].number);
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
