/* hoyito bench: speeds, each beside a named baseline measured in the same run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cli/bench_table.h"
#include "cli/cli.h"
#include "sim/threads.h"

static const char doc[] =
    "Measures plies, laps and games a second of random play, nodes and plies a second of the "
    "searching policies, positions a second of the solver, and rows a second of the database.\n\n"
    "  hoyito bench\n"
    "  hoyito bench --json -j 2\n"
    "  hoyito bench --only store --rounds 15\n\n"
    "Each figure is the median of the rounds, in which it takes turns with its baseline; each "
    "ratio the median of those within a round. The "
    "baseline of play is a plain loop that sows counter by counter, keeps nothing of a game, and "
    "gives a sowing up after 1,000 laps; that of the database is a bare insert of the same rows, "
    "in the order of their keys, in one transaction; that of the solver is its own "
    "engine for any rules; that of a policy, the same policy without what is made for small "
    "boards. With two threads or more, rows that end in 'scaling' compare them with one; what "
    "sums in registers gain is what the machine has to give. The machine should have nothing else "
    "to do; if it has, look at the ratios.";

enum { KEY_ROUNDS = 0x300, KEY_ONLY, KEY_MILLISECONDS };

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the table as JSON", 0},
    {"threads", 'j', "N", 0, "threads of the batches and of rows 'scaling'; default: 1", 0},
    {"rounds", KEY_ROUNDS, "N", 0, "rounds, of which the median counts; default: 5", 0},
    {"milliseconds", KEY_MILLISECONDS, "N", 0,
     "about how long each row works in a round; default: 300", 0},
    {"only", KEY_ONLY, "TEXT", 0, "rows with this text in their names, and their baselines", 0},
    {0},
};

#define MAX_ROUNDS 101

typedef struct bench_arguments {
    bool json;
    unsigned threads, rounds;
    double seconds;
    const char *only;
} bench_arguments;

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    bench_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case 'j':
        arguments->threads = (unsigned)hy_cli_number(state, "-j", text, 1, HY_LIMIT_THREADS);
        return 0;
    case KEY_ROUNDS:
        arguments->rounds = (unsigned)hy_cli_number(state, "--rounds", text, 1, MAX_ROUNDS);
        return 0;
    case KEY_MILLISECONDS:
        arguments->seconds = (double)hy_cli_number(state, "--milliseconds", text, 1, 60000) / 1000;
        return 0;
    case KEY_ONLY:
        arguments->only = text;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "there are no arguments, so no '%s'", text);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Medians over the rounds, a second; 0: not counted. */
typedef struct bench_speed {
    double amount, laps, games, answers;
} bench_speed;

typedef struct bench_run {
    hy_bench benches[HY_MAX_BENCHES];
    size_t num_benches;
    bench_speed speeds[HY_MAX_BENCHES];
    double ratios[HY_MAX_BENCHES]; /* to the baseline, likewise; 0: there is none */
} bench_run;

