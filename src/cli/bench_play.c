/* Benches of play and search. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/bench.h"
#include "cli/plain_game.h"
#include "policy/lanes.h"
#include "policy/policy.h"
#include "sim/game.h"

hy_status hy_bench_experiment(const hy_bench *bench, uint64_t games, hy_experiment *experiment,
                              hy_error *error)
{
    hy_condition *condition = calloc(1, sizeof *condition);
    *experiment = (hy_experiment){
        .name = strdup("bench"),
        .question = strdup(""),
        .seed = 1,
        .games = games,
        .record = bench->record,
        .conditions = condition,
        .num_conditions = condition ? 1 : 0,
    };
    if (!condition || !experiment->name || !experiment->question)
        return hy_fail_memory(error);
    condition->max_plies = HY_DEFAULT_MAX_PLIES;
    condition->max_laps = HY_DEFAULT_MAX_LAPS;
    hy_status status = hy_rules_parse(bench->rules, &condition->rules, error);
    if (status == HY_OK)
        status = hy_policy_spec_parse("random", &condition->first, error);
    if (status == HY_OK)
        status = hy_policy_spec_parse("random", &condition->second, error);
    return status;
}

hy_status hy_bench_plain(const hy_bench *bench, double seconds, hy_bench_work *work,
                         hy_error *error)
{
    hy_rules rules;
    hy_status status = hy_rules_parse(bench->rules, &rules, error);
    double until = hy_now() + seconds;
    while (status == HY_OK && (work->games == 0 || hy_now() < until)) {
        uint64_t laps;
        work->amount += hy_plain_games(rules.holes, rules.seeds, 20, &laps);
        work->laps += (double)laps;
        work->games += 20;
    }
    return status;
}

static void count(hy_bench_work *work, const hy_game_record *record)
{
    work->amount += record->plies;
    work->laps += (double)record->laps;
    work->games++;
}

static hy_status play_table(const hy_bench *bench, bool by_plies, double seconds,
                            hy_bench_work *work, hy_error *error)
{
    hy_experiment experiment;
    hy_table table = {0};
    hy_game_record record;
    hy_status status = hy_bench_experiment(bench, 1, &experiment, error);
    if (status == HY_OK)
        status = hy_table_init(&table, &experiment.conditions[0], false, error);
    double until = hy_now() + seconds;
    for (uint64_t number = 0;
         status == HY_OK && (number == 0 || number % 16 > 0 || hy_now() < until); number++) {
        status = by_plies ? hy_table_play_by_plies(&table, 1, number, NULL, &record, error)
                          : hy_table_play(&table, 1, number, NULL, &record, error);
        if (status == HY_OK)
            count(work, &record);
    }
    hy_table_clean_up(&table);
    hy_experiment_clean_up(&experiment);
    return status;
}

hy_status hy_bench_singly(const hy_bench *bench, double seconds, hy_bench_work *work,
                          hy_error *error)
{
    return play_table(bench, false, seconds, work, error);
}

hy_status hy_bench_by_plies(const hy_bench *bench, double seconds, hy_bench_work *work,
                            hy_error *error)
{
    return play_table(bench, true, seconds, work, error);
}

/* Games in lanes, which are counted and dropped. */
typedef struct hy_stream_of_games {
    hy_table table;
    hy_bench_work *work;
    uint64_t next;
    double until;
    bool over;
} hy_stream_of_games;

static bool next_game(void *context, uint64_t *number)
{
    hy_stream_of_games *games = context;
    *number = games->next++;
    return !games->over;
}

static hy_status drop_game(void *context, const hy_game_record *record, const hy_hole_list *holes,
                           hy_error *error)
{
    hy_stream_of_games *games = context;
    (void)holes;
    (void)error;
    count(games->work, record);
    return HY_OK;
}

static hy_status play_one(void *context, uint64_t number, hy_hole_list *holes,
                          hy_game_record *record, hy_error *error)
{
    hy_stream_of_games *games = context;
    return hy_table_play(&games->table, 1, number, holes, record, error);
}

/* Games that have begun are played to their ends, so that long ones do not count for less. */
static bool time_is_up(void *context)
{
    hy_stream_of_games *games = context;
    games->over = games->work->games > 0 && hy_now() > games->until;
    return false;
}

static hy_status play_in_lanes(const hy_bench *bench, double seconds, hy_bench_work *work,
                               hy_error *error)
{
    hy_experiment experiment;
    hy_stream_of_games games = {.work = work, .until = hy_now() + seconds};
    hy_playout_terms terms;
    hy_status status = hy_bench_experiment(bench, 1, &experiment, error);
    if (status == HY_OK)
        status = hy_table_init(&games.table, &experiment.conditions[0], false, error);
    if (status == HY_OK && hy_condition_has_lanes(&experiment.conditions[0], &terms)) {
        hy_lanes_job job = {.terms = &terms,
                            .seed = 1,
                            .client = {.context = &games,
                                       .next = next_game,
                                       .take = drop_game,
                                       .play = play_one,
                                       .stopped = time_is_up}};
        hy_lanes_path paths[HY_MAX_LANES_PATHS];
        hy_lanes_paths(terms.rules, paths);
        status = paths[bench->path].play(&job, error);
    }
    hy_table_clean_up(&games.table);
    hy_experiment_clean_up(&experiment);
    return status;
}

hy_status hy_bench_lanes(const hy_bench *bench, double seconds, hy_bench_work *work,
                         hy_error *error)
{
    return hy_bench_in_threads(play_in_lanes, bench, seconds, work, error);
}

/* A position from the middle of a game on 2×6. */
#define MIDDLE "4 0 2 7 1 6 0 9 1 3 2 1/4 8 south"

hy_status hy_bench_search(const hy_bench *bench, double seconds, hy_bench_work *work,
                          hy_error *error)
{
    hy_rules rules;
    hy_position position;
    hy_moves moves;
    hy_policy_spec *spec = NULL;
    hy_policy *policy = NULL;
    hy_stream stream = hy_stream_make(1, 0, HY_PURPOSE_SOUTH);
    hy_analysis analysis;
    hy_status status = hy_rules_parse(bench->rules, &rules, error);
    if (status == HY_OK)
        status = hy_position_parse(&rules, MIDDLE, &position, error);
    if (status == HY_OK)
        status = hy_policy_spec_parse(bench->what, &spec, error);
    if (status == HY_OK)
        status = hy_policy_new(spec, &rules, &policy, error);
    if (bench->general)
        hy_policy_generalise(policy);
    double until = hy_now() + seconds;
    while (status == HY_OK && (work->amount == 0 || hy_now() < until)) {
        hy_legal_moves(&rules, &position, HY_DEFAULT_MAX_LAPS, &moves);
        hy_choice choice = {.rules = &rules,
                            .position = &position,
                            .moves = &moves,
                            .max_laps = HY_DEFAULT_MAX_LAPS,
                            .stream = &stream};
        hy_policy_new_game(policy);
        status = policy->type->analyse(policy, &choice, &analysis, error);
        work->amount += (double)analysis.nodes;
        work->answers++;
    }
    hy_policy_destroy(policy);
    hy_policy_spec_destroy(spec);
    return status;
}
