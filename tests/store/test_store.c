/* Opening, refusing, and going on when others write or read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/databases.h"
#include "store/internal.h"

#define GAMES 60u

static hy_experiment experiment;

static int set_up(void **state)
{
    (void)state;
    experiment = experiment_small(GAMES, HY_RECORD_GAMES);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hy_experiment_clean_up(&experiment);
    return 0;
}

/* Neither way of opening takes the file, and it stays as it is. */
static void assert_refused(const char *path, hy_status expected, const char *word)
{
    hy_store *store;
    hy_error error = {0};
    const char *before = file_copy(path, "before");
    hy_status status = hy_store_open(path, &store, &error);
    if (status != expected || !strstr(error.text, word))
        fail_msg("reading: status %d, '%s' not in: %s", status, word, error.text);
    status = hy_store_open_same(path, &experiment, &store, &error);
    assert_int_equal(status, expected);
    error = (hy_error){0};
    status = hy_store_open_for(path, &experiment, &store, &error);
    if (status != expected || !strstr(error.text, word))
        fail_msg("writing: status %d, '%s' not in: %s", status, word, error.text);
    assert_true(file_same(before, path));
    assert_false(file_has_company(path));
}

static void what_is_no_database_is_refused(void **state)
{
    (void)state;
    assert_refused(scratch_write("empty", ""), HY_MISMATCH, "not a database of hoyito");
    assert_refused(scratch_write("short", "x"), HY_MISMATCH, "not a database of hoyito");
    char text[5000];
    memset(text, 'h', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_refused(scratch_write("text", text), HY_MISMATCH, "not a database of hoyito");
}

static void a_foreign_database_is_refused(void **state)
{
    (void)state;
    const char *path = scratch_write("foreign.db", "");
    sql(path, "CREATE TABLE game (a); INSERT INTO game VALUES (1)");
    assert_refused(path, HY_MISMATCH, "not a database of hoyito");
    sql(path, "PRAGMA application_id = 1");
    assert_refused(path, HY_MISMATCH, "not a database of hoyito");
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"PRAGMA application_id = 1215265096", "not a database of hoyito"},
        {"PRAGMA user_version = 99", "schema version 99"},
        {"PRAGMA user_version = 0", "schema version 0"},
        {"UPDATE experiment SET generator = 'philox/0'", "philox/0"},
        {"UPDATE experiment SET rules_version = 'hoyito-rules/2'", "hoyito-rules/2"},
        {"UPDATE experiment SET seed = '1'", "hash"},
        {"UPDATE experiment SET seed = '-1'", "seed"},
        {"UPDATE experiment SET seed = '18446744073709551616'", "seed"},
        {"UPDATE experiment SET record = 'moves'", "hash"},
        {"UPDATE experiment SET record = 'none'", "record"},
        {"UPDATE experiment SET games = 0", "games"},
        {"DELETE FROM experiment", "no experiment"},
        {"UPDATE condition SET holes = 4 WHERE id = 1", "hash"},
        {"UPDATE condition SET holes = 33 WHERE id = 1", "rules"},
        {"UPDATE condition SET endless = 'never' WHERE id = 1", "rules"},
        {"UPDATE condition SET first_policy = 'grandmaster'", "policy"},
        {"UPDATE condition SET swap = 1", "hash"},
        {"UPDATE condition SET max_plies = 7", "hash"},
        {"UPDATE condition SET id = 3 WHERE id = 2", "numbered"},
        {"DELETE FROM condition WHERE id = 2", "hash"},
        {"DELETE FROM condition", "conditions"},
        {"DROP VIEW v_pair; DROP VIEW v_game; DROP VIEW v_condition; DROP VIEW v_complexity; DROP "
         "VIEW v_quality; DROP TABLE condition",
         "lacks the index 'sqlite_autoindex_condition_1'"},
        {"CREATE VIEW mine AS SELECT * FROM game", "holds the view 'mine'"},
        {"CREATE TABLE mine (a)", "holds the table 'mine'"},
        {"CREATE INDEX mine ON game (plies)", "holds the index 'mine'"},
        {"CREATE TRIGGER mine AFTER INSERT ON game BEGIN DELETE FROM game; END",
         "holds the trigger 'mine'"},
        {"DROP VIEW v_pair", "lacks the view 'v_pair'"},
        {"DROP VIEW v_chain; CREATE VIEW v_chain AS SELECT 1", "the view 'v_chain' in"},
        {"UPDATE experiment SET name = 'a' || char(27)", "name or question"},
        {"UPDATE experiment SET question = char(155)", "name or question"},
        {"UPDATE experiment SET question = printf('%.*c', 4097, 'a')", "name or question"},
    };
    const char *good = play_all("good.db", &experiment, 1);
    for (size_t i = 0; i < NUM(changes); i++) {
        const char *path = file_copy(good, "changed.db");
        sql(path, changes[i][0]);
        assert_refused(path, HY_MISMATCH, changes[i][1]);
    }
    file_remove(good);
}

