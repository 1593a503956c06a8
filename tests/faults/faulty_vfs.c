#include "faults/faulty_vfs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILES 16
#define SECTOR 512u

const char *const fault_words[NUM_FAULT_KINDS] = {
    "read", "write", "full", "sync", "truncate", "delete", "open", "lock", "power", "memory",
};

/* What would be left of a file if power were lost now and nothing came through. */
typedef struct durable_file {
    char *path;
    unsigned char *bytes;
    size_t size;
} durable_file;

typedef struct layer {
    sqlite3_vfs vfs;
    sqlite3_vfs *real;
    sqlite3_mem_methods memory;
    bool armed, lasting, struck;
    fault_kind kind;
    unsigned long left; /* operations until it strikes */
    durable_file files[MAX_FILES];
} layer;

static layer the_layer;

typedef struct faulty_file {
    sqlite3_file base;
    const char *path; /* SQLite's, valid while the file is open; NULL: a temporary one */
    sqlite3_file *real;
} faulty_file;

static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((faulty_file *)(void *)file)->real;
}

/* Whether an operation of the kind fails. */
static bool fails(fault_kind kind)
{
    if (!the_layer.armed || kind != the_layer.kind)
        return false;
    if (the_layer.struck)
        return the_layer.lasting;
    the_layer.left--;
    the_layer.struck = the_layer.left == 0;
    return the_layer.struck;
}

static unsigned char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    *size = 0;
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = calloc(*size + 1, 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static durable_file *find_file(const char *path)
{
    durable_file *unused = NULL;
    for (size_t i = 0; i < MAX_FILES; i++) {
        durable_file *file = &the_layer.files[i];
        if (file->path && strcmp(file->path, path) == 0)
            return file;
        if (!file->path && !unused)
            unused = file;
    }
    assert_non_null(unused);
    return unused;
}

static void forget(durable_file *file)
{
    free(file->path);
    free(file->bytes);
    *file = (durable_file){0};
}

/* The file as it is now outlives a loss of power. */
static void make_durable(const char *path)
{
    if (!path || !the_layer.armed || the_layer.kind != FAULT_POWER)
        return;
    durable_file *file = find_file(path);
    forget(file);
    file->path = strdup(path);
    file->bytes = read_file(path, &file->size);
}

static int close_file(sqlite3_file *file)
{
    return real_of(file)->pMethods->xClose(real_of(file));
}

static int read_at(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset)
{
    return fails(FAULT_READ) ? SQLITE_IOERR_READ
                             : real_of(file)->pMethods->xRead(real_of(file), bytes, size, offset);
}

static int write_at(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset)
{
    if (fails(FAULT_FULL))
        return SQLITE_FULL;
    if (fails(FAULT_WRITE) || fails(FAULT_POWER))
        return SQLITE_IOERR_WRITE;
    return real_of(file)->pMethods->xWrite(real_of(file), bytes, size, offset);
}

static int truncate_to(sqlite3_file *file, sqlite3_int64 size)
{
    if (fails(FAULT_TRUNCATE) || fails(FAULT_POWER))
        return SQLITE_IOERR_TRUNCATE;
    return real_of(file)->pMethods->xTruncate(real_of(file), size);
}

/* Nothing is really synced: the machine does not stop. */
static int sync_file(sqlite3_file *file, int flags)
{
    (void)flags;
    if (fails(FAULT_SYNC) || fails(FAULT_POWER))
        return SQLITE_IOERR_FSYNC;
    make_durable(((faulty_file *)(void *)file)->path);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return real_of(file)->pMethods->xFileSize(real_of(file), size);
}

static int lock_file(sqlite3_file *file, int level)
{
    return fails(FAULT_LOCK) ? SQLITE_IOERR_LOCK
                             : real_of(file)->pMethods->xLock(real_of(file), level);
}

static int unlock_file(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int check_lock(sqlite3_file *file, int *result)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), result);
}

