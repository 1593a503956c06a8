/* Where results go, and how they come back: one SQLite file an experiment.
 *
 * One process writes at a time; another one's commit is noticed and stops this one. Games are
 * committed about once a second, so that a kill loses no more than that, and a restart plays what
 * is missing. While a run lasts the file is in WAL mode, so that others can read; when it is closed
 * it is a single file again. */
#ifndef HY_STORE_STORE_H
#define HY_STORE_STORE_H

#include "sim/batch.h"

typedef struct hy_store hy_store;

/* Opens the database of an experiment for writing, or makes it. A seed of `auto` is drawn or, where
 * the database exists, taken from it: afterwards experiment->seed is the one that is used. A
 * database of another experiment is refused (HY_MISMATCH) with what differs. The number of games
 * asked for grows to experiment->games. */
HY_MUST_CHECK hy_status hy_store_open_for(const char *path, hy_experiment *experiment,
                                          hy_store **store, hy_error *error);

/* Opens an existing database for reading, provided that it is one of that experiment; a seed of
 * `auto` is taken from it. */
HY_MUST_CHECK hy_status hy_store_open_same(const char *path, hy_experiment *experiment,
                                           hy_store **store, hy_error *error);

/* Opens an existing database for reading: one state of it, whoever writes meanwhile. */
HY_MUST_CHECK hy_status hy_store_open(const char *path, hy_store **store, hy_error *error);

/* As hy_store_open, and takes files of older schema versions: experiment, progress and provenance
 * can be read, and what hy_store_compare and hy_store_migrate say. */
HY_MUST_CHECK hy_status hy_store_open_older(const char *path, hy_store **store, hy_error *error);

/* The schema version of the file. */
int64_t hy_store_version(const hy_store *store);

/* Whether hy_store_digest is defined for the file: older rows can lack columns. */
bool hy_store_has_digest(const hy_store *store);

/* Commits, makes the file a single one again if it was written to, and releases the store. On
 * failure it is released as well. `store` may be NULL. */
HY_MUST_CHECK hy_status hy_store_close(hy_store *store, hy_error *error);

/* As hy_store_close, where an error has already been reported: what is not committed is lost. */
void hy_store_abandon(hy_store *store);

/* The experiment as the database has it; the store's. */
const hy_experiment *hy_store_experiment(const hy_store *store);

/* Marks in `progress` what the database holds. */
HY_MUST_CHECK hy_status hy_store_load_progress(hy_store *store, hy_progress *progress,
                                               hy_error *error);

/* How many of the games that are asked for the database holds, by counting rows; no games are
 * looked at, so it takes little memory however many there are. */
HY_MUST_CHECK hy_status hy_store_count(hy_store *store, uint64_t *games, hy_error *error);

/* Stores a chunk; commits when the last commit was more than a second ago. */
HY_MUST_CHECK hy_status hy_store_take(hy_store *store, const hy_chunk *chunk, hy_error *error);

/* Commits when it is time. */
HY_MUST_CHECK hy_status hy_store_tick(hy_store *store, hy_error *error);

/* Commits now. */
HY_MUST_CHECK hy_status hy_store_commit(hy_store *store, hy_error *error);

/* Sums up all games of a condition (index into the experiment) and seating; `summary` is cleared
 * first. */
HY_MUST_CHECK hy_status hy_store_summary(hy_store *store, uint32_t condition, bool swapped,
                                         hy_summary *summary, hy_error *error);

/* The number of distinct games (by the hash of their holes) of a condition and seating: exact from
 * rows, from the sketch of `summary` (that of hy_store_summary) otherwise. */
HY_MUST_CHECK hy_status hy_store_distinct(hy_store *store, uint32_t condition, bool swapped,
                                          const hy_summary *summary, hy_distinct *distinct,
                                          hy_error *error);

/* One stored game; *found says whether there is one. `holes`, unless NULL, receives the holes
 * where they are stored. */
