#include "fuzz/bases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

#define MAX_COLUMNS 256
#define MAX_TABLES 32

static hy_fuzz_base bases[HY_FUZZ_NUM_BASES] = {
    {.name = "moves",
     .yaml = "experiment: moves\nquestion: fuzz\nseed: 7\ngames: 4\nmax_plies: 60\nrecord: moves\n"
             "rules: {holes: [2, 3], seeds: 2}\npolicies:\n  - {south: random, north: greedy, "
             "swap: true}\nopening: {random_plies: 1}\n"},
    {.name = "games",
     .yaml = "experiment: games\nquestion: fuzz\nseed: 8\ngames: 6\nmax_plies: 60\nrecord: games\n"
             "rules: {holes: 3, seeds: 3, relay: [true, false], chain_capture: [true, false]}\n"
             "policies:\n  - {south: random, north: random}\n"},
    {.name = "ladder",
     .yaml = "experiment: ladder\nquestion: fuzz\nseed: 9\ngames: 4\nmax_plies: 60\nrecord: games\n"
             "rules: {holes: 2, seeds: 3}\npolicies: {round_robin: [random, greedy, {epsilon: "
             "{rate: 0.5, policy: greedy}}], self: true}\n"},
    {.name = "summary",
     .yaml = "experiment: summary\nquestion: fuzz\nseed: 10\ngames: 40\nmax_plies: 60\n"
             "record: summary\nrules: {holes: [2, 3], seeds: 3}\npolicies:\n  - {south: random, "
             "north: greedy, swap: true}\nstop: {metric: first_player_score, half_width: 0.4, "
             "every: 10}\n"},
    {.name = "sprt",
     .yaml = "experiment: sprt\nquestion: fuzz\nseed: 11\ngames: 40\nmax_plies: 60\nrecord: games\n"
             "rules: {holes: 3, seeds: 2}\npolicies:\n  - {south: greedy, north: random, swap: "
             "true}\nstop: {sprt: {elo0: 0, elo1: 300}, every: 10}\n"},
};

static hy_fuzz_column columns[MAX_COLUMNS];
static size_t num_columns;

static struct {
    char name[32];
    char *sql; /* as the program makes it */
} tables[MAX_TABLES];
static size_t num_tables;

static sqlite3 *open_database(const char *path)
{
    sqlite3 *handle;
    if (sqlite3_open(path, &handle) != SQLITE_OK)
        hy_fuzz_fault("cannot open a base");
    sqlite3_exec(handle,
                 "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA writable_schema = ON",
                 NULL, NULL, NULL);
    return handle;
}

static void set_schema(sqlite3 *handle, const char *table, const char *sql)
{
    sqlite3_stmt *update;
    if (sqlite3_prepare_v2(handle, "UPDATE sqlite_schema SET sql = ?1 WHERE name = ?2", -1, &update,
                           NULL) != SQLITE_OK)
        return; /* edits have made the schema unreadable */
    sqlite3_bind_text(update, 1, sql, -1, SQLITE_STATIC);
    sqlite3_bind_text(update, 2, table, -1, SQLITE_STATIC);
    sqlite3_step(update);
    sqlite3_finalize(update);
}

void hy_fuzz_tighten(sqlite3 *handle)
{
    for (size_t i = 0; i < num_tables; i++)
        set_schema(handle, tables[i].name, tables[i].sql);
}

static void blank(char *text, const char *word)
{
    for (char *at = text; (at = strstr(at, word)) != NULL;)
        memset(at, ' ', strlen(word));
}

static void list_columns(sqlite3 *handle)
{
    sqlite3_stmt *query;
    sqlite3_prepare_v2(handle,
                       "SELECT m.name, c.name, m.sql FROM sqlite_schema AS m, "
                       "pragma_table_info(m.name) AS c WHERE m.type = 'table' ORDER BY m.name, cid",
                       -1, &query, NULL);
    while (sqlite3_step(query) == SQLITE_ROW && num_columns < MAX_COLUMNS) {
        hy_fuzz_column *column = &columns[num_columns++];
        const char *table = (const char *)sqlite3_column_text(query, 0);
        snprintf(column->table, sizeof column->table, "%s", table);
        snprintf(column->column, sizeof column->column, "%s", sqlite3_column_text(query, 1));
        if (num_tables > 0 && strcmp(tables[num_tables - 1].name, table) == 0)
            continue;
        if (num_tables == MAX_TABLES)
            hy_fuzz_fault("more tables than there is room for");
        snprintf(tables[num_tables].name, sizeof tables[0].name, "%s", table);
        tables[num_tables++].sql = strdup((const char *)sqlite3_column_text(query, 2));
    }
    sqlite3_finalize(query);
}

static void loosen(const char *path)
{
    sqlite3 *handle = open_database(path);
    if (num_columns == 0)
        list_columns(handle);
    for (size_t i = 0; i < num_tables; i++) {
        char *sql = strdup(tables[i].sql);
        blank(sql, "STRICT,");
        blank(sql, "STRICT");
        blank(sql, "NOT NULL");
        blank(sql, "REFERENCES condition (id)");
        set_schema(handle, tables[i].name, sql);
        free(sql);
    }
    sqlite3_close(handle);
}

static void make(hy_fuzz_base *base)
{
    char name[64];
    snprintf(name, sizeof name, "%s.yaml", base->name);
    base->yaml_path = hy_fuzz_path(name);
    snprintf(name, sizeof name, "%s.db", base->name);
    base->path = hy_fuzz_path(name);
    hy_fuzz_write(base->yaml_path, base->yaml, strlen(base->yaml));
    const char *const arguments[] = {base->yaml_path, "-o", base->path, "-j", "1", NULL};
    if (hy_fuzz_command(&hy_command_run, NULL, 0, arguments) != HY_OK)
        hy_fuzz_fault("cannot make a base");
    char *loose = hy_fuzz_path("loose.db");
    size_t size;
    uint8_t *bytes = hy_fuzz_read(base->path, &size);
    hy_fuzz_write(loose, bytes, size);
    free(bytes);
    loosen(loose);
    base->loose = hy_fuzz_read(loose, &base->size);
    free(loose);
}

const hy_fuzz_base *hy_fuzz_bases(void)
{
    for (size_t i = 0; i < HY_FUZZ_NUM_BASES && !bases[i].loose; i++)
        make(&bases[i]);
    return bases;
}

const hy_fuzz_column *hy_fuzz_columns(size_t *num)
{
    hy_fuzz_bases();
    *num = num_columns;
    return columns;
}
