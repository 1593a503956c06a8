/* Measures against the views, against every game left out in turn, and at the ends of what can be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/quality.h"
#include "store/databases.h"
#include "support/policies.h"
#include "support/variants.h"

#define GAMES 300u

static const char *rows, *blocks, *moves;
static hy_policy_spec *evaluator;

static int set_up(void **state)
{
    if (scratch_make(state) != 0)
        return -1;
    hy_experiment experiment = experiment_small(GAMES, HY_RECORD_GAMES);
    rows = play_all("rows.db", &experiment, 2);
    experiment.record = HY_RECORD_SUMMARY;
    blocks = play_all("blocks.db", &experiment, 2);
    experiment.record = HY_RECORD_MOVES;
    moves = play_all("moves.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    evaluator = spec_of("alphabeta:depth=1,table=1");
    return 0;
}

static int tear_down(void **state)
{
    hy_policy_spec_destroy(evaluator);
    return scratch_remove(state);
}

/* A report and the store it is of. */
typedef struct subject {
    hy_store *store;
    hy_quality_report report;
} subject;

static subject build(const char *path, uint32_t condition, uint64_t games)
{
    subject s;
    hy_error error;
    hy_quality_options options = {.condition = condition, .games = games, .evaluator = evaluator};
    assert_int_equal(hy_store_open(path, &s.store, NULL), HY_OK);
    if (hy_quality_build(s.store, &options, &s.report, &error) != HY_OK)
        fail_msg("%s", error.text);
    return s;
}

static void clean_up(subject *s)
{
    hy_quality_report_clean_up(&s->report);
    hy_store_abandon(s->store);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* --- the views --- */

/* The number of the view that has a column of that name; *there says whether one has. */
static double viewed(const char *path, const hy_condition_quality *row, const char *name,
                     bool *there, bool *known)
{
    static const char *const views[] = {"v_quality", "v_complexity"};
    char query[512];
    *there = false;
    for (size_t i = 0; i < NUM(views); i++) {
        snprintf(query, sizeof query,
                 "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'", views[i], name);
        if (sql_integer(path, query) == 0)
            continue;
        *there = true;
        snprintf(query, sizeof query,
                 "SELECT printf('%%.17g', %s), %s IS NULL FROM %s WHERE condition_id = %u AND "
                 "swapped = %d",
                 name, name, views[i], (unsigned)row->condition + 1, row->swapped);
        double value = strtod(sql_text(path, query), NULL);
        snprintf(query, sizeof query,
                 "SELECT %s IS NOT NULL FROM %s WHERE condition_id = %u AND swapped = %d", name,
                 views[i], (unsigned)row->condition + 1, row->swapped);
        *known = sql_integer(path, query) != 0;
        return value;
    }
    return NAN;
}

static void compare_with_views(const char *path)
{
    subject s = build(path, 0, 0);
    assert_int_equal(s.report.num_conditions, 3);
    for (size_t i = 0; i < s.report.num_conditions; i++) {
        const hy_condition_quality *row = &s.report.conditions[i];
        for (unsigned k = 0; k < HY_NUM_CHEAP_MEASURES; k++) {
            const hy_measure *measure = &row->cheap[k];
            bool there, known = false;
            double value = viewed(path, row, measure->name, &there, &known);
            if (!there)
                fail_msg("no view has '%s'", measure->name);
            if (known != measure->estimate.known ||
                (known && !near(measure->estimate.value, value)))
                fail_msg("%s of condition %zu: %.12g, in the view %.12g (%d)", measure->name, i,
                         measure->estimate.value, value, known);
            assert_true(known == (measure->reason == NULL));
        }
    }
    /* the second condition has games that were cut */
    assert_true(s.report.conditions[0].cheap[HY_CHEAP_PLIES_PER_GAME].estimate.known);
    assert_false(s.report.conditions[1].cheap[HY_CHEAP_PLIES_PER_GAME].estimate.known);
    assert_false(s.report.conditions[1].cheap[HY_CHEAP_GAME_TREE_COMPLEXITY].estimate.known);
    clean_up(&s);
}

static void the_views_say_the_same(void **state)
{
    (void)state;
    compare_with_views(rows);
    compare_with_views(blocks);
    assert_int_equal(sql_integer(rows, "SELECT sum(reason LIKE '%cut%') FROM v_complexity"), 2);
    char text[4096];
    const char *query = "SELECT group_concat(balance || ' ' || outcome_uniformity || ' ' || "
                        "decision_factor || ' ' || endless_per_ply || ' ' || claimed_share) FROM "
                        "(SELECT * FROM v_quality ORDER BY condition_id, swapped)";
    snprintf(text, sizeof text, "%s", sql_text(rows, query));
    assert_true(strlen(text) > 50);
    assert_string_equal(sql_text(blocks, query), text);
}

/* The meaning of the columns once more, from the rows. */
static void the_views_are_what_they_say(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"first_player_score", "avg(south_points)"},
        {"south_win_share", "avg(result = 'south')"},
        {"balance", "1 - abs(avg(CASE WHEN result != 'none' THEN 1.0 * (result = 'south') END) - "
                    "avg(CASE WHEN result != 'none' THEN 1.0 * (result = 'north') END))"},
        {"completion", "avg(result != 'none')"},
        {"drawishness", "avg(result = 'draw')"},
        {"timeouts", "avg(termination = 'truncated')"},
        {"endless_per_game", "avg(termination = 'endless')"},
        {"endless_per_ply", "1.0 * sum(termination = 'endless') / sum(plies)"},
        {"outcome_uniformity", "1 - (avg((2 * south_points - 1) * (2 * south_points - 1)) - "
                               "avg(2 * south_points - 1) * avg(2 * south_points - 1))"},
        {"decision_factor",
         "1.0 * (sum(legal_holes) - sum(plies - decision_plies)) / sum(decision_plies)"},
        {"captures_per_turn", "1.0 * sum(captures) / sum(turns)"},
        {"counters_per_game", "CASE WHEN min(finished) THEN avg(counters) END"},
        {"claimed_share",
         "CASE WHEN min(finished) THEN 1.0 * sum(claimed) / sum(2 * holes * seeds) END"},
        {"south_chain_share", "1.0 * sum(south_chains) / sum(chains)"},
    };
    assert_true(sql_integer(rows, "SELECT sum(first_player_score IS NULL) FROM v_quality") > 0);
    for (size_t i = 0; i < NUM(pairs); i++) {
        char query[1024];
        snprintf(query, sizeof query,
                 "SELECT count(*) FROM v_quality AS q JOIN (SELECT condition_id, swapped, %s AS "
                 "value FROM v_game GROUP BY condition_id, swapped) AS g ON g.condition_id = "
                 "q.condition_id AND g.swapped = q.swapped WHERE q.%s IS g.value OR abs(q.%s - "
                 "g.value) < "
                 "1e-12",
                 pairs[i][1], pairs[i][0], pairs[i][0]);
        if (sql_integer(rows, query) != 3)
            fail_msg("%s", query);
    }
}

