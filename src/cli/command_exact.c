/* hoyito exact: a small variant completely. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "cli/cli.h"
#include "cli/exact_output.h"

#define MAX_MEMORY_MIB ((uint64_t)1 << 40)

static const char doc[] =
    "Solves a small variant exactly: random play against random play as an absorbing Markov chain "
    "(every result and way of ending, plies, turns, captures, the distribution of the length), and "
    "perfect play (the value of the start, and a line).\n\n"
    "  hoyito exact small.yaml\n"
    "  hoyito exact small.yaml --json | jq .random.p_south\n"
    "  hoyito exact wide.yaml --memory 8G --mass 0.99\n\n"
    "VARIANT is the name of a preset or a rules file; small.yaml holds, say, `name: small`, "
    "`source: own`, `preset: hoyito-ii` and `holes: 3`, a line each. "
    "It says beforehand how many positions there are at most and what they take, and stops with "
    "the figure where they do not fit: 2×3 with up to five counters a hole and 2×4 with up to "
    "three take seconds. Any rule field works; with `repetition` a position counts together with "
    "what has "
    "occurred before it, which fits for the smallest boards only.\n\n"
    "Values are counters of south less those of north. Play that never ends brings nothing more; "
    "under `unfinished: void` it, and every end without a result, is worth 0 like a draw.\n\n"
    "JSON: holes, seeds, rules (fields not at their default), random {states, mean_plies, "
    "sd_plies, p_south, p_north, p_draw, p_none, p_endless, and more}, perfect {states, value, "
    "line, …}. random.states counts boards with player to move and score, before passes are "
    "settled, perfect.states the same without the score. p_never is the probability that a game "
    "never ends (a simulation truncates it); then means are null. error_… are bounds.";

static const struct argp_option options[] = {
    {"json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0},
    {"memory", HY_KEY_MEMORY, "SIZE", 0,
     "memory to use at most, in MiB, or with K, M, G or T behind (default 2G)", 0},
    {"mass", HY_KEY_MASS, "SHARE", 0,
     "share of the games that end for which the length is followed (default 0.999)", 0},
    {"max-plies", HY_KEY_MAX_PLIES, "N", 0,
     "plies for which the length is followed at most (default 10000)", 0},
    {"max-laps", HY_KEY_MAX_LAPS, "N", 0,
     "laps within which a sowing must end or recur (default 10000000)", 0},
    {0},
};

typedef struct exact_arguments {
    const char *variant;
    bool json;
    hy_exact_terms terms;
} exact_arguments;

/* "512", "512M", "8G". */
static bool parse_memory(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    char digits[24];
    size_t length = strlen(text);
    unsigned shift = 20;
    if (length == 0 || length >= sizeof digits)
        return false;
    memcpy(digits, text, length + 1);
    const char *unit = strchr(units, digits[length - 1]);
    if (unit) {
        shift = 10 * (unsigned)(unit - units + 1);
        digits[length - 1] = '\0';
    }
    if (!hy_parse_u64(digits, bytes) || *bytes == 0 || *bytes > MAX_MEMORY_MIB << 20 >> shift)
        return false;
    *bytes <<= shift;
    return true;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    exact_arguments *arguments = state->input;
    hy_exact_terms *terms = &arguments->terms;
    switch (key) {
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case HY_KEY_MEMORY:
        if (!parse_memory(text, &terms->memory))
            argp_error(state, "--memory takes a size such as 512M or 8G, not '%s'", text);
        return 0;
    case HY_KEY_MASS:
        if (!hy_parse_real(text, &terms->mass) || terms->mass < 0 || terms->mass >= 1)
            argp_error(state, "--mass takes a number from 0 to below 1, not '%s'", text);
        return 0;
    case HY_KEY_MAX_PLIES:
        terms->max_plies = hy_cli_number(state, "--max-plies", text, 1, HY_LIMIT_MAX_PLIES);
        return 0;
    case HY_KEY_MAX_LAPS:
        terms->max_laps = hy_cli_number(state, "--max-laps", text, 1, HY_LIMIT_MAX_LAPS);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->variant)
            argp_error(state, "one variant at a time; '%s' is too many", text);
        arguments->variant = text;
        return 0;
    case ARGP_KEY_END:
        if (!arguments->variant)
            argp_error(state, "needs a variant: a preset's name, or a rules file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void talk(const char *text)
{
    fprintf(stderr, "%s\n", text);
}

static const struct argp argp = {
    .options = options,
    .parser = parse_option,
    .args_doc = "VARIANT",
    .doc = doc,
};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    {"1", "a variant that does not fit in memory, or another failure"},
    HY_EXIT_USAGE_VARIANT,
    HY_EXIT_STORAGE,
    {0},
};

static hy_status run_command(int argc, char **argv, hy_error *error)
{
    exact_arguments arguments = {.terms = {.memory = HY_EXACT_DEFAULT_MEMORY,
                                           .max_laps = HY_DEFAULT_MAX_LAPS,
                                           .mass = HY_EXACT_DEFAULT_MASS,
                                           .max_plies = HY_EXACT_DEFAULT_MAX_PLIES,
                                           .talk = talk}};
    hy_variant variant;
    hy_exact exact;
    hy_parse_arguments(&hy_command_exact, argc, argv, &arguments);
    hy_status status = hy_config_variant(arguments.variant, &variant, error);
    if (status != HY_OK)
        return status;
    status = hy_memory_check("--memory", (double)arguments.terms.memory, error);
    if (status != HY_OK)
        return status;
    status = hy_exact_solve(&exact, &variant.rules, &arguments.terms, error);
    if (status == HY_OK && arguments.json)
        status = hy_print_json(hy_exact_json(&variant, &exact),
                               JSON_INDENT(2) | JSON_REAL_PRECISION(17), error);
    else if (status == HY_OK)
        hy_print_exact(&variant, &exact);
    hy_exact_clean_up(&exact);
    return status;
}

const hy_command hy_command_exact = {
    .name = "exact",
    .summary = "solve a small variant: random play, perfect play",
    .argp = &argp,
    .run = run_command,
    .exits = exits,
};
