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
#include "report/effects.h"
#include "report/question.h"
#include "store/databases.h"

typedef struct subject {
    question question;
    hy_effects effects;
} subject;

static hy_effects_options options_of(const char *metric, hy_scale scale)
{
    return (hy_effects_options){.metric = hy_metric_find(metric),
                                .scale = scale,
                                .adjustment = HY_ADJUST_HOLM,
                                .confidence = 0.95};
}

static hy_status build(subject *s, const char *path, const hy_effects_options *options,
                       hy_error *error)
{
    question_open(&s->question, path);
    return hy_effects_build(&s->question.groups, options, &s->effects, error);
}

static void open_effects(subject *s, const char *path, const hy_effects_options *options)
{
    hy_error error;
    if (build(s, path, options, &error) != HY_OK)
        fail_msg("%s", error.text);
}

static void clean_up(subject *s)
{
    hy_effects_clean_up(&s->effects);
    question_clean_up(&s->question);
}

static void refuses(const char *path, const hy_effects_options *options, hy_status expected,
                    const char *word)
{
    subject s;
    hy_error error;
    question_refused(build(&s, path, options, &error), expected, &error, word);
    question_clean_up(&s.question);
}

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * (1 + fabs(expected))))
        fail_msg("%.15g is not %.15g", value, expected);
}

static const char *const sides[] = {"any", "opponent", "own"};

/* chain_capture × capture_side × extra_turn, the first `num` of the 12 variants. */
static const char *play_factorial(const char *name, hy_record record, uint64_t games, size_t num,
                                  uint32_t max_plies)
{
    hy_experiment experiment = experiment_new(games, record);
    for (size_t i = 0; i < num; i++) {
        char rules[160];
        snprintf(rules, sizeof rules,
                 "holes=4 seeds=2 chain_capture=%s capture_side=%s extra_turn=%s",
                 i / 6 == 0 ? "true" : "false", sides[i / 2 % 3], i % 2 == 0 ? "true" : "false");
        experiment_add(&experiment, rules, "random", "random", false)->max_plies = max_plies;
    }
    file_remove(scratch_path(name));
    const char *path = play_all(name, &experiment, 2);
    hy_experiment_clean_up(&experiment);
    return path;
}

/* The weight of a level of a factor with so many: + for `level`, − for the first. */
static double weight(unsigned at, unsigned level, unsigned num_levels)
{
    return at == level ? num_levels : at == 0 ? -(double)num_levels : 0;
}

/* The levels of variant i, by factor in the order of the fields. */
static void levels_of(unsigned variant, unsigned levels[3])
{
    levels[0] = variant / 6;
    levels[1] = variant / 2 % 3;
    levels[2] = variant % 2;
}

static const unsigned num_levels[3] = {2, 3, 2};

static double weight_of(const hy_effect *effect, unsigned variant)
{
    unsigned levels[3];
    levels_of(variant, levels);
    double result = weight(levels[effect->factor], effect->level, num_levels[effect->factor]);
    if (effect->other != HY_NO_FACTOR)
        result *= weight(levels[effect->other], effect->other_level, num_levels[effect->other]);
    return result / 12;
}

/* Mean and error of an effect on the plies, number by number of the games, in SQL. */
static void recompute(const char *path, const hy_effect *effect, double *mean, double *error)
{
    char query[2048];
    size_t used = (size_t)snprintf(query, sizeof query,
                                   "WITH e AS (SELECT number, sum(plies * CASE condition_id");
    for (unsigned i = 0; i < 12; i++)
        used += (size_t)snprintf(query + used, sizeof query - used, " WHEN %u THEN %.17g", i + 1,
                                 weight_of(effect, i));
    snprintf(query + used, sizeof query - used,
             " END) AS x FROM game GROUP BY number) SELECT printf('%%!.17g %%!.17g', avg(x), "
             "(avg(x * x) - avg(x) * avg(x)) / (count(*) - 1)) FROM e");
    double variance = 0;
    assert_int_equal(sscanf(sql_text(path, query), "%lf %lf", mean, &variance), 2);
    *error = sqrt(variance);
}

static void effects_are_those_of_the_replicates(void **state)
{
    (void)state;
    const char *path = play_factorial("rows.db", HY_RECORD_GAMES, 200, 12, 100000);
    hy_effects_options options = options_of("plies", HY_SCALE_DIFFERENCE);
    subject s;
    open_effects(&s, path, &options);
    assert_int_equal(s.effects.num_tables, 1);
    const hy_effect_table *table = &s.effects.tables[0];
    assert_int_equal(table->num_effects, 4 + 5);
    assert_true(table->paired);
    for (size_t i = 0; i < table->num_effects; i++) {
        double mean, error;
        recompute(path, &table->effects[i], &mean, &error);
        assert_near(table->effects[i].estimate.value, mean, 1e-9);
        assert_near(table->effects[i].estimate.standard_error, error, 1e-7);
    }
    clean_up(&s);
}

