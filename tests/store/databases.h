/* Real databases for tests: played, looked into, and damaged. */
#ifndef HY_TESTS_STORE_DATABASES_H
#define HY_TESTS_STORE_DATABASES_H

#include "store/store.h"
#include "support/experiments.h"

#define SHARD(i, n) ((hy_shard){(i), (n)})

/* Plays into the database what it lacks of that shard. `stop` may be NULL. */
hy_status play_into(const char *path, hy_experiment *experiment, unsigned threads, hy_shard shard,
                    atomic_int *stop, hy_error *error);

/* The same for all games; the test fails where it does. The path is that of the name's file. */
const char *play_all(const char *name, hy_experiment *experiment, unsigned threads);

/* As play_into, with another way to play what is missing in the open store. */
typedef hy_status store_filler(hy_store *store, const hy_experiment *experiment, unsigned threads,
                               hy_shard shard, atomic_int *stop, hy_error *error);
hy_status play_into_by(store_filler *play, const char *path, hy_experiment *experiment,
                       unsigned threads, hy_shard shard, atomic_int *stop, hy_error *error);

/* The consumer of a batch that goes into a store. */
hy_status take_chunk(void *store, const hy_chunk *chunk, hy_error *error);
hy_status tick_store(void *store, hy_error *error);

/* The digest of a database; the test fails where it cannot be had. */
typedef struct digest {
    char hex[HY_SHA256_HEX_SIZE];
} digest;

digest digest_of(const char *path);
void assert_digest(const char *path, const digest *expected);
void assert_other_digest(const char *path, const digest *other);

hy_status verify_file(const char *path, unsigned threads, uint64_t *num_games, hy_error *error);
void assert_verifies(const char *path, uint64_t num_games);

/* HY_MISMATCH, with that word in the message. */
void assert_verify_finds(const char *path, const char *word);

/* Runs SQL on the file, from outside of the library. */
void sql(const char *path, const char *statements);
int64_t sql_integer(const char *path, const char *query);

/* The first column of the first row as text, which is valid until the next call. */
const char *sql_text(const char *path, const char *query);

/* A copy of the file, and whether two files have the same bytes. */
const char *file_copy(const char *path, const char *name);
bool file_same(const char *a, const char *b);

/* The file with what a writer leaves beside it (-wal, -shm, -journal). */
void file_remove(const char *path);

/* Whether one of those is there. */
bool file_has_company(const char *path);

#endif