/* --- intervals --- */

typedef struct records {
    hy_game_record *games;
    size_t num;
} records;

static records read_records(const char *path, uint32_t condition)
{
    records r = {.games = calloc(GAMES, sizeof r.games[0])};
    hy_store *store;
    assert_non_null(r.games);
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    for (uint64_t i = 0; i < GAMES; i++) {
        bool found;
        assert_int_equal(hy_store_game(store, condition, false, i, &r.games[i], NULL, &found, NULL),
                         HY_OK);
        assert_true(found);
        r.num++;
    }
    hy_store_abandon(store);
    return r;
}

static void measure_all_but(const hy_rules *rules, const records *r, size_t left_out,
                            hy_measure measures[HY_NUM_CHEAP_MEASURES])
{
    hy_summary summary = {0};
    for (size_t i = 0; i < r->num; i++) {
        if (i != left_out)
            assert_int_equal(hy_summary_add(&summary, &r->games[i], NULL), HY_OK);
    }
    assert_int_equal(hy_quality_from_summary(rules, &summary, measures, NULL), HY_OK);
    hy_summary_clean_up(&summary);
}

/* The standard error is that of the jackknife over games: (n − 1) / n Σ (θ_i − θ̄)². */
static void errors_are_those_of_the_games(void **state)
{
    (void)state;
    records r = read_records(rows, 0);
    hy_rules rules = variant_of("holes=3 seeds=4");
    hy_measure all[HY_NUM_CHEAP_MEASURES], without[HY_NUM_CHEAP_MEASURES];
    double sum[HY_NUM_CHEAP_MEASURES] = {0}, squares[HY_NUM_CHEAP_MEASURES] = {0};
    unsigned compared = 0;
    measure_all_but(&rules, &r, r.num, all);
    for (size_t i = 0; i < r.num; i++) {
        measure_all_but(&rules, &r, i, without);
        for (unsigned k = 0; k < HY_NUM_CHEAP_MEASURES; k++) {
            double difference = without[k].estimate.value - all[k].estimate.value;
            sum[k] += difference;
            squares[k] += difference * difference;
        }
    }
    double n = (double)r.num;
    for (unsigned k = 0; k < HY_NUM_CHEAP_MEASURES; k++) {
        const hy_estimate *estimate = &all[k].estimate;
        assert_true(estimate->known);
        assert_true(estimate->low <= estimate->value && estimate->value <= estimate->high);
        double jackknife = sqrt((n - 1) / n * (squares[k] - sum[k] * sum[k] / n));
        if (isnan(estimate->standard_error) || estimate->standard_error == 0)
            continue;
        compared++;
        if (fabs(estimate->standard_error / jackknife - 1) > 0.03)
            fail_msg("%s: standard error %g, by the jackknife %g", all[k].name,
                     estimate->standard_error, jackknife);
    }
    assert_true(compared >= 20);
    free(r.games);
}

