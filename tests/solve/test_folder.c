#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solve/folder.h"
#include "solve/layer_file.h"
#include "solve/layers.h"

static char folder[32];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/hoyito-tables-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static hy_rules small(void)
{
    return variant_of("holes=3 seeds=2");
}

static void path_of(unsigned counters, char *path, size_t size)
{
    char name[HY_LAYER_NAME_SIZE];
    hy_layer_file_name(counters, name);
    snprintf(path, size, "%s/%s", folder, name);
}

static off_t size_of(unsigned counters)
{
    char path[64];
    struct stat about;
    path_of(counters, path, sizeof path);
    return stat(path, &about) == 0 ? about.st_size : -1;
}

static void flip(unsigned counters, off_t offset)
{
    char path[64];
    uint8_t byte;
    path_of(counters, path, sizeof path);
    int file = open(path, O_RDWR);
    assert_true(file >= 0);
    assert_int_equal(pread(file, &byte, 1, offset), 1);
    byte ^= 4;
    assert_int_equal(pwrite(file, &byte, 1, offset), 1);
    assert_int_equal(close(file), 0);
}

static void what_is_written_is_read(void **state)
{
    hy_rules rules = small();
    hy_endgame *read, *made = tables_of(&rules, 12, UINT64_MAX, HY_METHOD_BEST);
    hy_rules again;
    (void)state;
    assert_int_equal(hy_solve_folder(&rules, 12, folder, NULL, NULL), HY_OK);
    assert_int_equal(hy_endgame_open(folder, &rules, &read, NULL), HY_OK);
    assert_int_equal(hy_endgame_max_counters(read), 12);
    assert_same_tables(read, made);
    hy_endgame_destroy(read);
    hy_endgame_destroy(made);
    assert_int_equal(hy_endgame_folder_rules(folder, &again, NULL), HY_OK);
    assert_memory_equal(&again, &rules, sizeof rules);
    assert_int_equal(hy_endgame_verify_files(folder, &rules, NULL), HY_OK);
    rules.seeds = 4; /* 24 counters: the same layers */
    assert_int_equal(hy_endgame_open(folder, &rules, &read, NULL), HY_OK);
    hy_endgame_destroy(read);
}

static void other_rules_are_refused(void **state)
{
    hy_rules rules = small();
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_solve_folder(&rules, 4, folder, NULL, NULL), HY_OK);
    for (size_t i = 0; i < hy_num_fields; i++) {
        hy_rules other = rules;
        unsigned value = hy_field_get(&hy_fields[i], &rules);
        ((uint8_t *)&other)[hy_fields[i].offset] =
            (uint8_t)(value == hy_fields[i].max ? value - 1 : value + 1);
        if (strcmp(hy_fields[i].key, "seeds") == 0)
            other.seeds = 3; /* 18 counters, 2 left over */
        if (hy_rules_check(&other, NULL, NULL) != HY_OK ||
            hy_solve_check_rules(&other, NULL, NULL) != HY_OK)
            continue;
        hy_status status = hy_endgame_open(folder, &other, &endgame, NULL);
        assert_true(status == HY_MISMATCH || status == HY_STORAGE);
        if (hy_fields[i].offset != offsetof(hy_rules, seeds) &&
            hy_fields[i].offset != offsetof(hy_rules, casa))
            assert_int_equal(status, HY_MISMATCH);
    }
}

