#include "fuzz/patch.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/bases.h"

#define MAX_LINES 64
#define MAX_FILE 1048576

static const struct {
    const char *table;
    const char *key;
} keys[] = {
    {"experiment", "id"},
    {"condition", "id"},
    {"game", "condition_id, swapped, number"},
    {"chain", "condition_id, swapped, number, length"},
    {"move", "condition_id, swapped, number"},
    {"block", "condition_id, swapped, block"},
    {"look", "condition_id, swapped, games"},
    {"stop", "condition_id, swapped"},
    {"provenance", "id"},
    {"column_doc", "table_name, column_name"},
};

static const char *key_of(const char *table)
{
    for (size_t i = 0; table && i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i].table, table) == 0)
            return keys[i].key;
    }
    return NULL;
}

static bool is_column(const char *table, const char *name)
{
    size_t num;
    const hy_fuzz_column *columns = hy_fuzz_columns(&num);
    for (size_t i = 0; table && name && i < num; i++) {
        if (strcmp(columns[i].table, table) == 0 && strcmp(columns[i].column, name) == 0)
            return true;
    }
    return false;
}

static size_t read_hex(const char *text, uint8_t *bytes)
{
    size_t num = 0;
    unsigned byte;
    int used;
    while (sscanf(text, "%2x%n", &byte, &used) == 1) {
        bytes[num++] = (uint8_t)byte;
        text += used;
    }
    return num;
}

static void bind(sqlite3_stmt *statement, int index, const char *value)
{
    uint8_t *bytes;
    switch (value ? value[0] : 'n') {
    case 'i':
        sqlite3_bind_int64(statement, index, strtoll(value + 1, NULL, 10));
        break;
    case 'r':
        sqlite3_bind_double(statement, index, strtod(value + 1, NULL));
        break;
    case 't':
        sqlite3_bind_text(statement, index, value + 1, -1, SQLITE_TRANSIENT);
        break;
    case 'x':
        bytes = malloc(strlen(value));
        sqlite3_bind_blob(statement, index, bytes, (int)read_hex(value + 1, bytes),
                          SQLITE_TRANSIENT);
        free(bytes);
        break;
    default:
        break;
    }
}

/* Runs a statement with a value as ?1 and a row's place as ?2. */
static void run(sqlite3 *handle, const char *sql, const char *value, const char *row)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(handle, sql, -1, &statement, NULL) != SQLITE_OK)
        return;
    if (sqlite3_bind_parameter_count(statement) > 0)
        bind(statement, 1, value);
    if (sqlite3_bind_parameter_count(statement) > 1)
        sqlite3_bind_int64(statement, 2, strtoll(row, NULL, 10));
    sqlite3_step(statement);
    sqlite3_finalize(statement);
}

static void where(char *sql, size_t size, const char *table, const char *row)
{
    const char *key = key_of(table);
    size_t used = strlen(sql);
    if (strcmp(row, "*") != 0)
        snprintf(sql + used, size - used,
                 " WHERE (%s) = (SELECT %s FROM \"%s\" ORDER BY %s LIMIT 1 OFFSET ?2)", key, key,
                 table, key);
}

static void set(sqlite3 *handle, char *rest)
{
    char sql[512];
    const char *table = strsep(&rest, " "), *row = strsep(&rest, " "), *column = strsep(&rest, " ");
    if (!row || !key_of(table) || !is_column(table, column))
        return;
    snprintf(sql, sizeof sql, "UPDATE \"%s\" SET \"%s\" = ?1", table, column);
    where(sql, sizeof sql, table, row);
    run(handle, sql, rest, row);
}

static void delete (sqlite3 *handle, char *rest)
{
    char sql[512];
    const char *table = strsep(&rest, " "), *row = strsep(&rest, " ");
    if (!row || !key_of(table))
        return;
    snprintf(sql, sizeof sql, "DELETE FROM \"%s\"", table);
    where(sql, sizeof sql, table, row);
    run(handle, sql, NULL, row);
}

