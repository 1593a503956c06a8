/* hoyito bench: speeds, each beside a named baseline measured in the same run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/words.h"
#include "cli/cli.h"
#include "cli/plain_game.h"
#include "sim/threads.h"
#include "store/store.h"

static const char doc[] =
    "Measures plies a second of random play, games a second of stored batches, and how much the "
    "searching policies see of a position in a second.\n\n"
    "  hoyito bench\n"
    "  hoyito bench --json -j 2\n\n"
    "Each figure is the median of five rounds, in which it takes turns with its baseline. The "
    "baseline of play is a plain loop that sows counter by counter, keeps nothing of a game, and "
    "gives a sowing up after 1,000 laps.";

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the table as JSON", 0},
    {"threads", 'j', "N", 0, "threads of the batches; default: 1", 0},
    {0},
};

typedef struct bench_arguments {
    bool json;
    uint64_t threads;
} bench_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    bench_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case 'j':
        arguments->threads = hy_cli_number(state, "-j", text, 1, HY_LIMIT_THREADS);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "there are no arguments, so no '%s'", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

#define NUM_ROUNDS 5
#define ROUND_SECONDS 0.3
#define SUMMARY_GAMES 1000000 /* of a stored batch: about a second */
#define ROW_GAMES 40000

/* What is measured: does some work and says how much, in its unit. */
typedef struct hy_bench {
    const char *name;
    const char *unit;
    const char *baseline; /* the name of the bench that it is compared with */
    hy_status (*work)(const struct hy_bench *bench, double *amount, hy_error *error);
    const char *rules;
    hy_record record;
    unsigned threads;
    const char *policy; /* that searches */
} hy_bench;

static hy_status make_experiment(const hy_bench *bench, uint64_t games, hy_experiment *experiment,
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
        .num_conditions = 1,
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

static hy_status play_plain(const hy_bench *bench, double *amount, hy_error *error)
{
    hy_rules rules;
    hy_status status = hy_rules_parse(bench->rules, &rules, error);
    double until = hy_now() + ROUND_SECONDS;
    while (status == HY_OK && hy_now() < until)
        *amount += hy_plain_games(rules.holes, rules.seeds, 20);
    return status;
}

/* Games one after the other, as hy_table_play or hy_table_play_by_plies plays them. */
static hy_status play_table(const hy_bench *bench, bool by_plies, double *amount, hy_error *error)
{
    hy_experiment experiment;
    hy_table table = {0};
    hy_game_record record;
    hy_status status = make_experiment(bench, 1, &experiment, error);
    if (status == HY_OK)
        status = hy_table_init(&table, &experiment.conditions[0], false, error);
    double until = hy_now() + ROUND_SECONDS;
    for (uint64_t number = 0; status == HY_OK && (number % 16 > 0 || hy_now() < until); number++) {
        status = by_plies ? hy_table_play_by_plies(&table, 1, number, NULL, &record, error)
                          : hy_table_play(&table, 1, number, NULL, &record, error);
        *amount += record.plies;
    }
    hy_table_clean_up(&table);
    hy_experiment_clean_up(&experiment);
    return status;
}

static hy_status play_singly(const hy_bench *bench, double *amount, hy_error *error)
{
    return play_table(bench, false, amount, error);
}

static hy_status play_by_plies(const hy_bench *bench, double *amount, hy_error *error)
{
    return play_table(bench, true, amount, error);
}

/* Games in lanes, which are counted and dropped. */
typedef struct hy_stream_of_games {
    hy_table table;
    uint64_t next;
    double plies, until;
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
    games->plies += record->plies;
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
    games->over = hy_now() > games->until;
    return false;
}

static hy_status play_lanes(const hy_bench *bench, double *amount, hy_error *error)
{
    hy_experiment experiment;
    hy_stream_of_games games = {.until = hy_now() + ROUND_SECONDS};
    hy_playout_terms terms;
    hy_status status = make_experiment(bench, 1, &experiment, error);
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
        status = hy_lanes_play(&job, error);
    }
    *amount = games.plies;
    hy_table_clean_up(&games.table);
    hy_experiment_clean_up(&experiment);
    return status;
}

/* A batch into a store, or the bare inserts of its rows. */
typedef struct hy_filling {
    hy_store *store;
    double plies;
    double games;
} hy_filling;

static hy_status fill(void *context, const hy_chunk *chunk, hy_error *error)
{
    hy_filling *filling = context;
    filling->plies += (double)chunk->num_plies;
    filling->games += (double)chunk->num_games;
    return hy_store_take(filling->store, chunk, error);
}

