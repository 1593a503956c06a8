/* Files of endgame tables. The first byte says what is done with a small folder of tables: bit 0,
 * the checksums are made right again afterwards; bit 1, `solve --check` is asked; bit 2, all that
 * follows is the smallest table's file. Otherwise edits of four bytes follow: which file (bits 0 to
 * 2; bit 3: it is cut or grown to the offset, bit 4: it is removed), the offset in two bytes, least
 * significant first, and the byte that is written there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "fuzz/fuzz.h"
#include "rules/rules.h"
#include "solve/check.h"
#include "solve/folder.h"

#define NUM_FILES 5
#define MAX_COUNTERS 8
#define HEX (HY_SHA256_HEX_SIZE - 1)
#define SUM_OFFSET (16 + 5 * 8 + HEX + HY_RULES_TEXT_SIZE) /* in the header of layer_file.c */
#define DATA_OFFSET 4096

typedef struct table_file {
    char *path;
    uint8_t *bytes;
    size_t size;
} table_file;

static table_file originals[NUM_FILES];
static size_t num_files;
static char *folder;
static hy_rules rules;

static void make_tables(void)
{
    rules = hy_rules_default();
    rules.holes = 2;
    rules.seeds = 2;
    folder = hy_fuzz_path("tables");
    if (hy_solve_folder(&rules, MAX_COUNTERS, folder, &(hy_solve_options){0}, NULL) != HY_OK)
        hy_fuzz_fault("cannot make tables");
    for (unsigned counters = 0; counters <= MAX_COUNTERS && num_files < NUM_FILES; counters++) {
        table_file *file = &originals[num_files];
        char name[32];
        snprintf(name, sizeof name, "tables/%03u.hyt", counters);
        file->path = hy_fuzz_path(name);
        file->bytes = hy_fuzz_read(file->path, &file->size);
        if (file->bytes)
            num_files++;
        else
            free(file->path);
    }
}

/* Both checksums of a file of one block. */
static void sum_up(uint8_t *bytes, size_t size)
{
    char hex[HY_SHA256_HEX_SIZE];
    hy_sha256 hash;
    if (size < DATA_OFFSET)
        return;
    hy_sha256_init(&hash);
    hy_sha256_add(&hash, bytes + DATA_OFFSET, size - DATA_OFFSET);
    hy_sha256_finish(&hash, hex);
    memcpy(bytes + SUM_OFFSET + HEX, hex, HEX);
    hy_sha256_init(&hash);
    hy_sha256_add(&hash, bytes, SUM_OFFSET);
    hy_sha256_add(&hash, bytes + SUM_OFFSET + HEX, HEX);
    hy_sha256_finish(&hash, hex);
    memcpy(bytes + SUM_OFFSET, hex, HEX);
}

/* Writes a file with its edits. */
static void write_edited(size_t which, const uint8_t *edits, size_t num, bool sums)
{
    const table_file *file = &originals[which];
    uint8_t *bytes = calloc(1, 0x10000 + file->size);
    size_t size = file->size;
    bool there = true;
    memcpy(bytes, file->bytes, size);
    for (size_t i = 0; i < num; i++) {
        const uint8_t *edit = edits + 4 * i;
        size_t offset = edit[1] | (size_t)edit[2] << 8;
        if ((edit[0] & 7u) % num_files != which)
            continue;
        there = there && !(edit[0] & 0x10);
        if (edit[0] & 8)
            size = offset;
        else if (offset < size)
            bytes[offset] = edit[3];
    }
    if (sums)
        sum_up(bytes, size);
    if (there)
        hy_fuzz_write(file->path, bytes, size);
    else
        unlink(file->path);
    free(bytes);
}

static const char positions[] = "{\"board\":[0,1,1,0],\"mover\":\"south\"}\n"
                                "{\"board\":[1,2,1,0],\"mover\":\"north\"}\n"
                                "{\"board\":[2,2,2,2],\"mover\":\"south\"}\n"
                                "{\"board\":[0,0,4,0],\"mover\":\"south\"}\n";

static void ask(bool check)
{
    hy_endgame *endgame;
    hy_rules read;
    char *variant = hy_fuzz_path("small.yaml");
    static const char text[] = "name: small\nsource: fuzz\nholes: 2\nseeds: 2\n";
    hy_fuzz_write(variant, text, sizeof text - 1);
    const char *const value[] = {variant, "--tables", folder, NULL};
    const char *const checked[] = {"--check", folder, "-j", "1", NULL};
    (void)hy_fuzz_command(&hy_command_value, positions, sizeof positions - 1, value);
    if (check)
        (void)hy_fuzz_command(&hy_command_solve, NULL, 0, checked);
    if (hy_endgame_folder_rules(folder, &read, NULL) == HY_OK &&
        hy_rules_check(&read, NULL, NULL) != HY_OK)
        hy_fuzz_fault("rules that are none");
    if (hy_endgame_open(folder, &rules, &endgame, NULL) == HY_OK) {
        for (unsigned i = 0; i < hy_endgame_num_layers(endgame); i++)
            (void)hy_endgame_census(endgame, i);
        hy_endgame_destroy(endgame);
    }
    free(variant);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!folder)
        make_tables();
    if (size == 0)
        return 0;
    for (size_t i = 0; i < num_files; i++)
        write_edited(i, data + 1, data[0] & 4 ? 0 : (size - 1) / 4, data[0] & 1);
    if (data[0] & 4)
        hy_fuzz_write(originals[0].path, data + 1, size - 1);
    ask(data[0] & 2);
    return 0;
}