static void missing_files_and_folders(void **state)
{
    (void)state;
    hy_store *store;
    hy_error error;
    const char *missing = scratch_path("missing.db"), *folder = scratch_path("folder.db");
    assert_int_equal(hy_store_open(missing, &store, &error), HY_STORAGE);
    assert_non_null(strstr(error.text, "missing.db"));
    assert_int_equal(access(missing, F_OK), -1);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(hy_store_open(folder, &store, &error), HY_STORAGE);
    assert_non_null(strstr(error.text, "directory"));
    assert_int_equal(hy_store_open_for(folder, &experiment, &store, &error), HY_STORAGE);
    assert_non_null(strstr(error.text, "directory"));
    const char *nowhere = scratch_path("nowhere/new.db");
    assert_int_equal(hy_store_open_for(nowhere, &experiment, &store, &error), HY_STORAGE);
    assert_non_null(strstr(error.text, "nowhere/new.db"));
    assert_int_equal(rmdir(folder), 0);
}

static void a_truncated_file_is_refused(void **state)
{
    (void)state;
    const char *path = play_all("cut.db", &experiment, 1);
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(truncate(path, file.st_size / 2), 0);
    hy_store *store = NULL;
    hy_error error;
    char hex[HY_SHA256_HEX_SIZE];
    hy_status status = hy_store_open(path, &store, &error);
    if (status == HY_OK) {
        status = hy_store_digest(store, hex, &error);
        hy_store_abandon(store);
    }
    assert_int_equal(status, HY_STORAGE);
    file_remove(path);
}

/* Nothing but the database is left in the folder, and what makes it is removed. */
static void a_new_database_stands_alone(void **state)
{
    (void)state;
    hy_store *store;
    const char *path = scratch_path("alone.db");
    assert_int_equal(hy_store_open_for(path, &experiment, &store, NULL), HY_OK);
    assert_int_equal(hy_store_close(store, NULL), HY_OK);
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(file.st_nlink, 1);
    assert_false(file_has_company(path));
    assert_string_equal(sql_text(path, "PRAGMA journal_mode"), "delete");
    assert_string_equal(sql_text(path, "PRAGMA integrity_check"), "ok");
    file_remove(path);
}

static hy_status store_some(hy_store *store, uint64_t first, uint64_t num, hy_error *error)
{
    hy_game_record records[HY_CHUNK_GAMES] = {0};
    hy_table table;
    hy_chunk chunk = {.key = {0, false, 0}, .num_games = num, .records = records};
    hy_status status =
        hy_table_init(&table, &hy_store_experiment(store)->conditions[0], false, error);
    for (uint64_t i = 0; status == HY_OK && i < num; i++)
        status = hy_table_play(&table, experiment.seed, first + i, NULL, &records[i], error);
    hy_table_clean_up(&table);
    return status == HY_OK ? hy_store_take(store, &chunk, error) : status;
}

