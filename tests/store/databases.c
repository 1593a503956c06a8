#include "store/databases.h"

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

hy_status take_chunk(void *context, const hy_chunk *chunk, hy_error *error)
{
    return hy_store_take(context, chunk, error);
}

hy_status tick_store(void *context, hy_error *error)
{
    return hy_store_tick(context, error);
}

static hy_status play_missing(hy_store *store, const hy_experiment *experiment, unsigned threads,
                              hy_shard shard, atomic_int *stop, hy_error *error)
{
    hy_progress progress;
    hy_status status = hy_progress_init(&progress, experiment, error);
    if (status == HY_OK)
        status = hy_store_load_progress(store, &progress, error);
    hy_batch batch = {
        .experiment = experiment,
        .progress = &progress,
        .shard = shard,
        .threads = threads,
        .record = experiment->record,
        .stop = stop,
        .consumer = {.context = store, .take = take_chunk, .tick = tick_store},
    };
    if (status == HY_OK)
        status = hy_batch_run(&batch, error);
    hy_progress_clean_up(&progress);
    return status;
}

hy_status play_into(const char *path, hy_experiment *experiment, unsigned threads, hy_shard shard,
                    atomic_int *stop, hy_error *error)
{
    return play_into_by(play_missing, path, experiment, threads, shard, stop, error);
}

hy_status play_into_by(store_filler *play, const char *path, hy_experiment *experiment,
                       unsigned threads, hy_shard shard, atomic_int *stop, hy_error *error)
{
    hy_store *store;
    hy_status status = hy_store_open_for(path, experiment, &store, error);
    if (status != HY_OK)
        return status;
    status = play(store, experiment, threads, shard, stop, error);
    if (status == HY_OK)
        return hy_store_close(store, error);
    if (status == HY_INTERRUPTED && hy_store_close(store, error) == HY_OK)
        return HY_INTERRUPTED;
    if (status != HY_INTERRUPTED)
        hy_store_abandon(store);
    return status;
}

const char *play_all(const char *name, hy_experiment *experiment, unsigned threads)
{
    const char *path = scratch_path(name);
    hy_error error;
    if (play_into(path, experiment, threads, HY_WHOLE_SHARD, NULL, &error) != HY_OK)
        fail_msg("playing into '%s': %s", name, error.text);
    return path;
}

digest digest_of(const char *path)
{
    digest found;
    hy_store *store;
    hy_error error;
    if (hy_store_open(path, &store, &error) != HY_OK)
        fail_msg("opening: %s", error.text);
    if (hy_store_digest(store, found.hex, &error) != HY_OK)
        fail_msg("digest: %s", error.text);
    assert_int_equal(hy_store_close(store, &error), HY_OK);
    assert_int_equal(strlen(found.hex), 64);
    return found;
}

void assert_digest(const char *path, const digest *expected)
{
    digest found = digest_of(path);
    assert_string_equal(found.hex, expected->hex);
}

void assert_other_digest(const char *path, const digest *other)
{
    digest found = digest_of(path);
    assert_string_not_equal(found.hex, other->hex);
}

hy_status verify_file(const char *path, unsigned threads, uint64_t *num_games, hy_error *error)
{
    hy_store *store;
    hy_verification verification = {.threads = threads};
    hy_status status = hy_store_open(path, &store, error);
    if (status != HY_OK)
        return status;
    status = hy_store_verify(store, &verification, num_games, error);
    hy_store_abandon(store);
    return status;
}

void assert_verifies(const char *path, uint64_t num_games)
{
    hy_error error;
    uint64_t found;
    if (verify_file(path, 2, &found, &error) != HY_OK)
        fail_msg("verifying: %s", error.text);
    assert_int_equal(found, num_games);
}

void assert_verify_finds(const char *path, const char *word)
{
    hy_error error = {0};
    uint64_t found;
    hy_status status = verify_file(path, 2, &found, &error);
    if (status != HY_MISMATCH || !strstr(error.text, word))
        fail_msg("expected a mismatch with '%s', got status %d: %s", word, status, error.text);
}

static sqlite3 *connect(const char *path)
{
    sqlite3 *handle;
    if (sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        fail_msg("'%s': %s", path, sqlite3_errmsg(handle));
    sqlite3_busy_timeout(handle, 5000);
    return handle;
}

void sql(const char *path, const char *statements)
{
    sqlite3 *handle = connect(path);
    char *message = NULL;
    if (sqlite3_exec(handle, statements, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s\n%s", statements, message);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
}

const char *sql_text(const char *path, const char *query)
{
    static char answer[65536];
    sqlite3 *handle = connect(path);
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(handle, query, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s\n%s", query, sqlite3_errmsg(handle));
    int code = sqlite3_step(statement);
    if (code != SQLITE_ROW)
        fail_msg("no row (%d): %s", code, query);
    const char *text = (const char *)sqlite3_column_text(statement, 0);
    snprintf(answer, sizeof answer, "%s", text ? text : "NULL");
    sqlite3_finalize(statement);
    assert_int_equal(sqlite3_close(handle), SQLITE_OK);
    return answer;
}

int64_t sql_integer(const char *path, const char *query)
{
    return strtoll(sql_text(path, query), NULL, 10);
}

static char *file_read(const char *path, size_t *size)
{
    char *bytes = NULL;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    FILE *copy = open_memstream(&bytes, size);
    assert_non_null(copy);
    char part[4096];
    for (size_t num; (num = fread(part, 1, sizeof part, file)) > 0;)
        assert_int_equal(fwrite(part, 1, num, copy), num);
    fclose(file);
    assert_int_equal(fclose(copy), 0);
    return bytes;
}

const char *file_copy(const char *path, const char *name)
{
    const char *copied = scratch_path(name);
    size_t size;
    char *bytes = file_read(path, &size);
    FILE *file = fopen(copied, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(bytes);
    return copied;
}

bool file_same(const char *a, const char *b)
{
    size_t size_a, size_b;
    char *x = file_read(a, &size_a), *y = file_read(b, &size_b);
    bool same = size_a == size_b && memcmp(x, y, size_a) == 0;
    free(x);
    free(y);
    return same;
}

static const char *const companions[] = {"-wal", "-shm", "-journal"};

void file_remove(const char *path)
{
    char other[1024];
    unlink(path);
    for (size_t i = 0; i < NUM(companions); i++) {
        snprintf(other, sizeof other, "%s%s", path, companions[i]);
        unlink(other);
    }
}

bool file_has_company(const char *path)
{
    char other[1024];
    for (size_t i = 0; i < NUM(companions); i++) {
        snprintf(other, sizeof other, "%s%s", path, companions[i]);
        if (access(other, F_OK) == 0)
            return true;
    }
    return false;
}
