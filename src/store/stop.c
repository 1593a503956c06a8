/* What stop rules see of the games, and what they decided. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "store/internal.h"

static bool word_index(const char *text, const char *const *words, size_t num_words, size_t *index)
{
    for (size_t i = 0; text && i < num_words; i++) {
        *index = i;
        if (strcmp(words[i], text) == 0)
            return true;
    }
    return false;
}

static bool parse_half_width(json_t *json, hy_stop *stop)
{
    const char *word;
    size_t metric;
    json_int_t every;
    if (json_unpack_ex(json, NULL, JSON_STRICT, "{s:s, s:F, s:F, s:I}", "metric", &word,
                       "half_width", &stop->half_width, "confidence", &stop->confidence, "every",
                       &every) != 0 ||
        !word_index(word, hy_stop_metric_words, HY_NUM_STOP_METRICS, &metric))
        return false;
    stop->kind = HY_STOP_HALF_WIDTH;
    stop->metric = (hy_stop_metric)metric;
    stop->every = (uint64_t)every;
    return stop->half_width > 0 && stop->confidence > 0 && stop->confidence < 1;
}

static bool parse_sprt(json_t *json, hy_stop *stop)
{
    const char *word;
    size_t scale;
    json_int_t every;
    if (json_unpack_ex(json, NULL, JSON_STRICT, "{s:{s:F, s:F, s:F, s:F, s:s}, s:I}", "sprt",
                       "elo0", &stop->elo0, "elo1", &stop->elo1, "alpha", &stop->alpha, "beta",
                       &stop->beta, "model", &word, "every", &every) != 0 ||
        !word_index(word, hy_elo_scale_words, HY_NUM_ELO_SCALES, &scale))
        return false;
    stop->kind = HY_STOP_SPRT;
    stop->scale = (hy_elo_scale)scale;
    stop->every = (uint64_t)every;
    return stop->elo0 < stop->elo1;
}

bool hy_stop_parse(const char *text, hy_stop *stop)
{
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    *stop = (hy_stop){.kind = HY_STOP_NEVER, .every = 1};
    bool good = json_is_object(json);
    if (good && json_object_get(json, "sprt"))
        good = parse_sprt(json, stop);
    else if (good && json_object_size(json) > 0)
        good = parse_half_width(json, stop);
    json_decref(json);
    return good && stop->every >= 1 && stop->every <= HY_LIMIT_GAMES;
}

static void bind_real(sqlite3_stmt *statement, int index, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(statement, index, value);
    else
        sqlite3_bind_null(statement, index);
}

static double real_of(sqlite3_stmt *query, int column)
{
    return sqlite3_column_type(query, column) == SQLITE_NULL ? NAN
                                                             : sqlite3_column_double(query, column);
}

static unsigned num_seatings(const hy_store *store, uint32_t condition)
{
    return hy_num_seatings(&store->experiment.conditions[condition]);
}

static hy_status insert_stop(hy_store *store, const hy_stopped *stopped, bool swapped,
                             hy_error *error)
{
    const hy_stopped_seating *seating = &stopped->seatings[swapped];
    sqlite3_stmt *insert;
    hy_status status = hy_store_query(store, HY_QUERY_PUT_STOP, &insert, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(insert, 1, (int64_t)stopped->condition + 1);
    sqlite3_bind_int64(insert, 2, swapped);
    sqlite3_bind_text(insert, 3, hy_stop_reason_words[stopped->reason], -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 4, (int64_t)stopped->games);
    sqlite3_bind_int64(insert, 5, (int64_t)stopped->looks);
    sqlite3_bind_int64(insert, 6, (int64_t)seating->counted);
    sqlite3_bind_int64(insert, 7, (int64_t)seating->left_out);
    bind_real(insert, 8, seating->statistic);
    bind_real(insert, 9, seating->low);
    bind_real(insert, 10, seating->high);
    sqlite3_bind_int64(insert, 11, stopped->anytime);
    return hy_database_step(&store->database, insert, "write what stopped a condition", error);
}

hy_status hy_store_put_stop(hy_store *store, const hy_stopped *stopped, hy_error *error)
{
    hy_status status = hy_store_begin(store, error);
    for (unsigned s = 0; status == HY_OK && s < num_seatings(store, stopped->condition); s++)
        status = insert_stop(store, stopped, s > 0, error);
    return status;
}

/* A row of `stop`; false: it is none, or not of the seating. */
static bool read_stop(const hy_store *store, sqlite3_stmt *query, unsigned seating,
                      hy_stopped *stopped)
{
    size_t reason = 0;
    int64_t games = sqlite3_column_int64(query, 3), looks = sqlite3_column_int64(query, 4);
    int64_t counted = sqlite3_column_int64(query, 5), left_out = sqlite3_column_int64(query, 6);
    const char *word = (const char *)sqlite3_column_text(query, 2);
    bool good = word_index(word, hy_stop_reason_words, HY_NUM_STOP_REASONS, &reason);
    good &= sqlite3_column_int64(query, 1) == (int64_t)seating;
    good &= games >= 1 && (uint64_t)games <= store->experiment.games && looks >= 1;
    good &= counted >= 0 && left_out >= 0;
    if (seating > 0)
        good &= stopped->reason == (hy_stop_reason)reason && stopped->games == (uint64_t)games &&
                stopped->looks == (uint64_t)looks;
    stopped->reason = (hy_stop_reason)reason;
    stopped->games = (uint64_t)games;
    stopped->looks = (uint64_t)looks;
    stopped->anytime = sqlite3_column_int64(query, 10) != 0;
    stopped->seatings[seating] = (hy_stopped_seating){
        .counted = (uint64_t)counted,
        .left_out = (uint64_t)left_out,
        .statistic = real_of(query, 7),
        .low = real_of(query, 8),
        .high = real_of(query, 9),
    };
    return good;
}

