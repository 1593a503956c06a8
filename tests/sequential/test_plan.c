/* Plans: is what they promise reached, and do they say when they cannot promise anything? */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sequential/plan.h"
#include "sequential/runs.h"
#include "stats/plan.h"

static hy_experiment experiment_of(const char *rules, const char *south, uint64_t games,
                                   uint64_t seed, hy_record record)
{
    hy_experiment experiment = experiment_new(games, record);
    experiment_add(&experiment, rules, south, "random", false);
    experiment.seed = seed;
    return experiment;
}

/* Plans from a pilot that is played anew; the plan's experiment is gone afterwards. */
static hy_plan plan_of(hy_experiment *pilot, const hy_plan_target *target)
{
    hy_store *store;
    hy_plan plan;
    hy_error error;
    const char *path = run_all("pilot.db", pilot, 1);
    assert_int_equal(hy_store_open(path, &store, &error), HY_OK);
    if (hy_plan_build(store, target, &plan, &error) != HY_OK)
        fail_msg("%s", error.text);
    hy_store_abandon(store);
    file_remove(path);
    plan.experiment = NULL;
    return plan;
}

static hy_status sum_up(void *context, const hy_chunk *chunk, hy_error *error)
{
    return hy_summary_merge(context, &chunk->summary, error);
}

/* Half the width of the metric's interval after that many games. */
static double half_width_after(hy_experiment *experiment, const hy_plan_target *target,
                               uint64_t games)
{
    hy_progress progress;
    hy_summary summary = {0};
    experiment->games = games;
    assert_int_equal(hy_progress_init(&progress, experiment, NULL), HY_OK);
    hy_batch batch = {.experiment = experiment,
                      .progress = &progress,
                      .shard = HY_WHOLE_SHARD,
                      .threads = 1,
                      .record = HY_RECORD_SUMMARY,
                      .consumer = {.context = &summary, .take = sum_up}};
    assert_int_equal(hy_batch_run(&batch, NULL), HY_OK);
    assert_int_equal(summary.games, games);
    hy_stop_metric_sums sums = hy_stop_metric_sum(target->metric, &summary);
    hy_estimate estimate = hy_stop_metric_estimate(target->metric, &sums, target->confidence);
    assert_true(estimate.known);
    hy_summary_clean_up(&summary);
    hy_progress_clean_up(&progress);
    return (estimate.high - estimate.low) / 2;
}

/* With the games of the plan the half width is reached in at least 95 % of the runs, whose seeds
 * are others than the pilots', and not by asking for far too many games. */
static void plans_are_kept(void **state)
{
    (void)state;
    enum { RUNS = 40, PILOT = 400 };
    static const struct {
        const char *rules;
        hy_plan_target target;
    } cases[] = {
        {"holes=2 seeds=4", {HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.95, 0.02, 0, 0}},
        {"holes=2 seeds=4", {HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.95, 0.05, 0, 0}},
        {"holes=2 seeds=4", {HY_STOP_METRIC_PLIES, 0.95, 0.25, 0, 0}},
        {"holes=3 seeds=4", {HY_STOP_METRIC_CHAINS, 0.9, 0.01, 0, 0}},
        {"holes=2 seeds=4", {HY_STOP_METRIC_CAPTURES, 0.95, 0.04, 0, 0}},
        {"holes=2 seeds=4", {HY_STOP_METRIC_ENDLESS, 0.95, 0.015, 0, 0}},
        {"holes=3 seeds=2", {HY_STOP_METRIC_DRAWS, 0.95, 0.003, 0, 0}}, /* 1 in 40,000 */
    };
    unsigned kept = 0;
    for (size_t i = 0; i < NUM(cases); i++) {
        const hy_plan_target *target = &cases[i].target;
        unsigned kept_here = 0;
        double games = 0, needed = 0;
        for (uint64_t run = 0; run < RUNS; run++) {
            hy_experiment experiment =
                experiment_of(cases[i].rules, "random", PILOT, 5000 + run, HY_RECORD_SUMMARY);
            hy_plan plan = plan_of(&experiment, target);
            assert_int_equal(plan.rows[0].fault, HY_PLAN_GOOD);
            experiment.seed = 900000 + run;
            double width = half_width_after(&experiment, target, plan.rows[0].games);
            kept_here += width <= target->half_width;
            games += (double)plan.rows[0].games;
            needed += (double)plan.rows[0].games * pow(width / target->half_width, 2);
            hy_plan_clean_up(&plan);
            hy_experiment_clean_up(&experiment);
        }
        print_message("%s ± %g: kept in %u of %u, with %.0f games where %.0f would do\n",
                      hy_stop_metric_words[target->metric], target->half_width, kept_here, RUNS,
                      games / RUNS, needed / RUNS);
        kept += kept_here;
        assert_true(kept_here >= RUNS * 9 / 10);
        assert_true(target->metric == HY_STOP_METRIC_DRAWS || games < 2.2 * needed);
    }
    assert_true(kept >= 0.95 * RUNS * NUM(cases));
}