/* The second one to commit is stopped; what the first one wrote stays, and is valid. */
static void two_writers(void **state)
{
    (void)state;
    const char *path = scratch_path("two.db");
    hy_store *first, *second;
    hy_error error;
    assert_int_equal(hy_store_open_for(path, &experiment, &first, &error), HY_OK);
    assert_int_equal(hy_store_open_for(path, &experiment, &second, &error), HY_OK);
    assert_int_equal(store_some(first, 0, 5, &error), HY_OK);
    assert_int_equal(hy_store_commit(first, &error), HY_OK);
    assert_int_equal(store_some(first, 5, 5, &error), HY_OK);
    assert_int_equal(hy_store_commit(first, &error), HY_OK);
    assert_int_equal(store_some(second, 20, 5, &error), HY_STORAGE);
    assert_non_null(strstr(error.text, "another process"));
    hy_store_abandon(second);
    assert_int_equal(store_some(first, 10, 5, &error), HY_OK);
    assert_int_equal(hy_store_close(first, &error), HY_OK);
    assert_string_equal(sql_text(path, "PRAGMA integrity_check"), "ok");
    assert_int_equal(sql_integer(path, "SELECT count(*) FROM game"), 15);
    assert_verifies(path, 15);
    play_all("two.db", &experiment, 2);
    assert_verifies(path, 3 * GAMES);
    file_remove(path);
}

/* Somebody else's commit between two commits of a run is noticed as well. */
static void a_writer_in_between(void **state)
{
    (void)state;
    const char *path = scratch_path("between.db");
    hy_store *store;
    hy_error error;
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    assert_int_equal(store_some(store, 0, 5, &error), HY_OK);
    assert_int_equal(hy_store_commit(store, &error), HY_OK);
    sql(path, "INSERT INTO provenance (timestamp, record) VALUES ('', '{}')");
    assert_int_equal(store_some(store, 5, 5, &error), HY_STORAGE);
    hy_store_abandon(store);
    assert_string_equal(sql_text(path, "PRAGMA integrity_check"), "ok");
    assert_verifies(path, 5);
    file_remove(path);
}

/* The same game a second time is no success: somebody counts wrongly. */
static void a_game_is_stored_once(void **state)
{
    (void)state;
    const char *path = scratch_path("once.db");
    hy_store *store;
    hy_error error;
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    assert_int_equal(store_some(store, 0, 5, &error), HY_OK);
    assert_int_equal(store_some(store, 4, 5, &error), HY_MISMATCH);
    hy_store_abandon(store);
    assert_int_equal(sql_integer(path, "SELECT count(*) FROM game"), 0);
    file_remove(path);
}

/* Where the system gives no entropy: the linker puts this in the place of getentropy(). */
static bool gives_entropy = true;

int __real_getentropy(void *buffer, size_t size);
int __wrap_getentropy(void *buffer, size_t size);
int __wrap_getentropy(void *buffer, size_t size)
{
    return gives_entropy ? __real_getentropy(buffer, size) : -1;
}

static void no_seed_is_made_up(void **state)
{
    (void)state;
    const char *path = scratch_path("seedless.db");
    hy_store *store;
    hy_error error;
    hy_experiment lot = experiment_small(5, HY_RECORD_GAMES);
    lot.seed_auto = true;
    gives_entropy = false;
    assert_int_equal(hy_store_open_for(path, &lot, &store, &error), HY_FAILED);
    gives_entropy = true;
    assert_non_null(strstr(error.text, "no entropy to draw a seed from"));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(hy_store_open_for(path, &lot, &store, &error), HY_OK);
    hy_store_abandon(store);
    hy_experiment_clean_up(&lot);
    file_remove(path);
}

static hy_status take_twice(void *store, const hy_chunk *chunk, hy_error *error)
{
    hy_status status = hy_store_take(store, chunk, error);
    return status == HY_OK ? hy_store_take(store, chunk, error) : status;
}

