#include "store/schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_buffer.h"
#include "rules/rules.h"
#include "sim/experiment.h"
#include "sim/summary.h"
#include "store/views.h"

#define KEY_DOC "the condition (condition.id)"
#define SWAPPED_DOC "0: the first policy sits south; 1: the second one does"

/* A column; the row with column NULL begins a table and holds its constraints in `type` and what
 * the table is in `meaning`. */
typedef struct hy_column {
    const char *column;
    const char *type;
    const char *unit;
    const char *meaning;
} hy_column;

typedef struct hy_table_schema {
    const char *name;
    const char *meaning;
    const char *constraints; /* behind the last column, or NULL */
    bool has_rules;          /* the fields of the rules follow the first column */
    const char *options;
    const hy_column *columns; /* ended by NULL */
} hy_table_schema;

static const hy_column experiment_columns[] = {
    {"id", "INTEGER PRIMARY KEY CHECK (id = 1)", "", "always 1: a database holds one experiment"},
    {"name", "TEXT NOT NULL", "", "the key `experiment` of the file"},
    {"question", "TEXT NOT NULL", "", "what the experiment asks"},
    {"hash", "TEXT NOT NULL", "",
     "SHA-256 of versions, seed, record and conditions: what decides the results"},
    {"seed", "TEXT NOT NULL", "", "the seed, an unsigned 64-bit integer in decimal digits"},
    {"games", "INTEGER NOT NULL", "games",
     "asked for, per condition and seating; with a stop rule, the most"},
    {"record", "TEXT NOT NULL", "", "what is stored: summary, games or moves"},
    {"rules_version", "TEXT NOT NULL", "", "identifier of what the rules mean"},
    {"generator", "TEXT NOT NULL", "", "identifier of the random numbers and their use"},
    {"policies_version", "TEXT NOT NULL", "", "identifier of what the policies mean"},
    {"stop", "TEXT NOT NULL", "",
     "JSON object: the stop rule, with the keys of the file; {}: all games are played"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column condition_columns[] = {
    {"id", "INTEGER PRIMARY KEY", "", "1, 2, … in the order of the experiment's grid"},
    {"first_policy", "TEXT NOT NULL", "", "the policy that sits south where swapped is 0"},
    {"second_policy", "TEXT NOT NULL", "", "the policy that sits north where swapped is 0"},
    {"swap", "INTEGER NOT NULL", "", "1: every number is played with seats swapped as well"},
    {"opening_plies", "INTEGER NOT NULL", "plies",
     "played at random, from a stream of their own, before the policies play"},
    {"max_plies", "INTEGER NOT NULL", "plies", "a game that is not over by then is truncated"},
    {"max_laps", "INTEGER NOT NULL", "laps", "a sowing that is not over by then is unresolved"},
    {"reproducible", "INTEGER NOT NULL", "",
     "0: a policy is limited by time, so the games depend on the machine; 1: they follow from the "
     "seed"},
    {"canonical", "TEXT NOT NULL", "", "all of the condition as text"},
    {"hash", "TEXT NOT NULL UNIQUE", "", "SHA-256 of the canonical text"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column game_columns[] = {
    {"condition_id", "INTEGER NOT NULL REFERENCES condition (id)", "", KEY_DOC},
    {"swapped", "INTEGER NOT NULL", "", SWAPPED_DOC},
    {"number", "INTEGER NOT NULL", "", "the game's number, from 0; both games of a pair share it"},
    {"termination", "TEXT NOT NULL", "",
     "how it ended: claimed, exhausted, swept, stuck, repetition, endless; unresolved and "
     "truncated "
     "are ends of the simulation, not of the game"},
    {"result", "TEXT NOT NULL", "", "who won: south, north, draw; none: no result"},
    {"south_score", "INTEGER NOT NULL", "counters", "captured by south, claims included"},
    {"north_score", "INTEGER NOT NULL", "counters", "captured by north, claims included"},
    {"plies", "INTEGER NOT NULL", "plies",
     "length; a lower bound where the termination is truncated or unresolved"},
    {"turns", "INTEGER NOT NULL", "turns", "runs of plies by one player; a pass ends one"},
    {"passes", "INTEGER NOT NULL", "passes", "moves that went over for want of a legal hole"},
    {"laps", "INTEGER NOT NULL", "laps", "of all sowings but an endless or unresolved one"},
    {"counters", "INTEGER NOT NULL", "counters", "dropped in those laps"},
    {"captures", "INTEGER NOT NULL", "plies", "in which at least one casa was taken, by anyone"},
    {"casas", "INTEGER NOT NULL", "casas", "taken, en passant included"},
    {"chains", "INTEGER NOT NULL", "plies",
     "captures by a final counter that also took casas of the chain before it"},
    {"longest_chain", "INTEGER NOT NULL", "casas",
     "most casas of a chain in one capture, the final counter's own not counted; 0: no chain"},
    {"longest_turn", "INTEGER NOT NULL", "plies", "most plies in one turn"},
    {"lead_changes", "INTEGER NOT NULL", "", "of the leading player; the first lead is none"},
    {"legal_holes", "INTEGER NOT NULL", "holes", "legal holes, summed over the plies"},
    {"decision_plies", "INTEGER NOT NULL", "plies", "with more than one legal hole"},
    {"south_captures", "INTEGER NOT NULL", "plies", "of the captures, those in plies of south"},
    {"south_chains", "INTEGER NOT NULL", "plies", "of the chains, those in plies of south"},
    {"claimed", "INTEGER NOT NULL", "counters", "taken by a claim at the end"},
    {"move_hash", "TEXT NOT NULL", "", "64-bit FNV-1a of the holes played, 16 hexadecimal digits"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column chain_columns[] = {
    {"condition_id", "INTEGER NOT NULL REFERENCES condition (id)", "", KEY_DOC},
    {"swapped", "INTEGER NOT NULL", "", SWAPPED_DOC},
    {"number", "INTEGER NOT NULL", "", "the game's number"},
    {"length", "INTEGER NOT NULL", "casas", "of the chain, the final counter's own not counted"},
    {"count", "INTEGER NOT NULL", "plies", "captures with a chain of that length in the game"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column move_columns[] = {
    {"condition_id", "INTEGER NOT NULL REFERENCES condition (id)", "", KEY_DOC},
    {"swapped", "INTEGER NOT NULL", "", SWAPPED_DOC},
    {"number", "INTEGER NOT NULL", "", "the game's number"},
    {"holes", "BLOB NOT NULL", "", "the holes played, one byte a ply, numbered from 0"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column block_columns[] = {
    {"condition_id", "INTEGER NOT NULL REFERENCES condition (id)", "", KEY_DOC},
    {"swapped", "INTEGER NOT NULL", "", SWAPPED_DOC},
    {"block", "INTEGER NOT NULL", "", "block b holds the games 65536·b and on"},
    {"games", "INTEGER NOT NULL", "games", "that the block sums up"},
    {"results", "TEXT NOT NULL", "games", "JSON object: games by result"},
    {"terminations", "TEXT NOT NULL", "games", "JSON object: games by termination"},
    {"sums", "TEXT NOT NULL", "", "JSON object: sums over the games of the quantities of `game`"},
    {"products", "TEXT NOT NULL", "",
     "JSON object: sums over the games of products of two quantities (a*b is a times b)"},
    {"max_plies", "INTEGER NOT NULL", "plies", "of the longest game"},
    {"longest_turn", "INTEGER NOT NULL", "plies", "most plies in one turn"},
    {"longest_chain", "INTEGER NOT NULL", "casas", "of the longest chain"},
    {"lengths", "TEXT NOT NULL", "",
     "JSON object: by termination, an array of [plies, games] pairs"},
    {"chains", "TEXT NOT NULL", "", "JSON array of [length, count] pairs: chains by length"},
    {"sketch", "BLOB NOT NULL", "",
     "the smallest distinct mixed move hashes, ascending, 8 bytes each, least significant first"},
    {"sketch_full", "INTEGER NOT NULL", "", "1: there are more distinct games than the sketch has"},
    {"played", "BLOB", "", "bitmap of the games summed up; NULL: all of the block"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column look_columns[] = {
    {"condition_id", "INTEGER NOT NULL REFERENCES condition (id)", "", KEY_DOC},
    {"swapped", "INTEGER NOT NULL", "", SWAPPED_DOC},
    {"games", "INTEGER NOT NULL", "games",
     "that the look saw: the numbers below; the sums are over those since the look before"},
    {"n", "INTEGER NOT NULL", "games", "that count for the metric: for the score, with a result"},
    {"x", "INTEGER NOT NULL", "", "sum: captures for chains, else 1 for each game that counts"},
    {"y", "INTEGER NOT NULL", "",
     "sum: half points of south for the score, else what the metric counts"},
    {"xx", "INTEGER NOT NULL", "", "sum of x times x"},
    {"xy", "INTEGER NOT NULL", "", "sum of x times y"},
    {"yy", "INTEGER NOT NULL", "", "sum of y times y"},
    {"cut", "INTEGER NOT NULL", "games", "truncated or unresolved"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column stop_columns[] = {
    {"condition_id", "INTEGER NOT NULL REFERENCES condition (id)", "", KEY_DOC},
    {"swapped", "INTEGER NOT NULL", "", SWAPPED_DOC},
    {"reason", "TEXT NOT NULL", "",
     "half_width: the interval was narrow enough in every seating; h0, h1: the test accepted it; "
     "games: as many were played as were asked for"},
    {"games", "INTEGER NOT NULL", "games", "per seating: the numbers below were played"},
    {"looks", "INTEGER NOT NULL", "looks", "at the games until it stopped, the last one included"},
    {"counted", "INTEGER NOT NULL", "games or pairs",
     "of them, those that count: for the score, games with a result; sprt: pairs of which both "
     "games have one; else all games"},
    {"left_out", "INTEGER NOT NULL", "games or pairs", "of them, those that do not count"},
    {"statistic", "REAL", "",
     "half width: the estimate in this seating; sprt: the log-likelihood ratio, which is of the "
     "pairs and so the same in both seatings; NULL: it could not be had"},
    {"low", "REAL", "", "half width: low end of the interval; sprt: the bound of H0"},
    {"high", "REAL", "", "half width: high end of the interval; sprt: the bound of H1"},
    {"anytime", "INTEGER NOT NULL", "",
     "1: the level holds at all looks together; 0: the interval is nominal, not corrected for "
     "looking more than once"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column provenance_columns[] = {
    {"id", "INTEGER PRIMARY KEY", "", "in the order of the runs"},
    {"timestamp", "TEXT NOT NULL", "", "start of the run, UTC, ISO 8601"},
    {"record", "TEXT NOT NULL", "",
     "JSON in the shape of tskit's provenance schema: software, parameters, environment, "
     "resources"},
    {NULL, NULL, NULL, NULL},
};

static const hy_column doc_columns[] = {
    {"table_name", "TEXT NOT NULL", "", "a table or view"},
    {"column_name", "TEXT NOT NULL", "", "its column; empty: the table itself"},
    {"unit", "TEXT NOT NULL", "", "what is counted; empty: nothing"},
    {"meaning", "TEXT NOT NULL", "", "what the column says"},
    {NULL, NULL, NULL, NULL},
};

#define GAME_KEY "PRIMARY KEY (condition_id, swapped, number)"

static const hy_table_schema tables[] = {
    {"experiment", "what was asked for", NULL, false, "STRICT", experiment_columns},
    {"condition", "the cells of the grid: a variant, two policies, an opening", NULL, true,
     "STRICT", condition_columns},
    {"game", "a row a game (record: games or moves)", GAME_KEY, false, "STRICT, WITHOUT ROWID",
     game_columns},
    {"chain", "the chains of the games, by length (record: games or moves)",
     "PRIMARY KEY (condition_id, swapped, number, length)", false, "STRICT, WITHOUT ROWID",
     chain_columns},
    {"move", "the holes played (record: moves)", GAME_KEY, false, "STRICT, WITHOUT ROWID",
     move_columns},
    {"block", "sums over blocks of games (record: summary)",
     "PRIMARY KEY (condition_id, swapped, block)", false, "STRICT", block_columns},
    {"look", "sums at the looks of a stop rule by half width (record: summary)",
     "PRIMARY KEY (condition_id, swapped, games)", false, "STRICT, WITHOUT ROWID", look_columns},
    {"stop", "what ended each condition and seating, where there is a stop rule",
     "PRIMARY KEY (condition_id, swapped)", false, "STRICT, WITHOUT ROWID", stop_columns},
    {"provenance", "a row a run of the program that wrote to this file", NULL, false, "STRICT",
     provenance_columns},
    {"column_doc", "what every column means", "PRIMARY KEY (table_name, column_name)", false,
     "STRICT, WITHOUT ROWID", doc_columns},
};

#define NUM_TABLES (sizeof tables / sizeof tables[0])

static void print_rule_columns(FILE *out)
{
    for (size_t i = 0; i < hy_num_fields; i++)
        fprintf(out, ", \"%s\" %s NOT NULL", hy_fields[i].key,
                hy_fields[i].kind == HY_FIELD_WORD ? "TEXT" : "INTEGER");
}

static void print_table(FILE *out, const hy_table_schema *table)
{
    fprintf(out, "CREATE TABLE \"%s\" (", table->name);
    for (const hy_column *column = table->columns; column->column; column++) {
        fprintf(out, "%s\"%s\" %s", column == table->columns ? "" : ", ", column->column,
                column->type);
        if (column == table->columns && table->has_rules)
            print_rule_columns(out);
    }
    fprintf(out, "%s%s) %s;\n", table->constraints ? ", " : "",
            table->constraints ? table->constraints : "", table->options);
}

hy_status hy_schema_create_objects(const hy_database *database, hy_error *error)
{
    hy_text_buffer sql;
    hy_status status = hy_text_buffer_open(&sql, error);
    if (status != HY_OK)
        return status;
    FILE *out = sql.out;
    for (size_t i = 0; i < NUM_TABLES; i++)
        print_table(out, &tables[i]);
    fputs(hy_views_sql, out);
    fputs(hy_quality_views_sql, out);
    fprintf(out, "PRAGMA application_id = %u; PRAGMA user_version = %d;", HY_APPLICATION_ID,
            HY_SCHEMA_VERSION);
    status = hy_text_buffer_close(&sql, HY_OK, error);
    if (status == HY_OK)
        status = hy_database_run(database, sql.text, error);
    free(sql.text);
    return status;
}

static hy_status put_doc(const hy_database *database, sqlite3_stmt *insert, const char *table,
                         const char *column, const char *unit, const char *meaning, hy_error *error)
{
    sqlite3_bind_text(insert, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, column, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, unit, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 4, meaning, -1, SQLITE_STATIC);
    return hy_database_step(database, insert, "write a column's meaning", error);
}

static hy_status document_table(const hy_database *database, sqlite3_stmt *insert,
                                const hy_table_schema *table, hy_error *error)
{
    hy_status status = put_doc(database, insert, table->name, "", "", table->meaning, error);
    for (const hy_column *c = table->columns; status == HY_OK && c->column; c++)
        status = put_doc(database, insert, table->name, c->column, c->unit, c->meaning, error);
    for (size_t i = 0; status == HY_OK && table->has_rules && i < hy_num_fields; i++) {
        char allowed[HY_FIELD_TEXT_SIZE], meaning[512];
        snprintf(meaning, sizeof meaning, "rule: %s (%s)", hy_fields[i].meaning,
                 hy_fields[i].kind == HY_FIELD_BOOLEAN ? "0: false, 1: true"
                                                       : hy_field_allowed(&hy_fields[i], allowed));
        status = put_doc(database, insert, table->name, hy_fields[i].key, "", meaning, error);
    }
    return status;
}

static hy_status document_views(const hy_database *database, sqlite3_stmt *insert,
                                const hy_view_doc *docs, size_t num, hy_error *error)
{
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < num; i++)
        status = put_doc(database, insert, docs[i].view, docs[i].column, docs[i].unit,
                         docs[i].meaning, error);
    return status;
}

static hy_status document(const hy_database *database, hy_error *error)
{
    sqlite3_stmt *insert;
    hy_status status = hy_database_prepare(
        database, "INSERT INTO column_doc VALUES (?1, ?2, ?3, ?4)", &insert, error);
    if (status != HY_OK)
        return status;
    for (size_t i = 0; status == HY_OK && i < NUM_TABLES; i++)
        status = document_table(database, insert, &tables[i], error);
    if (status == HY_OK)
        status = document_views(database, insert, hy_view_docs, hy_num_view_docs, error);
    if (status == HY_OK)
        status =
            document_views(database, insert, hy_quality_view_docs, hy_num_quality_view_docs, error);
    sqlite3_finalize(insert);
    return status;
}

hy_status hy_schema_create(const hy_database *database, hy_error *error)
{
    hy_status status = hy_schema_create_objects(database, error);
    return status == HY_OK ? document(database, error) : status;
}

hy_status hy_schema_each_column(const char *table, hy_column_visit *visit, void *context,
                                hy_error *error)
{
    hy_status status = HY_OK;
    for (size_t i = 0; i < NUM_TABLES; i++) {
        if (strcmp(tables[i].name, table) != 0)
            continue;
        for (const hy_column *c = tables[i].columns; status == HY_OK && c->column; c++) {
            status = visit(context, c->column, error);
            bool rules = c == tables[i].columns && tables[i].has_rules;
            for (size_t j = 0; rules && status == HY_OK && j < hy_num_fields; j++)
                status = visit(context, hy_fields[j].key, error);
        }
    }
    return status;
}

hy_status hy_schema_check_identifiers(const hy_database *database, hy_error *error)
{
    static const char *const own[] = {HY_RULES_VERSION, HY_GENERATOR, HY_POLICIES_VERSION};
    sqlite3_stmt *query;
    bool row;
    hy_status status = hy_database_prepare(
        database, "SELECT rules_version, generator, policies_version FROM experiment", &query,
        error);
    if (status != HY_OK)
        return status;
    status = hy_database_next(database, query, &row, error);
    if (status == HY_OK && !row)
        status = hy_fail(error, HY_MISMATCH, "'%s' holds no experiment", database->path);
    for (int i = 0; status == HY_OK && i < 3; i++) {
        const char *version = (const char *)sqlite3_column_text(query, i);
        if (hy_database_lacks_memory(database))
            status = hy_fail_memory(error);
        else if (!version || strcmp(version, own[i]) != 0)
            status =
                hy_fail(error, HY_MISMATCH, "'%s' was made with '%.40s'; this program has '%s'",
                        database->path, version ? version : "", own[i]);
    }
    sqlite3_finalize(query);
    return status;
}

hy_status hy_schema_version(const hy_database *database, int64_t *version, hy_error *error)
{
    int64_t application;
    hy_status status = hy_database_integer(database, "PRAGMA application_id", &application, error);
    if (status == HY_OK)
        status = hy_database_integer(database, "PRAGMA user_version", version, error);
    if (status == HY_OK && application != HY_APPLICATION_ID)
        return hy_fail(error, HY_MISMATCH, "'%s' is not a database of hoyito", database->path);
    return status;
}
