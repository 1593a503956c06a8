/* Limits of control groups, read from folders laid out as Linux has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/memory.h"

static char folder[] = "/tmp/hoyito-test-XXXXXX";

/* A file in the scratch folder, with the folders on the way to it. */
static void put(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *c = strchr(path + sizeof folder, '/'); c; c = strchr(c + 1, '/')) {
        *c = '\0';
        (void)!mkdir(path, 0700);
        *c = '/';
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    return place->level > 0 ? remove(path) : 0;
}

static int empty(void **state)
{
    (void)state;
    return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static uint64_t limit(void)
{
    char membership[64];
    snprintf(membership, sizeof membership, "%s/cgroup", folder);
    return hy_cgroup_memory(membership, folder);
}

static void the_least_of_version_2_holds(void **state)
{
    (void)state;
    put("cgroup", "0::/slurm/job_7/step_0\n");
    assert_true(limit() == UINT64_MAX);
    put("slurm/job_7/step_0/memory.max", "max\n");
    assert_true(limit() == UINT64_MAX);
    put("slurm/job_7/memory.max", "4000000\n");
    assert_int_equal(limit(), 4000000);
    put("slurm/memory.max", "9000000\n");
    assert_int_equal(limit(), 4000000);
    put("slurm/job_7/step_0/memory.max", "3000000\n");
    assert_int_equal(limit(), 3000000);
    put("memory.max", "1000000\n");
    assert_int_equal(limit(), 1000000);
}

static void version_1_has_its_own_hierarchy(void **state)
{
    (void)state;
    put("cgroup", "9:name=systemd:/a\n5:cpu,cpuacct:/b\n4:hugetlb,memory:/c/d\n0::/a\n");
    put("memory/c/d/memory.limit_in_bytes", "9223372036854771712\n");
    put("memory/b/memory.limit_in_bytes", "5\n");
    put("c/d/memory.max", "6\n");
    assert_int_equal(limit(), UINT64_C(9223372036854771712));
    put("memory/c/memory.limit_in_bytes", "7000000\n");
    assert_int_equal(limit(), 7000000);
    put("a/memory.max", "2000000\n"); /* both at once: the lower one */
    assert_int_equal(limit(), 2000000);
}

/* In a container the name of the group is that outside; the root seen here is the group itself. */
static void a_group_that_is_not_there_is_the_root(void **state)
{
    (void)state;
    put("cgroup", "4:memory:/docker/0123\n");
    put("memory/memory.limit_in_bytes", "8000000\n");
    assert_int_equal(limit(), 8000000);
}

static void what_cannot_be_read_is_no_limit(void **state)
{
    static const char *const lines[] = {"",
                                        "\n",
                                        "4",
                                        "4:",
                                        "4:memory",
                                        "memory",
                                        "0::",
                                        "4:mem:/a\n",
                                        "4:memoryless:/a\n",
                                        "4:xmemory:/a\n"};
    char longer[9000];
    (void)state;
    assert_true(limit() == UINT64_MAX);
    put("memory/a/memory.limit_in_bytes", "1\n");
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        put("cgroup", lines[i]);
        assert_true(limit() == UINT64_MAX);
    }
    put("memory/a/memory.limit_in_bytes", "a lot\n");
    put("cgroup", "4:memory:/a\n");
    assert_true(limit() == UINT64_MAX);
    put("memory/a/memory.limit_in_bytes", "");
    assert_true(limit() == UINT64_MAX);
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    memcpy(longer, "0::/", 4);
    put("cgroup", longer);
    assert_true(limit() == UINT64_MAX);
}

static void a_process_can_have_no_more_than_its_groups(void **state)
{
    (void)state;
    assert_true(hy_memory_limit() <= hy_cgroup_memory(HY_CGROUP_MEMBERSHIP, HY_CGROUP_MOUNT));
    assert_true(hy_memory_limit() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_least_of_version_2_holds, empty),
        cmocka_unit_test_setup(version_1_has_its_own_hierarchy, empty),
        cmocka_unit_test_setup(a_group_that_is_not_there_is_the_root, empty),
        cmocka_unit_test_setup(what_cannot_be_read_is_no_limit, empty),
        cmocka_unit_test(a_process_can_have_no_more_than_its_groups),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    empty(NULL);
    rmdir(folder);
    return failed;
}
