#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/compare.h"
#include "report/question.h"
#include "stats/two_shares.h"
#include "store/databases.h"
#include "support/golden.h"

#define CONFIDENCE 0.95

/* A comparison, and what it is of. */
typedef struct subject {
    question question;
    hy_compare compare;
} subject;

static hy_compare_options options_of(const char *metric, const char *axis)
{
    hy_compare_options options = {
        .metric = hy_metric_find(metric), .adjustment = HY_ADJUST_HOLM, .confidence = CONFIDENCE};
    assert_non_null(options.metric);
    assert_int_equal(hy_axis_parse(axis, &options.axis, NULL), HY_OK);
    return options;
}

static hy_status build(subject *s, const char *path, const hy_compare_options *options,
                       hy_error *error)
{
    question_open(&s->question, path);
    return hy_compare_build(&s->question.groups, options, &s->compare, error);
}

static void open_comparison(subject *s, const char *path, const hy_compare_options *options)
{
    hy_error error;
    if (build(s, path, options, &error) != HY_OK)
        fail_msg("%s", error.text);
}

static void clean_up(subject *s)
{
    hy_compare_clean_up(&s->compare);
    question_clean_up(&s->question);
}

static void refuses(const char *path, const hy_compare_options *options, hy_status expected,
                    const char *word)
{
    subject s;
    hy_error error;
    question_refused(build(&s, path, options, &error), expected, &error, word);
    question_clean_up(&s.question);
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * (1 + fabs(expected))))
        fail_msg("%.15g is not %.15g", value, expected);
}

/* A variant and one that differs in one rule, played with the same numbers. */
static const char *play_other(const char *name, const char *rule, hy_record record, uint64_t games,
                              uint32_t max_plies)
{
    hy_experiment experiment = experiment_new(games, record);
    char rules[120];
    snprintf(rules, sizeof rules, "holes=4 seeds=3 %s", rule);
    experiment_add(&experiment, "holes=4 seeds=3", "random", "random", false)->max_plies =
        max_plies;
    experiment_add(&experiment, rules, "random", "random", false)->max_plies = max_plies;
    file_remove(scratch_path(name));
    const char *path = play_all(name, &experiment, 2);
    hy_experiment_clean_up(&experiment);
    return path;
}

static const char *play_two(const char *name, hy_record record, uint64_t games, uint32_t max_plies)
{
    return play_other(name, "chain_capture=false", record, games, max_plies);
}

/* The mean of an expression over the pairs of games a (base) and b of the same number. */
static double over_pairs(const char *path, const char *expression)
{
    char query[512];
    snprintf(query, sizeof query,
             "SELECT printf('%%!.17g', avg(%s)) FROM game AS a JOIN game AS b USING (number) "
             "WHERE a.condition_id = 1 AND b.condition_id = 2",
             expression);
    return strtod(sql_text(path, query), NULL);
}

/* The difference and its error are those of the differences within pairs. */
static void games_of_a_number_are_paired(void **state)
{
    (void)state;
    const char *path = play_two("paired.db", HY_RECORD_GAMES, 400, 100000);
    static const char *const metrics[][2] = {
        {"plies", "(b.plies - a.plies)"},
        {"endless_share", "((b.termination = 'endless') - (a.termination = 'endless'))"},
        {"south_win_share", "((b.result = 'south') - (a.result = 'south'))"},
        {"captures", "(b.captures - a.captures)"},
    };
    for (size_t i = 0; i < NUM(metrics); i++) {
        subject s;
        char square[256];
        hy_compare_options options = options_of(metrics[i][0], "chain_capture");
        open_comparison(&s, path, &options);
        assert_int_equal(s.compare.num_rows, 1);
        const hy_compare_row *row = &s.compare.rows[0];
        double mean = over_pairs(path, metrics[i][1]);
        snprintf(square, sizeof square, "%s*%s", metrics[i][1], metrics[i][1]);
        double variance = (over_pairs(path, square) - mean * mean) / 399;
        assert_true(row->paired);
        assert_near(row->difference.value, mean);
        if (strcmp(metrics[i][0], "endless_share") == 0) {
            char only[256];
            snprintf(only, sizeof only, "(%s = 1) * 400", metrics[i][1]);
            uint64_t b = (uint64_t)llround(over_pairs(path, only));
            snprintf(only, sizeof only, "(%s = -1) * 400", metrics[i][1]);
            uint64_t c = (uint64_t)llround(over_pairs(path, only));
            assert_true(b + c < 25 && b + c > 0);
            assert_string_equal(row->test, "mcnemar, exact");
            assert_near(row->p, hy_mcnemar_test(b, c).exact_p);
        } else {
            assert_near(row->difference.standard_error, sqrt(variance));
            assert_near(row->statistic, mean / sqrt(variance));
        }
        assert_near(row->p, row->adjusted);
        clean_up(&s);
    }
}

