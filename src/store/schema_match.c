/* Whether a file holds the tables and views of this program and nothing else, word by word. */
#include <string.h>

#include "store/schema.h"

/* An object of a database's schema; texts are those of the query's current row. */
typedef struct object {
    bool there;
    const char *type, *name, *table, *sql;
} object;

/* SQLite's own: what ANALYZE leaves behind, which only says which way to search. */
static const char *const statistics[] = {
    "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
};

static const char *text_of(sqlite3_stmt *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? text : "";
}

static bool is_statistics(const object *found)
{
    for (size_t i = 0; i < sizeof statistics / sizeof statistics[0]; i++) {
        if (strcmp(found->type, "table") == 0 && strcmp(found->sql, statistics[i]) == 0)
            return true;
    }
    return false;
}

static hy_status next_object(const hy_database *database, sqlite3_stmt *query, object *next,
                             hy_error *error)
{
    do {
        hy_status status = hy_database_next(database, query, &next->there, error);
        if (status != HY_OK || !next->there)
            return status;
        *next = (object){true, text_of(query, 0), text_of(query, 1), text_of(query, 2),
                         text_of(query, 3)};
    } while (is_statistics(next));
    return HY_OK;
}

static hy_status list_objects(const hy_database *database, sqlite3_stmt **query, hy_error *error)
{
    return hy_database_prepare(
        database, "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name", query,
        error);
}

static int order(const object *a, const object *b)
{
    if (!a->there || !b->there)
        return a->there ? -1 : b->there;
    int by_type = strcmp(a->type, b->type);
    return by_type != 0 ? by_type : strcmp(a->name, b->name);
}

static hy_status refuse(const hy_database *database, const object *found, const object *own,
                        hy_error *error)
{
    int place = order(found, own);
    if (place < 0)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' holds the %.20s '%.64s', which this program did not make: drop it, or "
                       "keep what is yours in a file of its own (ATTACH in sqlite3)",
                       database->path, found->type, found->name);
    if (place > 0)
        return hy_fail(error, HY_MISMATCH, "'%s' lacks the %s '%s'", database->path, own->type,
                       own->name);
    return hy_fail(error, HY_MISMATCH, "the %s '%s' in '%s' is not the one that this program makes",
                   own->type, own->name, database->path);
}

static hy_status compare(const hy_database *database, sqlite3_stmt *query, const hy_database *model,
                         sqlite3_stmt *wanted, hy_error *error)
{
    object found = {.there = true}, own = {.there = true};
    while (found.there || own.there) {
        hy_status status = next_object(database, query, &found, error);
        if (status == HY_OK)
            status = next_object(model, wanted, &own, error);
        if (status != HY_OK)
            return status;
        if (order(&found, &own) != 0 || (found.there && (strcmp(found.table, own.table) != 0 ||
                                                         strcmp(found.sql, own.sql) != 0)))
            return refuse(database, &found, &own, error);
    }
    return HY_OK;
}

/* A database in memory as this program makes it. */
static hy_status make_model(hy_database *model, hy_error *error)
{
    hy_status status = hy_database_open_memory(model, error);
    if (status != HY_OK)
        return status;
    status = hy_schema_create_objects(model, error);
    if (status != HY_OK)
        hy_database_close(model);
    return status;
}

hy_status hy_schema_match(const hy_database *database, hy_error *error)
{
    hy_database model;
    sqlite3_stmt *query = NULL, *wanted = NULL;
    hy_status status = make_model(&model, error);
    if (status != HY_OK)
        return status;
    status = list_objects(database, &query, error);
    if (status == HY_OK)
        status = list_objects(&model, &wanted, error);
    if (status == HY_OK)
        status = compare(database, query, &model, wanted, error);
    sqlite3_finalize(query);
    sqlite3_finalize(wanted);
    hy_database_close(&model);
    return status;
}