hy_status hy_store_get_stop(hy_store *store, uint32_t condition, hy_stopped *stopped, bool *found,
                            hy_error *error)
{
    sqlite3_stmt *query;
    unsigned num = 0;
    bool row = true, good = true;
    *stopped = (hy_stopped){.condition = condition};
    hy_status status = hy_store_query(store, HY_QUERY_GET_STOP, &query, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    while (status == HY_OK && row && good) {
        status = hy_database_next(&store->database, query, &row, error);
        if (status != HY_OK || !row)
            break;
        good = num < num_seatings(store, condition) && read_stop(store, query, num, stopped);
        num++;
    }
    if (status == HY_OK && !good && hy_database_lacks_memory(&store->database))
        status = hy_fail_memory(error);
    sqlite3_reset(query);
    *found = num > 0;
    if (status == HY_OK && (!good || (num > 0 && num < num_seatings(store, condition))))
        status = hy_fail(error, HY_MISMATCH,
                         "'%s' is damaged: what stopped condition %" PRIu32 " is no such row",
                         store->database.path, condition + 1);
    return status;
}

hy_status hy_store_limit_progress(hy_store *store, hy_progress *progress, size_t *num_open,
                                  hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_status status = HY_OK;
    size_t num_ended = 0;
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        hy_stopped stopped;
        bool found = false;
        if (experiment->stop.kind != HY_STOP_NEVER)
            status = hy_store_get_stop(store, i, &stopped, &found, error);
        if (status == HY_OK && found)
            progress->windows[i] = (hy_window){0, stopped.games};
        num_ended += found;
    }
    if (num_open)
        *num_open = experiment->num_conditions - num_ended;
    return status;
}

static void bind_window(sqlite3_stmt *query, uint32_t condition, bool swapped, hy_window window)
{
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(query, 2, swapped);
    sqlite3_bind_int64(query, 3, (int64_t)window.first);
    sqlite3_bind_int64(query, 4, (int64_t)window.end);
}

/* Whether the columns from `column` on are counts; they are then in `counts`. */
static bool read_counts(sqlite3_stmt *query, int column, uint64_t *counts, int num_counts)
{
    bool good = true;
    for (int i = 0; i < num_counts; i++) {
        int64_t value = sqlite3_column_int64(query, column + i);
        good &= value >= 0;
        counts[i] = (uint64_t)value;
    }
    return good;
}

static hy_status damaged_sums(const hy_store *store, hy_error *error)
{
    return hy_fail(error, HY_MISMATCH, "'%s' is damaged: the sums at a look", store->database.path);
}

/* The columns n, x, y, xx, xy, yy, cut of a row of `look`. */
static hy_status read_look(const hy_store *store, sqlite3_stmt *query, hy_stop_metric_sums *sums,
                           hy_error *error)
{
    uint64_t c[7];
    if (!read_counts(query, 3, c, 7))
        return damaged_sums(store, error);
    *sums = (hy_stop_metric_sums){
        .n = c[0], .x = c[1], .y = c[2], .xx = c[3], .xy = c[4], .yy = c[5], .cut = c[6]};
    return HY_OK;
}

