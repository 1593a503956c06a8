#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"
#include "store/databases.h"

#define MAX_GAMES 1000u

/* A report and the store it is of. */
typedef struct subject {
    hy_store *store;
    hy_report report;
} subject;

static void build(subject *s, const char *path)
{
    hy_error error;
    assert_int_equal(hy_store_open(path, &s->store, &error), HY_OK);
    if (hy_report_build(s->store, &s->report, &error) != HY_OK)
        fail_msg("%s", error.text);
}

static void clean_up(subject *s)
{
    hy_report_clean_up(&s->report);
    hy_store_abandon(s->store);
}

/* An experiment of one condition, played. */
static const char *play_one(const char *rules, uint64_t games, uint32_t max_plies,
                            uint64_t max_laps)
{
    hy_experiment experiment = experiment_new(games, HY_RECORD_GAMES);
    hy_condition *condition = experiment_add(&experiment, rules, "random", "random", false);
    condition->max_plies = max_plies;
    condition->max_laps = max_laps;
    file_remove(scratch_path("one.db"));
    const char *path = play_all("one.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    return path;
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (1 + fabs(b));
}

/* All numbers alike; unknown numbers are NaN in both. */
static void assert_estimate(const hy_estimate *a, const hy_estimate *b)
{
    const double x[] = {a->value, a->standard_error, a->low, a->high};
    const double y[] = {b->value, b->standard_error, b->low, b->high};
    assert_int_equal(a->known, b->known);
    for (size_t i = 0; i < NUM(x); i++) {
        if (!near(x[i], y[i]) && !(isnan(x[i]) && isnan(y[i])))
            fail_msg("number %zu: %.12g, not %.12g", i, x[i], y[i]);
    }
}

static uint64_t count(const char *path, const hy_condition_report *row, const char *where)
{
    char query[256];
    snprintf(query, sizeof query,
             "SELECT count(*) FROM game WHERE condition_id = %u AND swapped = %d AND (%s)",
             (unsigned)row->condition + 1, row->swapped, where);
    return (uint64_t)sql_integer(path, query);
}

static double sum(const char *path, const hy_condition_report *row, const char *term)
{
    char query[256];
    snprintf(query, sizeof query,
             "SELECT sum(%s) FROM game WHERE condition_id = %u AND swapped = %d", term,
             (unsigned)row->condition + 1, row->swapped);
    return (double)sql_integer(path, query);
}

static void check_counts(const char *path, const hy_condition_report *row)
{
    uint64_t results = 0, terminations = 0;
    char where[64];
    for (size_t i = 0; i < HY_NUM_RESULTS; i++) {
        snprintf(where, sizeof where, "result = '%s'", hy_result_words[i]);
        assert_int_equal(row->results[i], count(path, row, where));
        hy_estimate share = hy_share(row->results[i], row->games, HY_CONFIDENCE);
        assert_estimate(&row->shares[i], &share);
        results += row->results[i];
    }
    for (size_t i = 0; i < HY_NUM_TERMINATIONS; i++) {
        snprintf(where, sizeof where, "termination = '%s'", hy_termination_words[i]);
        assert_int_equal(row->terminations[i], count(path, row, where));
        terminations += row->terminations[i];
    }
    assert_int_equal(results, row->games);
    assert_int_equal(terminations, row->games);
    assert_int_equal(row->scored, count(path, row, "result != 'none'"));
    hy_estimate score =
        hy_score(count(path, row, "result = 'south'"), count(path, row, "result = 'draw'"),
                 count(path, row, "result = 'north'"), HY_CONFIDENCE);
    assert_estimate(&row->first_player_score, &score);
}

static void check_means(const char *path, const hy_condition_report *row)
{
    double deviation;
    hy_estimate plies = hy_mean(row->games, sum(path, row, "plies"),
                                sum(path, row, "plies * plies"), HY_CONFIDENCE, &deviation);
    hy_estimate captures = hy_mean(row->games, sum(path, row, "captures"),
                                   sum(path, row, "captures * captures"), HY_CONFIDENCE, NULL);
    hy_estimate casas = hy_mean(row->games, sum(path, row, "casas"),
                                sum(path, row, "casas * casas"), HY_CONFIDENCE, NULL);
    hy_ratio_sums sums = {
        .n = row->games,
        .x = sum(path, row, "captures"),
        .y = sum(path, row, "chains"),
        .xx = sum(path, row, "captures * captures"),
        .yy = sum(path, row, "chains * chains"),
        .xy = sum(path, row, "chains * captures"),
    };
    hy_ratio_sums per_ply = {
        .n = row->games,
        .x = sum(path, row, "plies"),
        .y = sum(path, row, "captures"),
        .xx = sum(path, row, "plies * plies"),
        .yy = sum(path, row, "captures * captures"),
        .xy = sum(path, row, "captures * plies"),
    };
    hy_estimate chains = hy_clustered_share(&sums, HY_CONFIDENCE);
    hy_estimate captures_per_ply = hy_ratio(&per_ply, HY_CONFIDENCE);
    if (row->length.num_censored == 0) {
        assert_estimate(&row->captures, &captures);
        assert_estimate(&row->casas, &casas);
    } else {
        assert_false(row->captures.known || row->casas.known);
    }
    assert_estimate(&row->captures_per_ply, &captures_per_ply);
    assert_estimate(&row->chains, &chains);
    assert_int_equal(row->num_captures, (uint64_t)sums.x);
    assert_int_equal(row->num_chains, (uint64_t)sums.y);
    if (row->length.num_censored == 0) {
        assert_estimate(&row->length.mean, &plies);
        assert_true(near(row->length.standard_deviation, deviation));
    }
    assert_int_equal(
        row->length.longest,
        (uint64_t)sum(path, row, "0") +
            (uint64_t)sql_integer(
                path, row->condition == 0 ? "SELECT max(plies) FROM game WHERE condition_id = 1"
                      : row->swapped
                          ? "SELECT max(plies) FROM game WHERE condition_id = 2 AND swapped = 1"
                          : "SELECT max(plies) FROM game WHERE condition_id = 2 AND swapped = 0"));
}

static void the_numbers_are_those_of_the_rows(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_small(500, HY_RECORD_GAMES);
    const char *path = play_all("numbers.db", &experiment, 2);
    subject s;
    build(&s, path);
    assert_int_equal(s.report.num_conditions, 3);
    assert_int_equal(s.report.games, 1500);
    assert_true(s.report.censored);
    for (size_t i = 0; i < 3; i++) {
        const hy_condition_report *row = &s.report.conditions[i];
        assert_int_equal(row->condition, i > 0);
        assert_int_equal(row->swapped, i == 2);
        assert_int_equal(row->games, 500);
        assert_int_equal(row->length.num_censored,
                         count(path, row, "termination IN ('truncated', 'unresolved')"));
        check_counts(path, row);
        check_means(path, row);
        char query[128];
        snprintf(query, sizeof query,
                 "SELECT count(DISTINCT move_hash) FROM game WHERE condition_id = %u AND swapped = "
                 "%d",
                 (unsigned)row->condition + 1, row->swapped);
        assert_true(near(row->distinct.estimate, (double)sql_integer(path, query)));
        assert_true(!(row->distinct.standard_error > 0));
    }
    clean_up(&s);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

/* The lengths of all games, and whether they are only lower bounds. */
typedef struct length {
    uint32_t plies;
    bool censored;
} length;

static size_t read_lengths(const subject *s, length *lengths)
{
    size_t num = 0;
    for (uint64_t number = 0; number < s->report.experiment->games; number++) {
        hy_game_record record;
        bool found;
        assert_int_equal(hy_store_game(s->store, 0, false, number, &record, NULL, &found, NULL),
                         HY_OK);
        lengths[num++] = (length){
            .plies = record.plies,
            .censored = record.termination == HY_TRUNCATED || record.termination == HY_UNRESOLVED,
        };
    }
    return num;
}

/* The smallest length with a share of percent / 100 at or below it, counting by trying all lengths;
 * false where a censored game could change it. */
static bool brute_quantile(const length *lengths, size_t num, unsigned percent, uint64_t *quantile)
{
    for (uint32_t l = 0; l <= 2000; l++) {
        size_t at_or_below = 0;
        bool censored_below = false;
        for (size_t i = 0; i < num; i++) {
            at_or_below += !lengths[i].censored && lengths[i].plies <= l;
            censored_below |= lengths[i].censored && lengths[i].plies < l;
        }
        if (censored_below)
            return false;
        *quantile = l;
        if (100 * at_or_below >= percent * num)
            return true;
    }
    return false;
}

static void check_quantiles(const char *path)
{
    static const unsigned percents[HY_NUM_QUANTILES] = {10, 25, 50, 75, 90};
    length lengths[MAX_GAMES];
    subject s;
    build(&s, path);
    size_t num = read_lengths(&s, lengths);
    const hy_length_report *report = &s.report.conditions[0].length;
    for (size_t i = 0; i < HY_NUM_QUANTILES; i++) {
        uint64_t quantile = 0;
        bool known = brute_quantile(lengths, num, percents[i], &quantile);
        assert_true(near(hy_quantiles[i], percents[i] / 100.0));
        if (known != report->quantile_known[i] || (known && quantile != report->quantile[i]))
            fail_msg("%zu games, %u %%: %d %d, not %d %d", num, percents[i],
                     report->quantile_known[i], (int)report->quantile[i], known, (int)quantile);
    }
    clean_up(&s);
}

/* Few games, so that shares are hit exactly, and caps of any height. */
static void quantiles_by_brute_force(void **state)
{
    (void)state;
    for (uint64_t games = 1; games <= 44; games += games < 12 ? 1 : 8)
        check_quantiles(play_one("holes=3", games, 1000, 100000));
    static const uint32_t caps[] = {1, 5, 9, 10, 11, 12, 15, 20, 30};
    for (size_t i = 0; i < NUM(caps); i++)
        check_quantiles(play_one("holes=3", 40, caps[i], 100000));
    for (uint64_t laps = 3; laps <= 12; laps += 3)
        check_quantiles(play_one("holes=3", 40, 12, laps));
}

/* Cut or not, what is below the cut is the same; above it nothing is said. */
static void a_cap_changes_nothing_below_it(void **state)
{
    (void)state;
    static const uint32_t caps[] = {5, 10, 20, 100};
    subject all;
    build(&all, play_one("holes=4", MAX_GAMES, 100000, 100000));
    const hy_length_report full = all.report.conditions[0].length;
    assert_int_equal(full.num_censored, 0);
    assert_true(full.mean.known);
    unsigned num_known = 0, num_unknown = 0;
    clean_up(&all);
    for (size_t i = 0; i < NUM(caps); i++) {
        subject cut;
        build(&cut, play_one("holes=4", MAX_GAMES, caps[i], 100000));
        const hy_length_report *report = &cut.report.conditions[0].length;
        assert_int_equal(report->num_censored > 0, full.longest > caps[i]);
        assert_int_equal(report->mean.known, report->num_censored == 0);
        assert_int_equal(isnan(report->mean.value), report->num_censored > 0);
        for (size_t q = 0; q < HY_NUM_QUANTILES; q++) {
            assert_true(full.quantile_known[q]);
            assert_int_equal(report->quantile_known[q], full.quantile[q] <= caps[i]);
            if (report->quantile_known[q])
                assert_int_equal(report->quantile[q], full.quantile[q]);
            num_known += report->quantile_known[q];
            num_unknown += !report->quantile_known[q];
        }
        clean_up(&cut);
    }
    assert_true(num_known >= 4 && num_unknown >= 4);
}

/* Games that are cut count as such: not as draws, and not among those with a result. */
static void cut_games_have_no_result(void **state)
{
    (void)state;
    subject s;
    build(&s, play_one("holes=4", 200, 1, 100000));
    const hy_condition_report *row = &s.report.conditions[0];
    assert_int_equal(row->terminations[HY_TRUNCATED] + row->terminations[HY_ENDLESS], 200);
    assert_true(row->terminations[HY_TRUNCATED] > 100);
    assert_int_equal(row->results[HY_RESULT_NONE], row->terminations[HY_TRUNCATED]);
    assert_int_equal(row->scored, row->terminations[HY_ENDLESS]);
    clean_up(&s);
}

/* Where all games are won by south, the intervals are finite and do not shut out other results. */
static void all_games_alike(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(50, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=2", "greedy:ties=first", "greedy:ties=first", false);
    experiment_add(&experiment, "holes=3", "greedy:ties=first", "greedy:ties=first", true);
    const char *path = play_all("alike.db", &experiment, 1);
    subject s;
    build(&s, path);
    for (size_t i = 0; i < 3; i++) {
        const hy_condition_report *row = &s.report.conditions[i];
        assert_true(near(row->distinct.estimate, 1));
        assert_true(row->first_player_score.known);
        assert_true(isfinite(row->first_player_score.low) &&
                    isfinite(row->first_player_score.high));
        assert_true(row->first_player_score.low >= 0 && row->first_player_score.high <= 1);
        assert_true(row->first_player_score.low < row->first_player_score.high);
        for (size_t j = 0; j < HY_NUM_RESULTS; j++)
            assert_true(row->shares[j].low >= 0 && row->shares[j].high <= 1 &&
                        row->shares[j].low < row->shares[j].high);
        assert_true(row->length.mean.known && row->length.mean.high >= row->length.mean.low);
        for (size_t q = 1; q < HY_NUM_QUANTILES; q++)
            assert_int_equal(row->length.quantile[q], row->length.longest);
    }
    clean_up(&s);
    file_remove(path);
    hy_experiment_clean_up(&experiment);
}

/* Two games have wide intervals, of which nothing is below 0 or above 1. */
static void two_games(void **state)
{
    (void)state;
    subject s;
    build(&s, play_one("holes=3", 2, 1000, 100000));
    const hy_condition_report *row = &s.report.conditions[0];
    assert_true(row->length.mean.known && row->length.mean.low == 0);
    assert_true(row->length.mean.high > row->length.mean.value);
    assert_true(row->captures.low >= 0 && row->casas.low >= 0 && row->captures_per_ply.low >= 0);
    assert_true(row->chains.low >= 0 && row->chains.high <= 1);
    assert_true(row->chains.low < row->chains.high);
    clean_up(&s);
    file_remove(scratch_path("one.db"));
}

/* One game, and none. */
static void few_games(void **state)
{
    (void)state;
    subject s;
    build(&s, play_one("holes=3", 1, 1000, 100000));
    const hy_condition_report *row = &s.report.conditions[0];
    assert_false(row->length.mean.known || row->captures.known || row->chains.known);
    assert_true(row->first_player_score.known && row->shares[0].known);
    assert_int_equal(row->length.quantile[0], row->length.longest);
    assert_int_equal(row->length.quantile[HY_NUM_QUANTILES - 1], row->length.longest);
    clean_up(&s);

    const char *path = scratch_path("one.db");
    sql(path, "DELETE FROM game; DELETE FROM chain");
    build(&s, path);
    row = &s.report.conditions[0];
    assert_int_equal(row->games, 0);
    assert_false(row->length.mean.known || row->first_player_score.known || row->shares[0].known);
    assert_false(row->length.quantile_known[0]);
    clean_up(&s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_numbers_are_those_of_the_rows),
        cmocka_unit_test(quantiles_by_brute_force),
        cmocka_unit_test(a_cap_changes_nothing_below_it),
        cmocka_unit_test(cut_games_have_no_result),
        cmocka_unit_test(all_games_alike),
        cmocka_unit_test(two_games),
        cmocka_unit_test(few_games),
    };
    return cmocka_run_group_tests_name("report/report", tests, scratch_make, scratch_remove);
}