static void copy(sqlite3 *handle, char *rest)
{
    char *sql, *list = NULL;
    size_t num, size;
    const hy_fuzz_column *columns = hy_fuzz_columns(&num);
    const char *table = strsep(&rest, " "), *row = strsep(&rest, " "), *column = strsep(&rest, " ");
    if (!row || !key_of(table) || !is_column(table, column))
        return;
    FILE *out = open_memstream(&list, &size);
    for (size_t i = 0; i < num; i++) {
        if (strcmp(columns[i].table, table) != 0)
            continue;
        if (strcmp(columns[i].column, column) == 0)
            fputs("?1, ", out);
        else
            fprintf(out, "\"%s\", ", columns[i].column);
    }
    fclose(out);
    list[size - 2] = '\0';
    if (asprintf(
            &sql,
            "INSERT OR REPLACE INTO \"%s\" SELECT %s FROM \"%s\" ORDER BY %s LIMIT 1 OFFSET ?2",
            table, list, table, key_of(table)) > 0)
        run(handle, sql, rest, row);
    free(sql);
    free(list);
}

static void add_schema(sqlite3 *handle, char *rest)
{
    sqlite3_stmt *insert;
    const char *type = strsep(&rest, " "), *name = strsep(&rest, " ");
    if (!rest || sqlite3_prepare_v2(handle, "INSERT INTO sqlite_schema VALUES (?1, ?2, ?3, 0, ?4)",
                                    -1, &insert, NULL) != SQLITE_OK)
        return;
    const char *table = strcmp(type, "trigger") == 0 ? "game" : name;
    sqlite3_bind_text(insert, 1, type, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, rest, -1, SQLITE_STATIC);
    sqlite3_step(insert);
    sqlite3_finalize(insert);
}

static void change_schema(sqlite3 *handle, char *rest)
{
    sqlite3_stmt *update;
    const char *name = strsep(&rest, " ");
    if (!rest || sqlite3_prepare_v2(handle, "UPDATE sqlite_schema SET sql = ?1 WHERE name = ?2", -1,
                                    &update, NULL) != SQLITE_OK)
        return;
    sqlite3_bind_text(update, 1, rest, -1, SQLITE_STATIC);
    sqlite3_bind_text(update, 2, name, -1, SQLITE_STATIC);
    sqlite3_step(update);
    sqlite3_finalize(update);
}

static bool starts(const char *line, const char *word, char **rest)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || line[length] != ' ')
        return false;
    *rest = (char *)line + length + 1;
    return true;
}

static void edit_bytes(const char *path, char *rest)
{
    uint8_t *bytes = malloc(strlen(rest) + 1);
    const char *offset = strsep(&rest, " ");
    size_t num = rest ? read_hex(rest, bytes) : 0;
    int file = open(path, O_WRONLY | O_CLOEXEC);
    long long at = strtoll(offset, NULL, 10);
    if (file >= 0 && at >= 0 && at < MAX_FILE && pwrite(file, bytes, num, at) < 0)
        at = 0; /* an edit that cannot be made is none */
    if (file >= 0)
        close(file);
    free(bytes);
}

static void edit_file(const char *path, char *line)
{
    char *rest;
    if (starts(line, "byte", &rest)) {
        edit_bytes(path, rest);
    } else if (starts(line, "size", &rest)) {
        long long size = strtoll(rest, NULL, 10);
        if (size >= 0 && size < MAX_FILE && truncate(path, size) != 0)
            return;
    }
}

static void edit_rows(sqlite3 *handle, char *line)
{
    char *rest;
    if (starts(line, "set", &rest))
        set(handle, rest);
    else if (starts(line, "delete", &rest))
        delete (handle, rest);
    else if (starts(line, "copy", &rest))
        copy(handle, rest);
}

static void edit_schema(sqlite3 *handle, char *line)
{
    char *rest;
    if (starts(line, "schema", &rest))
        add_schema(handle, rest);
    else if (starts(line, "view", &rest))
        change_schema(handle, rest);
}

static sqlite3 *open_for_edits(const char *path)
{
    sqlite3 *handle;
    if (sqlite3_open(path, &handle) == SQLITE_OK)
        sqlite3_exec(
            handle,
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA writable_schema = "
            "ON; PRAGMA ignore_check_constraints = ON",
            NULL, NULL, NULL);
    return handle;
}

void hy_fuzz_patch(const char *path, char *text)
{
    char *lines[MAX_LINES];
    size_t num = 0;
    while (text && num < MAX_LINES)
        lines[num++] = strsep(&text, "\n");
    sqlite3 *handle = open_for_edits(path);
    for (size_t i = 0; i < num; i++)
        edit_rows(handle, lines[i]);
    hy_fuzz_tighten(handle);
    for (size_t i = 0; i < num; i++)
        edit_schema(handle, lines[i]);
    sqlite3_close(handle);
    for (size_t i = 0; i < num; i++)
        edit_file(path, lines[i]);
}
