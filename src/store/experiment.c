/* The experiment and its conditions, to the database and back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/plain.h"
#include "base/words.h"
#include "store/internal.h"
#include "store/older.h"
#include "store/schema.h"

#define NUM_OTHER_COLUMNS 9 /* of `condition`, behind the fields of the rules */
#define MAX_NAME 64u        /* bytes, as experiment files have it */
#define MAX_QUESTION 4096u

/* The text has to stay until the statement has been stepped. */
static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

static hy_status put_experiment(hy_store *store, const hy_experiment *experiment, hy_error *error)
{
    sqlite3_stmt *insert;
    char hash[HY_SHA256_HEX_SIZE], seed[24], stop[HY_STOP_TEXT_SIZE];
    hy_status status = hy_database_prepare(
        &store->database,
        "INSERT INTO experiment VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", &insert,
        error);
    if (status != HY_OK)
        return status;
    hy_experiment_hash(experiment, hash);
    snprintf(seed, sizeof seed, "%" PRIu64, experiment->seed);
    bind_text(insert, 1, experiment->name);
    bind_text(insert, 2, experiment->question);
    bind_text(insert, 3, hash);
    bind_text(insert, 4, seed);
    sqlite3_bind_int64(insert, 5, (int64_t)experiment->games);
    bind_text(insert, 6, hy_record_words[experiment->record]);
    bind_text(insert, 7, HY_RULES_VERSION);
    bind_text(insert, 8, HY_GENERATOR);
    bind_text(insert, 9, HY_POLICIES_VERSION);
    hy_stop_print(&experiment->stop, stop);
    bind_text(insert, 10, stop);
    status = hy_database_step(&store->database, insert, "write the experiment", error);
    sqlite3_finalize(insert);
    return status;
}

static hy_status prepare_condition(hy_store *store, sqlite3_stmt **insert, hy_error *error)
{
    char sql[512];
    size_t used = (size_t)snprintf(sql, sizeof sql, "INSERT INTO condition VALUES (?");
    for (size_t i = 0; i < hy_num_fields + NUM_OTHER_COLUMNS && used < sizeof sql; i++)
        used += (size_t)snprintf(sql + used, sizeof sql - used, ", ?");
    if (used < sizeof sql)
        snprintf(sql + used, sizeof sql - used, ")");
    return hy_database_prepare(&store->database, sql, insert, error);
}

static hy_status put_condition(hy_store *store, sqlite3_stmt *insert, size_t index,
                               const hy_condition *condition, hy_error *error)
{
    char first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    char canonical[HY_CONDITION_TEXT_SIZE], hash[HY_SHA256_HEX_SIZE];
    int column = 1;
    sqlite3_bind_int64(insert, column++, (int64_t)index + 1);
    for (size_t i = 0; i < hy_num_fields; i++) {
        unsigned value = hy_field_get(&hy_fields[i], &condition->rules);
        if (hy_fields[i].kind == HY_FIELD_WORD)
            bind_text(insert, column++, hy_fields[i].words[value]);
        else
            sqlite3_bind_int64(insert, column++, value);
    }
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    hy_condition_print(condition, canonical);
    hy_condition_hash(condition, hash);
    bind_text(insert, column++, first);
    bind_text(insert, column++, second);
    sqlite3_bind_int64(insert, column++, condition->swap);
    sqlite3_bind_int64(insert, column++, condition->opening_plies);
    sqlite3_bind_int64(insert, column++, condition->max_plies);
    sqlite3_bind_int64(insert, column++, (int64_t)condition->max_laps);
    sqlite3_bind_int64(insert, column++, hy_condition_is_reproducible(condition));
    bind_text(insert, column++, canonical);
    bind_text(insert, column++, hash);
    return hy_database_step(&store->database, insert, "write a condition", error);
}

hy_status hy_store_create(hy_store *store, const hy_experiment *experiment, hy_error *error)
{
    sqlite3_stmt *insert;
    hy_status status = hy_store_begin(store, error);
    if (status == HY_OK)
        status = hy_schema_create(&store->database, error);
    if (status == HY_OK)
        status = put_experiment(store, experiment, error);
    if (status == HY_OK)
        status = prepare_condition(store, &insert, error);
    if (status != HY_OK)
        return status;
    for (size_t i = 0; status == HY_OK && i < experiment->num_conditions; i++)
        status = put_condition(store, insert, i, &experiment->conditions[i], error);
    sqlite3_finalize(insert);
    return status == HY_OK ? hy_store_commit(store, error) : status;
}

static const char *text_of(sqlite3_stmt *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    return text ? text : "";
}

static hy_status damaged(const hy_store *store, const char *what, hy_error *error)
{
    if (hy_database_lacks_memory(&store->database))
        return hy_fail_memory(error);
    return hy_fail(error, HY_MISMATCH, "'%s' is damaged: %s", store->database.path, what);
}

