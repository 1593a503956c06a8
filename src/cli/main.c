#include <gsl/gsl_errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/plain.h"
#include "base/words.h"
#include "cli/cli.h"

const char hy_version[] = HOYITO_VERSION;

atomic_int hy_signal;

static const hy_command commands[] = {
    {"run", "play an experiment and store its games", hy_command_run},
    {"report", "answers from a database, with intervals", hy_command_report},
    {"compare", "one metric across one axis: effect, interval, test", hy_command_compare},
    {"effects", "what each rule does, from a factorial of rules", hy_command_effects},
    {"plan", "games, time and disk that a precision takes, by a pilot", hy_command_plan},
    {"ladder", "ratings of policies that played each other", hy_command_ladder},
    {"quality", "fairness, drama, clarity; where chains happen", hy_command_quality},
    {"merge", "join the databases of shards", hy_command_merge},
    {"verify", "play stored games again and compare", hy_command_verify},
    {"digest", "one SHA-256 over all results", hy_command_digest},
    {"rules", "list, explain and check variants", hy_command_rules},
    {"ply", "answer single plies, JSON Lines in and out", hy_command_ply},
    {"replay", "play given holes, or show a stored game", hy_command_replay},
    {"analyse", "value of every hole of a position, best line", hy_command_analyse},
    {"play", "play a game in a terminal", hy_command_play},
    {"stats", "a statistic from numbers on standard input", hy_command_stats},
    {"exact", "solve a small variant: random play, perfect play", hy_command_exact},
    {"solve", "make or check endgame tables", hy_command_solve},
    {"value", "exact values from endgame tables", hy_command_value},
    {"prove", "the exact value of a start position", hy_command_prove},
    {"bench", "measure speed against named baselines", hy_command_bench},
};

#define NUM_COMMANDS (sizeof commands / sizeof commands[0])

static void print_usage(FILE *out)
{
    fprintf(out, "Usage: hoyito COMMAND [ARGUMENT...]\n\n"
                 "Research simulator for the Hoyito family of mancala games.\n\n"
                 "  hoyito run experiments/quickstart/quickstart.yaml -o quickstart.db\n"
                 "  hoyito report quickstart.db\n"
                 "  hoyito rules hoyito-ii\n\n"
                 "Commands:\n");
    for (size_t i = 0; i < NUM_COMMANDS; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n'hoyito COMMAND --help' says more. Exit status: 0 done, 1 failure, 2 usage or\n"
                 "configuration, 3 mismatch with a database, 5 storage, 130 or 143 interrupted.\n");
}

/* The first signal asks the program to stop in good order. A second one kills it, but not at once:
 * `timeout` and terminals signal a process and its group in the same moment. */
static void on_signal(int number)
{
    static struct timespec first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (atomic_load(&hy_signal) == 0) {
        first = now;
        atomic_store(&hy_signal, number);
    } else if (now.tv_sec > first.tv_sec + 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void hy_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

uint64_t hy_cli_number(const struct argp_state *state, const char *option, const char *text,
                       uint64_t low, uint64_t high)
{
    uint64_t value = 0;
    if (!hy_parse_u64(text, &value) || value < low || value > high)
        argp_error(state, "%s takes an integer from %" PRIu64 " to %" PRIu64 ", not '%s'", option,
                   low, high, text);
    return value;
}

double hy_cli_real(const struct argp_state *state, const char *option, const char *text, double low,
                   double high)
{
    double value = 0;
    if (!hy_parse_real(text, &value) || !(value > low) || !(value < high))
        argp_error(state, "%s takes a number between %g and %g, not '%s'", option, low, high, text);
    return value;
}

static const char cannot_write[] = "cannot write to standard output";

/* Also for what argp prints before it exits. */
static void close_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "hoyito: %s\n", cannot_write);
    _exit(5);
}

hy_status hy_print_json(json_t *json, size_t flags, hy_error *error)
{
    char *text = json ? json_dumps(json, flags) : NULL;
    json_decref(json);
    if (!text)
        return hy_fail_memory(error);
    bool written = puts(text) >= 0;
    free(text);
    return written ? HY_OK : hy_fail(error, HY_STORAGE, "%s", cannot_write);
}

json_t *hy_json_text(const char *text)
{
    json_t *json = json_string(text);
    return json ? json : json_string("(text that is no UTF-8)");
}

static int exit_status(hy_status status)
{
    switch (status) {
    case HY_OK:
        return 0;
    case HY_FAILED:
    case HY_NO_MEMORY:
        return 1;
    case HY_INVALID:
        return 2;
    case HY_MISMATCH:
        return 3;
    case HY_STORAGE:
        return 5;
    case HY_INTERRUPTED:
        return 128 + atomic_load(&hy_signal);
    }
    return 1;
}

static int run_command(const hy_command *command, int argc, char **argv)
{
    char name[64], text[HY_ERROR_TEXT_SIZE + HY_ERROR_FILE_SIZE + 32];
    hy_error error = {0};
    snprintf(name, sizeof name, "hoyito %s", command->name);
    argv[0] = name;
    hy_status status = command->run(argc, argv, &error);
    if (status != HY_OK && !ferror(stdout)) { /* else close_stdout says so */
        hy_error_format(&error, text, sizeof text);
        hy_text_make_plain(text); /* it may repeat what a file says */
        fprintf(stderr, "hoyito: %s\n", text);
    }
    return exit_status(status);
}

static int unknown_command(const char *name)
{
    const char *names[NUM_COMMANDS];
    for (size_t i = 0; i < NUM_COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = hy_nearest_word(name, names, NUM_COMMANDS);
    fprintf(stderr, "hoyito: unknown command '%s'", name);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\nTry 'hoyito --help'.\n");
    return 2;
}

int main(int argc, char **argv)
{
    argp_err_exit_status = 2;
    gsl_set_error_handler_off(); /* its default handler aborts */
    atexit(close_stdout);
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("hoyito %s\n", hy_version);
        return 0;
    }
    for (size_t i = 0; i < NUM_COMMANDS; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return run_command(&commands[i], argc - 1, argv + 1);
    }
    return unknown_command(argv[1]);
}
