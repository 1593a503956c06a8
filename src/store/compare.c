/* Results of the same games in two files, the first one perhaps older: row by row, in all columns
 * that both have. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "store/internal.h"
#include "store/older.h"
#include "store/schema.h"

/* A table of results; its first columns, integers, are its key. */
typedef struct hy_result_table {
    const char *name;
    int num_keys;
} hy_result_table;

static const hy_result_table results[] = {
    {"game", 3}, {"chain", 4}, {"move", 3}, {"block", 3}, {"look", 3}, {"stop", 2},
};

typedef struct hy_comparing {
    hy_store *store, *again;
    hy_row_comparison *comparison;
    hy_result_table table;
    FILE *columns; /* of both */
    int num_columns;
    bool has_key;
    sqlite3_stmt *rows, *others; /* of `store`, of `again` */
} hy_comparing;

/* Notes once that `store` lacks a column, or a part of it. */
static void note_lacking(const hy_comparing *comparing, const char *column)
{
    char *lacking = comparing->comparison->lacking, name[64];
    size_t used = strlen(lacking);
    snprintf(name, sizeof name, "%s.%s", comparing->table.name, column);
    if (!strstr(lacking, name))
        snprintf(lacking + used, sizeof comparing->comparison->lacking - used, "%s%s",
                 used > 0 ? ", " : "", name);
}

static hy_status add_column(void *context, const char *column, hy_error *error)
{
    hy_comparing *comparing = context;
    bool has;
    hy_status status =
        hy_older_has(&comparing->store->database, comparing->table.name, column, &has, error);
    if (status != HY_OK)
        return status;
    if (has) {
        fprintf(comparing->columns, "%s\"%s\"", comparing->num_columns++ > 0 ? ", " : "", column);
        return HY_OK;
    }
    comparing->has_key &= comparing->num_columns >= comparing->table.num_keys;
    note_lacking(comparing, column);
    return HY_OK;
}

static hy_status fail_at(const hy_comparing *comparing, sqlite3_stmt *row, const char *what,
                         hy_error *error)
{
    char key[128] = "";
    for (int i = 0; i < comparing->table.num_keys; i++) {
        size_t used = strlen(key);
        snprintf(key + used, sizeof key - used, "%s%s %lld", i > 0 ? ", " : "",
                 sqlite3_column_name(row, i), (long long)sqlite3_column_int64(row, i));
    }
    return hy_fail(error, HY_MISMATCH, "'%s' and '%s' differ in the table '%s' at %s: %s",
                   comparing->store->database.path, comparing->again->database.path,
                   comparing->table.name, key, what);
}

