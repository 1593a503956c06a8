/* Operations on files that fail, each in its turn, and power that is lost between any two writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/faulty_vfs.h"
#include "store/databases.h"

#define GAMES 30u
#define PARTS 4u

static bool all_numbers; /* or only some of them */

/* What is disturbed. It works on `path`, which it may find half done. */
typedef hy_status work(const char *path, hy_record record, hy_error *error);

static const char *undisturbed, *older, *shards[2];
static digest wanted;

/* Plays shard by shard, so that there are several commits. */
static hy_status fill(hy_store *store, const hy_experiment *experiment, unsigned threads,
                      hy_shard shard, atomic_int *stop, hy_error *error)
{
    hy_status status = HY_OK;
    int64_t id;
    (void)shard;
    status = hy_store_add_provenance(store, "{}", &id, error);
    for (unsigned part = 1; status == HY_OK && part <= PARTS; part++) {
        hy_progress progress;
        status = hy_progress_init(&progress, experiment, error);
        if (status == HY_OK)
            status = hy_store_load_progress(store, &progress, error);
        hy_batch batch = {
            .experiment = experiment,
            .progress = &progress,
            .shard = SHARD(part, PARTS),
            .threads = threads,
            .record = experiment->record,
            .stop = stop,
            .consumer = {.context = store, .take = take_chunk, .tick = tick_store},
        };
        if (status == HY_OK)
            status = hy_batch_run(&batch, error);
        hy_progress_clean_up(&progress);
        if (status == HY_OK)
            status = hy_store_commit(store, error);
    }
    return status;
}

static hy_status play(const char *path, hy_record record, hy_error *error)
{
    hy_experiment experiment = experiment_small(GAMES, record);
    hy_status status = play_into_by(fill, path, &experiment, 1, HY_WHOLE_SHARD, NULL, error);
    hy_experiment_clean_up(&experiment);
    return status;
}

/* Half of the games, then the others. */
static hy_status grow(const char *path, hy_record record, hy_error *error)
{
    hy_experiment experiment = experiment_small(GAMES / 2, record);
    hy_status status = play_into_by(fill, path, &experiment, 1, HY_WHOLE_SHARD, NULL, error);
    hy_experiment_clean_up(&experiment);
    return status == HY_OK ? play(path, record, error) : status;
}

