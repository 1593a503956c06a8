#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/threads.h"
#include "support/experiments.h"

#define SLURM "SLURM_CPUS_PER_TASK"

/* What may be used without a word from anybody. */
static unsigned allowed(void)
{
    cpu_set_t set;
    assert_int_equal(sched_getaffinity(0, sizeof set, &set), 0);
    return (unsigned)CPU_COUNT(&set);
}

static void what_is_asked_for_comes_first(void **state)
{
    (void)state;
    assert_int_equal(setenv(SLURM, "3", 1), 0);
    assert_int_equal(hy_thread_count(1), 1);
    assert_int_equal(hy_thread_count(7), 7);
    assert_int_equal(hy_thread_count(HY_LIMIT_THREADS), HY_LIMIT_THREADS);
    assert_int_equal(unsetenv(SLURM), 0);
    assert_int_equal(hy_thread_count(7), 7);
}

static void then_that_of_slurm(void **state)
{
    (void)state;
    static const char *const numbers[] = {"1", "5", "96", "1024"};
    for (size_t i = 0; i < NUM(numbers); i++) {
        assert_int_equal(setenv(SLURM, numbers[i], 1), 0);
        assert_int_equal(hy_thread_count(0), strtoul(numbers[i], NULL, 10));
    }
    assert_int_equal(unsetenv(SLURM), 0);
}

static void what_slurm_does_not_mean_is_ignored(void **state)
{
    (void)state;
    static const char *const garbage[] = {
        "",    "0",   "-2",   "4 ",  " 4", "4x",         "four",
        "1e1", "0x4", "1025", "4.0", "+4", "4294967297", "18446744073709551617"};
    assert_int_equal(unsetenv(SLURM), 0);
    unsigned expected = hy_thread_count(0);
    for (size_t i = 0; i < NUM(garbage); i++) {
        assert_int_equal(setenv(SLURM, garbage[i], 1), 0);
        assert_int_equal(hy_thread_count(0), expected);
    }
    assert_int_equal(unsetenv(SLURM), 0);
}

static void then_the_processors_that_are_allowed(void **state)
{
    (void)state;
    cpu_set_t before, one;
    assert_int_equal(unsetenv(SLURM), 0);
    assert_in_range(hy_thread_count(0), 1, allowed());
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    size_t cpu = 0;
    while (!CPU_ISSET(cpu, &before))
        cpu++;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(hy_thread_count(0), 1);
    assert_int_equal(hy_thread_count(4), 4);
    assert_int_equal(setenv(SLURM, "3", 1), 0);
    assert_int_equal(hy_thread_count(0), 3);
    assert_int_equal(unsetenv(SLURM), 0);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

/* Writes the limit of a group in version 2. */
static void limit(const char *group, const char *text)
{
    char name[256];
    snprintf(name, sizeof name, "%s/cpu.max", group);
    scratch_write(name, text);
}

/* Writes quota and period of a group in version 1. */
static void quota(const char *group, const char *microseconds, const char *period)
{
    char name[256];
    snprintf(name, sizeof name, "%s/cpu.cfs_quota_us", group);
    scratch_write(name, microseconds);
    snprintf(name, sizeof name, "%s/cpu.cfs_period_us", group);
    scratch_write(name, period);
}

static void the_tightest_group_counts(void **state)
{
    (void)state;
    const char *root = scratch_path("v2");
    limit("v2/slice", "400000 100000\n");
    limit("v2/slice/job", "max 100000\n");
    limit("v2/slice/job/step", "800000 100000\n");
    assert_int_equal(hy_cgroup_cpus("0::/slice/job/step\n", root), 4);
    assert_int_equal(hy_cgroup_cpus("0::/slice/job\n", root), 4);
    assert_int_equal(hy_cgroup_cpus("0::/slice\n", root), 4);
    limit("v2/slice/job", "150000 100000\n");
    assert_int_equal(hy_cgroup_cpus("0::/slice/job/step\n", root), 2);
    limit("v2/slice/job/step", "10000 100000\n");
    assert_int_equal(hy_cgroup_cpus("0::/slice/job/step\n", root), 1);
    assert_int_equal(hy_cgroup_cpus("0::/slice/job\n", root), 2);
}

/* In a container the own group is the root, whose limit is in the root's folder. */
static void the_root_itself_may_have_a_limit(void **state)
{
    (void)state;
    const char *root = scratch_path("container");
    limit("container", "300000 100000\n");
    assert_int_equal(hy_cgroup_cpus("0::/\n", root), 3);
    assert_int_equal(hy_cgroup_cpus("0::/unknown/group\n", root), 3);
    limit("container", "max 100000\n");
    assert_int_equal(hy_cgroup_cpus("0::/\n", root), 0);
}

static void no_limit(void **state)
{
    (void)state;
    static const char *const memberships[] = {
        "",   "\n",      "0::/free",          "0::/free/below\n",           "0::/nowhere\n",
        "0:", "garbage", "1:name=systemd:/x", "2:memory:/free\n0::/free\n",
    };
    const char *root = scratch_path("none");
    limit("none/free", "max 100000\n");
    for (size_t i = 0; i < NUM(memberships); i++)
        assert_int_equal(hy_cgroup_cpus(memberships[i], root), 0);
    static const char *const garbage[] = {"",         "max",          "400000",   "-1 100000",
                                          "400000 0", "400000 -5",    "0 100000", "many few",
                                          "\n400000", "0x10 100000\n"};
    for (size_t i = 0; i < NUM(garbage); i++) {
        limit("none/free", garbage[i]);
        assert_int_equal(hy_cgroup_cpus("0::/free\n", root), 0);
    }
}

static void quotas_are_rounded_up_and_bounded(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned cpus;
    } rows[] = {
        {"1 100000", 1},
        {"100000 100000", 1},
        {"100001 100000", 2},
        {"250000 100000", 3},
        {"50000 25000", 2},
        {"102400000 100000", HY_LIMIT_THREADS},
        {"9000000000000 100000", HY_LIMIT_THREADS},
        {"9223372036854775807 100000", HY_LIMIT_THREADS},
        {"9223372036854775807 9223372036854775807", 1},
    };
    const char *root = scratch_path("round");
    for (size_t i = 0; i < NUM(rows); i++) {
        limit("round/group", rows[i].text);
        assert_int_equal(hy_cgroup_cpus("0::/group\n", root), rows[i].cpus);
    }
}

