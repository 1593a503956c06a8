/* Files that get their name when they are complete. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/draft.h"

static char home[4096], folder[] = "/tmp/hoyito-test-XXXXXX";

/* Whether the system can give a file its name afterwards; the linker puts this in the place of
 * access(). */
static bool knows_nameless = true;

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode)
{
    return !knows_nameless && strncmp(path, "/proc/", 6) == 0 ? -1 : __real_access(path, mode);
}

static int forget_nameless(void **state)
{
    (void)state;
    knows_nameless = false;
    return 0;
}

static int remember_nameless(void **state)
{
    (void)state;
    knows_nameless = true;
    return 0;
}

static int enter(void **state)
{
    (void)state;
    return getcwd(home, sizeof home) && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **state)
{
    (void)state;
    return chdir(home) == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static unsigned num_files(void)
{
    unsigned num = 0;
    DIR *listing = opendir(".");
    assert_non_null(listing);
    while (readdir(listing))
        num++;
    closedir(listing);
    return num - 2; /* "." and ".." */
}

static void assert_holds(const char *path, const char *expected)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, expected);
}

static hy_draft draft_of(const char *path, const char *text)
{
    hy_draft draft;
    hy_error error;
    if (hy_draft_open(path, &draft, &error) != HY_OK)
        fail_msg("%s", error.text);
    fputs(text, draft.file);
    return draft;
}

static void a_draft_is_nowhere_until_it_is_kept(void **state)
{
    (void)state;
    hy_draft draft = draft_of("file", "one");
    assert_int_equal(access("file", F_OK), -1);
    assert_int_equal(hy_draft_keep(&draft, false, NULL), HY_OK);
    assert_holds("file", "one");
    draft = draft_of("file", "two");
    assert_holds("file", "one");
    assert_int_equal(hy_draft_keep(&draft, true, NULL), HY_OK);
    assert_holds("file", "two");
    draft = draft_of("./file", "three");
    hy_draft_drop(&draft);
    assert_holds("file", "two");
    assert_int_equal(num_files(), 1);
    assert_int_equal(unlink("file"), 0);
}

static void a_file_that_is_there_is_not_replaced_unasked(void **state)
{
    (void)state;
    hy_error error;
    hy_draft draft = draft_of("file", "one"), other = draft_of("file", "two");
    assert_int_equal(hy_draft_keep(&draft, false, NULL), HY_OK);
    assert_int_equal(hy_draft_keep(&other, false, &error), HY_STORAGE);
    assert_string_equal(error.text, "cannot write 'file': File exists");
    assert_holds("file", "one");
    assert_int_equal(num_files(), 1);
    assert_int_equal(unlink("file"), 0);
}

static void what_a_killed_process_left_is_taken_over(void **state)
{
    (void)state;
    int left = open(".file.hoyito", O_WRONLY | O_CREAT, 0600);
    assert_true(left >= 0);
    assert_int_equal(write(left, "half", 4), 4);
    close(left);
    hy_draft draft = draft_of("file", "whole");
    assert_int_equal(hy_draft_keep(&draft, true, NULL), HY_OK);
    assert_holds("file", "whole");
    assert_int_equal(num_files(), 1);
    assert_int_equal(unlink("file"), 0);
}

static void one_process_at_a_time_has_the_name(void **state)
{
    (void)state;
    hy_error error;
    hy_draft other, draft = draft_of("file", "one");
    assert_int_equal(access(".file.hoyito", F_OK), 0);
    assert_int_equal(hy_draft_open("file", &other, &error), HY_STORAGE);
    assert_string_equal(error.text, "cannot write 'file': another process is making it");
    assert_int_equal(hy_draft_keep(&draft, true, NULL), HY_OK);
    assert_holds("file", "one");
    assert_int_equal(unlink("file"), 0);
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    static const char *const paths[][2] = {
        {"", "cannot write '': No such file or directory"},
        {"missing/file", "cannot write 'missing/file': No such file or directory"},
        {"missing/", "cannot write 'missing/': No such file or directory"},
        {".", "cannot write '.': it is no regular file"},
        {"/dev/null", "cannot write '/dev/null': it is no regular file"},
    };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        hy_draft draft;
        hy_error error;
        assert_int_equal(hy_draft_open(paths[i][0], &draft, &error), HY_STORAGE);
        assert_string_equal(error.text, paths[i][1]);
    }
    hy_draft draft = draft_of("file", "one");
    int full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0 && dup2(full, fileno(draft.file)) >= 0);
    close(full);
    hy_error error;
    assert_int_equal(hy_draft_keep(&draft, true, &error), HY_STORAGE);
    assert_string_equal(error.text, "cannot write 'file': No space left on device");
    assert_int_equal(num_files(), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draft_is_nowhere_until_it_is_kept),
        cmocka_unit_test(a_file_that_is_there_is_not_replaced_unasked),
        cmocka_unit_test(what_a_killed_process_left_is_taken_over),
        cmocka_unit_test(what_cannot_be_written_is_said),
#define NAMED(test) cmocka_unit_test_setup_teardown(test, forget_nameless, remember_nameless)
        NAMED(a_draft_is_nowhere_until_it_is_kept),
        NAMED(what_a_killed_process_left_is_taken_over),
        NAMED(what_cannot_be_written_is_said),
        NAMED(one_process_at_a_time_has_the_name),
    };
    return cmocka_run_group_tests_name("base/draft", tests, enter, leave);
}