/* --- games at the ends --- */

static void measure_games(const hy_game_record *game, unsigned num,
                          hy_measure measures[HY_NUM_CHEAP_MEASURES])
{
    records r = {.games = calloc(num + 1, sizeof *game), .num = num};
    hy_rules rules = hy_rules_default();
    for (unsigned i = 0; i < num; i++)
        r.games[i] = *game;
    measure_all_but(&rules, &r, num, measures);
    free(r.games);
}

static void assert_bounds(const hy_measure measures[HY_NUM_CHEAP_MEASURES])
{
    for (unsigned i = 0; i < HY_NUM_CHEAP_MEASURES; i++) {
        const hy_estimate *e = &measures[i].estimate;
        assert_non_null(measures[i].name);
        assert_non_null(measures[i].method);
        assert_true(e->known == (measures[i].reason == NULL));
        bool share = strcmp(measures[i].unit, "share") == 0;
        if (e->known && (!(e->low >= 0) || !(e->high >= e->low) || (share && e->high > 1)))
            fail_msg("%s: %g [%g, %g]", measures[i].name, e->value, e->low, e->high);
    }
}

static void only_draws(void **state)
{
    (void)state;
    hy_measure m[HY_NUM_CHEAP_MEASURES];
    hy_game_record draw = {.termination = HY_EXHAUSTED,
                           .result = HY_RESULT_DRAW,
                           .score = {24, 24},
                           .plies = 10,
                           .turns = 10,
                           .legal_holes = 30,
                           .decision_plies = 8,
                           .captures = 2};
    measure_games(&draw, 50, m);
    assert_bounds(m);
    assert_true(m[HY_CHEAP_FIRST_PLAYER_SCORE].estimate.value == 0.5);
    assert_true(m[HY_CHEAP_SOUTH_WIN_SHARE].estimate.value == 0);
    assert_true(m[HY_CHEAP_BALANCE].estimate.value == 1);
    assert_true(m[HY_CHEAP_BALANCE].estimate.low < 0.95);
    assert_true(m[HY_CHEAP_DRAWISHNESS].estimate.value == 1);
    assert_true(m[HY_CHEAP_OUTCOME_UNIFORMITY].estimate.value == 1);
    assert_true(m[HY_CHEAP_OUTCOME_UNIFORMITY].estimate.low < 1);
    assert_true(m[HY_CHEAP_DECISION_FACTOR].estimate.value == 28.0 / 8);
    assert_true(fabs(m[HY_CHEAP_GAME_TREE_COMPLEXITY].estimate.value - 10 * log10(3)) < 1e-9);
    /* no chain in a hundred captures of fifty games is no proof */
    assert_true(m[HY_CHEAP_CHAIN_SHARE].estimate.value == 0);
    assert_true(m[HY_CHEAP_CHAIN_SHARE].estimate.high > 0.05);
    assert_false(m[HY_CHEAP_SOUTH_CHAIN_SHARE].estimate.known);
    assert_string_equal(m[HY_CHEAP_SOUTH_CHAIN_SHARE].reason, "the denominator is 0");
    /* none in 500 plies, taken to be worth half as many, is about as much as none in 50 games of 10
     */
    double high = hy_share(0, 50, 0.95).high;
    assert_true(m[HY_CHEAP_ENDLESS_PER_PLY].estimate.high > high / 10);
    assert_true(m[HY_CHEAP_ENDLESS_PER_PLY].estimate.high < 3 * high / 10);
}