static int control(sqlite3_file *file, int what, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int sector_size(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

/* Of the real file's promises none is kept. */
static int characteristics(sqlite3_file *file)
{
    (void)file;
    return 0;
}

static int map_shared(sqlite3_file *file, int region, int size, int extend, void volatile **memory)
{
    if (fails(FAULT_OPEN))
        return SQLITE_IOERR_SHMMAP;
    return real_of(file)->pMethods->xShmMap(real_of(file), region, size, extend, memory);
}

static int lock_shared(sqlite3_file *file, int first, int num, int flags)
{
    if ((flags & SQLITE_SHM_LOCK) && fails(FAULT_LOCK))
        return SQLITE_IOERR_SHMLOCK;
    return real_of(file)->pMethods->xShmLock(real_of(file), first, num, flags);
}

static void shared_barrier(sqlite3_file *file)
{
    real_of(file)->pMethods->xShmBarrier(real_of(file));
}

static int unmap_shared(sqlite3_file *file, int remove)
{
    return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2, /* no mapped files, whose pages nobody sees being read */
    .xClose = close_file,
    .xRead = read_at,
    .xWrite = write_at,
    .xTruncate = truncate_to,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
    .xShmMap = map_shared,
    .xShmLock = lock_shared,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = unmap_shared,
};

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *got)
{
    faulty_file *made = (faulty_file *)(void *)file;
    (void)vfs;
    *made = (faulty_file){.path = path, .real = (sqlite3_file *)(void *)(made + 1)};
    if (fails(FAULT_OPEN))
        return SQLITE_CANTOPEN;
    bool is_new = path && access(path, F_OK) != 0;
    int code = the_layer.real->xOpen(the_layer.real, path, made->real, flags, got);
    if (code != SQLITE_OK)
        return code;
    made->base.pMethods = &methods;
    if (path && (is_new || !find_file(path)->path))
        make_durable(path);
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int sync)
{
    (void)vfs;
    if (fails(FAULT_DELETE) || fails(FAULT_POWER))
        return SQLITE_IOERR_DELETE;
    forget(find_file(path));
    return the_layer.real->xDelete(the_layer.real, path, sync);
}

static void *new_memory(int size)
{
    return fails(FAULT_MEMORY) ? NULL : the_layer.memory.xMalloc(size);
}

static void *grow_memory(void *old, int size)
{
    return fails(FAULT_MEMORY) ? NULL : the_layer.memory.xRealloc(old, size);
}

static void refuse_memory(void)
{
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &the_layer.memory), SQLITE_OK);
    sqlite3_mem_methods changed = the_layer.memory;
    changed.xMalloc = new_memory;
    changed.xRealloc = grow_memory;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &changed), SQLITE_OK);
    /* SQLite serves small requests from memory laid aside */
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0), SQLITE_OK);
}

void faulty_vfs_install(void)
{
    refuse_memory();
    sqlite3_vfs *real = sqlite3_vfs_find(NULL);
    the_layer.real = real;
    the_layer.vfs = *real;
    the_layer.vfs.zName = "faulty";
    the_layer.vfs.pNext = NULL;
    the_layer.vfs.szOsFile = (int)sizeof(faulty_file) + real->szOsFile;
    the_layer.vfs.xOpen = open_file;
    the_layer.vfs.xDelete = delete_file;
    assert_int_equal(sqlite3_vfs_register(&the_layer.vfs, 1), SQLITE_OK);
}

void faulty_vfs_arm(fault_kind kind, unsigned long number, bool lasting)
{
    the_layer.armed = true;
    the_layer.kind = kind;
    the_layer.left = number;
    the_layer.lasting = lasting || kind == FAULT_POWER;
    the_layer.struck = false;
}

/* Mixes the two states of a file, sector by sector: none, half or all of the new ones. */
static void lose_power(const durable_file *file, uint64_t *dice)
{
    size_t size, suffix = strlen("-shm");
    unsigned char *now = read_file(file->path, &size);
    unsigned char *mixed = calloc((size > file->size ? size : file->size) + 1, 1);
    assert_non_null(mixed);
    unsigned share = (unsigned)(*dice % 3);
    size_t mixed_size = share == 0 ? file->size : size;
    for (size_t at = 0; at < mixed_size; at += SECTOR) {
        *dice = *dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        bool is_new = share == 2 || (share == 1 && *dice >> 63);
        const unsigned char *from = is_new ? now : file->bytes;
        size_t end = is_new ? size : file->size;
        for (size_t i = at; i < at + SECTOR && i < mixed_size; i++)
            mixed[i] = from && i < end ? from[i] : 0;
    }
    FILE *out = fopen(file->path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(mixed, 1, mixed_size, out), mixed_size);
    assert_int_equal(fclose(out), 0);
    free(mixed);
    free(now);
    if (strlen(file->path) > suffix &&
        strcmp(file->path + strlen(file->path) - suffix, "-wal") == 0) {
        char *shared = strdup(file->path);
        memcpy(shared + strlen(shared) - suffix, "-shm", suffix);
        unlink(shared);
        free(shared);
    }
}

bool faulty_vfs_disarm(unsigned long seed)
{
    uint64_t dice = seed * UINT64_C(0x9e3779b97f4a7c15) >> 7;
    the_layer.armed = false;
    for (size_t i = 0; i < MAX_FILES; i++) {
        durable_file *file = &the_layer.files[i];
        if (file->path && the_layer.struck && the_layer.kind == FAULT_POWER)
            lose_power(file, &dice);
        if (file->path)
            forget(file);
    }
    return the_layer.struck;
}
