#include "store/older.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "store/schema.h"

/* What helps with a file of an older version. */
typedef enum hy_way {
    HY_WAY_RERUN,   /* rows lack what only playing again gives */
    HY_WAY_MIGRATE, /* the rows are those of today */
} hy_way;

static const hy_way ways[] = {
    [1] = HY_WAY_RERUN, [2] = HY_WAY_MIGRATE, [3] = HY_WAY_MIGRATE, /* but for what stopped
                                                                       conditions */
};

_Static_assert(sizeof ways / sizeof ways[0] == HY_SCHEMA_VERSION,
               "each older version has a way to this one");

/* What columns held before there were such columns, as SQL. */
static const struct {
    const char *table, *column, *value;
} former[] = {
    {"experiment", "policies_version", "'hoyito-policies/1'"},
    {"experiment", "stop", "'{}'"},
    {"condition", "reproducible", "NULL"}, /* not said */
};

/* Version 3 has fewer rows of what stopped a condition than this one. */
static hy_status way_of(const hy_database *database, int64_t version, hy_way *way, hy_error *error)
{
    int64_t num_stops = 0;
    hy_status status = HY_OK;
    *way = ways[version];
    if (version == 3)
        status = hy_database_integer(database, "SELECT count(*) FROM stop", &num_stops, error);
    if (num_stops > 0)
        *way = HY_WAY_RERUN;
    return status;
}

hy_status hy_older_can_migrate(const hy_database *database, int64_t version, bool *can,
                               hy_error *error)
{
    hy_way way;
    hy_status status = way_of(database, version, &way, error);
    *can = status == HY_OK && way == HY_WAY_MIGRATE;
    return status;
}

hy_status hy_older_refuse(const hy_database *database, int64_t version, hy_error *error)
{
    hy_way way;
    if (version >= HY_SCHEMA_VERSION)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' has the schema version %lld and was made by a newer hoyito; this one "
                       "reads version %d: use a newer one",
                       database->path, (long long)version, HY_SCHEMA_VERSION);
    if (version < 1)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' has the schema version %lld, which no hoyito ever had", database->path,
                       (long long)version);
    hy_status status = way_of(database, version, &way, error);
    if (status != HY_OK)
        return status;
    return hy_fail(error, HY_MISMATCH,
                   "'%s' has the schema version %lld; this program reads version %d: 'hoyito %s "
                   "%s -o NEW.db' %s",
                   database->path, (long long)version, HY_SCHEMA_VERSION,
                   way == HY_WAY_MIGRATE ? "migrate" : "rerun", database->path,
                   way == HY_WAY_MIGRATE ? "copies its rows into a new file"
                                         : "plays its games again and compares them");
}

hy_status hy_older_has(const hy_database *database, const char *table, const char *column,
                       bool *has, hy_error *error)
{
    sqlite3_stmt *query;
    hy_status status = hy_database_prepare(
        database, "SELECT 1 FROM pragma_table_info(?1, 'main') WHERE ?2 IN (name, '')", &query,
        error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_text(query, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(query, 2, column, -1, SQLITE_STATIC);
    status = hy_database_next(database, query, has, error);
    sqlite3_finalize(query);
    return status;
}

typedef struct hy_adapting {
    const hy_database *database;
    const char *table;
    FILE *out;
    bool begun;
} hy_adapting;

static hy_status add_column(void *context, const char *column, hy_error *error)
{
    hy_adapting *adapting = context;
    const char *value = NULL;
    bool has;
    hy_status status = hy_older_has(adapting->database, adapting->table, column, &has, error);
    for (size_t i = 0; i < sizeof former / sizeof former[0]; i++) {
        if (strcmp(former[i].table, adapting->table) == 0 && strcmp(former[i].column, column) == 0)
            value = former[i].value;
    }
    if (status == HY_OK && !has && !value)
        status = hy_fail(error, HY_MISMATCH, "'%s' is damaged: '%s' has no column '%s'",
                         adapting->database->path, adapting->table, column);
    if (status != HY_OK)
        return status;
    fputs(adapting->begun ? ", " : "", adapting->out);
    if (!has)
        fprintf(adapting->out, "%s AS ", value);
    fprintf(adapting->out, "\"%s\"", column);
    adapting->begun = true;
    return HY_OK;
}

/* A temporary view of the table's name is found before the table. */
static hy_status adapt_table(const hy_database *database, const char *table, hy_error *error)
{
    hy_text_buffer sql;
    hy_status status = hy_text_buffer_open(&sql, error);
    if (status != HY_OK)
        return status;
    hy_adapting adapting = {.database = database, .table = table, .out = sql.out};
    fprintf(adapting.out, "CREATE TEMP VIEW \"%s\" AS SELECT ", table);
    status = hy_schema_each_column(table, add_column, &adapting, error);
    fprintf(adapting.out, " FROM main.\"%s\"", table);
    status = hy_text_buffer_close(&sql, status, error);
    if (status == HY_OK)
        status = hy_database_run(database, sql.text, error);
    free(sql.text);
    return status;
}

/* Tables are tables, and reading them runs nothing. */
static hy_status check_kinds(const hy_database *database, hy_error *error)
{
    int64_t num;
    hy_status status = hy_database_integer(
        database,
        "SELECT count(*) FROM main.sqlite_schema WHERE type = 'trigger' OR (type = 'view' AND "
        "substr(name, 1, 2) != 'v_')",
        &num, error);
    if (status == HY_OK && num > 0)
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' is damaged: it has views or triggers that no hoyito makes",
                         database->path);
    return status;
}

hy_status hy_older_adapt(const hy_database *database, hy_error *error)
{
    hy_status status = check_kinds(database, error);
    if (status == HY_OK)
        status = hy_database_run(database, "PRAGMA temp_store = MEMORY", error);
    if (status == HY_OK)
        status = adapt_table(database, "experiment", error);
    return status == HY_OK ? adapt_table(database, "condition", error) : status;
}
