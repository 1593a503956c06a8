/* hoyito prove: the exact value of a start position, by search over endgame tables. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/words.h"
#include "cli/cli.h"
#include "cli/prove_progress.h"
#include "config/config.h"
#include "sim/threads.h"
#include "solve/endgame.h"
#include "solve/prove.h"

#define TABLE_POSITIONS 15e6 /* of the tables that are made when nothing is said */

static const char doc[] =
    "Proves the value of the start of a variant: by how many counters south wins, less those of "
    "north, when both play perfectly.\n\n"
    "  hoyito prove hoyito-ii\n"
    "  hoyito prove hoyito-ii --tables tables/hoyito-ii -j 2 --json\n"
    "  hoyito prove my_rules.yaml --time 600 --memory 4G\n"
    "  hoyito prove hoyito-ii-2x12 --sign               only who wins\n\n"
    "Claims \"south wins at least so much\" and \"north does\" are searched with growing effort "
    "over "
    "tables of exact values for few counters. Each that is proved narrows the bounds; where they "
    "meet, the value is proved. Stopped before (--time, --level, SIGINT), the bounds so far are "
    "printed; they are right, but not the value. A value that rests on play for ever can need the "
    "table of the start itself.\n\n"
    "In the answer `best` are first holes that attain the value, `open` those of which it is not "
    "known, and `line` is "
    "best play until the tables know. VARIANT is the name of a preset or a rules file.";

enum {
    KEY_TABLES = 0x500,
    KEY_MAX_COUNTERS,
    KEY_MEMORY,
    KEY_TIME,
    KEY_LEVEL,
    KEY_SIGN,
    KEY_VERIFY,
};

static const struct argp_option options[] = {
    {"tables", KEY_TABLES, "DIR", 0, "tables that `hoyito solve` wrote; default: made in memory",
     0},
    {"max-counters", KEY_MAX_COUNTERS, "N", 0,
     "tables of up to N counters; default: as many as take some seconds to make, or all of DIR", 0},
    {"max-laps", HY_KEY_MAX_LAPS, "N", 0,
     "give up sowings that last for longer; they prove nothing then, and where they are many a "
     "small N saves much time (default 10000000)",
     0},
    {"memory", KEY_MEMORY, "SIZE", 0,
     "of the transposition table: MiB, or a number with K, M or G; default 256M", 0},
    {"time", KEY_TIME, "SECONDS", 0, "stop the search then, with the bounds so far", 0},
    {"level", KEY_LEVEL, "N", 0, "give up where proof numbers pass 2^(N/2) (default 62)", 0},
    {"threads", 'j', "N", 0,
     "threads; default: SLURM_CPUS_PER_TASK, else the processors allowed to this process", 0},
    {"sign", KEY_SIGN, NULL, 0, "only who wins", 0},
    {"verify", KEY_VERIFY, NULL, 0, "check both bounds by walking a whole strategy for each", 0},
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {0},
};

typedef struct prove_arguments {
    const char *variant;
    const char *tables;
    bool counters_given;
    unsigned max_counters;
    uint64_t threads;
    bool json;
    hy_prove_options search;
} prove_arguments;

/* MiB, or as the letter says. */
static uint64_t parse_size(const struct argp_state *state, const char *text)
{
    char digits[24];
    uint64_t number;
    size_t length = strspn(text, "0123456789");
    const char *letters = "KMG", *letter = text[length] ? strchr(letters, text[length]) : NULL;
    unsigned shift = letter ? 10 * (unsigned)(letter - letters + 1) : 20;
    bool good = length > 0 && length < sizeof digits && text[length + (letter != NULL)] == '\0';
    if (good) {
        memcpy(digits, text, length);
        digits[length] = '\0';
        good =
            hy_parse_u64(digits, &number) && number > 0 && number <= (UINT64_C(1) << 48) >> shift;
    }
    if (!good)
        argp_error(state,
                   "--memory takes MiB, or a number with K, M or G, such as 512M or 4G, not '%s'",
                   text);
    return good ? number << shift : 0;
}

