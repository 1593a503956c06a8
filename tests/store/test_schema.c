/* What a database says about itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "store/databases.h"
#include "store/schema.h"

static const char *database_of(hy_record record)
{
    hy_experiment experiment = experiment_small(100, record);
    file_remove(scratch_path("schema.db"));
    const char *path = play_all("schema.db", &experiment, 2);
    sql(path, "INSERT INTO provenance (timestamp, record) VALUES ('2026-01-01T00:00:00Z', '{}')");
    hy_experiment_clean_up(&experiment);
    return path;
}

/* The rows of a query as lines, with columns by '|'. Fails where there are none. */
static unsigned count_rows(const char *path, const char *query, char *first, size_t size)
{
    sqlite3 *handle;
    sqlite3_stmt *statement;
    unsigned num = 0;
    first[0] = '\0';
    assert_int_equal(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(handle, query, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", query, sqlite3_errmsg(handle));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        if (num++ > 0)
            continue;
        size_t used = 0;
        for (int i = 0; i < sqlite3_column_count(statement) && used < size; i++) {
            const char *text = (const char *)sqlite3_column_text(statement, i);
            used += (size_t)snprintf(first + used, size - used, "%s|", text ? text : "NULL");
        }
    }
    sqlite3_finalize(statement);
    sqlite3_close(handle);
    return num;
}

/* The query, which looks for faults, gives no row. */
static void assert_none(const char *path, const char *query)
{
    char first[512];
    unsigned num = count_rows(path, query, first, sizeof first);
    if (num > 0)
        fail_msg("%u rows, the first is %s: %s", num, first, query);
}

static void the_file_says_what_it_is(void **state)
{
    (void)state;
    const char *path = database_of(HY_RECORD_GAMES);
    assert_int_equal(sql_integer(path, "PRAGMA application_id"), HY_APPLICATION_ID);
    assert_int_equal(sql_integer(path, "PRAGMA application_id"), 0x486f7949);
    assert_int_equal(sql_integer(path, "PRAGMA user_version"), HY_SCHEMA_VERSION);
    assert_string_equal(sql_text(path, "SELECT rules_version FROM experiment"), HY_RULES_VERSION);
    assert_string_equal(sql_text(path, "SELECT generator FROM experiment"), HY_GENERATOR);
    assert_string_equal(
        sql_text(path, "SELECT group_concat(name) FROM (SELECT name FROM "
                       "sqlite_schema WHERE type = 'table' ORDER BY name)"),
        "block,chain,column_doc,condition,experiment,game,look,move,provenance,stop");
    assert_string_equal(sql_text(path, "SELECT group_concat(name) FROM (SELECT name FROM "
                                       "sqlite_schema WHERE type = 'view' ORDER BY name)"),
                        "v_chain,v_complexity,v_condition,v_game,v_pair,v_quality,v_survival");
}

static void every_table_is_strict(void **state)
{
    (void)state;
    const char *path = database_of(HY_RECORD_GAMES);
    assert_none(path, "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                      "AND name NOT LIKE 'sqlite_%' AND NOT strict");
    assert_none(path, "PRAGMA foreign_key_check");
    assert_string_equal(sql_text(path, "PRAGMA integrity_check"), "ok");
}

/* One type a column in fact, the declared one; NULL only for the bitmap of a full block. */
static void every_column_has_one_type(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        const char *path = database_of(record);
        char query[512], first[512];
        int64_t num = sql_integer(path, "SELECT count(*) FROM pragma_table_list AS t, "
                                        "pragma_table_info(t.name) AS c WHERE t.type = 'table' AND "
                                        "t.name NOT LIKE 'sqlite_%'");
        assert_true(num > 80);
        for (int64_t i = 0; i < num; i++) {
            char table[64], column[64], type[64];
            snprintf(query, sizeof query,
                     "SELECT t.name, c.name, lower(c.type) FROM pragma_table_list AS t, "
                     "pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE "
                     "'sqlite_%%' ORDER BY t.name, c.cid LIMIT 1 OFFSET %d",
                     (int)i);
            assert_int_equal(count_rows(path, query, first, sizeof first), 1);
            assert_int_equal(sscanf(first, "%63[^|]|%63[^|]|%63[^|]", table, column, type), 3);
            snprintf(query, sizeof query,
                     "SELECT '%s.%s', typeof(\"%s\") FROM \"%s\" WHERE typeof(\"%s\") != '%s'",
                     table, column, column, table, column, type);
            assert_none(path, query);
        }
    }
}

static void every_column_is_explained(void **state)
{
    (void)state;
    const char *path = database_of(HY_RECORD_GAMES);
    assert_none(path, "SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name)"
                      " AS c WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE "
                      "'sqlite_%' AND NOT EXISTS (SELECT 1 FROM column_doc WHERE table_name = "
                      "t.name AND column_name = c.name)");
    assert_none(path, "SELECT t.name FROM pragma_table_list AS t WHERE t.schema = 'main' AND t.name"
                      " NOT LIKE 'sqlite_%' AND NOT EXISTS (SELECT 1 FROM column_doc WHERE "
                      "table_name = t.name AND column_name = '')");
    assert_none(path, "SELECT * FROM column_doc WHERE length(trim(meaning)) < 4");
    /* a view's own columns; those of the table it goes through are explained there */
    assert_none(path,
                "SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name)"
                " AS c WHERE t.type = 'view' AND NOT EXISTS (SELECT 1 FROM column_doc WHERE "
                "table_name IN (t.name, replace(t.name, 'v_', '')) AND column_name = c.name)");
    /* and nothing that is not there is explained */
    assert_none(path, "SELECT d.table_name, d.column_name FROM column_doc AS d WHERE d.column_name "
                      "!= '' AND NOT EXISTS (SELECT 1 FROM pragma_table_info(d.table_name) AS c "
                      "WHERE c.name = d.column_name)");
    assert_none(path, "SELECT table_name FROM column_doc EXCEPT SELECT name FROM sqlite_schema");
}

/* Every field of the rules is a column, with its words and its meaning. */
static void the_rules_are_columns(void **state)
{
    (void)state;
    const char *path = database_of(HY_RECORD_GAMES);
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        char query[256], allowed[HY_FIELD_TEXT_SIZE];
        snprintf(query, sizeof query,
                 "SELECT meaning FROM column_doc WHERE table_name = 'condition' AND column_name = "
                 "'%s'",
                 field->key);
        const char *meaning = sql_text(path, query);
        assert_non_null(strstr(meaning, field->meaning));
        if (field->kind != HY_FIELD_BOOLEAN)
            assert_non_null(strstr(meaning, hy_field_allowed(field, allowed)));
        snprintf(query, sizeof query, "SELECT typeof(\"%s\") FROM condition", field->key);
        assert_string_equal(sql_text(path, query),
                            field->kind == HY_FIELD_WORD ? "text" : "integer");
    }
}