static hy_status run_batch(const hy_bench *bench, hy_experiment *experiment, hy_filling *filling,
                           hy_error *error)
{
    hy_progress progress;
    hy_status status = hy_progress_init(&progress, experiment, error);
    if (status != HY_OK)
        return status;
    hy_batch batch = {
        .experiment = experiment,
        .progress = &progress,
        .shard = HY_WHOLE_SHARD,
        .threads = bench->threads,
        .record = bench->record,
        .consumer = {.context = filling, .take = fill},
    };
    status = hy_batch_run(&batch, error);
    hy_progress_clean_up(&progress);
    return status;
}

static hy_status store_games(const hy_bench *bench, double *amount, hy_error *error)
{
    const char *parent = getenv("TMPDIR");
    char folder[512], path[544];
    hy_experiment experiment;
    hy_filling filling = {0};
    snprintf(folder, sizeof folder, "%s/hoyito-bench-XXXXXX", parent ? parent : P_tmpdir);
    if (!mkdtemp(folder))
        return hy_fail(error, HY_STORAGE, "cannot make the folder '%s'", folder);
    snprintf(path, sizeof path, "%s/bench.db", folder);
    uint64_t games = bench->record == HY_RECORD_SUMMARY ? SUMMARY_GAMES : ROW_GAMES;
    hy_status status = make_experiment(bench, games, &experiment, error);
    if (status == HY_OK)
        status = hy_store_open_for(path, &experiment, &filling.store, error);
    if (status == HY_OK)
        status = run_batch(bench, &experiment, &filling, error);
    if (status == HY_OK)
        status = hy_store_close(filling.store, error);
    else
        hy_store_abandon(filling.store);
    *amount = strcmp(bench->unit, "games") == 0 ? filling.games : filling.plies;
    unlink(path);
    rmdir(folder);
    hy_experiment_clean_up(&experiment);
    return status;
}

/* A position from the middle of a game on 2×6. */
#define MIDDLE "4 0 2 7 1 6 0 9 1 3 2 1/4 8 south"

static hy_status search(const hy_bench *bench, double *amount, hy_error *error)
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
        status = hy_policy_spec_parse(bench->policy, &spec, error);
    if (status == HY_OK)
        status = hy_policy_new(spec, &rules, &policy, error);
    double until = hy_now() + ROUND_SECONDS;
    while (status == HY_OK && hy_now() < until) {
        hy_legal_moves(&rules, &position, HY_DEFAULT_MAX_LAPS, &moves);
        hy_choice choice = {.rules = &rules,
                            .position = &position,
                            .moves = &moves,
                            .max_laps = HY_DEFAULT_MAX_LAPS,
                            .stream = &stream};
        hy_policy_new_game(policy);
        status = policy->type->analyse(policy, &choice, &analysis, error);
        *amount += (double)analysis.nodes;
    }
    hy_policy_destroy(policy);
    hy_policy_spec_destroy(spec);
    return status;
}

#define DEFAULTS "holes=6"
#define WIDE "holes=12"
#define SIX "seeds=6"
#define EN_PASSANT "en_passant=sower chain_capture=false extra_turn=false"
#define PLAIN "2x6 plain loop"
#define PLAIN_WIDE "2x12 plain loop"
#define PLAIN_SIX "2x6 six counters plain loop"

/* `threads` 0 is filled in. */
static hy_bench benches[] = {
    {PLAIN, "plies", NULL, play_plain, DEFAULTS, HY_RECORD_SUMMARY, 1, NULL},
    {"2x6 random", "plies", PLAIN, play_lanes, DEFAULTS, HY_RECORD_SUMMARY, 1, NULL},
    {"2x6 random, record: summary", "plies", PLAIN, store_games, DEFAULTS, HY_RECORD_SUMMARY, 0,
     NULL},
    {"2x6 random, record: games", "games", NULL, store_games, DEFAULTS, HY_RECORD_GAMES, 0, NULL},
    {"2x6 random, one at a time", "plies", PLAIN, play_singly, DEFAULTS, HY_RECORD_SUMMARY, 1,
     NULL},
    {"2x6 random, ply by ply", "plies", PLAIN, play_by_plies, DEFAULTS, HY_RECORD_SUMMARY, 1, NULL},
    {"2x6 en passant random", "plies", PLAIN, play_lanes, EN_PASSANT, HY_RECORD_SUMMARY, 1, NULL},
    {PLAIN_WIDE, "plies", NULL, play_plain, WIDE, HY_RECORD_SUMMARY, 1, NULL},
    {"2x12 random", "plies", PLAIN_WIDE, play_lanes, WIDE, HY_RECORD_SUMMARY, 1, NULL},
    {PLAIN_SIX, "plies", NULL, play_plain, SIX, HY_RECORD_SUMMARY, 1, NULL},
    {"2x6 six counters random", "plies", PLAIN_SIX, play_lanes, SIX, HY_RECORD_SUMMARY, 1, NULL},
    {"2x6 alphabeta:depth=9", "nodes", PLAIN, search, DEFAULTS, HY_RECORD_SUMMARY, 1,
     "alphabeta:depth=9"},
    {"2x6 mcts:iterations=2000", "plies", PLAIN, search, DEFAULTS, HY_RECORD_SUMMARY, 1,
     "mcts:iterations=2000"},
};

