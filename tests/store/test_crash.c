/* A process that is killed while it writes loses what it had not committed, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/databases.h"

#define GAMES 2000u
#define PARTS 40u

/* In the child: plays part by part, so that there are many commits, in an order of its own. */
static void play_parts(const char *path, hy_record record, unsigned turn)
{
    for (unsigned i = 0; i < PARTS; i++) {
        hy_experiment experiment = experiment_small(GAMES, record);
        unsigned part = (i * 7 + turn * 3) % PARTS + 1;
        if (play_into(path, &experiment, 2, SHARD(part, PARTS), NULL, NULL) != HY_OK)
            _exit(1);
        hy_experiment_clean_up(&experiment);
    }
    _exit(0);
}

/* Whether the child was killed before it was done. */
static bool kill_after(const char *path, hy_record record, unsigned turn, useconds_t microseconds)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        play_parts(path, record, turn);
    usleep(microseconds);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

static void kill_again_and_again(hy_record record)
{
    static const useconds_t delays[] = {500,   2000,  7000,  11000, 16000,
                                        23000, 31000, 42000, 55000, 70000};
    const char *path = scratch_path("killed.db");
    unsigned killed = 0;
    file_remove(path);
    uint64_t num_games = 0;
    for (unsigned i = 0; i < NUM(delays); i++) {
        hy_error error;
        killed += kill_after(path, record, i, delays[i]);
        if (access(path, F_OK) != 0)
            continue;
        hy_status status = verify_file(path, 2, &num_games, &error);
        if (status != HY_OK)
            fail_msg("after kill %u: %s", i, error.text);
        if (i % 3 == 2)
            assert_string_equal(sql_text(path, "PRAGMA integrity_check"), "ok");
    }
    assert_true(killed > 0);
    hy_experiment experiment = experiment_small(GAMES, record);
    play_all("killed.db", &experiment, 2);
    digest resumed = digest_of(path);
    assert_verifies(path, 3 * GAMES);
    assert_false(file_has_company(path));
    const char *undisturbed = play_all("undisturbed.db", &experiment, 2);
    assert_digest(undisturbed, &resumed);
    file_remove(path);
    file_remove(undisturbed);
    hy_experiment_clean_up(&experiment);
}

static void rows(void **state)
{
    (void)state;
    kill_again_and_again(HY_RECORD_GAMES);
}

static void rows_with_holes(void **state)
{
    (void)state;
    kill_again_and_again(HY_RECORD_MOVES);
}

static void blocks(void **state)
{
    (void)state;
    kill_again_and_again(HY_RECORD_SUMMARY);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(rows_with_holes),
        cmocka_unit_test(blocks),
    };
    return cmocka_run_group_tests_name("store/crash", tests, scratch_make, scratch_remove);
}