/* Every byte of the header, of the checksums, and of the data. */
static void any_damaged_byte_is_found(void **state)
{
    hy_rules rules = small();
    hy_endgame *endgame;
    (void)state;
    assert_int_equal(hy_solve_folder(&rules, 4, folder, NULL, NULL), HY_OK);
    off_t size = size_of(4);
    assert_int_equal(size, 4096 + 126);
    for (off_t offset = 0; offset < size; offset += offset < 700 || offset >= 4090 ? 1 : 90) {
        bool covered = offset < 632 || offset >= 4096; /* between them nothing is kept */
        flip(4, offset);
        hy_status status = hy_endgame_verify_files(folder, &rules, NULL);
        if (covered && status == HY_OK)
            fail_msg("byte %ld may be anything", (long)offset);
        if (offset < 512) /* the header is compared whenever tables are opened */
            assert_int_not_equal(hy_endgame_open(folder, &rules, &endgame, NULL), HY_OK);
        if (offset >= 4096) /* damaged layers are not built upon */
            assert_int_equal(hy_solve_folder(&rules, 8, folder, NULL, NULL), HY_STORAGE);
        flip(4, offset);
    }
    assert_int_equal(hy_endgame_verify_files(folder, &rules, NULL), HY_OK);
}

static void short_files_are_refused(void **state)
{
    hy_rules rules = small();
    hy_endgame *endgame;
    char path[64];
    hy_error error = {0};
    (void)state;
    assert_int_equal(hy_solve_folder(&rules, 8, folder, NULL, NULL), HY_OK);
    path_of(8, path, sizeof path);
    for (off_t size = size_of(8) - 1; size >= 0; size = size * 2 / 3 - (size < 3)) {
        assert_int_equal(truncate(path, size), 0);
        assert_int_equal(hy_endgame_open(folder, &rules, &endgame, &error), HY_STORAGE);
        assert_non_null(strstr(error.text, "008.hyt"));
    }
}

static void a_missing_layer_is_made_again(void **state)
{
    hy_rules rules = small();
    hy_endgame *endgame;
    char path[64];
    hy_solve_plan plan;
    (void)state;
    assert_int_equal(hy_solve_folder(&rules, 12, folder, NULL, NULL), HY_OK);
    path_of(8, path, sizeof path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(hy_endgame_open(folder, &rules, &endgame, NULL), HY_OK);
    assert_int_equal(hy_endgame_max_counters(endgame), 4);
    hy_endgame_destroy(endgame);
    assert_int_equal(hy_solve_plan_make(&rules, 12, folder, &plan, NULL), HY_OK);
    assert_int_equal(plan.num_layers, 4);
    assert_true(plan.present[1]);
    assert_false(plan.present[2]);
    assert_int_equal(hy_solve_folder(&rules, 12, folder, NULL, NULL), HY_OK);
    assert_int_equal(hy_endgame_open(folder, &rules, &endgame, NULL), HY_OK);
    assert_int_equal(hy_endgame_max_counters(endgame), 12);
    hy_endgame_destroy(endgame);
}

static void a_folder_is_made_by_one_process_at_a_time(void **state)
{
    hy_rules rules = small();
    hy_error error = {0};
    (void)state;
    int lock = open(folder, O_RDONLY | O_DIRECTORY);
    assert_true(lock >= 0);
    assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), 0);
    assert_int_equal(hy_solve_folder(&rules, 8, folder, NULL, &error), HY_STORAGE);
    assert_non_null(strstr(error.text, "another process"));
    assert_int_equal(close(lock), 0);
    assert_int_equal(hy_solve_folder(&rules, 8, folder, NULL, &error), HY_OK);
}

static void what_cannot_be_written_fails(void **state)
{
    hy_rules rules = small();
    hy_error error = {0};
    char path[64];
    (void)state;
    assert_int_equal(hy_solve_folder(&rules, 8, "/nowhere/tables", NULL, &error), HY_STORAGE);
    path_of(4, path, sizeof path);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(hy_solve_folder(&rules, 8, folder, NULL, &error), HY_STORAGE);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_written_is_read),
        IN_FOLDER(other_rules_are_refused),
        IN_FOLDER(any_damaged_byte_is_found),
        IN_FOLDER(short_files_are_refused),
        IN_FOLDER(a_missing_layer_is_made_again),
        IN_FOLDER(a_folder_is_made_by_one_process_at_a_time),
        IN_FOLDER(what_cannot_be_written_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