static hy_status read_rules(const hy_store *store, sqlite3_stmt *query, int column, hy_rules *rules,
                            hy_error *error)
{
    hy_status status = HY_OK;
    *rules = hy_rules_default();
    for (size_t i = 0; status == HY_OK && i < hy_num_fields; i++, column++) {
        const hy_field *field = &hy_fields[i];
        const char *text = text_of(query, column);
        if (field->kind == HY_FIELD_BOOLEAN)
            text = strcmp(text, "1") == 0 ? "true" : strcmp(text, "0") == 0 ? "false" : text;
        status = hy_field_set(field, text, rules, NULL);
    }
    if (status == HY_OK)
        status = hy_rules_check(rules, NULL, NULL);
    return status == HY_OK ? HY_OK : damaged(store, "a condition's rules are no rules", error);
}

static bool read_number(sqlite3_stmt *query, int column, int64_t low, int64_t high,
                        uint64_t *number)
{
    int64_t value = sqlite3_column_int64(query, column);
    *number = (uint64_t)value;
    return value >= low && value <= high;
}

/* Compares what follows from a condition with what the row says from `column` on: whether it is
 * reproducible (NULL in a file that does not say so), its canonical text, its hash. */
static hy_status check_condition(const hy_store *store, sqlite3_stmt *query, int column,
                                 const hy_condition *condition, hy_error *error)
{
    char canonical[HY_CONDITION_TEXT_SIZE], hash[HY_SHA256_HEX_SIZE];
    hy_condition_print(condition, canonical);
    hy_condition_hash(condition, hash);
    bool said = sqlite3_column_type(query, column) != SQLITE_NULL;
    if ((said && sqlite3_column_int64(query, column) != hy_condition_is_reproducible(condition)) ||
        strcmp(canonical, text_of(query, column + 1)) != 0 ||
        strcmp(hash, text_of(query, column + 2)) != 0)
        return damaged(store, "a condition does not agree with its text or hash", error);
    return HY_OK;
}

static hy_status read_condition(const hy_store *store, sqlite3_stmt *query, hy_condition *condition,
                                hy_error *error)
{
    int column = 1 + (int)hy_num_fields;
    hy_status status = read_rules(store, query, 1, &condition->rules, error);
    if (status != HY_OK)
        return status;
    status = hy_policy_spec_parse(text_of(query, column), &condition->first, NULL);
    if (status == HY_OK)
        status = hy_policy_spec_parse(text_of(query, column + 1), &condition->second, NULL);
    if (status == HY_NO_MEMORY)
        return hy_fail_memory(error);
    if (status != HY_OK)
        return damaged(store, "a condition's policy is unknown", error);
    uint64_t swap, opening_plies, max_plies, reproducible;
    if (!read_number(query, column + 2, 0, 1, &swap) ||
        !read_number(query, column + 3, 0, HY_LIMIT_OPENING_PLIES, &opening_plies) ||
        !read_number(query, column + 4, 1, HY_LIMIT_MAX_PLIES, &max_plies) ||
        !read_number(query, column + 5, 1, HY_LIMIT_MAX_LAPS, &condition->max_laps) ||
        !read_number(query, column + 6, 0, 1, &reproducible))
        return damaged(store, "a number of a condition is out of range", error);
    condition->swap = swap != 0;
    condition->opening_plies = (uint32_t)opening_plies;
    condition->max_plies = (uint32_t)max_plies;
    return check_condition(store, query, column + 6, condition, error);
}

static hy_status read_conditions(hy_store *store, hy_error *error)
{
    sqlite3_stmt *query;
    int64_t num;
    hy_experiment *experiment = &store->experiment;
    hy_status status =
        hy_database_integer(&store->database, "SELECT count(*) FROM condition", &num, error);
    if (status != HY_OK)
        return status;
    if (num < 1 || num > HY_LIMIT_CONDITIONS)
        return damaged(store, "the number of conditions", error);
    experiment->conditions = hy_new_array((size_t)num, sizeof experiment->conditions[0]);
    if (!experiment->conditions)
        return hy_fail_memory(error);
    experiment->num_conditions = (size_t)num;
    status =
        hy_database_prepare(&store->database, "SELECT * FROM condition ORDER BY id", &query, error);
    if (status != HY_OK)
        return status;
    for (int64_t i = 0; status == HY_OK && i < num; i++) {
        bool row;
        status = hy_database_next(&store->database, query, &row, error);
        if (status == HY_OK && (!row || sqlite3_column_int64(query, 0) != i + 1))
            status = damaged(store, "the conditions are not numbered 1, 2, …", error);
        if (status == HY_OK)
            status = read_condition(store, query, &experiment->conditions[i], error);
    }
    sqlite3_finalize(query);
    return status;
}