/* Values and differences are the same from blocks; only their errors cannot be paired. */
static void summaries_have_the_same_values(void **state)
{
    (void)state;
    const char *rows = play_two("rows.db", HY_RECORD_GAMES, 300, 30);
    const char *blocks = play_two("blocks.db", HY_RECORD_SUMMARY, 300, 30);
    unsigned num = 0;
    for (size_t i = 0; i < hy_num_metrics; i++) {
        hy_compare_options options = options_of(hy_metrics[i].word, "chain_capture");
        subject a, b;
        if (hy_metrics[i].kind == HY_METRIC_MEAN)
            continue;
        open_comparison(&a, rows, &options);
        open_comparison(&b, blocks, &options);
        for (size_t j = 0; j < 2; j++) {
            const hy_estimate *x = &a.compare.levels[j].value, *y = &b.compare.levels[j].value;
            assert_int_equal(x->known, y->known);
            assert_memory_equal(&x->value, &y->value, sizeof x->value);
        }
        assert_false(b.compare.rows[0].paired);
        if (a.compare.rows[0].difference.known) {
            assert_near(a.compare.rows[0].difference.value, b.compare.rows[0].difference.value);
            num++;
        }
        clean_up(&a);
        clean_up(&b);
    }
    assert_true(num > 12);
}

static void a_mean_over_cut_games_is_refused(void **state)
{
    (void)state;
    const char *path = play_two("cut.db", HY_RECORD_SUMMARY, 300, 20);
    hy_compare_options options = options_of("plies", "chain_capture");
    refuses(path, &options, HY_FAILED, "restricted_plies");
    options = options_of("captures", "chain_capture");
    refuses(path, &options, HY_FAILED, "captures_per_ply");
    options = options_of("restricted_plies", "chain_capture");
    options.horizon = 21;
    refuses(path, &options, HY_FAILED, "beyond 20 plies");
}

static void what_cannot_be_compared_is_refused(void **state)
{
    (void)state;
    const char *path = play_two("two.db", HY_RECORD_SUMMARY, 50, 1000);
    hy_compare_options options = options_of("draw_share", "holes");
    refuses(path, &options, HY_INVALID, "nothing to compare");
    options = options_of("draw_share", "chain_capture");
    options.baseline = "maybe";
    refuses(path, &options, HY_INVALID, "chain_capture=maybe");
    const hy_metric *metric;
    hy_error error;
    assert_int_equal(hy_metric_parse("plise", &metric, &error), HY_INVALID);
    assert_non_null(strstr(error.text, "'plies'"));
}

/* What is said about the first 25 plies does not depend on where games were cut later. */
static void a_cap_does_not_change_what_is_below_it(void **state)
{
    (void)state;
    const char *low = play_two("low.db", HY_RECORD_GAMES, 300, 25);
    const char *high = play_two("high.db", HY_RECORD_GAMES, 300, 100000);
    hy_compare_options options = options_of("restricted_plies", "chain_capture");
    subject a, b;
    open_comparison(&a, low, &options);
    assert_near(a.compare.horizon, 25);
    options.horizon = 25;
    open_comparison(&b, high, &options);
    for (size_t i = 0; i < 2; i++)
        assert_near(a.compare.levels[i].value.value, b.compare.levels[i].value.value);
    assert_near(a.compare.rows[0].difference.low, b.compare.rows[0].difference.low);
    assert_near(a.compare.rows[0].ratio.high, b.compare.rows[0].ratio.high);
    clean_up(&a);
    clean_up(&b);
}