#define HIGH(value) "sum((" value ") >> 32), "
#define LOW(value) "sum((" value ") & 4294967295), "

/* Sums over rows of games, as hy_stop_metric_sum has them over a summary; the first column counts
 * all games. The products come in two halves, since SQLite's sums end at 63 bits. */
#define ROW_SUMS(n, x, y)                                                                          \
    "SELECT count(*), sum(" n "), sum((" n ") * (" x ")), sum((" n ") * (" y ")), "                \
    "sum(termination IN ('truncated', 'unresolved')), " /* the products */                         \
        HIGH("(" n ") * (" x ") * (" x ")") HIGH("(" n ") * (" x ") * (" y ")")                    \
            HIGH("(" n ") * (" y ") * (" y ")") LOW("(" n ") * (" x ") * (" x                      \
                                                    ")") LOW("(" n ") * (" x ") * (" y ")")        \
                LOW("(" n ") * (" y ") * (" y ")") "0 FROM game WHERE condition_id = ?1 AND "      \
                                                   "swapped = ?2 AND number >= ?3 AND number < ?4"

static const char *const row_sums[HY_NUM_STOP_METRICS] = {
    [HY_STOP_METRIC_FIRST_PLAYER_SCORE] =
        ROW_SUMS("result <> 'none'", "1", "2 * (result = 'south') + (result = 'draw')"),
    [HY_STOP_METRIC_DRAWS] = ROW_SUMS("1", "1", "result = 'draw'"),
    [HY_STOP_METRIC_ENDLESS] = ROW_SUMS("1", "1", "termination = 'endless'"),
    [HY_STOP_METRIC_CHAINS] = ROW_SUMS("1", "captures", "chains"),
    [HY_STOP_METRIC_CAPTURES] = ROW_SUMS("1", "1", "captures"),
    [HY_STOP_METRIC_PLIES] = ROW_SUMS("1", "1", "plies"),
};

static hy_status read_row_sums(const hy_store *store, sqlite3_stmt *query,
                               hy_stop_metric_sums *sums, hy_error *error)
{
    uint64_t c[10];
    if (!read_counts(query, 1, c, 10))
        return damaged_sums(store, error);
    *sums = (hy_stop_metric_sums){.n = c[0], .x = c[1], .y = c[2], .cut = c[3]};
    sums->xx = ((hy_wide)c[4] << 32) + c[7];
    sums->xy = ((hy_wide)c[5] << 32) + c[8];
    sums->yy = ((hy_wide)c[6] << 32) + c[9];
    return HY_OK;
}

static hy_status sum_rows(hy_store *store, uint32_t condition, bool swapped, hy_window window,
                          hy_stop_metric_sums *sums, bool *found, hy_error *error)
{
    sqlite3_stmt *query;
    bool row;
    hy_status status = hy_database_prepare(&store->database,
                                           row_sums[store->experiment.stop.metric], &query, error);
    if (status != HY_OK)
        return status;
    bind_window(query, condition, swapped, window);
    status = hy_database_next(&store->database, query, &row, error);
    *found = (uint64_t)sqlite3_column_int64(query, 0) == window.end - window.first;
    if (status == HY_OK)
        status = read_row_sums(store, query, sums, error);
    sqlite3_finalize(query);
    return status;
}