static double parse_seconds(const struct argp_state *state, const char *text)
{
    double seconds = 0;
    if (!hy_parse_real(text, &seconds) || seconds <= 0)
        argp_error(state, "--time takes seconds above 0, not '%s'", text);
    return seconds;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    prove_arguments *arguments = state->input;
    switch (key) {
    case KEY_TABLES:
        arguments->tables = text;
        return 0;
    case KEY_MAX_COUNTERS:
        arguments->max_counters =
            (unsigned)hy_cli_number(state, "--max-counters", text, 0, HY_MAX_BOARD * HY_MAX_SEEDS);
        arguments->counters_given = true;
        return 0;
    case KEY_MEMORY:
        arguments->search.memory = parse_size(state, text);
        return 0;
    case HY_KEY_MAX_LAPS:
        arguments->search.max_laps = hy_cli_number(state, "--max-laps", text, 1, HY_LIMIT_MAX_LAPS);
        return 0;
    case KEY_TIME:
        arguments->search.seconds = parse_seconds(state, text);
        return 0;
    case KEY_LEVEL:
        arguments->search.max_level =
            (unsigned)hy_cli_number(state, "--level", text, 1, HY_MAX_LEVEL);
        return 0;
    case 'j':
        arguments->threads = hy_cli_number(state, "-j", text, 1, HY_LIMIT_THREADS);
        return 0;
    case KEY_SIGN:
        arguments->search.sign = true;
        return 0;
    case KEY_VERIFY:
        arguments->search.verify = true;
        return 0;
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->variant)
            argp_error(state, "one variant at a time; '%s' is too many", text);
        arguments->variant = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a variant is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Tables with a limit on the counters that are asked for. */
typedef struct limited_tables {
    hy_endgame *endgame;
    unsigned max_counters;
} limited_tables;

static bool has(const void *context, unsigned counters)
{
    const limited_tables *tables = context;
    return counters <= tables->max_counters && hy_endgame_has(tables->endgame, counters);
}

static int value(const void *context, const hy_position *position)
{
    const limited_tables *tables = context;
    return hy_endgame_value(tables->endgame, position->board, position->mover);
}

/* In how many ways `counters` stand on the board. */
static double num_positions(const hy_rules *rules, unsigned counters)
{
    unsigned size = 2u * rules->holes;
    return exp(lgamma(counters + size) - lgamma(counters + 1) - lgamma(size));
}

/* The largest layer with which the tables stay within the usual size. */
static unsigned usual_counters(const hy_rules *rules)
{
    unsigned total = hy_rules_total(rules), largest = total % rules->casa;
    double sum = 0;
    for (unsigned n = largest; n <= total; n += rules->casa) {
        sum += num_positions(rules, n);
        if (sum > TABLE_POSITIONS)
            break;
        largest = n;
    }
    return largest;
}

static void show_tables(void *context, const hy_solve_progress *progress)
{
    hy_prove_progress_tables(context, progress->counters, progress->done, progress->total);
}

static hy_status get_tables(const prove_arguments *arguments, const hy_rules *rules,
                            hy_prove_talk *talk, limited_tables *tables, hy_error *error)
{
    hy_status status;
    if (arguments->tables) {
        status = hy_endgame_open(arguments->tables, rules, &tables->endgame, error);
        tables->max_counters = arguments->counters_given ? arguments->max_counters : UINT32_MAX;
        return status;
    }
    tables->max_counters =
        arguments->counters_given ? arguments->max_counters : usual_counters(rules);
    unsigned total = hy_rules_total(rules), smallest = total % rules->casa;
    if (tables->max_counters > total)
        tables->max_counters = total;
    if (tables->max_counters < smallest)
        tables->max_counters = smallest;
    hy_solve_options solve = {
        .num_threads = arguments->search.num_threads,
        .stop = &hy_signal,
        .progress = show_tables,
        .context = talk,
    };
    return hy_endgame_solve(rules, tables->max_counters, &solve, &tables->endgame, error);
}

static json_t *holes_json(const uint8_t *holes, unsigned num)
{
    json_t *array = json_array();
    for (unsigned i = 0; i < num; i++)
        json_array_append_new(array, json_integer(holes[i]));
    return array;
}

static const char *winner_of(const hy_proof *proof)
{
    if (proof->lower > 0)
        return "south";
    if (proof->upper < 0)
        return "north";
    return proof->proved ? "draw" : NULL;
}

/* What is printed beside the proof itself. */
typedef struct prove_answer {
    const hy_variant *variant;
    const hy_proof *proof;
    unsigned max_counters;
    double table_seconds;
    bool verify;
} prove_answer;

static hy_status print_json(const prove_answer *answer, hy_error *error)
{
    const hy_proof *proof = answer->proof;
    const char *winner = winner_of(proof);
    json_t *row = json_pack(
        "{s:o, s:o, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:i, s:f, s:o}",
        "variant", hy_json_text(answer->variant->name), "value",
        proof->proved ? json_integer(proof->lower) : json_null(), "lower", proof->lower, "upper",
        proof->upper, "proved", proof->proved, "winner", winner ? json_string(winner) : json_null(),
        "best", holes_json(proof->best, proof->num_best), "open",
        holes_json(proof->open, proof->num_open), "line",
        holes_json(proof->line, proof->line_length), "nodes", (json_int_t)proof->nodes, "all_nodes",
        (json_int_t)proof->all_nodes, "unresolved", (json_int_t)proof->unresolved, "seconds",
        proof->seconds, "table_counters", (int)answer->max_counters, "table_seconds",
        answer->table_seconds, "verified",
        answer->verify ? json_boolean(proof->verified) : json_null());
    return hy_print_json(row, JSON_COMPACT, error);
}

static void print_holes(const char *what, const uint8_t *holes, unsigned num)
{
    if (num == 0)
        return;
    printf("%s", what);
    for (unsigned i = 0; i < num; i++)
        printf(" %u", holes[i]);
    putchar('\n');
}

static void print_text(const prove_answer *answer)
{
    const hy_proof *proof = answer->proof;
    const char *winner = winner_of(proof);
    printf("%s: ", answer->variant->name);
    if (proof->proved && proof->lower == 0)
        printf("value 0: a draw\n");
    else if (proof->proved)
        printf("value %d: %s wins by %d\n", proof->lower, winner, abs(proof->lower));
    else
        printf("value from %d to %d, not proved: %s\n", proof->lower, proof->upper,
               winner ? winner : "who wins is open");
    if (!proof->proved && winner)
        printf("winner: %s\n", winner);
    print_holes("best first holes:", proof->best, proof->num_best);
    print_holes("not known of holes:", proof->open, proof->num_open);
    print_holes("line:", proof->line, proof->line_length);
    if (proof->unresolved > 0)
        printf("sowings given up for their length: %" PRIu64 "\n", proof->unresolved);
    if (proof->verified)
        printf("verified: strategies for both bounds, %" PRIu64 " positions\n",
               proof->verified_positions);
    printf("%" PRIu64 " nodes in %.2f s over tables of up to %u counters (%.1f s)\n", proof->nodes,
           proof->seconds, answer->max_counters, answer->table_seconds);
}

static hy_status prove_over(const prove_arguments *arguments, const hy_variant *variant,
                            hy_prove_talk *talk, const limited_tables *tables, double table_seconds,
                            hy_error *error)
{
    hy_value_source source = {.context = tables, .has = has, .value = value};
    hy_position start = hy_position_start(&variant->rules);
    hy_proof proof;
    unsigned largest = hy_endgame_max_counters(tables->endgame);
    prove_answer answer = {
        .variant = variant,
        .proof = &proof,
        .max_counters = largest < tables->max_counters ? largest : tables->max_counters,
        .table_seconds = table_seconds,
        .verify = arguments->search.verify,
    };
    hy_prove_options search = arguments->search;
    search.progress = hy_prove_progress_bounds;
    search.context = talk;
    hy_status status = hy_prove(&variant->rules, &source, &start, &search, &proof, error);
    hy_prove_progress_end(talk);
    if (status != HY_OK && status != HY_INTERRUPTED)
        return status;
    hy_status printed = HY_OK;
    if (arguments->json)
        printed = print_json(&answer, error);
    else
        print_text(&answer);
    return printed == HY_OK ? status : printed;
}

static hy_status prove(const prove_arguments *arguments, hy_error *error)
{
    hy_variant variant;
    limited_tables tables = {0};
    hy_prove_talk talk;
    hy_status status = hy_config_variant(arguments->variant, &variant, error);
    if (status == HY_OK)
        status = hy_branch_check(&variant.rules, error);
    if (status != HY_OK)
        return status;
    double started = hy_now();
    hy_prove_progress_start(&talk);
    hy_catch_signals();
    status = get_tables(arguments, &variant.rules, &talk, &tables, error);
    hy_prove_progress_end(&talk);
    if (status == HY_OK)
        status = prove_over(arguments, &variant, &talk, &tables, hy_now() - started, error);
    hy_endgame_destroy(tables.endgame);
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
    HY_EXIT_FAILED,
    HY_EXIT_USAGE_VARIANT,
    {"3", "the tables are of another variant or version"},
    HY_EXIT_STORAGE,
    HY_EXIT_INTERRUPTED,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    prove_arguments arguments = {.search = {.stop = &hy_signal}};
    hy_parse_arguments(&hy_command_prove, argc, argv, &arguments);
    arguments.search.num_threads = hy_thread_count((unsigned)arguments.threads);
    hy_status status = hy_memory_check("--memory", (double)arguments.search.memory, error);
    return status == HY_OK ? prove(&arguments, error) : status;
}

const hy_command hy_command_prove = {
    .name = "prove",
    .summary = "the exact value of a start position",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
    .environment = hy_environment_threads,
};