#define NUM_BENCHES (sizeof benches / sizeof benches[0])

static int compare_rates(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* All benches in turn, round by round; the median rate of each. */
static hy_status measure(double medians[NUM_BENCHES], hy_error *error)
{
    double rates[NUM_BENCHES][NUM_ROUNDS];
    for (size_t round = 0; round < NUM_ROUNDS; round++) {
        for (size_t i = 0; i < NUM_BENCHES; i++) {
            double amount = 0, started = hy_now();
            hy_status status = benches[i].work(&benches[i], &amount, error);
            if (status != HY_OK)
                return status;
            rates[i][round] = amount / (hy_now() - started);
        }
    }
    for (size_t i = 0; i < NUM_BENCHES; i++) {
        qsort(rates[i], NUM_ROUNDS, sizeof rates[i][0], compare_rates);
        medians[i] = rates[i][NUM_ROUNDS / 2];
    }
    return HY_OK;
}

static double baseline_rate(const hy_bench *bench, const double *medians)
{
    for (size_t i = 0; bench->baseline && i < NUM_BENCHES; i++) {
        if (strcmp(benches[i].name, bench->baseline) == 0)
            return medians[i];
    }
    return 0;
}

/* How the games of a bench are played on this machine; NULL where it plays none in lanes. */
static const char *path_of(const hy_bench *bench)
{
    static hy_lanes_path paths[HY_MAX_LANES_PATHS];
    hy_rules rules;
    if ((bench->work != play_lanes && bench->work != store_games) ||
        hy_rules_parse(bench->rules, &rules, NULL) != HY_OK)
        return NULL;
    hy_lanes_paths(&rules, paths);
    return paths[0].name;
}

static hy_status print_rows(const double *medians, bool json, hy_error *error)
{
    json_t *array = json_array();
    for (size_t i = 0; i < NUM_BENCHES; i++) {
        const hy_bench *bench = &benches[i];
        double base = baseline_rate(bench, medians);
        json_array_append_new(
            array, json_pack("{s:s, s:i, s:s, s:f, s:s?, s:o, s:s?}", "name", bench->name,
                             "threads", (int)bench->threads, "unit", bench->unit, "per_second",
                             medians[i], "baseline", bench->baseline, "ratio",
                             base > 0 ? json_real(medians[i] / base) : json_null(), "path",
                             path_of(bench)));
        if (json)
            continue;
        printf("%-30s %2u thread%s %12.0f %s/s", bench->name, bench->threads,
               bench->threads == 1 ? " " : "s", medians[i], bench->unit);
        if (base > 0)
            printf("   %.2f x %s", medians[i] / base, bench->baseline);
        if (path_of(bench))
            printf("   (%s)", path_of(bench));
        putchar('\n');
    }
    if (json)
        return hy_print_json(array, JSON_INDENT(2), error);
    json_decref(array);
    return HY_OK;
}

hy_status hy_command_bench(int argc, char **argv, hy_error *error)
{
    static const struct argp argp = {options, parse_option, NULL, doc, NULL, NULL, NULL};
    bench_arguments arguments = {.threads = 1};
    double medians[NUM_BENCHES];
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    for (size_t i = 0; i < NUM_BENCHES; i++) {
        if (benches[i].threads == 0)
            benches[i].threads = (unsigned)arguments.threads;
    }
    hy_status status = measure(medians, error);
    return status == HY_OK ? print_rows(medians, arguments.json, error) : status;
}