/* < 0, 0, > 0 as keys of two rows are in order. */
static int compare_keys(sqlite3_stmt *a, sqlite3_stmt *b, int num_keys)
{
    for (int i = 0; i < num_keys; i++) {
        int64_t x = sqlite3_column_int64(a, i), y = sqlite3_column_int64(b, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* The value of `again` for a key of an object that version 1 wrote: "plies_plies" is "plies*plies"
 * today. */
static const json_t *value_of(const json_t *again, const char *key)
{
    char name[64];
    const json_t *value = json_object_get(again, key);
    snprintf(name, sizeof name, "%s", key);
    char *joint = strchr(name, '_');
    if (value || !joint)
        return value;
    *joint = '*';
    return json_object_get(again, name);
}

/* Objects of version 1 hold a part of what those of today do; *whole: no less. */
static bool is_part(const char *a, const char *b, bool *whole)
{
    json_t *x = json_loads(a, JSON_REJECT_DUPLICATES, NULL), *y = json_loads(b, 0, NULL), *value;
    const char *key;
    size_t num_common = 0;
    bool same = json_is_object(x) && json_is_object(y);
    if (same) {
        json_object_foreach(x, key, value)
        {
            const json_t *other = value_of(y, key);
            num_common += other != NULL;
            same = same && (!other || json_equal(value, other));
        }
    }
    *whole = num_common == json_object_size(y);
    json_decref(x);
    json_decref(y);
    return same && num_common > 0;
}

/* Real numbers are rounded by the compiler and the machine; they are of `stop` alone, and decide
 * nothing. */
static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static bool same_bytes(sqlite3_stmt *a, sqlite3_stmt *b, int column)
{
    const void *x = sqlite3_column_blob(a, column), *y = sqlite3_column_blob(b, column);
    int size = sqlite3_column_bytes(a, column);
    return size == sqlite3_column_bytes(b, column) &&
           (size == 0 || (x && y && memcmp(x, y, (size_t)size) == 0));
}

/* Whether an object of version 1 is a part of the other one. */
static bool same_object(const hy_comparing *comparing, int column)
{
    const char *x = (const char *)sqlite3_column_text(comparing->rows, column);
    const char *y = (const char *)sqlite3_column_text(comparing->others, column);
    bool whole;
    if (comparing->store->version >= HY_VERSION_OF_ROWS || !x || !y || !is_part(x, y, &whole))
        return false;
    if (!whole)
        note_lacking(comparing, sqlite3_column_name(comparing->rows, column));
    return true;
}

static bool same_value(const hy_comparing *comparing, int column)
{
    sqlite3_stmt *a = comparing->rows, *b = comparing->others;
    int type = sqlite3_column_type(a, column);
    if (type != sqlite3_column_type(b, column))
        return false;
    switch (type) {
    case SQLITE_INTEGER:
        return sqlite3_column_int64(a, column) == sqlite3_column_int64(b, column);
    case SQLITE_FLOAT:
        return is_near(sqlite3_column_double(a, column), sqlite3_column_double(b, column));
    case SQLITE_NULL:
        return true;
    default:
        break;
    }
    return same_bytes(a, b, column) || (type == SQLITE_TEXT && same_object(comparing, column));
}

static hy_status compare_row(const hy_comparing *comparing, hy_error *error)
{
    char what[256];
    for (int i = comparing->table.num_keys; i < comparing->num_columns; i++) {
        if (same_value(comparing, i))
            continue;
        const char *x = (const char *)sqlite3_column_text(comparing->rows, i);
        const char *y = (const char *)sqlite3_column_text(comparing->others, i);
        snprintf(what, sizeof what, "'%s' is %.60s and %.60s",
                 sqlite3_column_name(comparing->rows, i), x ? x : "NULL", y ? y : "NULL");
        return fail_at(comparing, comparing->rows, what, error);
    }
    return HY_OK;
}

/* Steps the rows of `again` to the one with the key of the current row of `store`. */
static hy_status find_other(const hy_comparing *comparing, bool *more, hy_error *error)
{
    int order = 1;
    hy_status status = HY_OK;
    do {
        status = hy_database_next(&comparing->again->database, comparing->others, more, error);
        if (status == HY_OK && *more)
            order = compare_keys(comparing->rows, comparing->others, comparing->table.num_keys);
    } while (status == HY_OK && *more && order > 0 && comparing->comparison->subset);
    if (status != HY_OK || (*more && order == 0))
        return status;
    if (*more && order > 0)
        return fail_at(comparing, comparing->others, "only the second has this row", error);
    return fail_at(comparing, comparing->rows, "only the first has this row", error);
}

static hy_status compare_rows(const hy_comparing *comparing, hy_error *error)
{
    bool row = true, other = true;
    hy_status status = HY_OK;
    while (status == HY_OK && row) {
        status = hy_database_next(&comparing->store->database, comparing->rows, &row, error);
        if (status != HY_OK || !row)
            break;
        status = find_other(comparing, &other, error);
        if (status == HY_OK)
            status = compare_row(comparing, error);
        comparing->comparison->num_rows++;
    }
    if (status != HY_OK || comparing->comparison->subset)
        return status;
    status = hy_database_next(&comparing->again->database, comparing->others, &other, error);
    if (status == HY_OK && other)
        return fail_at(comparing, comparing->others, "only the second has this row", error);
    return status;
}

/* Compares what a query over the rows of one condition, ?1, gives in both. */
static hy_status compare_query(hy_comparing *comparing, const char *sql, hy_error *error)
{
    const hy_experiment *experiment = &comparing->store->experiment;
    hy_status status =
        hy_database_prepare(&comparing->store->database, sql, &comparing->rows, error);
    if (status == HY_OK)
        status = hy_database_prepare(&comparing->again->database, sql, &comparing->others, error);
    for (size_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        if (!hy_condition_is_reproducible(&experiment->conditions[i]))
            continue;
        sqlite3_reset(comparing->rows);
        sqlite3_reset(comparing->others);
        sqlite3_bind_int64(comparing->rows, 1, (int64_t)i + 1);
        sqlite3_bind_int64(comparing->others, 1, (int64_t)i + 1);
        comparing->num_columns = sqlite3_column_count(comparing->rows);
        status = compare_rows(comparing, error);
    }
    sqlite3_finalize(comparing->rows);
    sqlite3_finalize(comparing->others);
    comparing->rows = comparing->others = NULL;
    return status;
}

/* Version 3 has one row a condition, of which this much is in today's rows. */
static hy_status compare_stops(hy_comparing *comparing, hy_error *error)
{
    static const char *const others[] = {"statistic", "low", "high"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        note_lacking(comparing, others[i]);
    comparing->table.num_keys = 1;
    return compare_query(comparing,
                         "SELECT DISTINCT condition_id, reason, games, looks, anytime FROM "
                         "main.stop WHERE condition_id = ?1",
                         error);
}

/* Whether the table is there, with rows in either store. */
static hy_status has_rows(const hy_comparing *comparing, bool *has, hy_error *error)
{
    char query[64];
    int64_t num = 0, num_again = 0;
    hy_status status =
        hy_older_has(&comparing->store->database, comparing->table.name, "", has, error);
    if (status != HY_OK || !*has)
        return status;
    snprintf(query, sizeof query, "SELECT count(*) FROM (SELECT 1 FROM main.\"%s\" LIMIT 1)",
             comparing->table.name);
    status = hy_database_integer(&comparing->store->database, query, &num, error);
    if (status == HY_OK)
        status = hy_database_integer(&comparing->again->database, query, &num_again, error);
    *has = num + num_again > 0;
    return status;
}

static hy_status compare_table(hy_comparing *comparing, hy_error *error)
{
    char *sql;
    hy_text_buffer columns;
    const char *name = comparing->table.name;
    bool has;
    hy_status status = has_rows(comparing, &has, error);
    if (status != HY_OK || !has)
        return status;
    comparing->num_columns = 0;
    comparing->has_key = true;
    status = hy_text_buffer_open(&columns, error);
    if (status != HY_OK)
        return status;
    comparing->columns = columns.out;
    status = hy_schema_each_column(name, add_column, comparing, error);
    status = hy_text_buffer_close(&columns, status, error);
    if (status == HY_OK && !comparing->has_key)
        status = compare_stops(comparing, error);
    else if (status == HY_OK &&
             asprintf(&sql, "SELECT %s FROM main.\"%s\" WHERE condition_id = ?1 ORDER BY %s",
                      columns.text, name,
                      comparing->table.num_keys > 3 ? "1, 2, 3, 4" : "1, 2, 3") < 0)
        status = hy_fail_memory(error);
    else if (status == HY_OK) {
        status = compare_query(comparing, sql, error);
        free(sql);
    }
    free(columns.text);
    return status;
}

hy_status hy_store_compare(hy_store *store, hy_store *again, hy_row_comparison *comparison,
                           hy_error *error)
{
    hy_status status = HY_OK;
    comparison->num_rows = 0;
    comparison->lacking[0] = '\0';
    for (size_t i = 0; status == HY_OK && i < sizeof results / sizeof results[0]; i++) {
        hy_comparing comparing = {
            .store = store, .again = again, .comparison = comparison, .table = results[i]};
        /* blocks of a condition that goes on hold more games */
        if (comparison->subset && strcmp(results[i].name, "block") == 0)
            continue;
        status = compare_table(&comparing, error);
    }
    return status;
}
