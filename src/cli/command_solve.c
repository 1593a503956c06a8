/* hoyito solve: makes endgame tables, or checks them. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/cli.h"
#include "cli/progress_bar.h"
#include "config/config.h"
#include "sim/threads.h"
#include "solve/check.h"
#include "solve/folder.h"

#define MEBIBYTE 1048576u

static const char doc[] =
    "Makes endgame tables: the exact value of every position of a variant with few counters on the "
    "board, one file for each number of counters.\n\n"
    "  hoyito solve hoyito-ii --max-counters 16 -o tables\n"
    "  hoyito solve hoyito-ii --max-counters 20 -o tables -j 2\n"
    "  hoyito solve hoyito-ii --max-counters 28 --dry-run   what it would take\n"
    "  hoyito solve --check tables                          are they right?\n"
    "  hoyito value hoyito-ii --tables tables < positions.jsonl\n\n"
    "Captures take whole casas, so there are tables for the numbers of counters that differ from "
    "the "
    "variant's total by casas: on 2x6 with four counters a hole 0, 4, 8 and so on. A value is the "
    "difference of counters still to be won; play that never ends adds nothing. Variants in which "
    "more than the board matters are refused. An interrupted run (SIGINT, SIGTERM, kill) is taken "
    "up by the same command, with the table that it was at. VARIANT is the name of a preset or a "
    "rules file.\n\n"
    "--check compares all checksums, plays every ply of every position by the rules, compares "
    "values with what the plies are worth, and shows that no win rests on plies that go round.";

static const struct argp_option options[] = {
    {"max-counters", HY_KEY_MAX_COUNTERS, "N", 0, "largest number of counters on the board", 0},
    {"output", 'o', "DIR", 0, "folder of the tables", 0},
    {"threads", 'j', "N", 0,
     "threads; default: SLURM_CPUS_PER_TASK, else the processors allowed to this process", 0},
    {"memory", HY_KEY_MEMORY, "MIB", 0,
     "refuse what takes more than so many MiB; default: what this process can have", 0},
    {"dry-run", HY_KEY_DRY_RUN, NULL, 0, "only say what would be made", 0},
    {"check", HY_KEY_CHECK, "DIR", 0, "check the tables in this folder", 0},
    {"json", HY_KEY_JSON, NULL, 0, "results as JSON", 0},
    {0},
};

typedef struct solve_arguments {
    const char *variant;
    const char *output;
    const char *check;
    bool max_given;
    unsigned max_counters;
    uint64_t threads;
    uint64_t memory; /* MiB */
    bool dry_run;
    bool json;
} solve_arguments;