static void version_1(void **state)
{
    (void)state;
    static const char *const names[] = {"cpu", "cpu,cpuacct", "cpuset,cpu,cpuacct", "cpuset,cpu"};
    for (size_t i = 0; i < NUM(names); i++) {
        char group[64], line[128];
        const char *root = scratch_path("v1");
        snprintf(group, sizeof group, "v1/%s", names[i]);
        quota(group, "600000\n", "100000\n");
        snprintf(group, sizeof group, "v1/%s/slurm", names[i]);
        quota(group, "-1\n", "100000\n");
        snprintf(line, sizeof line, "9:memory:/slurm/job\n4:%s:/slurm/job\n1:name=systemd:/\n",
                 names[i]);
        assert_int_equal(hy_cgroup_cpus(line, root), 6);
        snprintf(group, sizeof group, "v1/%s/slurm/job", names[i]);
        quota(group, "150000\n", "50000\n");
        assert_int_equal(hy_cgroup_cpus(line, root), 3);
    }
    quota("v1/cpuset", "100000\n", "100000\n");
    assert_int_equal(hy_cgroup_cpus("4:cpuset:/\n5:cpuacct:/\n", scratch_path("v1")), 0);
}

/* A machine with both: each controller is in one of them, and the tighter one counts. */
static void both_versions(void **state)
{
    (void)state;
    const char *root = scratch_path("both");
    limit("both/a", "500000 100000\n");
    quota("both/cpu/a", "200000\n", "100000\n");
    assert_int_equal(hy_cgroup_cpus("3:cpu:/a\n0::/a\n", root), 2);
    quota("both/cpu/a", "900000\n", "100000\n");
    assert_int_equal(hy_cgroup_cpus("3:cpu:/a\n0::/a\n", root), 5);
}

static void long_paths_do_no_harm(void **state)
{
    (void)state;
    char line[9000] = "0::";
    for (size_t used = 3; used + 3 < sizeof line; used += 2)
        memcpy(line + used, "/x", 3);
    assert_int_equal(hy_cgroup_cpus(line, scratch_path("v2")), 0);
    memcpy(line, "1:cpu,", 6);
    memset(line + 6, 'c', 3000);
    line[3006] = ':';
    assert_int_equal(hy_cgroup_cpus(line, scratch_path("v2")), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_for_comes_first),
        cmocka_unit_test(then_that_of_slurm),
        cmocka_unit_test(what_slurm_does_not_mean_is_ignored),
        cmocka_unit_test(then_the_processors_that_are_allowed),
        cmocka_unit_test(the_tightest_group_counts),
        cmocka_unit_test(the_root_itself_may_have_a_limit),
        cmocka_unit_test(no_limit),
        cmocka_unit_test(quotas_are_rounded_up_and_bounded),
        cmocka_unit_test(version_1),
        cmocka_unit_test(both_versions),
        cmocka_unit_test(long_paths_do_no_harm),
    };
    return cmocka_run_group_tests_name("sim/threads", tests, scratch_make, scratch_remove);
}