hy_status hy_store_get_look(hy_store *store, uint32_t condition, bool swapped, hy_window window,
                            hy_stop_metric_sums *sums, bool *found, hy_error *error)
{
    sqlite3_stmt *query;
    if (store->experiment.record != HY_RECORD_SUMMARY)
        return sum_rows(store, condition, swapped, window, sums, found, error);
    hy_status status = hy_store_query(store, HY_QUERY_GET_LOOK, &query, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(query, 2, swapped);
    sqlite3_bind_int64(query, 3, (int64_t)window.end);
    status = hy_database_next(&store->database, query, found, error);
    if (status == HY_OK && *found)
        status = read_look(store, query, sums, error);
    sqlite3_reset(query);
    return status;
}

/* The sums over all looks of a condition and seating. */
static hy_status sum_looks(hy_store *store, uint32_t condition, bool swapped,
                           hy_stop_metric_sums *all, hy_error *error)
{
    sqlite3_stmt *query;
    bool row = true;
    *all = (hy_stop_metric_sums){0};
    hy_status status = hy_database_prepare(
        &store->database, "SELECT * FROM look WHERE condition_id = ?1 AND swapped = ?2", &query,
        error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(query, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(query, 2, swapped);
    while (status == HY_OK && row) {
        hy_stop_metric_sums sums;
        status = hy_database_next(&store->database, query, &row, error);
        if (status != HY_OK || !row)
            break;
        status = read_look(store, query, &sums, error);
        if (status == HY_OK)
            hy_stop_metric_add(all, &sums);
    }
    sqlite3_finalize(query);
    return status;
}

static hy_status insert_look(hy_store *store, uint32_t condition, bool swapped, uint64_t games,
                             const hy_stop_metric_sums *sums, hy_error *error)
{
    const hy_wide values[] = {games,    sums->n,  sums->x,  sums->y,
                              sums->xx, sums->xy, sums->yy, sums->cut};
    sqlite3_stmt *insert;
    hy_status status = hy_store_query(store, HY_QUERY_PUT_LOOK, &insert, error);
    if (status != HY_OK)
        return status;
    sqlite3_bind_int64(insert, 1, (int64_t)condition + 1);
    sqlite3_bind_int64(insert, 2, swapped);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i] > INT64_MAX)
            return hy_fail(error, HY_FAILED,
                           "the sums of condition %" PRIu32 " over the games between two looks do "
                           "not fit into 63 bits; plan a number of games instead",
                           condition + 1);
        sqlite3_bind_int64(insert, 3 + (int)i, (int64_t)values[i]);
    }
    return hy_database_step(&store->database, insert, "write the sums at a look", error);
}

/* What the blocks hold beyond the looks so far. */
static hy_status put_seating(hy_store *store, uint32_t condition, bool swapped, hy_window window,
                             hy_summary *summary, hy_error *error)
{
    hy_stop_metric_sums seen, sums;
    hy_status status = hy_store_summary(store, condition, swapped, summary, error);
    if (status == HY_OK)
        status = sum_looks(store, condition, swapped, &seen, error);
    if (status != HY_OK)
        return status;
    sums = hy_stop_metric_sum(store->experiment.stop.metric, summary);
    if (summary->games != window.end || !hy_stop_metric_subtract(&sums, &seen))
        return hy_fail(error, HY_MISMATCH,
                       "'%s' is damaged: condition %" PRIu32
                       " has other games than those below %" PRIu64,
                       store->database.path, condition + 1, window.end);
    return insert_look(store, condition, swapped, window.end, &sums, error);
}

hy_status hy_store_put_look(hy_store *store, uint32_t condition, hy_window window, hy_error *error)
{
    const hy_experiment *experiment = &store->experiment;
    hy_summary summary = {0};
    if (experiment->record != HY_RECORD_SUMMARY)
        return HY_OK;
    hy_status status = hy_store_begin(store, error);
    for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[condition]);
         s++)
        status = put_seating(store, condition, s > 0, window, &summary, error);
    hy_summary_clean_up(&summary);
    return status;
}

hy_status hy_store_get_pairs(hy_store *store, uint32_t condition, hy_window window, uint64_t num[5],
                             hy_error *error)
{
    sqlite3_stmt *query;
    bool row = true;
    memset(num, 0, 5 * sizeof num[0]);
    hy_status status = hy_database_prepare(
        &store->database,
        "SELECT 2 * (a.result = 'south') + (a.result = 'draw') + 2 * (b.result = 'north') + "
        "(b.result = 'draw') AS points, count(*) FROM game AS a JOIN game AS b ON b.condition_id = "
        "a.condition_id AND b.number = a.number AND b.swapped = ?2 + 1 WHERE a.condition_id = ?1 "
        "AND a.swapped = ?2 AND a.number >= ?3 AND a.number < ?4 AND a.result <> 'none' AND "
        "b.result <> 'none' GROUP BY points",
        &query, error);
    if (status != HY_OK)
        return status;
    bind_window(query, condition, false, window);
    while (status == HY_OK && row) {
        status = hy_database_next(&store->database, query, &row, error);
        if (status == HY_OK && row)
            num[sqlite3_column_int64(query, 0)] = (uint64_t)sqlite3_column_int64(query, 1);
    }
    sqlite3_finalize(query);
    return status;
}

hy_status hy_store_num_ended(hy_store *store, size_t *num_ended, hy_error *error)
{
    int64_t num = 0;
    hy_status status = HY_OK;
    if (store->experiment.stop.kind != HY_STOP_NEVER)
        status = hy_database_integer(
            &store->database, "SELECT count(DISTINCT condition_id) FROM main.stop", &num, error);
    *num_ended = (size_t)num;
    return status;
}