static void check_arguments(const solve_arguments *arguments, const struct argp_state *state)
{
    if (arguments->check && (arguments->output || arguments->max_given || arguments->dry_run))
        argp_error(state, "--check takes a folder, and no --max-counters, -o or --dry-run");
    else if (!arguments->check && !arguments->variant)
        argp_error(state, "a variant is missing: a preset's name or a rules file");
    else if (!arguments->check && !arguments->max_given)
        argp_error(state, "--max-counters is missing");
    else if (!arguments->check && !arguments->output && !arguments->dry_run)
        argp_error(state, "-o, the folder of the tables, is missing");
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    solve_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_MAX_COUNTERS:
        arguments->max_counters = (unsigned)hy_cli_number(state, "--max-counters", text, 0, 255);
        arguments->max_given = true;
        return 0;
    case 'o':
        arguments->output = text;
        return 0;
    case 'j':
        arguments->threads = hy_cli_number(state, "-j", text, 1, HY_LIMIT_THREADS);
        return 0;
    case HY_KEY_MEMORY:
        arguments->memory = hy_cli_number(state, "--memory", text, 1, UINT64_C(1) << 40);
        return 0;
    case HY_KEY_DRY_RUN:
        arguments->dry_run = true;
        return 0;
    case HY_KEY_CHECK:
        arguments->check = text;
        return 0;
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->variant)
            argp_error(state, "one variant at a time; '%s' is too many", text);
        arguments->variant = text;
        return 0;
    case ARGP_KEY_END:
        check_arguments(arguments, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Shows how far the tables are, on stderr. */
typedef struct show {
    hy_progress_bar bar;
    bool started;
    uint64_t before;
} show;

static void on_progress(void *context, const hy_solve_progress *progress)
{
    show *self = context;
    if (!self->started) {
        hy_progress_bar_start(&self->bar, progress->done, progress->total);
        self->bar.unit = "positions";
        self->before = progress->done;
        self->started = true;
    }
    hy_progress_bar_show(&self->bar, progress->done - self->before);
}

static hy_solve_options options_of(const solve_arguments *arguments, show *shown)
{
    return (hy_solve_options){
        .num_threads = hy_thread_count((unsigned)arguments->threads),
        .max_memory = arguments->memory > 0 ? arguments->memory * MEBIBYTE : hy_memory_limit(),
        .stop = &hy_signal,
        .progress = on_progress,
        .context = shown,
    };
}

static void print_layers(const hy_endgame *endgame)
{
    printf("%8s %15s %8s %8s %8s\n", "counters", "positions", "value >0", "=0", "<0");
    for (unsigned i = 0; i < hy_endgame_num_layers(endgame); i++) {
        hy_layer_census census = hy_endgame_census(endgame, i);
        double num = (double)census.positions;
        printf("%8u %15" PRIu64 " %8.4f %8.4f %8.4f\n", census.counters, census.positions,
               (double)census.won / num, (double)census.even / num, (double)census.lost / num);
    }
}

static json_t *layers_json(const hy_endgame *endgame)
{
    json_t *layers = json_array();
    for (unsigned i = 0; i < hy_endgame_num_layers(endgame); i++) {
        hy_layer_census census = hy_endgame_census(endgame, i);
        json_array_append_new(
            layers,
            json_pack("{s:i, s:I, s:I, s:I, s:I}", "counters", (int)census.counters, "positions",
                      (json_int_t)census.positions, "won", (json_int_t)census.won, "even",
                      (json_int_t)census.even, "lost", (json_int_t)census.lost));
    }
    return layers;
}

static hy_status print_plan(const hy_solve_plan *plan, bool json, hy_error *error)
{
    json_t *layers = json ? json_array() : NULL;
    for (unsigned i = 0; i < plan->num_layers; i++) {
        bool counted = plan->positions[i] < UINT64_C(1) << 62;
        if (json)
            json_array_append_new(
                layers,
                json_pack("{s:i, s:o, s:b}", "counters", (int)plan->counters[i], "positions",
                          counted ? json_integer((json_int_t)plan->positions[i]) : json_null(),
                          "present", (int)plan->present[i]));
        else if (counted)
            printf("%3u counters: %" PRIu64 " positions%s\n", plan->counters[i], plan->positions[i],
                   plan->present[i] ? ", there already" : "");
        else
            printf("%3u counters: more positions than can be counted here\n", plan->counters[i]);
    }
    if (json)
        return hy_print_json(json_pack("{s:o, s:f, s:f}", "layers", layers, "memory_bytes",
                                       (double)plan->memory, "disk_bytes", (double)plan->disk),
                             JSON_INDENT(2), error);
    printf("memory: %.1f MiB, and some more while they are made; disk: %.1f MiB to be written\n",
           (double)plan->memory / MEBIBYTE, (double)plan->disk / MEBIBYTE);
    return HY_OK;
}

/* Says on stderr what is going to be made, unless all is there. */
static hy_status announce(const hy_rules *rules, const solve_arguments *arguments, hy_error *error)
{
    hy_solve_plan plan;
    uint64_t positions = 0;
    hy_status status =
        hy_solve_plan_make(rules, arguments->max_counters, arguments->output, &plan, error);
    if (status != HY_OK || plan.memory >= UINT64_C(1) << 62)
        return status; /* too large: refused later, in words */
    for (unsigned i = 0; i < plan.num_layers; i++)
        positions += plan.present[i] ? 0 : plan.positions[i];
    if (positions > 0)
        fprintf(stderr,
                "to be made: %" PRIu64 " positions; memory %.1f MiB and some more, disk %.1f MiB\n",
                positions, (double)plan.memory / MEBIBYTE, (double)plan.disk / MEBIBYTE);
    return HY_OK;
}

static hy_status make(const hy_rules *rules, const solve_arguments *arguments, hy_error *error)
{
    show shown = {0};
    hy_endgame *endgame;
    hy_error fault = {0};
    hy_solve_options how = options_of(arguments, &shown);
    double start = hy_now();
    hy_catch_signals();
    hy_status status = announce(rules, arguments, &fault);
    if (status == HY_OK)
        status = hy_solve_folder(rules, arguments->max_counters, arguments->output, &how, &fault);
    if (shown.started)
        hy_progress_bar_end(&shown.bar, shown.bar.total - shown.before);
    if (status == HY_INTERRUPTED)
        return hy_fail(error, status,
                       "%s; the tables before it are in '%s', and the same command "
                       "goes on",
                       fault.text, arguments->output);
    if (status != HY_OK)
        return hy_fail(error, status, "%s", fault.text);
    fprintf(stderr, "%.1f s, %u threads\n", hy_now() - start, how.num_threads);
    status = hy_endgame_open(arguments->output, rules, &endgame, error);
    if (status != HY_OK)
        return status;
    if (arguments->json)
        status = hy_print_json(
            json_pack("{s:s, s:o}", "tables", arguments->output, "layers", layers_json(endgame)),
            JSON_INDENT(2), error);
    else
        print_layers(endgame);
    hy_endgame_destroy(endgame);
    return status;
}

static hy_status print_checked(const hy_endgame *endgame, const hy_check_result *result, bool json,
                               hy_error *error)
{
    if (json)
        return hy_print_json(json_pack("{s:b, s:i, s:I, s:i}", "right", 1, "layers",
                                       (int)hy_endgame_num_layers(endgame), "positions",
                                       (json_int_t)result->positions, "sweeps",
                                       (int)result->sweeps),
                             JSON_INDENT(2), error);
    printf("all right: %" PRIu64 " positions of up to %u counters (%u sweeps at the most)\n",
           result->positions, hy_endgame_max_counters(endgame), result->sweeps);
    return HY_OK;
}

static hy_status check(const solve_arguments *arguments, hy_error *error)
{
    show shown = {0};
    hy_rules rules;
    hy_variant variant;
    hy_endgame *endgame;
    hy_check_result result;
    hy_solve_options how = options_of(arguments, &shown);
    hy_status status = arguments->variant
                           ? hy_config_variant(arguments->variant, &variant, error)
                           : hy_endgame_folder_rules(arguments->check, &rules, error);
    if (status != HY_OK)
        return status;
    if (arguments->variant)
        rules = variant.rules;
    hy_catch_signals();
    status = hy_endgame_open(arguments->check, &rules, &endgame, error);
    if (status != HY_OK)
        return status;
    status = hy_endgame_verify_files(arguments->check, &rules, error);
    if (status == HY_OK)
        status = hy_endgame_check(endgame, &how, &result, error);
    if (shown.started)
        hy_progress_bar_end(&shown.bar, shown.bar.total - shown.before);
    if (status == HY_OK)
        status = print_checked(endgame, &result, arguments->json, error);
    hy_endgame_destroy(endgame);
    return status;
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "VARIANT",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    {"1", "--check found an error, or another failure"},
    HY_EXIT_USAGE_VARIANT,
    {"3", "the folder holds tables of another variant or version"},
    {"5", "a file that cannot be read or written, or is damaged"},
    HY_EXIT_RESUME,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    solve_arguments arguments = {0};
    hy_variant variant;
    hy_solve_plan plan;
    hy_parse_arguments(&hy_command_solve, argc, argv, &arguments);
    if (arguments.check)
        return check(&arguments, error);
    hy_status status = hy_config_variant(arguments.variant, &variant, error);
    if (status != HY_OK)
        return status;
    if (!arguments.dry_run)
        return make(&variant.rules, &arguments, error);
    status =
        hy_solve_plan_make(&variant.rules, arguments.max_counters, arguments.output, &plan, error);
    return status == HY_OK ? print_plan(&plan, arguments.json, error) : status;
}

const hy_command hy_command_solve = {
    .name = "solve",
    .summary = "make or check endgame tables",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .environment = hy_environment_threads,
};