static hy_status read_head(hy_store *store, sqlite3_stmt *query, char *hash, hy_error *error)
{
    hy_experiment *experiment = &store->experiment;
    const char *name = text_of(query, 1), *question = text_of(query, 2);
    if (strlen(name) > MAX_NAME || strlen(question) > MAX_QUESTION || !hy_text_is_plain(name) ||
        strpbrk(name, "/\n\t") || !hy_text_is_plain(question))
        return damaged(store, "the experiment's name or question", error);
    experiment->name = strdup(name);
    experiment->question = strdup(question);
    if (!experiment->name || !experiment->question)
        return hy_fail_memory(error);
    snprintf(hash, HY_SHA256_HEX_SIZE, "%s", text_of(query, 3));
    if (!hy_parse_u64(text_of(query, 4), &experiment->seed))
        return damaged(store, "the seed", error);
    experiment->games = (uint64_t)sqlite3_column_int64(query, 5);
    const char *record = text_of(query, 6);
    experiment->record = HY_NUM_RECORDS;
    for (size_t i = 0; i < HY_NUM_RECORDS; i++) {
        if (strcmp(record, hy_record_words[i]) == 0)
            experiment->record = (hy_record)i;
    }
    if (experiment->record == HY_NUM_RECORDS || experiment->games < 1 ||
        experiment->games > HY_LIMIT_GAMES)
        return damaged(store, "the experiment's record or games", error);
    if (!hy_stop_parse(text_of(query, 10), &experiment->stop))
        return damaged(store, "the experiment's stop rule", error);
    return HY_OK;
}

hy_status hy_store_load_experiment(hy_store *store, hy_error *error)
{
    sqlite3_stmt *query;
    char stored[HY_SHA256_HEX_SIZE] = "", hash[HY_SHA256_HEX_SIZE];
    bool row;
    hy_status status =
        hy_database_prepare(&store->database, "SELECT * FROM experiment", &query, error);
    if (status != HY_OK)
        return status;
    status = hy_database_next(&store->database, query, &row, error);
    if (status == HY_OK)
        status = row ? read_head(store, query, stored, error)
                     : damaged(store, "it holds no experiment", error);
    sqlite3_finalize(query);
    if (status == HY_OK)
        status = read_conditions(store, error);
    if (status != HY_OK)
        return status;
    if (store->before_policies)
        hy_experiment_hash_without_policies(&store->experiment, hash);
    else
        hy_experiment_hash(&store->experiment, hash);
    return strcmp(hash, stored) == 0
               ? HY_OK
               : damaged(store, "the experiment does not agree with its hash", error);
}

/* Another rule, or another maximum, would have ended conditions elsewhere. */
static hy_status check_stop(const hy_store *store, const hy_experiment *experiment, hy_error *error)
{
    const hy_experiment *own = &store->experiment;
    char a[HY_STOP_TEXT_SIZE], b[HY_STOP_TEXT_SIZE];
    hy_stop_print(&own->stop, a);
    hy_stop_print(&experiment->stop, b);
    if (strcmp(a, b) != 0)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' has the stop rule %s, not %s; another experiment needs another file",
                       store->database.path, a, b);
    if (own->stop.kind != HY_STOP_NEVER && own->games != experiment->games)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' has a stop rule with at most %" PRIu64 " games, not %" PRIu64
                       "; another experiment needs another file",
                       store->database.path, own->games, experiment->games);
    return HY_OK;
}

hy_status hy_store_check_same(const hy_store *store, const hy_experiment *experiment,
                              hy_error *error)
{
    const hy_experiment *own = &store->experiment;
    const char *path = store->database.path;
    if (own->seed != experiment->seed)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' was played with the seed %" PRIu64 ", not %" PRIu64
                       "; another experiment needs another file",
                       path, own->seed, experiment->seed);
    if (own->record != experiment->record)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' has 'record: %s', not '%s'; another experiment needs another file",
                       path, hy_record_words[own->record], hy_record_words[experiment->record]);
    if (own->num_conditions != experiment->num_conditions)
        return hy_fail(error, HY_MISMATCH,
                       "'%s' has %zu conditions, not %zu; another experiment needs another file",
                       path, own->num_conditions, experiment->num_conditions);
    for (size_t i = 0; i < own->num_conditions; i++) {
        char a[HY_CONDITION_TEXT_SIZE], b[HY_CONDITION_TEXT_SIZE];
        size_t at = 0;
        hy_condition_print(&own->conditions[i], a);
        hy_condition_print(&experiment->conditions[i], b);
        for (size_t j = 0; a[j] && a[j] == b[j]; j++)
            at = a[j] == ' ' ? j + 1 : at;
        if (strcmp(a, b) != 0)
            return hy_fail(error, HY_MISMATCH,
                           "condition %zu of '%s' has '%.*s', not '%.*s'; another experiment "
                           "needs another file",
                           i + 1, path, (int)strcspn(a + at, " "), a + at,
                           (int)strcspn(b + at, " "), b + at);
    }
    return check_stop(store, experiment, error);
}