static int compare_reals(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int compare_speeds(const void *a, const void *b)
{
    const bench_speed *x = a, *y = b;
    return (x->amount > y->amount) - (x->amount < y->amount);
}

static hy_status measure_once(const hy_bench *bench, double seconds, bench_speed *speed,
                              hy_error *error)
{
    hy_bench_work work = {0};
    double started = hy_now();
    hy_status status = bench->run(bench, seconds, &work, error);
    double took = work.seconds > 0 ? work.seconds : hy_now() - started;
    *speed =
        (bench_speed){work.amount / took, work.laps / took, work.games / took, work.answers / took};
    return status;
}

/* The median of the ratios within a round, which share what else the machine had to do then. */
static double ratio_to(bench_speed (*speeds)[MAX_ROUNDS], size_t index, size_t baseline,
                       size_t rounds)
{
    double ratios[MAX_ROUNDS] = {0};
    for (size_t round = 0; round < rounds; round++)
        ratios[round] = speeds[index][round].amount / speeds[baseline][round].amount;
    qsort(ratios, rounds, sizeof ratios[0], compare_reals);
    return ratios[rounds / 2];
}

static void sum_up(bench_run *run, bench_speed (*speeds)[MAX_ROUNDS], size_t rounds)
{
    for (size_t i = 0; i < run->num_benches; i++) {
        const char *baseline = run->benches[i].baseline;
        run->ratios[i] = 0;
        for (size_t j = 0; baseline && j < run->num_benches; j++) {
            if (strcmp(run->benches[j].name, baseline) == 0)
                run->ratios[i] = ratio_to(speeds, i, j, rounds);
        }
    }
    for (size_t i = 0; i < run->num_benches; i++) {
        qsort(speeds[i], rounds, sizeof speeds[i][0], compare_speeds);
        run->speeds[i] = speeds[i][rounds / 2];
    }
}

/* All benches in turn, round by round. */
static hy_status measure(bench_run *run, const bench_arguments *arguments, hy_error *error)
{
    bench_speed speeds[HY_MAX_BENCHES][MAX_ROUNDS];
    for (size_t round = 0; round < arguments->rounds; round++) {
        for (size_t i = 0; i < run->num_benches; i++) {
            hy_status status =
                measure_once(&run->benches[i], arguments->seconds, &speeds[i][round], error);
            if (status != HY_OK)
                return status;
        }
    }
    sum_up(run, speeds, arguments->rounds);
    return HY_OK;
}

static json_t *real_or_null(double value)
{
    return value > 0 ? json_real(value) : json_null();
}

static json_t *row_to_json(const bench_run *run, size_t i)
{
    const hy_bench *bench = &run->benches[i];
    const bench_speed *speed = &run->speeds[i];
    return json_pack("{s:s, s:i, s:s, s:f, s:o, s:o, s:o, s:s?, s:o, s:s?}", "name", bench->name,
                     "threads", (int)bench->threads, "unit", bench->unit, "per_second",
                     speed->amount, "laps_per_second", real_or_null(speed->laps),
                     "games_per_second", real_or_null(speed->games), "answers_per_second",
                     real_or_null(speed->answers), "baseline", bench->baseline, "ratio",
                     real_or_null(run->ratios[i]), "path", hy_bench_path(bench));
}

static void print_row(const bench_run *run, size_t i)
{
    const hy_bench *bench = &run->benches[i];
    const bench_speed *speed = &run->speeds[i];
    printf("%-36s %2u thread%s %11.0f %-11s", bench->name, bench->threads,
           bench->threads == 1 ? " " : "s", speed->amount, bench->unit);
    if (speed->laps > 0)
        printf(" %11.0f laps", speed->laps);
    else
        printf(" %16s", "");
    if (speed->games > 0)
        printf(" %10.0f games", speed->games);
    else if (speed->answers > 0)
        printf(" %8.0f answers", speed->answers);
    else
        printf(" %16s", "");
    if (bench->baseline)
        printf("  %6.2f x %s", run->ratios[i], bench->baseline);
    if (hy_bench_path(bench))
        printf(" (%s)", hy_bench_path(bench));
    putchar('\n');
}

static hy_status print_rows(const bench_run *run, bool json, hy_error *error)
{
    if (json) {
        json_t *array = json_array();
        for (size_t i = 0; i < run->num_benches; i++)
            json_array_append_new(array, row_to_json(run, i));
        return hy_print_json(array, JSON_INDENT(2), error);
    }
    puts("All figures a second.");
    for (size_t i = 0; i < run->num_benches; i++)
        print_row(run, i);
    return HY_OK;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE, HY_EXIT_FAILED, HY_EXIT_USAGE, HY_EXIT_STORAGE, {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    bench_arguments arguments = {.threads = 1, .rounds = 5, .seconds = 0.3};
    bench_run run;
    hy_parse_arguments(&hy_command_bench, argc, argv, &arguments);
    run.num_benches = hy_bench_table(arguments.only, arguments.threads, run.benches);
    if (run.num_benches == 0)
        return hy_fail(error, HY_INVALID, "no row has '%s' in its name", arguments.only);
    hy_status status = measure(&run, &arguments, error);
    return status == HY_OK ? print_rows(&run, arguments.json, error) : status;
}

const hy_command hy_command_bench = {
    .name = "bench",
    .summary = "measure speed against named baselines",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