static hy_status migrate_into(const char *path, hy_store *from, hy_error *error)
{
    hy_experiment experiment = *hy_store_experiment(from); /* shares what `from` owns */
    hy_store *store;
    hy_status status = hy_store_check_migration(from, error);
    if (status == HY_OK)
        status = hy_store_open_for(path, &experiment, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_store_migrate(store, from, NULL, error);
    if (status == HY_OK)
        return hy_store_close(store, error);
    hy_store_abandon(store);
    return status;
}

/* A new file each time. */
static hy_status migrate(const char *path, hy_record record, hy_error *error)
{
    hy_store *from;
    (void)record;
    hy_store_remove(path);
    hy_status status = hy_store_open_older(older, &from, error);
    if (status != HY_OK)
        return status;
    status = migrate_into(path, from, error);
    hy_store_abandon(from);
    return status;
}

static hy_status merge_into(hy_store *store, hy_error *error)
{
    hy_store *others[NUM(shards)];
    hy_status status = HY_OK;
    size_t num = 0;
    while (status == HY_OK && num < NUM(shards)) {
        status = hy_store_open(shards[num], &others[num], error);
        num += status == HY_OK;
    }
    if (status == HY_OK)
        status = hy_store_merge(store, others, num, NULL, error);
    while (num > 0)
        hy_store_abandon(others[--num]);
    return status;
}

static hy_status merge(const char *path, hy_record record, hy_error *error)
{
    hy_experiment experiment = experiment_small(GAMES, record);
    hy_store *store;
    hy_status status = hy_store_open_for(path, &experiment, &store, error);
    if (status == HY_OK) {
        status = merge_into(store, error);
        if (status == HY_OK)
            status = hy_store_close(store, error);
        else
            hy_store_abandon(store);
    }
    hy_experiment_clean_up(&experiment);
    return status;
}

static hy_status compare(hy_error *error)
{
    hy_store *a, *b;
    hy_row_comparison comparison = {0};
    hy_status status = hy_store_open(undisturbed, &a, error);
    if (status != HY_OK)
        return status;
    status = hy_store_open(undisturbed, &b, error);
    if (status == HY_OK) {
        status = hy_store_compare(a, b, &comparison, error);
        hy_store_abandon(b);
    }
    hy_store_abandon(a);
    return status;
}

/* Reads all of the undisturbed database. */
static hy_status read_all(const char *path, hy_record record, hy_error *error)
{
    uint64_t num;
    hy_store *store;
    digest found;
    (void)record;
    (void)path;
    hy_status status = hy_store_open(undisturbed, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_store_digest(store, found.hex, error);
    hy_store_abandon(store);
    if (status == HY_OK)
        assert_string_equal(found.hex, wanted.hex);
    if (status == HY_OK)
        status = compare(error);
    return status == HY_OK ? verify_file(undisturbed, 1, &num, error) : status;
}

static void assert_says_why(const char *path, fault_kind kind, hy_status status,
                            const hy_error *error)
{
    const char *cause = strrchr(error->text, ':');
    if (kind == FAULT_MEMORY && status == HY_NO_MEMORY)
        return;
    bool named = strstr(error->text, path) || strstr(error->text, older) ||
                 strstr(error->text, shards[0]) || strstr(error->text, shards[1]);
    if (status != HY_STORAGE || !named || !cause || strlen(cause) < 8)
        fail_msg("%s: status %d: %s", fault_words[kind], status, error->text);
}

/* Whether no work on the file can come to its end so. Some failures hit what can be done without.
 */
static bool is_fatal(fault_kind kind, bool lasting)
{
    return kind == FAULT_POWER || kind == FAULT_WRITE || kind == FAULT_FULL ||
           (lasting && (kind == FAULT_READ || kind == FAULT_LOCK));
}

/* What is left is valid, and the same work brings it to its end. */
static void assert_goes_on(const char *path, work *disturbed, hy_record record, const char *what)
{
    hy_error error;
    uint64_t num;
    if (access(path, F_OK) == 0) {
        if (verify_file(path, 1, &num, &error) != HY_OK)
            fail_msg("%s: verifying what is left: %s", what, error.text);
        assert_string_equal(sql_text(path, "PRAGMA integrity_check"), "ok");
    }
    if (disturbed(path, record, &error) != HY_OK)
        fail_msg("%s: going on: %s", what, error.text);
    assert_digest(path, &wanted);
    assert_verifies(path, 3 * GAMES);
    assert_string_equal(sql_text(path, "PRAGMA integrity_check"), "ok");
    assert_false(file_has_company(path));
}

/* Fails at the n-th operation; whether there were so many. */
static bool disturb(work *disturbed, hy_record record, fault_kind kind, unsigned long number,
                    bool lasting)
{
    char what[80];
    const char *path = scratch_path("disturbed.db");
    const char *subject = disturbed == read_all ? undisturbed : path;
    hy_error error = {0};
    snprintf(what, sizeof what, "%s %lu%s", fault_words[kind], number, lasting ? "+" : "");
    file_remove(path);
    faulty_vfs_arm(kind, number, lasting);
    hy_status status = disturbed(path, record, &error);
    bool struck = faulty_vfs_disarm(2 * number + lasting);
    if (!struck)
        assert_int_equal(status, HY_OK);
    if (status != HY_OK)
        assert_says_why(subject, kind, status, &error);
    else if (struck && is_fatal(kind, lasting))
        fail_msg("%s: the failure was not seen", what);
    if (struck)
        assert_goes_on(path, disturbed == read_all ? play : disturbed, record, what);
    return struck;
}

/* Memory is asked for thousands of times. */
static unsigned long step(unsigned long number, unsigned long num_struck, fault_kind kind)
{
    if (kind == FAULT_MEMORY)
        return 1 + number / (all_numbers ? 60 : 2);
    return all_numbers ? num_struck % 2 == 0 : 1 + number / 2;
}

static void disturb_at_all(work *disturbed, hy_record record)
{
    for (int kind = 0; kind < NUM_FAULT_KINDS; kind++) {
        unsigned long number = 1, num_struck = 0;
        while (disturb(disturbed, record, (fault_kind)kind, number, num_struck % 2 == 0)) {
            num_struck++;
            number += step(number, num_struck, (fault_kind)kind);
        }
        print_message("%s: %lu\n", fault_words[kind], num_struck);
        if (disturbed != read_all || kind == FAULT_READ)
            assert_true(num_struck > 0);
    }
}

/* What schema version 2 had not, is taken out. */
static void make_older(void)
{
    older = scratch_path("older.db");
    file_remove(older);
    file_copy(undisturbed, "older.db");
    sql(older, "DROP TABLE stop; DROP TABLE look;"
               "ALTER TABLE experiment DROP COLUMN stop; PRAGMA user_version = 2");
}

static void prepare(hy_record record)
{
    hy_experiment experiment = experiment_small(GAMES, record);
    undisturbed = scratch_path("undisturbed.db");
    file_remove(undisturbed);
    play_all("undisturbed.db", &experiment, 1);
    wanted = digest_of(undisturbed);
    make_older();
    for (unsigned i = 0; i < NUM(shards); i++) {
        hy_error error;
        shards[i] = scratch_path(i == 0 ? "shard1.db" : "shard2.db");
        file_remove(shards[i]);
        assert_int_equal(play_into(shards[i], &experiment, 1, SHARD(i + 1, 2), NULL, &error),
                         HY_OK);
    }
    hy_experiment_clean_up(&experiment);
}

static void games(void **state)
{
    (void)state;
    prepare(HY_RECORD_MOVES);
    disturb_at_all(play, HY_RECORD_MOVES);
}

static void summaries(void **state)
{
    (void)state;
    prepare(HY_RECORD_SUMMARY);
    disturb_at_all(play, HY_RECORD_SUMMARY);
}

static void merged_games(void **state)
{
    (void)state;
    prepare(HY_RECORD_MOVES);
    disturb_at_all(merge, HY_RECORD_MOVES);
}

static void merged_summaries(void **state)
{
    (void)state;
    prepare(HY_RECORD_SUMMARY);
    disturb_at_all(merge, HY_RECORD_SUMMARY);
}

static void more_games(void **state)
{
    (void)state;
    prepare(HY_RECORD_GAMES);
    disturb_at_all(grow, HY_RECORD_GAMES);
}

static void migrated_games(void **state)
{
    (void)state;
    prepare(HY_RECORD_MOVES);
    disturb_at_all(migrate, HY_RECORD_MOVES);
}

static void reading(void **state)
{
    (void)state;
    prepare(HY_RECORD_MOVES);
    disturb_at_all(read_all, HY_RECORD_MOVES);
}

static void reading_summaries(void **state)
{
    (void)state;
    prepare(HY_RECORD_SUMMARY);
    disturb_at_all(read_all, HY_RECORD_SUMMARY);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(games),        cmocka_unit_test(summaries),
        cmocka_unit_test(merged_games), cmocka_unit_test(merged_summaries),
        cmocka_unit_test(more_games),   cmocka_unit_test(migrated_games),
        cmocka_unit_test(reading),      cmocka_unit_test(reading_summaries),
    };
    const char *scale = getenv("HOYITO_TEST_SCALE");
    all_numbers = scale && strcmp(scale, "full") == 0;
    faulty_vfs_install();
    return cmocka_run_group_tests_name("faults/vfs", tests, scratch_make, scratch_remove);
}