/* Conditions are compared where all else is alike; policies by the seat they had. */
static void strata_keep_the_rest_alike(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(20, HY_RECORD_GAMES);
    static const char *const variants[] = {"holes=3", "holes=4", "holes=5"};
    for (size_t i = 0; i < NUM(variants); i++) {
        experiment_add(&experiment, variants[i], "random", "random", false);
        experiment_add(&experiment, variants[i], "greedy", "random", true);
    }
    file_remove(scratch_path("strata.db"));
    const char *path = play_all("strata.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    subject s;
    hy_compare_options options = options_of("first_player_score", "holes");
    open_comparison(&s, path, &options);
    assert_int_equal(s.compare.num_strata, 3); /* random-random, and both seatings of greedy */
    assert_int_equal(s.compare.num_rows, 6);
    clean_up(&s);
    options.all_pairs = true;
    open_comparison(&s, path, &options);
    assert_int_equal(s.compare.num_rows, 9);
    clean_up(&s);
    options = options_of("first_player_score", "south");
    open_comparison(&s, path, &options);
    /* for each width: north random (random, greedy south), north greedy (random south) */
    assert_int_equal(s.compare.num_strata, 6);
    assert_int_equal(s.compare.num_rows, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(s.compare.levels[s.compare.rows[i].level].level, "greedy");
        assert_string_equal(s.compare.levels[s.compare.rows[i].base].level, "random");
    }
    clean_up(&s);
}

/* The true score of south under random play. */
static double true_score(const json_t *answers, unsigned holes, unsigned seeds)
{
    for (size_t i = 0; i < json_array_size(answers); i++) {
        const json_t *one = json_array_get(answers, i);
        const json_t *random = json_object_get(one, "random");
        if (golden_integer(one, "holes") == holes && golden_integer(one, "seeds") == seeds &&
            json_array_size(json_object_get(one, "rules")) == 0)
            return golden_real(random, "p_south") + golden_real(random, "p_draw") / 2;
    }
    fail_msg("no exact answer for 2×%u with %u", holes, seeds);
    return 0;
}

/* Over many seeds the interval of the difference covers the exact one at its level: the games of
 * both variants draw the same random numbers, and the interval knows. */
static void intervals_cover(void **state)
{
    (void)state;
    json_t *answers = golden_load("exact.json");
    double truth = true_score(answers, 2, 5) - true_score(answers, 2, 4);
    unsigned covered = 0, num = 160;
    for (unsigned seed = 1; seed <= num; seed++) {
        hy_experiment experiment = experiment_new(150, HY_RECORD_GAMES);
        subject s;
        experiment.seed = seed;
        experiment_add(&experiment, "holes=2 seeds=4", "random", "random", false);
        experiment_add(&experiment, "holes=2 seeds=5", "random", "random", false);
        file_remove(scratch_path("cover.db"));
        const char *path = play_all("cover.db", &experiment, 1);
        hy_experiment_clean_up(&experiment);
        hy_compare_options options = options_of("first_player_score", "seeds");
        open_comparison(&s, path, &options);
        const hy_estimate *difference = &s.compare.rows[0].difference;
        covered += difference->low <= truth && truth <= difference->high;
        clean_up(&s);
    }
    json_decref(answers);
    /* 152 expected, standard deviation 2.8 */
    if (covered < 141 || covered > 159)
        fail_msg("%u of %u intervals cover", covered, num);
}

static void adjustment_is_over_all_rows(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(100, HY_RECORD_SUMMARY);
    static const char *const variants[] = {"holes=3", "holes=4", "holes=5", "holes=6"};
    for (size_t i = 0; i < NUM(variants); i++)
        experiment_add(&experiment, variants[i], "random", "random", false);
    file_remove(scratch_path("many.db"));
    const char *path = play_all("many.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    subject s;
    hy_compare_options options = options_of("branching_factor", "holes");
    options.adjustment = HY_ADJUST_BONFERRONI;
    options.baseline = "4";
    open_comparison(&s, path, &options);
    assert_int_equal(s.compare.num_rows, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(s.compare.levels[s.compare.rows[i].base].level, "4");
        assert_near(s.compare.rows[i].adjusted, fmin(1, 3 * s.compare.rows[i].p));
    }
    clean_up(&s);
}

/* Hazards are clustered by number, so that pairs of alike games do not hide a difference. */
static void hazards_know_of_pairs(void **state)
{
    (void)state;
    const char *rows = play_other("hazard.db", "endless=forbid", HY_RECORD_GAMES, 600, 60);
    const char *blocks = play_other("blocks.db", "endless=forbid", HY_RECORD_SUMMARY, 600, 60);
    hy_compare_options options = options_of("hazard", "endless");
    subject a, b;
    open_comparison(&a, rows, &options);
    open_comparison(&b, blocks, &options);
    const hy_compare_row *paired = &a.compare.rows[0], *apart = &b.compare.rows[0];
    assert_true(paired->paired && !apart->paired);
    assert_near(paired->ratio.value, apart->ratio.value);
    assert_true(paired->ratio.standard_error < 0.5 * apart->ratio.standard_error);
    clean_up(&a);
    clean_up(&b);
    options.margin = 0.1;
    refuses(rows, &options, HY_INVALID, "a hazard is a ratio");
}

/* On the axis `swapped` the seatings of a condition are compared. */
static void seatings_can_be_compared(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(40, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=4", "greedy", "random", true);
    file_remove(scratch_path("seats.db"));
    const char *path = play_all("seats.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    subject s;
    hy_compare_options options = options_of("first_player_score", "swapped");
    open_comparison(&s, path, &options);
    assert_int_equal(s.compare.num_rows, 1);
    assert_true(s.compare.rows[0].difference.value < 0);
    clean_up(&s);
}

/* Without chance in the games the margin is judged by the interval. */
static void a_margin_without_a_test(void **state)
{
    (void)state;
    const char *path = play_two("none.db", HY_RECORD_SUMMARY, 500, 100000);
    hy_compare_options options = options_of("repetition_share", "chain_capture");
    options.margin = 0.02;
    subject s;
    open_comparison(&s, path, &options);
    assert_true(s.compare.rows[0].equivalence.known && s.compare.rows[0].equivalence.equivalent);
    clean_up(&s);
    options.margin = 0.001;
    open_comparison(&s, path, &options);
    assert_false(s.compare.rows[0].equivalence.equivalent);
    clean_up(&s);
}

/* Fairness is shown by an interval within the margin, not by a large p. */
static void equivalence_needs_games(void **state)
{
    (void)state;
    bool shown[2];
    static const uint64_t games[] = {20, 20000};
    for (size_t i = 0; i < 2; i++) {
        subject s;
        const char *path = play_two("margin.db", HY_RECORD_GAMES, games[i], 100000);
        hy_compare_options options = options_of("first_player_score", "chain_capture");
        options.margin = 0.13;
        open_comparison(&s, path, &options);
        assert_true(s.compare.rows[0].equivalence.known);
        shown[i] = s.compare.rows[0].equivalence.equivalent;
        clean_up(&s);
    }
    assert_false(shown[0]);
    assert_true(shown[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_a_number_are_paired),
        cmocka_unit_test(summaries_have_the_same_values),
        cmocka_unit_test(a_mean_over_cut_games_is_refused),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
        cmocka_unit_test(a_cap_does_not_change_what_is_below_it),
        cmocka_unit_test(strata_keep_the_rest_alike),
        cmocka_unit_test(intervals_cover),
        cmocka_unit_test(adjustment_is_over_all_rows),
        cmocka_unit_test(equivalence_needs_games),
        cmocka_unit_test(hazards_know_of_pairs),
        cmocka_unit_test(seatings_can_be_compared),
        cmocka_unit_test(a_margin_without_a_test),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