static void only_wins(void **state)
{
    (void)state;
    hy_measure m[HY_NUM_CHEAP_MEASURES];
    hy_game_record win = {.termination = HY_CLAIMED,
                          .result = HY_RESULT_SOUTH,
                          .score = {28, 20},
                          .plies = 10,
                          .turns = 10,
                          .legal_holes = 10,
                          .claimed = 4};
    measure_games(&win, 50, m);
    assert_bounds(m);
    assert_true(m[HY_CHEAP_FIRST_PLAYER_SCORE].estimate.value == 1);
    assert_true(m[HY_CHEAP_BALANCE].estimate.value == 0);
    assert_true(m[HY_CHEAP_BALANCE].estimate.high > 0);
    assert_true(m[HY_CHEAP_OUTCOME_UNIFORMITY].estimate.value == 1); /* always the same end */
    assert_true(near(m[HY_CHEAP_CLAIMED_SHARE].estimate.value, 4.0 / 48));
    assert_true(m[HY_CHEAP_CLAIMED_SHARE].of == 50 * 48);
    assert_true(m[HY_CHEAP_DECISION_PLY_SHARE].estimate.value == 0);
    assert_false(m[HY_CHEAP_DECISION_FACTOR].estimate.known);
    assert_true(m[HY_CHEAP_GAME_TREE_COMPLEXITY].estimate.value == 0);
}

static void no_results_no_plies_no_games(void **state)
{
    (void)state;
    hy_measure m[HY_NUM_CHEAP_MEASURES];
    hy_game_record cut = {.termination = HY_TRUNCATED,
                          .result = HY_RESULT_NONE,
                          .plies = 5,
                          .turns = 5,
                          .legal_holes = 12,
                          .decision_plies = 4};
    measure_games(&cut, 20, m);
    assert_bounds(m);
    assert_false(m[HY_CHEAP_FIRST_PLAYER_SCORE].estimate.known);
    assert_false(m[HY_CHEAP_BALANCE].estimate.known);
    assert_false(m[HY_CHEAP_OUTCOME_UNIFORMITY].estimate.known);
    assert_true(m[HY_CHEAP_TIMEOUTS].estimate.value == 1);
    assert_true(m[HY_CHEAP_COMPLETION].estimate.value == 0);
    assert_false(m[HY_CHEAP_PLIES_PER_GAME].estimate.known);
    assert_non_null(strstr(m[HY_CHEAP_GAME_TREE_COMPLEXITY].reason, "cut"));
    hy_game_record still = {.termination = HY_STUCK, .result = HY_RESULT_DRAW};
    measure_games(&still, 20, m);
    assert_bounds(m);
    assert_false(m[HY_CHEAP_BRANCHING_FACTOR].estimate.known);
    assert_string_equal(m[HY_CHEAP_GAME_TREE_COMPLEXITY].reason, "no plies");
    assert_true(m[HY_CHEAP_PLIES_PER_GAME].estimate.value == 0);
    measure_games(&still, 0, m);
    assert_bounds(m);
    for (unsigned i = 0; i < HY_NUM_CHEAP_MEASURES; i++)
        assert_false(m[i].estimate.known);
}

/* --- games played again --- */

