#include "cli/bare_insert.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/words.h"

#define NUM_COUNTS 18 /* of a game, between its words and its hash */

typedef struct hy_bare_game {
    int64_t number;
    const char *termination, *result;
    int64_t counts[NUM_COUNTS];
    char hash[17];
} hy_bare_game;

typedef struct hy_bare_chain {
    int64_t number, length, count;
} hy_bare_chain;

struct hy_bare_rows {
    hy_bare_game *games;
    hy_bare_chain *chains;
    size_t num_games, num_chains;
};

static int compare_numbers(const void *a, const void *b)
{
    const hy_game_record *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static hy_bare_game game_row(const hy_game_record *r)
{
    hy_bare_game game = {
        .number = (int64_t)r->number,
        .termination = hy_termination_words[r->termination],
        .result = hy_result_words[r->result],
        .counts = {r->score[HY_SOUTH], r->score[HY_NORTH], r->plies, r->turns, r->passes,
                   (int64_t)r->laps, (int64_t)r->counters, r->captures, r->casas, r->chains,
                   r->longest_chain, r->longest_turn, r->lead_changes, r->legal_holes,
                   r->decision_plies, r->south_captures, r->south_chains, r->claimed},
    };
    snprintf(game.hash, sizeof game.hash, "%016" PRIx64, r->move_hash);
    return game;
}

static size_t chain_rows(const hy_game_record *record, hy_bare_chain *chains)
{
    size_t num = 0;
    for (unsigned length = 1; length <= record->longest_chain; length++) {
        if (record->chain_count[length] == 0)
            continue;
        if (chains)
            chains[num] =
                (hy_bare_chain){(int64_t)record->number, length, record->chain_count[length]};
        num++;
    }
    return num;
}

hy_bare_rows *hy_bare_rows_new(hy_game_record *records, size_t num_records)
{
    hy_bare_rows *rows = calloc(1, sizeof *rows);
    size_t num_chains = 0;
    for (size_t i = 0; i < num_records; i++)
        num_chains += chain_rows(&records[i], NULL);
    if (rows) {
        rows->games = calloc(num_records + 1, sizeof rows->games[0]);
        rows->chains = calloc(num_chains + 1, sizeof rows->chains[0]);
    }
    if (!rows || !rows->games || !rows->chains) {
        hy_bare_rows_destroy(rows);
        return NULL;
    }
    qsort(records, num_records, sizeof records[0], compare_numbers);
    for (size_t i = 0; i < num_records; i++) {
        rows->games[rows->num_games++] = game_row(&records[i]);
        rows->num_chains += chain_rows(&records[i], &rows->chains[rows->num_chains]);
    }
    return rows;
}

void hy_bare_rows_destroy(hy_bare_rows *rows)
{
    if (!rows)
        return;
    free(rows->games);
    free(rows->chains);
    free(rows);
}

static bool insert_game(sqlite3_stmt *insert, const hy_bare_game *game)
{
    sqlite3_bind_int64(insert, 1, 1);
    sqlite3_bind_int64(insert, 2, 0);
    sqlite3_bind_int64(insert, 3, game->number);
    sqlite3_bind_text(insert, 4, game->termination, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 5, game->result, -1, SQLITE_STATIC);
    for (int i = 0; i < NUM_COUNTS; i++)
        sqlite3_bind_int64(insert, 6 + i, game->counts[i]);
    sqlite3_bind_text(insert, 24, game->hash, 16, SQLITE_STATIC);
    return sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
}

static bool insert_chain(sqlite3_stmt *insert, const hy_bare_chain *chain)
{
    sqlite3_bind_int64(insert, 1, 1);
    sqlite3_bind_int64(insert, 2, 0);
    sqlite3_bind_int64(insert, 3, chain->number);
    sqlite3_bind_int64(insert, 4, chain->length);
    sqlite3_bind_int64(insert, 5, chain->count);
    return sqlite3_step(insert) == SQLITE_DONE && sqlite3_reset(insert) == SQLITE_OK;
}

static bool insert_all(sqlite3 *database, const hy_bare_rows *rows)
{
    static const char games[] =
        "INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    static const char chains[] = "INSERT INTO chain VALUES (?, ?, ?, ?, ?)";
    sqlite3_stmt *game = NULL, *chain = NULL;
    bool good = sqlite3_exec(database, "BEGIN", NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(database, games, -1, &game, NULL) == SQLITE_OK &&
                sqlite3_prepare_v2(database, chains, -1, &chain, NULL) == SQLITE_OK;
    size_t next_chain = 0;
    for (size_t i = 0; good && i < rows->num_games; i++) {
        good = insert_game(game, &rows->games[i]);
        while (good && next_chain < rows->num_chains &&
               rows->chains[next_chain].number == rows->games[i].number)
            good = insert_chain(chain, &rows->chains[next_chain++]);
    }
    sqlite3_finalize(game);
    sqlite3_finalize(chain);
    return good && sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

hy_status hy_bare_insert(const char *path, const hy_bare_rows *rows, hy_error *error)
{
    sqlite3 *database = NULL;
    hy_status status = HY_OK;
    if (sqlite3_open(path, &database) != SQLITE_OK || !insert_all(database, rows))
        status = hy_fail(error, HY_STORAGE, "cannot write '%s': %s", path,
                         database ? sqlite3_errmsg(database) : "out of memory");
    sqlite3_close(database);
    return status;
}