/* The texts of `termination` and `result` are those that the documentation lists. */
static void the_words_are_explained(void **state)
{
    (void)state;
    const char *path = database_of(HY_RECORD_GAMES);
    char meaning[512];
    snprintf(meaning, sizeof meaning, "%s",
             sql_text(path, "SELECT meaning FROM column_doc WHERE table_name = 'game' AND "
                            "column_name = 'termination'"));
    for (size_t i = HY_GOES_ON + 1; i < HY_NUM_TERMINATIONS; i++)
        assert_non_null(strstr(meaning, hy_termination_words[i]));
    snprintf(meaning, sizeof meaning, "%s",
             sql_text(path, "SELECT meaning FROM column_doc WHERE table_name = 'game' AND "
                            "column_name = 'result'"));
    for (size_t i = 0; i < HY_NUM_RESULTS; i++)
        assert_non_null(strstr(meaning, hy_result_words[i]));
}

/* A reader in a language that knows one type a column can read the views as well. */
static void every_column_of_a_view_has_one_type(void **state)
{
    (void)state;
    static const char *const views[] = {"v_game",      "v_survival", "v_chain",     "v_pair",
                                        "v_condition", "v_quality",  "v_complexity"};
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        const char *path = database_of(record);
        for (size_t i = 0; i < NUM(views); i++) {
            char query[256], column[64];
            snprintf(query, sizeof query, "SELECT count(*) FROM pragma_table_info('%s')", views[i]);
            int64_t num = sql_integer(path, query);
            for (int64_t j = 0; j < num; j++) {
                snprintf(query, sizeof query,
                         "SELECT name FROM pragma_table_info('%s') WHERE cid = %d", views[i],
                         (int)j);
                snprintf(column, sizeof column, "%.63s", sql_text(path, query));
                snprintf(query, sizeof query,
                         "SELECT count(DISTINCT typeof(\"%s\")) FROM \"%s\" WHERE \"%s\" IS NOT "
                         "NULL",
                         column, views[i], column);
                if (sql_integer(path, query) > 1)
                    fail_msg("%s.%s has mixed types", views[i], column);
            }
        }
    }
}

/* A change of any table is a new version: whoever changes one raises HY_SCHEMA_VERSION, puts the
 * new hash here, and adds files of the new version (tests/store/versions). Views may be bettered
 * within a version: no command reads them. */
static void the_schema_changes_with_its_version_alone(void **state)
{
    (void)state;
    static const struct {
        int version;
        const char *hash;
    } known = {4, "a934b7ab482ec2fcd908ed2f32ca5b6fa1092bcba62d8f8e9d4277f85ffe9be9"};
    const char *path = database_of(HY_RECORD_GAMES);
    char hex[HY_SHA256_HEX_SIZE];
    hy_sha256 hash;
    hy_sha256_init(&hash);
    hy_sha256_add_text(
        &hash, sql_text(path, "SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema "
                              "WHERE type != 'view' AND sql IS NOT NULL ORDER BY name)"));
    hy_sha256_finish(&hash, hex);
    assert_int_equal(HY_SCHEMA_VERSION, known.version);
    assert_string_equal(hex, known.hash);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_file_says_what_it_is),
        cmocka_unit_test(the_schema_changes_with_its_version_alone),
        cmocka_unit_test(every_table_is_strict),
        cmocka_unit_test(every_column_has_one_type),
        cmocka_unit_test(every_column_is_explained),
        cmocka_unit_test(the_rules_are_columns),
        cmocka_unit_test(the_words_are_explained),
        cmocka_unit_test(every_column_of_a_view_has_one_type),
    };
    return cmocka_run_group_tests_name("store/schema", tests, scratch_make, scratch_remove);
}