/* The same for sums, where nothing would tell afterwards. */
static void a_game_is_summed_up_once(void **state)
{
    (void)state;
    const char *path = scratch_path("once.db");
    hy_experiment sums = experiment_small(5, HY_RECORD_SUMMARY);
    hy_progress progress;
    hy_store *store;
    hy_error error;
    assert_int_equal(hy_store_open_for(path, &sums, &store, &error), HY_OK);
    assert_int_equal(hy_progress_init(&progress, &sums, &error), HY_OK);
    hy_batch batch = {
        .experiment = &sums,
        .progress = &progress,
        .shard = HY_WHOLE_SHARD,
        .threads = 1,
        .record = sums.record,
        .consumer = {.context = store, .take = take_twice},
    };
    assert_int_equal(hy_batch_run(&batch, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "games of block 0 are in"));
    hy_store_abandon(store);
    assert_int_equal(sql_integer(path, "SELECT count(*) FROM block"), 0);
    hy_progress_clean_up(&progress);
    hy_experiment_clean_up(&sums);
    file_remove(path);
}

/* Whether another process could take the file for itself now: whether nobody reads it. */
static bool is_free(const char *path)
{
    int state = 0;
    pid_t child = fork();
    if (child == 0) {
        /* SQLite's shared lock: 510 bytes behind the byte that is for pending ones */
        struct flock lock = {
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0x40000002, .l_len = 510};
        int file = open(path, O_RDWR);
        _exit(file >= 0 && fcntl(file, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK);
    }
    assert_true(child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state));
    return WEXITSTATUS(state) == 1;
}

/* A descriptor that is closed takes all locks of its process from the file. */
static void looking_at_a_file_takes_no_lock_away(void **state)
{
    (void)state;
    hy_experiment few = experiment_small(20, HY_RECORD_GAMES);
    const char *path = play_all("locks.db", &few, 1);
    hy_store *first, *second;
    hy_error error;
    assert_true(is_free(path));
    assert_int_equal(hy_store_open(path, &first, &error), HY_OK);
    assert_false(is_free(path));
    assert_int_equal(hy_store_open(path, &second, &error), HY_OK);
    assert_false(is_free(path));
    hy_store_abandon(second);
    assert_false(is_free(path));
    assert_int_equal(hy_store_open_same(path, &few, &second, &error), HY_OK);
    hy_store_abandon(second);
    assert_false(is_free(path));
    hy_store_abandon(first);
    assert_true(is_free(path));
    hy_experiment_clean_up(&few);
    file_remove(path);
}

/* A reader sees one state from beginning to end, and is in nobody's way. */
static void a_reader_stops_nobody(void **state)
{
    (void)state;
    hy_experiment few = experiment_small(20, HY_RECORD_GAMES);
    const char *path = play_all("read.db", &few, 1);
    digest before = digest_of(path), seen;
    hy_store *writer, *reader;
    hy_error error;
    assert_int_equal(hy_store_open_for(path, &experiment, &writer, &error), HY_OK);
    assert_int_equal(hy_store_open(path, &reader, &error), HY_OK);
    for (uint64_t first = 20; first < 60; first += 10) {
        assert_int_equal(store_some(writer, first, 10, &error), HY_OK);
        assert_int_equal(hy_store_commit(writer, &error), HY_OK);
        assert_int_equal(hy_store_digest(reader, seen.hex, &error), HY_OK);
        assert_string_equal(seen.hex, before.hex);
    }
    assert_int_equal(hy_store_close(writer, &error), HY_OK);
    play_all("read.db", &experiment, 2);
    assert_int_equal(hy_store_digest(reader, seen.hex, &error), HY_OK);
    assert_string_equal(seen.hex, before.hex);
    assert_int_equal(hy_store_close(reader, &error), HY_OK);
    assert_verifies(path, 3 * GAMES);
    play_all("read.db", &experiment, 2);
    assert_false(file_has_company(path));
    hy_experiment_clean_up(&few);
    file_remove(path);
}

/* What is abandoned is as if it had not been taken since the last commit. */
static void abandoning_drops_what_is_not_committed(void **state)
{
    (void)state;
    const char *path = scratch_path("abandoned.db");
    hy_store *store;
    hy_error error;
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    assert_int_equal(store_some(store, 0, 5, &error), HY_OK);
    assert_int_equal(hy_store_commit(store, &error), HY_OK);
    assert_int_equal(store_some(store, 5, 5, &error), HY_OK);
    hy_store_abandon(store);
    assert_verifies(path, 5);
    hy_store_abandon(NULL);
    assert_int_equal(hy_store_close(NULL, NULL), HY_OK);
    file_remove(path);
}