static char *text_of(const subject *s)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hy_quality_print(&s->report, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* From rows, sums or moves, once or again, the same games give the same answer. */
static void the_same_from_every_record(void **state)
{
    (void)state;
    const char *const paths[] = {rows, blocks, moves, rows};
    char *first = NULL;
    for (size_t i = 0; i < NUM(paths); i++) {
        subject s = build(paths[i], 0, 40);
        char *text = text_of(&s);
        for (size_t k = 0; k < s.report.num_conditions; k++)
            assert_int_equal(s.report.conditions[k].replayed->games, 40);
        if (first)
            assert_string_equal(text, first);
        else
            first = strdup(text);
        free(text);
        clean_up(&s);
    }
    assert_null(strstr(first, "nan"));
    assert_null(strstr(first, "inf"));
    free(first);
}

/* What is counted from the positions of all games is what their records say. */
static void the_replay_agrees_with_the_records(void **state)
{
    (void)state;
    subject s = build(rows, 0, GAMES + 100);
    for (size_t i = 0; i < s.report.num_conditions; i++) {
        const hy_condition_quality *row = &s.report.conditions[i];
        const hy_quality_sums *sums = row->replayed;
        const hy_measure *cheap = row->cheap;
        assert_int_equal(sums->games, GAMES);
        assert_int_equal(sums->results[HY_RESULT_NONE], row->no_result);
        assert_true((double)sums->plies == cheap[HY_CHEAP_BRANCHING_FACTOR].of);
        const hy_capture_sums *both = &sums->captures[HY_EITHER];
        assert_true(both->chain_share.x == cheap[HY_CHEAP_CHAIN_SHARE].of);
        assert_true(near(both->chain_share.y / both->chain_share.x,
                         cheap[HY_CHEAP_CHAIN_SHARE].estimate.value));
        const hy_capture_sums *south = &sums->captures[HY_SOUTH];
        assert_true(near(south->chain_share.x / both->chain_share.x,
                         cheap[HY_CHEAP_SOUTH_CAPTURE_SHARE].estimate.value));
        assert_true(near(both->casas_a_capture.y / both->casas_a_capture.x,
                         cheap[HY_CHEAP_CASAS_PER_CAPTURE].estimate.value));
        assert_int_equal(both->most_casas, row->longest_chain + 1);
        assert_true(sums->measures[HY_QUALITY_NARROWNESS].x == cheap[HY_CHEAP_DECISION_FACTOR].of);
        double landed = 0;
        for (unsigned hole = 0; hole < HY_MAX_BOARD; hole++)
            landed += both->captures_at[hole].y;
        assert_true(landed == both->chain_share.x);
    }
    /* greedy sits south in one seating and north in the other */
    const hy_measure *a = s.report.conditions[1].valued, *b = s.report.conditions[2].valued;
    assert_true(a[HY_QUALITY_REGRET].estimate.value != b[HY_QUALITY_REGRET].estimate.value);
    clean_up(&s);
}

/* Of very few games: nothing outside of what is possible, and no share that is certain. */
static void intervals_lie_within_what_is_possible(void **state)
{
    (void)state;
    for (uint64_t games = 1; games <= 4; games++) {
        subject s = build(rows, 0, games);
        for (size_t i = 0; i < s.report.num_conditions; i++) {
            const hy_measure *measures = s.report.conditions[i].valued;
            for (size_t k = 0; k < HY_NUM_QUALITY_MEASURES; k++) {
                const hy_measure *m = &measures[k];
                const hy_estimate *e = &m->estimate;
                if (!e->known)
                    continue;
                assert_true(m->most > m->least);
                if (!(e->low >= m->least && e->high <= m->most && e->low <= e->value &&
                      e->value <= e->high && (e->low < e->high || strcmp(m->method, "t") == 0)))
                    fail_msg("%s: %g [%g, %g]", m->name, e->value, e->low, e->high);
            }
        }
        char *text = text_of(&s);
        for (const char *at = text; (at = strstr(at, "chains in the own row "));) {
            double value, low, high;
            assert_int_equal(
                sscanf(at++, "chains in the own row %lf [%lf, %lf]", &value, &low, &high), 3);
            assert_true(low >= 0 && high <= 1 && low < high);
        }
        free(text);
        clean_up(&s);
    }
}

/* Each reason says what it is: that all games ended alike only where they did. */
static void reasons_are_by_cause(void **state)
{
    (void)state;
    subject s = build(rows, 1, 40);
    json_t *json = hy_quality_json(&s.report);
    const json_t *condition = json_array_get(json_object_get(json, "conditions"), 0);
    const json_t *measures = json_object_get(condition, "measures");
    const json_t *uniformity =
        json_object_get(measures ? measures : condition, "outcome_uniformity");
    assert_non_null(uniformity);
    assert_true(json_number_value(json_object_get(uniformity, "estimate")) < 1);
    assert_string_equal(json_string_value(json_object_get(uniformity, "standard_error_reason")),
                        "the method gives an interval and no standard error");
    json_decref(json);
    clean_up(&s);
}

static void json_has_every_measure(void **state)
{
    (void)state;
    subject s = build(rows, 2, 30);
    json_t *json = hy_quality_json(&s.report);
    assert_int_equal(json_array_size(json_object_get(json, "conditions")), 2);
    json_t *condition = json_array_get(json_object_get(json, "conditions"), 1);
    json_t *replayed = json_object_get(condition, "replayed");
    const char *const groups[] = {"measures", "measures"};
    json_t *const from[] = {condition, replayed};
    const size_t num[] = {HY_NUM_CHEAP_MEASURES, HY_NUM_QUALITY_MEASURES};
    for (size_t i = 0; i < NUM(from); i++) {
        const char *name;
        json_t *measure;
        json_t *measures = json_object_get(from[i], groups[i]);
        assert_int_equal(json_object_size(measures), num[i]);
        json_object_foreach(measures, name, measure)
        {
            bool known = json_is_real(json_object_get(measure, "estimate"));
            assert_true(known != json_is_string(json_object_get(measure, "reason")));
            assert_true(json_is_string(json_object_get(measure, "unit")));
            assert_true(json_is_string(json_object_get(measure, "denominator")));
            assert_true(json_is_integer(json_object_get(measure, "games")));
        }
    }
    assert_true(json_is_true(json_object_get(condition, "swapped")));
    assert_string_equal(json_string_value(json_object_get(condition, "north_policy")), "greedy");
    json_decref(json);
    clean_up(&s);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    hy_store *store;
    hy_error error;
    hy_quality_report report;
    hy_quality_options options = {.condition = 3, .games = 1, .evaluator = evaluator};
    uint64_t games;
    assert_int_equal(hy_store_open(rows, &store, NULL), HY_OK);
    assert_int_equal(hy_quality_count(store, &options, &games, &error), HY_INVALID);
    assert_int_equal(hy_quality_build(store, &options, &report, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "no condition 3; the experiment has 2"));
    options.condition = 0;
    options.games = 1000;
    assert_int_equal(hy_quality_count(store, &options, &games, NULL), HY_OK);
    assert_int_equal(games, 3 * GAMES);
    atomic_int stop = 15;
    options.stop = &stop;
    assert_int_equal(hy_quality_build(store, &options, &report, &error), HY_INTERRUPTED);
    hy_store_abandon(store);
    /* a game that is another one */
    const char *path = file_copy(rows, "forged.db");
    sql(path, "UPDATE game SET move_hash = '0123456789abcdef' WHERE number = 1");
    options.stop = NULL;
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    assert_int_equal(hy_quality_build(store, &options, &report, &error), HY_MISMATCH);
    assert_non_null(strstr(error.text, "game 1 of condition 1"));
    hy_store_abandon(store);
}

/* Games limited by time cannot be played again; their moves can. */
static void games_limited_by_time(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        hy_experiment experiment = experiment_new(3, i > 0 ? HY_RECORD_MOVES : HY_RECORD_GAMES);
        experiment_add(&experiment, "holes=2 seeds=2", "alphabeta:depth=1,time_ms=100", "random",
                       false);
        file_remove(scratch_path("timed.db"));
        const char *path = play_all("timed.db", &experiment, 1);
        subject s = build(path, 0, 3);
        const hy_condition_quality *row = &s.report.conditions[0];
        assert_true((row->not_replayed == NULL) == (i > 0));
        assert_true((row->replayed != NULL) == (i > 0));
        json_t *json = hy_quality_json(&s.report);
        assert_non_null(json);
        json_decref(json);
        free(text_of(&s));
        clean_up(&s);
        hy_experiment_clean_up(&experiment);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_views_say_the_same),
        cmocka_unit_test(the_views_are_what_they_say),
        cmocka_unit_test(errors_are_those_of_the_games),
        cmocka_unit_test(only_draws),
        cmocka_unit_test(only_wins),
        cmocka_unit_test(no_results_no_plies_no_games),
        cmocka_unit_test(the_same_from_every_record),
        cmocka_unit_test(the_replay_agrees_with_the_records),
        cmocka_unit_test(intervals_lie_within_what_is_possible),
        cmocka_unit_test(reasons_are_by_cause),
        cmocka_unit_test(json_has_every_measure),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(games_limited_by_time),
    };
    return cmocka_run_group_tests_name("report/quality", tests, set_up, tear_down);
}
