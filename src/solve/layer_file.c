#include "solve/layer_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "solve/folder.h"

#define BLOCK (UINT64_C(1) << 20)
#define PAGE UINT64_C(4096)
#define HEX (HY_SHA256_HEX_SIZE - 1)
#define MAX_PATH 1024

static const char magic[16] = "hoyito endgame\n";

enum { VERSION, COUNTERS, UNIT, POSITIONS, BLOCK_SIZE, NUM_NUMBERS };
#define THIS_VERSION 1u

typedef struct file_header {
    char magic[16];
    uint8_t numbers[NUM_NUMBERS][8];
    char key[HEX];
    char rules[HY_RULES_TEXT_SIZE];
    char sum[HEX]; /* of all above and of the checksums of the blocks */
} file_header;

/* A file that is being made or has been mapped, in its parts. */
typedef struct parts {
    file_header *header;
    char *sums; /* HEX bytes a block */
    const uint8_t *data;
    uint64_t num, num_blocks;
} parts;

static uint64_t blocks_of(uint64_t num)
{
    return (num + BLOCK - 1) / BLOCK;
}

static uint64_t data_offset(uint64_t num)
{
    uint64_t head = sizeof(file_header) + blocks_of(num) * HEX;
    return (head + PAGE - 1) / PAGE * PAGE;
}

uint64_t hy_layer_file_size(uint64_t num_positions)
{
    return data_offset(num_positions) + num_positions;
}

void hy_layer_file_name(unsigned counters, char name[HY_LAYER_NAME_SIZE])
{
    snprintf(name, HY_LAYER_NAME_SIZE, "%03u.hyt", counters);
}

void hy_endgame_key(const hy_rules *rules, char hex[HY_SHA256_HEX_SIZE])
{
    hy_rules same = *rules;
    char text[HY_RULES_TEXT_SIZE];
    hy_sha256 hash;
    same.seeds = 0;
    hy_rules_print(&same, text);
    hy_sha256_init(&hash);
    hy_sha256_add_text(&hash, HY_RULES_VERSION);
    hy_sha256_add_text(&hash, text);
    hy_sha256_add_u64(&hash, hy_rules_total(rules) % rules->casa);
    hy_sha256_finish(&hash, hex);
}

static void put_number(file_header *header, unsigned which, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        header->numbers[which][i] = (uint8_t)(value >> 8 * i);
}

static uint64_t get_number(const file_header *header, unsigned which)
{
    uint64_t value = 0;
    for (unsigned i = 8; i-- > 0;)
        value = value << 8 | header->numbers[which][i];
    return value;
}

static void sum_block(const parts *file, uint64_t block, char hex[HY_SHA256_HEX_SIZE])
{
    uint64_t first = block * BLOCK;
    hy_sha256 hash;
    hy_sha256_init(&hash);
    hy_sha256_add(&hash, file->data + first, file->num - first < BLOCK ? file->num - first : BLOCK);
    hy_sha256_finish(&hash, hex);
}

static void sum_header(const parts *file, char hex[HY_SHA256_HEX_SIZE])
{
    hy_sha256 hash;
    hy_sha256_init(&hash);
    hy_sha256_add(&hash, file->header, offsetof(file_header, sum));
    hy_sha256_add(&hash, file->sums, file->num_blocks * HEX);
    hy_sha256_finish(&hash, hex);
}

static void fill_header(const hy_endgame *endgame, const hy_layer *layer, parts *file)
{
    char hex[HY_SHA256_HEX_SIZE];
    file_header *header = file->header;
    memcpy(header->magic, magic, sizeof magic);
    put_number(header, VERSION, THIS_VERSION);
    put_number(header, COUNTERS, layer->counters);
    put_number(header, UNIT, (uint64_t)endgame->unit);
    put_number(header, POSITIONS, layer->num);
    put_number(header, BLOCK_SIZE, BLOCK);
    hy_endgame_key(&endgame->rules, hex);
    memcpy(header->key, hex, HEX);
    hy_rules_print(&endgame->rules, header->rules);
    for (uint64_t block = 0; block < file->num_blocks; block++) {
        sum_block(file, block, hex);
        memcpy(file->sums + block * HEX, hex, HEX);
    }
    sum_header(file, hex);
    memcpy(header->sum, hex, HEX);
}