static void shares_add_up(void **state)
{
    (void)state;
    const char *path = play_factorial("shares.db", HY_RECORD_SUMMARY, 200, 12, 100000);
    static const hy_scale scales[] = {HY_SCALE_DIFFERENCE, HY_SCALE_RATIO};
    for (size_t i = 0; i < NUM(scales); i++) {
        hy_effects_options options = options_of("laps_per_ply", scales[i]);
        subject s;
        double sum = 0;
        open_effects(&s, path, &options);
        const hy_effect_table *table = &s.effects.tables[0];
        assert_false(table->paired);
        assert_int_equal(table->num_shares, 6);
        for (size_t j = 0; j < table->num_shares; j++) {
            assert_true(table->shares[j].share >= 0);
            sum += table->shares[j].share;
        }
        assert_near(sum + table->rest, 1, 1e-12);
        assert_true(table->rest > -1e-12);
        clean_up(&s);
    }
}

/* With one rule of two values an effect is what `compare` says of them. */
static void one_rule_is_a_comparison(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(500, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=4 seeds=2", "random", "random", false);
    experiment_add(&experiment, "holes=4 seeds=2 extra_turn=false", "random", "random", false);
    file_remove(scratch_path("one.db"));
    const char *path = play_all("one.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    static const char *const metrics[] = {"plies", "first_player_score", "chains_per_capture",
                                          "hazard"};
    for (size_t i = 0; i < NUM(metrics); i++) {
        hy_effects_options options = options_of(metrics[i], HY_SCALE_RATIO);
        hy_compare_options others = {.metric = options.metric, .confidence = 0.95};
        hy_compare compare;
        subject s;
        open_effects(&s, path, &options);
        assert_int_equal(hy_axis_parse("extra_turn", &others.axis, NULL), HY_OK);
        assert_int_equal(hy_compare_build(&s.question.groups, &others, &compare, NULL), HY_OK);
        const hy_estimate *effect = &s.effects.tables[0].effects[0].estimate;
        assert_near(effect->value, compare.rows[0].ratio.value, 1e-9);
        /* hazards of several rules are not clustered by number, one comparison's are */
        double tolerance = strcmp(metrics[i], "hazard") == 0 ? 0.1 : 1e-9;
        assert_near(effect->low, compare.rows[0].ratio.low, tolerance);
        assert_near(effect->high, compare.rows[0].ratio.high, tolerance);
        hy_compare_clean_up(&compare);
        clean_up(&s);
    }
}

/* On the scale of odds a rule's effect on a share is the odds ratio. */
static void odds_are_odds(void **state)
{
    (void)state;
    const char *path = play_factorial("odds.db", HY_RECORD_SUMMARY, 400, 12, 100000);
    hy_effects_options options = options_of("south_win_share", HY_SCALE_ODDS);
    subject s;
    double expected = 0;
    open_effects(&s, path, &options);
    const hy_effect *effect = &s.effects.tables[0].effects[0];
    for (unsigned i = 0; i < 12; i++) {
        const hy_summary *summary = &s.question.groups.groups[i].summary;
        double won = (double)summary->results[HY_RESULT_SOUTH];
        expected += weight_of(effect, i) * log(won / (400 - won));
    }
    assert_near(effect->estimate.value, exp(expected), 1e-9);
    clean_up(&s);
}

static void what_is_no_factorial_is_refused(void **state)
{
    (void)state;
    hy_effects_options options = options_of("laps_per_ply", HY_SCALE_DIFFERENCE);
    const char *part = play_factorial("part.db", HY_RECORD_SUMMARY, 20, 11, 100000);
    refuses(part, &options, HY_INVALID, "11 of 12 combinations");
    const char *one = play_factorial("single.db", HY_RECORD_SUMMARY, 20, 1, 100000);
    refuses(one, &options, HY_INVALID, "no rule varies");
    const char *cut = play_factorial("cut.db", HY_RECORD_SUMMARY, 20, 12, 5);
    options = options_of("plies", HY_SCALE_DIFFERENCE);
    refuses(cut, &options, HY_FAILED, "hazard");
    options = options_of("median_plies", HY_SCALE_DIFFERENCE);
    refuses(cut, &options, HY_INVALID, "hazard");
    options = options_of("repetition_share", HY_SCALE_RATIO);
    refuses(cut, &options, HY_FAILED, "--scale difference");
}

/* The null effects of a rule that does nothing: their p-values are not small too often. Without a
 * claim rule in reach, `claim_by` never matters. */
static void a_rule_that_does_nothing_has_no_effect(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(300, HY_RECORD_GAMES);
    static const char *const variants[] = {
        "holes=4 seeds=2 claim=0 claim_by=capturer extra_turn=true",
        "holes=4 seeds=2 claim=0 claim_by=capturer extra_turn=false",
        "holes=4 seeds=2 claim=0 claim_by=starter extra_turn=true",
        "holes=4 seeds=2 claim=0 claim_by=starter extra_turn=false",
    };
    for (size_t i = 0; i < NUM(variants); i++)
        experiment_add(&experiment, variants[i], "random", "random", false)->max_plies = 500;
    file_remove(scratch_path("null.db"));
    const char *path = play_all("null.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    hy_effects_options options = options_of("first_player_score", HY_SCALE_DIFFERENCE);
    subject s;
    open_effects(&s, path, &options);
    for (size_t i = 0; i < s.effects.tables[0].num_effects; i++) {
        const hy_effect *effect = &s.effects.tables[0].effects[i];
        bool about_claim = strcmp(s.effects.factors[effect->factor].field->key, "claim_by") == 0 ||
                           effect->other != HY_NO_FACTOR;
        if (!about_claim)
            continue;
        assert_near(effect->estimate.value, 0, 1e-12);
        assert_false(effect->p < 0.9); /* NaN: all pairs alike */
    }
    clean_up(&s);
}

/* The same game over and over says nothing of chance: no test, no interval, and a warning. */
static void one_game_repeated_is_no_evidence(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_new(50, HY_RECORD_GAMES);
    static const char *const variants[] = {"holes=4 seeds=3", "holes=4 seeds=4"};
    for (size_t i = 0; i < NUM(variants); i++)
        experiment_add(&experiment, variants[i], "greedy:ties=first", "greedy:ties=first", false);
    file_remove(scratch_path("same.db"));
    const char *path = play_all("same.db", &experiment, 2);
    hy_experiment_clean_up(&experiment);
    hy_effects_options options = options_of("plies", HY_SCALE_DIFFERENCE);
    subject s;
    open_effects(&s, path, &options);
    const hy_effect *effect = &s.effects.tables[0].effects[0];
    assert_true(effect->estimate.known && fabs(effect->estimate.value) > 0);
    assert_true(isnan(effect->p) && isnan(effect->estimate.low));
    assert_true(hy_group_repeats(&s.question.groups.groups[0]));
    hy_compare_options others = {.metric = hy_metric_find("hazard"), .confidence = 0.95};
    hy_compare compare;
    assert_int_equal(hy_axis_parse("seeds", &others.axis, NULL), HY_OK);
    assert_int_equal(hy_compare_build(&s.question.groups, &others, &compare, NULL), HY_OK);
    assert_null(compare.rows[0].test);
    assert_true(isnan(compare.rows[0].p));
    hy_compare_clean_up(&compare);
    clean_up(&s);
}

/* With few games the level is kept: intervals are Student's. */
static void few_games_keep_the_level(void **state)
{
    (void)state;
    unsigned small = 0, num = 400;
    for (unsigned seed = 1; seed <= num; seed++) {
        hy_experiment experiment = experiment_new(6, HY_RECORD_GAMES);
        experiment.seed = seed;
        /* `claim_by` is nothing without a claim, so the truth is no effect; other random numbers
         * by the opening, which both variants play alike */
        experiment_add(&experiment, "holes=4 seeds=3 claim=0", "random", "random", false)
            ->max_plies = 40;
        experiment_add(&experiment, "holes=4 seeds=3 claim=1", "random", "random", false)
            ->max_plies = 40;
        file_remove(scratch_path("few.db"));
        const char *path = play_all("few.db", &experiment, 1);
        hy_experiment_clean_up(&experiment);
        hy_effects_options options = options_of("captures_per_ply", HY_SCALE_DIFFERENCE);
        subject s;
        open_effects(&s, path, &options);
        small += s.effects.tables[0].effects[0].p < 0.05;
        clean_up(&s);
    }
    if (small > 0.09 * num)
        fail_msg("%u of %u p-values below 0.05", small, num);
}

/* A stop rule ends conditions apart: all games count, and numbers still pair them. */
static void conditions_may_have_different_numbers_of_games(void **state)
{
    (void)state;
    const char *path = play_factorial("apart.db", HY_RECORD_GAMES, 60, 12, 100000);
    sql(path, "DELETE FROM game WHERE condition_id = 3 AND number >= 40;"
              "DELETE FROM chain WHERE condition_id = 3 AND number >= 40");
    hy_effects_options options = options_of("plies", HY_SCALE_DIFFERENCE);
    subject s;
    open_effects(&s, path, &options);
    assert_true(s.effects.tables[0].paired);
    assert_true(s.effects.tables[0].effects[0].estimate.standard_error > 0);
    clean_up(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effects_are_those_of_the_replicates),
        cmocka_unit_test(shares_add_up),
        cmocka_unit_test(one_rule_is_a_comparison),
        cmocka_unit_test(odds_are_odds),
        cmocka_unit_test(what_is_no_factorial_is_refused),
        cmocka_unit_test(a_rule_that_does_nothing_has_no_effect),
        cmocka_unit_test(one_game_repeated_is_no_evidence),
        cmocka_unit_test(few_games_keep_the_level),
        cmocka_unit_test(conditions_may_have_different_numbers_of_games),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