static void assert_fault(hy_experiment *experiment, hy_stop_metric metric, hy_plan_fault fault)
{
    hy_plan_target target = {metric, 0.95, 0.01, 0, 0};
    hy_plan plan = plan_of(experiment, &target);
    assert_int_equal(plan.num_rows, 1);
    assert_int_equal(plan.rows[0].fault, fault);
    assert_int_equal(plan.rows[0].games > 0, fault == HY_PLAN_GOOD);
    assert_int_equal(plan.games > 0, fault == HY_PLAN_GOOD);
    assert_int_equal(plan.num_faults, fault != HY_PLAN_GOOD);
    hy_plan_clean_up(&plan);
    hy_experiment_clean_up(experiment);
}

static void what_a_pilot_cannot_carry_is_said(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of("holes=2 seeds=4", "random", 1, 1, HY_RECORD_GAMES);
    assert_fault(&experiment, HY_STOP_METRIC_DRAWS, HY_PLAN_FEW);
    experiment = experiment_of("holes=2 seeds=4", "random", 200, 1, HY_RECORD_GAMES);
    experiment.conditions[0].max_plies = 8;
    hy_experiment same = experiment_copy(&experiment);
    assert_fault(&experiment, HY_STOP_METRIC_PLIES, HY_PLAN_CUT);
    assert_fault(&same, HY_STOP_METRIC_FIRST_PLAYER_SCORE, HY_PLAN_GOOD);
    experiment = experiment_of("holes=2 seeds=4", "random", 200, 1, HY_RECORD_GAMES);
    experiment.conditions[0].max_plies = 1;
    assert_fault(&experiment, HY_STOP_METRIC_FIRST_PLAYER_SCORE, HY_PLAN_FEW);
    experiment = experiment_of("holes=2 seeds=2", "random", 200, 1, HY_RECORD_GAMES);
    assert_fault(&experiment, HY_STOP_METRIC_FIRST_PLAYER_SCORE, HY_PLAN_ALIKE);
}

static void too_much_is_not_asked_for(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of("holes=2 seeds=4", "random", 100, 1, HY_RECORD_GAMES);
    hy_plan_target target = {HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.95, 1e-8, 0, 0};
    hy_plan plan = plan_of(&experiment, &target);
    assert_int_equal(plan.rows[0].fault, HY_PLAN_HUGE);
    assert_int_equal(plan.games, 0);
    hy_plan_clean_up(&plan);
    hy_experiment_clean_up(&experiment);
}

/* Games without a result do not count, so that more have to be played. */
static void games_without_a_result_are_played_for_nothing(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of("holes=2 seeds=4", "random", 900, 1, HY_RECORD_GAMES);
    hy_plan_target target = {HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.95, 0.01, 0, 0};
    experiment.conditions[0].max_plies = 8;
    hy_plan plan = plan_of(&experiment, &target);
    const hy_plan_row *row = &plan.rows[0];
    assert_in_range(row->pilot_counting, 500, 850);
    double counting = (double)row->games * (double)row->pilot_counting / 900;
    double normal = hy_plan_mean_width(row->deviation_limit, 0.01, 0.95);
    assert_true(fabs(counting / normal - 1) < 0.002);
    assert_true(row->deviation_limit > row->deviation);
    hy_plan_clean_up(&plan);
    hy_experiment_clean_up(&experiment);
}

/* The power of a test of two means with the deviation that the pilot allows. */
static void differences_have_their_power(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of("holes=2 seeds=4", "random", 900, 1, HY_RECORD_GAMES);
    hy_plan_target target = {HY_STOP_METRIC_PLIES, 0.95, 0, 0.2, 0.9};
    hy_plan plan = plan_of(&experiment, &target);
    double limit = plan.rows[0].deviation_limit;
    double normal = hy_plan_two_means(0.2, limit, limit, 0.05, 0.9);
    assert_true(fabs((double)plan.rows[0].games / normal - 1) < 0.002);
    hy_plan_clean_up(&plan);
    hy_experiment_clean_up(&experiment);
}

