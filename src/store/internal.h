/* What the files of this library share. Private to src/store. */
#ifndef HY_STORE_INTERNAL_H
#define HY_STORE_INTERNAL_H

#include "store/database.h"
#include "store/store.h"

typedef enum hy_query {
    HY_QUERY_PUT_GAME,
    HY_QUERY_PUT_CHAIN,
    HY_QUERY_PUT_MOVE,
    HY_QUERY_PUT_BLOCK,
    HY_QUERY_GET_GAME,
    HY_QUERY_GET_CHAINS,
    HY_QUERY_GET_MOVES,
    HY_QUERY_GET_BLOCK,
    HY_QUERY_PUT_LOOK,
    HY_QUERY_PUT_STOP,
    HY_QUERY_GET_LOOK,
    HY_QUERY_GET_STOP,
    HY_QUERY_DATA_VERSION,
    HY_NUM_QUERIES,
} hy_query;

struct hy_store {
    hy_database database;
    hy_experiment experiment;
    int64_t version;      /* of the file's schema */
    bool before_policies; /* an older file whose experiment has no policies_version */
    bool writable;
    bool in_transaction;
    int64_t data_version; /* of the file, as this connection last saw it */
    double committed;     /* when, by a monotonic clock */
    uint64_t page_size;
    uint64_t journal;     /* bytes of the WAL that are in use */
    uint64_t max_journal; /* above it the store writes no more */
    sqlite3_stmt *queries[HY_NUM_QUERIES];
    hy_summary block; /* room to join summaries in */
};

/* The prepared statement of a query, reset. */
HY_MUST_CHECK hy_status hy_store_query(hy_store *store, hy_query query, sqlite3_stmt **statement,
                                       hy_error *error);

/* Readies an open database for writing: its journal, and what has to be known of it. */
HY_MUST_CHECK hy_status hy_store_begin_writing(hy_store *store, hy_error *error);

/* Remembers the state of the file: hy_store_begin refuses what others have changed since. */
HY_MUST_CHECK hy_status hy_store_note_state(hy_store *store, hy_error *error);

/* Begins a transaction unless one is open. */
HY_MUST_CHECK hy_status hy_store_begin(hy_store *store, hy_error *error);

/* Makes schema, experiment and conditions in an empty database. */
HY_MUST_CHECK hy_status hy_store_create(hy_store *store, const hy_experiment *experiment,
                                        hy_error *error);

/* Reads a rule from the text of hy_stop_print; false: it is none. */
bool hy_stop_parse(const char *text, hy_stop *stop);

/* Reads experiment and conditions, and checks them against their hashes. */
HY_MUST_CHECK hy_status hy_store_load_experiment(hy_store *store, hy_error *error);

/* Refuses an experiment that is not the store's, saying what differs. */
HY_MUST_CHECK hy_status hy_store_check_same(const hy_store *store, const hy_experiment *experiment,
                                            hy_error *error);

/* Writes a game (a row of `game`, and of `chain` and `move`) unless it is there; *added says so. */
HY_MUST_CHECK hy_status hy_store_put_game(hy_store *store, hy_block_key key,
                                          const hy_game_record *record, const uint8_t *holes,
                                          bool *added, hy_error *error);

/* A cursor over the games of a condition and seating, in the order of their numbers. */
typedef struct hy_game_cursor {
    hy_store *store;
    sqlite3_stmt *games;
    sqlite3_stmt *chains;
    bool more_chains; /* `chains` stands on a row */
    uint32_t condition;
    bool swapped;
} hy_game_cursor;

HY_MUST_CHECK hy_status hy_game_cursor_open(hy_store *store, uint32_t condition, bool swapped,
                                            hy_game_cursor *cursor, hy_error *error);
HY_MUST_CHECK hy_status hy_game_cursor_next(hy_game_cursor *cursor, hy_game_record *record,
                                            bool *found, hy_error *error);
void hy_game_cursor_close(hy_game_cursor *cursor);

/* The name of the first column in which two records of a game differ, or NULL. */
const char *hy_record_difference(const hy_game_record *a, const hy_game_record *b);

/* A row of `block`. `played` is NULL or HY_BLOCK_WORDS words. */
HY_MUST_CHECK hy_status hy_store_put_block(hy_store *store, hy_block_key key,
                                           const hy_summary *summary, const uint64_t *played,
                                           hy_error *error);

/* Reads a block; *found says whether it is there. `summary` is cleared first. */
HY_MUST_CHECK hy_status hy_store_get_block(hy_store *store, hy_block_key key, hy_summary *summary,
                                           uint64_t played[HY_BLOCK_WORDS], bool *found,
                                           hy_error *error);

/* A cursor over the blocks of a condition and seating, in order; on the first one when it is
 * opened. */
typedef struct hy_block_cursor {
    hy_store *store;
    sqlite3_stmt *query;
    bool more;      /* it stands on a block */
    uint64_t block; /* its number */
} hy_block_cursor;

HY_MUST_CHECK hy_status hy_block_cursor_open(hy_store *store, uint32_t condition, bool swapped,
                                             hy_block_cursor *cursor, hy_error *error);
HY_MUST_CHECK hy_status hy_block_cursor_next(hy_block_cursor *cursor, hy_error *error);

/* The block that it stands on, as by hy_store_get_block. */
HY_MUST_CHECK hy_status hy_block_cursor_read(const hy_block_cursor *cursor, hy_summary *summary,
                                             uint64_t played[HY_BLOCK_WORDS], hy_error *error);

/* Also where opening it failed. */
void hy_block_cursor_close(hy_block_cursor *cursor);

/* Calls `visit` with each stored block of a condition and seating, in order; a failure ends it. */
typedef hy_status hy_block_visit(void *context, hy_block_key key, const hy_summary *summary,
                                 const uint64_t *played, hy_error *error);
HY_MUST_CHECK hy_status hy_store_each_block(hy_store *store, uint32_t condition, bool swapped,
                                            hy_block_visit *visit, void *context, hy_error *error);

/* The same without a look at the sums, which older files have otherwise: of each summary only
 * `games` is set. */
HY_MUST_CHECK hy_status hy_store_each_bitmap(hy_store *store, uint32_t condition, bool swapped,
                                             hy_block_visit *visit, void *context, hy_error *error);

/* The name of the first column in which two summaries differ, or NULL. Fails for want of memory. */
HY_MUST_CHECK hy_status hy_summary_difference(const hy_summary *a, const hy_summary *b,
                                              const char **column, hy_error *error);

#endif