HY_MUST_CHECK hy_status hy_store_game(hy_store *store, uint32_t condition, bool swapped,
                                      uint64_t number, hy_game_record *record, hy_hole_list *holes,
                                      bool *found, hy_error *error);

/* Calls `visit` with each stored game of a condition and seating, in the order of their numbers; a
 * failure ends it. With `record: summary` there are none. */
typedef hy_status hy_game_visit(void *context, const hy_game_record *record, hy_error *error);
HY_MUST_CHECK hy_status hy_store_each_game(hy_store *store, uint32_t condition, bool swapped,
                                           hy_game_visit *visit, void *context, hy_error *error);

/* Calls `visit` with number, result and move hash of each stored game of a condition and seating,
 * in the order of their numbers; a failure ends it. With `record: summary` there are none. */
typedef hy_status hy_result_visit(void *context, uint64_t number, hy_result result,
                                  uint64_t move_hash, hy_error *error);
HY_MUST_CHECK hy_status hy_store_each_result(hy_store *store, uint32_t condition, bool swapped,
                                             hy_result_visit *visit, void *context,
                                             hy_error *error);

/* What the stop rule saw in one seating of a condition; a test sees pairs, and says the same of
 * both seatings. */
typedef struct hy_stopped_seating {
    uint64_t counted;            /* games (pairs) that count for the metric */
    uint64_t left_out;           /* those that do not: without a result (in both games) */
    double statistic, low, high; /* NaN: not known; see column_doc */
} hy_stopped_seating;

/* Why and after how many games a condition was ended by the experiment's stop rule. */
typedef struct hy_stopped {
    uint32_t condition; /* index into the experiment */
    hy_stop_reason reason;
    uint64_t games; /* per seating */
    uint64_t looks;
    bool anytime;
    hy_stopped_seating seatings[2]; /* [swapped], as many as the condition has */
} hy_stopped;

/* Writes a row a seating. */
HY_MUST_CHECK hy_status hy_store_put_stop(hy_store *store, const hy_stopped *stopped,
                                          hy_error *error);

/* *found says whether the condition has been ended. */
HY_MUST_CHECK hy_status hy_store_get_stop(hy_store *store, uint32_t condition, hy_stopped *stopped,
                                          bool *found, hy_error *error);

/* Asks for the games of ended conditions as far as they were played, and for all games of the
 * others; call it before hy_store_load_progress. *num_open, unless NULL, is the number of
 * conditions that are not ended (all of them, without a stop rule). */
HY_MUST_CHECK hy_status hy_store_limit_progress(hy_store *store, hy_progress *progress,
                                                size_t *num_open, hy_error *error);

/* Sums of the stop rule's metric over the games `window` of a condition and seating, which have all
 * been played: from rows, or with `record: summary` from the table `look`. *found: they are there.
 */
HY_MUST_CHECK hy_status hy_store_get_look(hy_store *store, uint32_t condition, bool swapped,
                                          hy_window window, hy_stop_metric_sums *sums, bool *found,
                                          hy_error *error);

/* With `record: summary`, keeps the sums over those games for hy_store_get_look: all games of the
 * condition with smaller numbers have been seen by looks, and no others are there. Otherwise does
 * nothing. */
HY_MUST_CHECK hy_status hy_store_put_look(hy_store *store, uint32_t condition, hy_window window,
                                          hy_error *error);

/* Pairs of the window by the first policy's points, in half points of both games: num[0 … 4]; pairs
 * with a game without a result are left out. Rows are needed. */
HY_MUST_CHECK hy_status hy_store_get_pairs(hy_store *store, uint32_t condition, hy_window window,
                                           uint64_t num[5], hy_error *error);

/* What the games of a database took. */
typedef struct hy_costs {
    double
        thread_seconds; /* of the runs that wrote to it, wall clock times threads; NaN: unknown */
    uint64_t num_cut;   /* runs that did not come to their end, whose time is unknown */
    unsigned threads;   /* of the last run */
    double row_bytes;   /* a game, or a block with `record: summary`; NaN: not known */
    double fixed_bytes; /* the rest of the file */
} hy_costs;