static void add_run(hy_store *store, const char *command, unsigned threads, double seconds)
{
    char json[256];
    int64_t id;
    snprintf(json, sizeof json, "{\"parameters\":{\"command\":[\"%s\"],\"threads\":%u}%s%g%s}",
             command, threads,
             seconds > 0 ? ",\"resources\":{\"elapsed_time\":" : ",\"nothing\":", seconds,
             seconds > 0 ? "}" : "");
    assert_int_equal(hy_store_add_provenance(store, json, &id, NULL), HY_OK);
}

/* Time from the runs that played, as if with the threads of the last one; disk from the rows. */
static void time_and_disk_come_from_the_pilot(void **state)
{
    (void)state;
    for (hy_record record = 0; record < HY_NUM_RECORDS; record++) {
        hy_experiment experiment = experiment_of("holes=2 seeds=4", "random", 2000, 1, record);
        hy_plan_target target = {HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.95, 0.005, 0, 0};
        const char *path = run_all("costs.db", &experiment, 1);
        hy_store *store;
        hy_plan plan;
        assert_int_equal(hy_store_open_for(path, &experiment, &store, NULL), HY_OK);
        assert_int_equal(hy_plan_build(store, &target, &plan, NULL), HY_OK);
        assert_true(isnan(plan.seconds));
        hy_plan_clean_up(&plan);
        add_run(store, "hoyito run", 4, 1.5);
        add_run(store, "hoyito merge", 1, 1000);
        add_run(store, "hoyito run", 2, 7);
        assert_int_equal(hy_plan_build(store, &target, &plan, NULL), HY_OK);
        double ratio = (double)plan.games / 2000;
        assert_int_equal(plan.threads, 2);
        assert_true(fabs(plan.seconds - (4 * 1.5 + 2 * 7) / 2 * ratio) < 1e-6);
        assert_false(plan.seconds_low);
        double bytes = (double)sql_integer(path, "SELECT sum(pgsize) FROM dbstat");
        if (record == HY_RECORD_SUMMARY)
            assert_true(plan.games < HY_BLOCK_GAMES && fabs(plan.bytes / bytes - 1) < 0.1);
        else
            assert_true(plan.bytes > ratio * bytes * 0.5 && plan.bytes < ratio * bytes);
        hy_plan_clean_up(&plan);
        add_run(store, "hoyito run", 1, 0);
        assert_int_equal(hy_plan_build(store, &target, &plan, NULL), HY_OK);
        assert_true(plan.seconds_low);
        hy_plan_clean_up(&plan);
        assert_int_equal(hy_store_close(store, NULL), HY_OK);
        file_remove(path);
        hy_experiment_clean_up(&experiment);
    }
}

/* Three digits, upwards. */
static void the_number_for_the_file_is_round(void **state)
{
    (void)state;
    hy_experiment experiment = experiment_of("holes=2 seeds=4", "random", 300, 1, HY_RECORD_GAMES);
    experiment_add(&experiment, "holes=3 seeds=2", "greedy", "random", true);
    for (double width = 0.2; width > 0.0005; width *= 0.61) {
        hy_plan_target target = {HY_STOP_METRIC_FIRST_PLAYER_SCORE, 0.95, width, 0, 0};
        hy_plan plan = plan_of(&experiment, &target);
        uint64_t most = 0, unit = 1;
        assert_int_equal(plan.num_rows, 3);
        for (size_t i = 0; i < 3; i++)
            most = plan.rows[i].games > most ? plan.rows[i].games : most;
        while (plan.games / unit > 1000)
            unit *= 10;
        assert_true(plan.games >= most && plan.games < most + unit && plan.games % unit == 0);
        assert_int_equal(plan.all_games, 3 * plan.games);
        hy_plan_clean_up(&plan);
    }
    hy_experiment_clean_up(&experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_kept),
        cmocka_unit_test(what_a_pilot_cannot_carry_is_said),
        cmocka_unit_test(too_much_is_not_asked_for),
        cmocka_unit_test(games_without_a_result_are_played_for_nothing),
        cmocka_unit_test(differences_have_their_power),
        cmocka_unit_test(time_and_disk_come_from_the_pilot),
        cmocka_unit_test(the_number_for_the_file_is_round),
    };
    return cmocka_run_group_tests_name("sequential/plan", tests, scratch_make, scratch_remove);
}