static bool write_all(int descriptor, const void *bytes, uint64_t size)
{
    const char *rest = bytes;
    while (size > 0) {
        ssize_t written = write(descriptor, rest, size < BLOCK ? size : BLOCK);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        rest += written;
        size -= (uint64_t)written;
    }
    return true;
}

static bool flush_folder(const char *folder)
{
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool flushed = descriptor >= 0 && fsync(descriptor) == 0;
    if (descriptor >= 0)
        close(descriptor);
    return flushed;
}

static bool write_parts(const char *path, const void *head, uint64_t head_size, const void *data,
                        uint64_t data_size)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0)
        return false;
    bool written = write_all(descriptor, head, head_size) &&
                   write_all(descriptor, data, data_size) && fsync(descriptor) == 0;
    return close(descriptor) == 0 && written;
}

hy_status hy_layer_file_write(const hy_endgame *endgame, const hy_layer *layer, const char *folder,
                              hy_error *error)
{
    char name[HY_LAYER_NAME_SIZE], path[MAX_PATH], temporary[MAX_PATH];
    uint64_t head_size = data_offset(layer->num);
    char *head = hy_new_array(head_size, 1);
    if (!head)
        return hy_fail_memory(error);
    parts file = {.header = (file_header *)(void *)head,
                  .sums = head + sizeof(file_header),
                  .data = (const uint8_t *)layer->values,
                  .num = layer->num,
                  .num_blocks = blocks_of(layer->num)};
    fill_header(endgame, layer, &file);
    hy_layer_file_name(layer->counters, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(temporary, sizeof temporary, "%s/%s.part", folder, name);
    errno = 0;
    bool written = write_parts(temporary, head, head_size, layer->values, layer->num) &&
                   rename(temporary, path) == 0 && flush_folder(folder);
    free(head);
    if (written)
        return HY_OK;
    hy_status status = hy_fail(error, HY_STORAGE, "cannot write '%s': %s", path, strerror(errno));
    unlink(temporary);
    return status;
}

static hy_status damaged(const char *path, const char *what, hy_error *error)
{
    return hy_fail(error, HY_STORAGE,
                   "'%s' is damaged (%s); once it is removed, 'hoyito solve' makes it again", path,
                   what);
}

/* Reads the file's parts; the mapping has at least the size of a header. */
static hy_status check_header(const hy_endgame *endgame, const hy_layer *layer, const char *path,
                              const parts *file, hy_error *error)
{
    char hex[HY_SHA256_HEX_SIZE];
    const file_header *header = file->header;
    if (get_number(header, VERSION) != THIS_VERSION)
        return hy_fail(error, HY_MISMATCH, "'%s' is of version %llu; this program knows %u", path,
                       (unsigned long long)get_number(header, VERSION), THIS_VERSION);
    hy_endgame_key(&endgame->rules, hex);
    if (memcmp(header->key, hex, HEX) != 0)
        return hy_fail(error, HY_MISMATCH, "'%s' is of another variant: %.*s", path,
                       HY_RULES_TEXT_SIZE - 1, header->rules);
    if (get_number(header, COUNTERS) != layer->counters ||
        get_number(header, POSITIONS) != layer->num || get_number(header, BLOCK_SIZE) != BLOCK ||
        get_number(header, UNIT) != (uint64_t)endgame->unit)
        return damaged(path, "its numbers", error);
    return HY_OK;
}

static hy_status check_map(const hy_endgame *endgame, const hy_layer *layer, const char *path,
                           char *map, uint64_t size, bool verify, hy_error *error)
{
    char hex[HY_SHA256_HEX_SIZE], what[64];
    parts file = {.header = (file_header *)(void *)map,
                  .sums = map + sizeof(file_header),
                  .data = (const uint8_t *)map + data_offset(layer->num),
                  .num = layer->num,
                  .num_blocks = blocks_of(layer->num)};
    if (memcmp(file.header->magic, magic, sizeof magic) != 0)
        return hy_fail(error, HY_STORAGE, "'%s' is no table of 'hoyito solve'", path);
    hy_status status = check_header(endgame, layer, path, &file, error);
    if (status != HY_OK)
        return status;
    if (size != hy_layer_file_size(layer->num))
        return damaged(path, "its size", error);
    sum_header(&file, hex);
    if (memcmp(file.header->sum, hex, HEX) != 0)
        return damaged(path, "its header", error);
    for (uint64_t block = 0; verify && block < file.num_blocks; block++) {
        sum_block(&file, block, hex);
        if (memcmp(file.sums + block * HEX, hex, HEX) != 0) {
            snprintf(what, sizeof what, "block %llu", (unsigned long long)block);
            return damaged(path, what, error);
        }
    }
    return HY_OK;
}

/* Maps a whole file; *map is NULL where there is none. */
static hy_status map_file(const char *path, char **map, uint64_t *size, hy_error *error)
{
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    *map = NULL;
    if (descriptor < 0 && errno == ENOENT)
        return HY_OK;
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        hy_status status =
            hy_fail(error, HY_STORAGE, "cannot read '%s': %s", path, strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return status;
    }
    *size = (uint64_t)about.st_size;
    void *mapped = *size < sizeof(file_header)
                       ? MAP_FAILED
                       : mmap(NULL, *size, PROT_READ, MAP_SHARED, descriptor, 0);
    close(descriptor);
    if (*size < sizeof(file_header))
        return hy_fail(error, HY_STORAGE, "'%s' is no table of 'hoyito solve'", path);
    if (mapped == MAP_FAILED)
        return hy_fail(error, HY_STORAGE, "cannot map '%s': %s", path, strerror(errno));
    *map = mapped;
    return HY_OK;
}

hy_status hy_layer_file_map(const hy_endgame *endgame, hy_layer *layer, const char *folder,
                            bool verify, bool *found, hy_error *error)
{
    char name[HY_LAYER_NAME_SIZE], path[MAX_PATH], *map;
    uint64_t size = 0;
    hy_layer_file_name(layer->counters, name);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    hy_status status = map_file(path, &map, &size, error);
    *found = map != NULL;
    if (status != HY_OK || !map)
        return status;
    status = check_map(endgame, layer, path, map, size, verify, error);
    if (status != HY_OK) {
        munmap(map, size);
        return status;
    }
    layer->map = map;
    layer->map_size = size;
    layer->values = (const int8_t *)map + data_offset(layer->num);
    return HY_OK;
}

void hy_layer_file_add_sums(const hy_layer *layer, hy_sha256 *hash)
{
    const char *sums = (const char *)layer->map + sizeof(file_header);
    hy_sha256_add(hash, sums, blocks_of(layer->num) * HEX);
}

/* The name of the smallest layer in a folder; false: there is none. */
static bool find_smallest(DIR *folder, char name[HY_LAYER_NAME_SIZE])
{
    bool found = false;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        size_t digits = strspn(entry->d_name, "0123456789");
        if (digits != 3 || strcmp(entry->d_name + digits, ".hyt") != 0)
            continue;
        if (!found || strcmp(entry->d_name, name) < 0)
            snprintf(name, HY_LAYER_NAME_SIZE, "%.15s", entry->d_name);
        found = true;
    }
    return found;
}

hy_status hy_endgame_folder_rules(const char *folder, hy_rules *rules, hy_error *error)
{
    char name[HY_LAYER_NAME_SIZE], path[MAX_PATH], text[HY_RULES_TEXT_SIZE], *map;
    uint64_t size = 0;
    DIR *listing = opendir(folder);
    if (!listing)
        return hy_fail(error, HY_STORAGE, "cannot read the folder '%s': %s", folder,
                       strerror(errno));
    bool found = find_smallest(listing, name);
    closedir(listing);
    if (!found)
        return hy_fail(error, HY_STORAGE, "there are no tables in '%s'", folder);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    hy_status status = map_file(path, &map, &size, error);
    if (status != HY_OK || !map)
        return status != HY_OK ? status : hy_fail(error, HY_STORAGE, "'%s' is gone", path);
    const file_header *header = (const file_header *)(const void *)map;
    bool ours = memcmp(header->magic, magic, sizeof magic) == 0;
    memcpy(text, header->rules, sizeof text);
    text[sizeof text - 1] = '\0';
    munmap(map, size);
    if (!ours)
        return hy_fail(error, HY_STORAGE, "'%s' is no table of 'hoyito solve'", path);
    return hy_rules_parse(text, rules, error);
}