static void provenance_is_kept_and_replaced(void **state)
{
    (void)state;
    const char *path = scratch_path("provenance.db");
    hy_store *store;
    hy_error error;
    int64_t first, second;
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    assert_int_equal(hy_store_add_provenance(store, "{\"run\": 1}", &first, &error), HY_OK);
    assert_int_equal(hy_store_add_provenance(store, "{\"run\": 2}", &second, &error), HY_OK);
    assert_int_equal(hy_store_set_provenance(store, first, "{\"run\": 3}", &error), HY_OK);
    assert_int_equal(hy_store_close(store, &error), HY_OK);
    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    assert_string_equal(sql_text(path, "SELECT record FROM provenance WHERE id = 1"),
                        "{\"run\": 3}");
    assert_string_equal(sql_text(path, "SELECT record FROM provenance WHERE id = 2"),
                        "{\"run\": 2}");
    assert_int_equal(sql_integer(path, "SELECT count(*) FROM provenance WHERE timestamp GLOB "
                                       "'20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:"
                                       "[0-6][0-9]Z'"),
                     2);
    file_remove(path);
}

/* The name of the database is another file's, or nobody's. */
static void a_file_that_is_taken_away_stops_its_writer(void **state)
{
    (void)state;
    const char *path = scratch_path("away.db"), *other = scratch_path("other.db");
    for (int replaced = 0; replaced < 2; replaced++) {
        hy_store *store;
        hy_error error;
        assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
        assert_int_equal(store_some(store, 0, 5, &error), HY_OK);
        assert_int_equal(rename(path, other), 0);
        if (replaced)
            file_copy(other, "away.db");
        assert_int_equal(hy_store_commit(store, &error), HY_STORAGE);
        assert_non_null(strstr(error.text, path));
        assert_non_null(strstr(error.text, "removed or replaced"));
        assert_int_equal(hy_store_close(store, &error), HY_STORAGE);
        file_remove(path);
        file_remove(other);
    }
}

static void a_journal_alone_is_no_part_of_a_new_database(void **state)
{
    (void)state;
    const char *path = scratch_path("orphan.db");
    hy_store *store;
    hy_error error;
    scratch_write("orphan.db-wal", "left behind");
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_STORAGE);
    assert_non_null(strstr(error.text, "orphan.db-wal"));
    assert_int_equal(access(path, F_OK), -1);
    file_remove(path);
}

/* Somebody holds on to an old state: in the end that stops the writer, and nothing is lost. */
static void a_journal_has_a_bound(void **state)
{
    (void)state;
    const char *path = scratch_path("bounded.db");
    hy_store *store, *reader;
    hy_error error;
    uint64_t first = 0;
    assert_int_equal(hy_store_open_for(path, &experiment, &store, &error), HY_OK);
    assert_int_equal(hy_store_open(path, &reader, &error), HY_OK);
    store->max_journal = 100000;
    hy_status status = HY_OK;
    for (; status == HY_OK && first < GAMES; first++) {
        status = store_some(store, first, 1, &error);
        if (status == HY_OK)
            status = hy_store_commit(store, &error);
    }
    assert_int_equal(status, HY_STORAGE);
    assert_non_null(strstr(error.text, "bounded.db-wal"));
    hy_store_abandon(store);
    hy_store_abandon(reader);
    assert_verifies(path, first);
    file_remove(path);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_no_database_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_foreign_database_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_versions_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(missing_files_and_folders, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_truncated_file_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_database_stands_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_writers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_writer_in_between, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_game_is_stored_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_seed_is_made_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_game_is_summed_up_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(looking_at_a_file_takes_no_lock_away, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reader_stops_nobody, set_up, tear_down),
        cmocka_unit_test_setup_teardown(abandoning_drops_what_is_not_committed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_is_taken_away_stops_its_writer, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_journal_alone_is_no_part_of_a_new_database, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_journal_has_a_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(provenance_is_kept_and_replaced, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("store/store", tests, scratch_make, scratch_remove);
}
