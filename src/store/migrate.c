/* Rows of an older file into a new one. */
#include <stdio.h>
#include <stdlib.h>

#include "base/text_buffer.h"
#include "store/internal.h"
#include "store/older.h"
#include "store/schema.h"

/* `stop` is not among them: a file that has rows of it is not migrated. */
static const char *const copied[] = {"game", "chain", "move", "block", "look", "provenance"};

/* The columns of a table, and as many parameters. */
typedef struct hy_copy_text {
    hy_text_buffer columns, parameters;
    const char *separator;
} hy_copy_text;

static hy_status add_column(void *context, const char *column, hy_error *error)
{
    hy_copy_text *text = context;
    (void)error;
    fprintf(text->columns.out, "%s\"%s\"", text->separator, column);
    fprintf(text->parameters.out, "%s?", text->separator);
    text->separator = ", ";
    return HY_OK;
}

static hy_status list_columns(const char *table, hy_copy_text *text, hy_error *error)
{
    *text = (hy_copy_text){.separator = ""};
    hy_status status = hy_text_buffer_open(&text->columns, error);
    if (status != HY_OK)
        return status;
    status = hy_text_buffer_open(&text->parameters, error);
    if (status == HY_OK) {
        status = hy_schema_each_column(table, add_column, text, error);
        status = hy_text_buffer_close(&text->parameters, status, error);
    }
    return hy_text_buffer_close(&text->columns, status, error);
}

/* The statements that read and write the rows of a table; to be released with free(). */
static hy_status print_copy(const char *table, char *sql[2], hy_error *error)
{
    hy_copy_text text;
    sql[0] = sql[1] = NULL;
    hy_status status = list_columns(table, &text, error);
    const char *columns = text.columns.text, *parameters = text.parameters.text;
    if (status == HY_OK && asprintf(&sql[0], "SELECT %s FROM main.\"%s\"", columns, table) < 0)
        sql[0] = NULL;
    if (status == HY_OK &&
        asprintf(&sql[1], "INSERT INTO \"%s\" (%s) VALUES (%s)", table, columns, parameters) < 0)
        sql[1] = NULL;
    if (status == HY_OK && !(sql[0] && sql[1]))
        status = hy_fail_memory(error);
    free(text.columns.text);
    free(text.parameters.text);
    return status;
}

static hy_status copy_row(hy_store *store, sqlite3_stmt *row, sqlite3_stmt *insert, hy_error *error)
{
    hy_status status = hy_store_begin(store, error);
    for (int i = 0; status == HY_OK && i < sqlite3_column_count(row); i++)
        status = hy_database_bind_value(insert, i + 1, sqlite3_column_value(row, i), error);
    if (status == HY_OK)
        status = hy_database_step(&store->database, insert, "write a row", error);
    return status == HY_OK ? hy_store_tick(store, error) : status;
}

static hy_status copy_table(hy_store *store, const hy_store *older, const char *table,
                            const atomic_int *stop, hy_error *error)
{
    sqlite3_stmt *rows = NULL, *insert = NULL;
    char *text[2];
    bool row = true;
    hy_status status = print_copy(table, text, error);
    if (status == HY_OK)
        status = hy_database_prepare(&older->database, text[0], &rows, error);
    if (status == HY_OK)
        status = hy_database_prepare(&store->database, text[1], &insert, error);
    while (status == HY_OK && row) {
        if (stop && atomic_load(stop) != 0)
            status = hy_fail(error, HY_INTERRUPTED, "interrupted; no file was made");
        if (status == HY_OK)
            status = hy_database_next(&older->database, rows, &row, error);
        if (status == HY_OK && row)
            status = copy_row(store, rows, insert, error);
    }
    sqlite3_finalize(rows);
    sqlite3_finalize(insert);
    free(text[0]);
    free(text[1]);
    return status;
}

hy_status hy_store_check_migration(const hy_store *older, hy_error *error)
{
    bool can;
    if (older->version == HY_SCHEMA_VERSION)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' has the schema version of this program, %d: there is nothing to do",
                       older->database.path, HY_SCHEMA_VERSION);
    hy_status status = hy_older_can_migrate(&older->database, older->version, &can, error);
    if (status == HY_OK && !can)
        status = hy_older_refuse(&older->database, older->version, error);
    return status;
}

hy_status hy_store_migrate(hy_store *store, hy_store *older, const atomic_int *stop,
                           hy_error *error)
{
    hy_status status = hy_store_check_same(older, &store->experiment, error);
    for (size_t i = 0; status == HY_OK && i < sizeof copied / sizeof copied[0]; i++) {
        bool has;
        status = hy_older_has(&older->database, copied[i], "", &has, error);
        if (status == HY_OK && has)
            status = copy_table(store, older, copied[i], stop, error);
    }
    return status == HY_OK ? hy_store_commit(store, error) : status;
}