HY_MUST_CHECK hy_status hy_store_costs(hy_store *store, hy_costs *costs, hy_error *error);

/* SHA-256 over all results in canonical order, and over what decides them; not over stop rules,
 * which decide no more than how many games there are: as many asked for by number have the same. */
HY_MUST_CHECK hy_status hy_store_digest(hy_store *store, char hex[HY_SHA256_HEX_SIZE],
                                        hy_error *error);

/* Adds the games of other databases of the same experiment, which are open at the same time. The
 * same game twice is once; the same game with another outcome is refused, and so are summaries that
 * overlap in part. HY_INTERRUPTED where `stop`, which may be NULL, was set before the end. In
 * either case what was added by then stays. The memory does not depend on the number of games. */
HY_MUST_CHECK hy_status hy_store_merge(hy_store *store, hy_store *const *others, size_t num_others,
                                       const atomic_int *stop, hy_error *error);

/* Copies all rows of an older file, whose experiment is the store's and which is not refused by
 * hy_store_check_migration, into a new store. Games, sums and provenance are copied as they are.
 * HY_INTERRUPTED where `stop`, which may be NULL, is set before all are. */
HY_MUST_CHECK hy_status hy_store_migrate(hy_store *store, hy_store *older, const atomic_int *stop,
                                         hy_error *error);

/* Refuses a file whose rows this version cannot hold without playing again (HY_MISMATCH, with the
 * command that helps). */
HY_MUST_CHECK hy_status hy_store_check_migration(const hy_store *older, hy_error *error);

/* Removes a database that nobody uses, with its journals; nothing happens where there is none. */
void hy_store_remove(const char *path);

/* What was compared. */
typedef struct hy_row_comparison {
    bool subset;       /* set by the caller: `again` may hold more than `store` does */
    uint64_t num_rows; /* of the results, in both */
    char lacking[256]; /* columns that `store` lacks: "game.legal_holes, block.sums"; or "" */
} hy_row_comparison;

/* Compares all results of a store, perhaps of an older version, with those of the same games in
 * another one of this version, in all columns that both have. Conditions that cannot be reproduced
 * are left out. HY_MISMATCH names the first difference. */
HY_MUST_CHECK hy_status hy_store_compare(hy_store *store, hy_store *again,
                                         hy_row_comparison *comparison, hy_error *error);

/* How many conditions the stop rule has ended. */
HY_MUST_CHECK hy_status hy_store_num_ended(hy_store *store, size_t *num_ended, hy_error *error);

/* Plays the stored games again, by `threads` threads, and compares every column; but for conditions
 * whose games cannot be reproduced. HY_MISMATCH names the first difference. *num_games says how
 * many were compared; `tick`, which may be NULL, as in hy_consumer. */
typedef struct hy_verification {
    unsigned threads;
    atomic_int *stop;
    hy_status (*tick)(void *context, uint64_t num_games, hy_error *error);
    void *context;
} hy_verification;

HY_MUST_CHECK hy_status hy_store_verify(hy_store *store, const hy_verification *verification,
                                        uint64_t *num_games, hy_error *error);

/* Adds a row to `provenance` and returns its id; `json` is its record. */
HY_MUST_CHECK hy_status hy_store_add_provenance(hy_store *store, const char *json, int64_t *id,
                                                hy_error *error);

/* Replaces the record of that row. */
HY_MUST_CHECK hy_status hy_store_set_provenance(hy_store *store, int64_t id, const char *json,
                                                hy_error *error);

/* Calls `visit` with each row of `provenance`, in order; a failure ends it. */
typedef hy_status hy_provenance_visit(void *context, const char *timestamp, const char *record,
                                      hy_error *error);
HY_MUST_CHECK hy_status hy_store_each_provenance(hy_store *store, hy_provenance_visit *visit,
                                                 void *context, hy_error *error);

#endif
