/* The command line: a table of commands, one file each. */
#ifndef HY_CLI_CLI_H
#define HY_CLI_CLI_H

#include <argp.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* A command gets its own arguments, argv[0] being "hoyito NAME", and returns a status; what went
 * wrong is in the error. */
typedef struct hy_command {
    const char *name;
    const char *summary;
    hy_status (*run)(int argc, char **argv, hy_error *error);
} hy_command;

hy_status hy_command_run(int argc, char **argv, hy_error *error);
hy_status hy_command_plan(int argc, char **argv, hy_error *error);
hy_status hy_command_report(int argc, char **argv, hy_error *error);
hy_status hy_command_compare(int argc, char **argv, hy_error *error);
hy_status hy_command_effects(int argc, char **argv, hy_error *error);
hy_status hy_command_ladder(int argc, char **argv, hy_error *error);
hy_status hy_command_quality(int argc, char **argv, hy_error *error);
hy_status hy_command_merge(int argc, char **argv, hy_error *error);
hy_status hy_command_verify(int argc, char **argv, hy_error *error);
hy_status hy_command_digest(int argc, char **argv, hy_error *error);
hy_status hy_command_rules(int argc, char **argv, hy_error *error);
hy_status hy_command_ply(int argc, char **argv, hy_error *error);
hy_status hy_command_replay(int argc, char **argv, hy_error *error);
hy_status hy_command_analyse(int argc, char **argv, hy_error *error);
hy_status hy_command_play(int argc, char **argv, hy_error *error);
hy_status hy_command_stats(int argc, char **argv, hy_error *error);
hy_status hy_command_exact(int argc, char **argv, hy_error *error);
hy_status hy_command_solve(int argc, char **argv, hy_error *error);
hy_status hy_command_value(int argc, char **argv, hy_error *error);
hy_status hy_command_prove(int argc, char **argv, hy_error *error);
hy_status hy_command_bench(int argc, char **argv, hy_error *error);

extern const char hy_version[];

/* Keys of options without a short form; each command uses those that it needs. */
enum {
    HY_KEY_JSON = 0x100,
    HY_KEY_GAMES,
    HY_KEY_SEED,
    HY_KEY_SHARD,
    HY_KEY_DRY_RUN,
    HY_KEY_SCHEMA,
    HY_KEY_CONDITION,
    HY_KEY_GAME,
    HY_KEY_SWAPPED,
    HY_KEY_POLICY,
    HY_KEY_POSITION,
    HY_KEY_SOUTH,
    HY_KEY_NORTH,
    HY_KEY_MAX_PLIES,
    HY_KEY_RECORD,
    HY_KEY_HINT,
    HY_KEY_MEMORY,
    HY_KEY_MASS,
    HY_KEY_MAX_LAPS,
    HY_KEY_MAX_COUNTERS,
    HY_KEY_CHECK,
    HY_KEY_TABLES,
};

/* As argp_parse, but ends the program with a message where memory is refused. */
void hy_cli_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* Ends the program with a usage error (exit 2) unless the text is an integer from `low` to `high`;
 * `option` names it in the message. */
uint64_t hy_cli_number(const struct argp_state *state, const char *option, const char *text,
                       uint64_t low, uint64_t high);

/* The same for a number between `low` and `high`, both left out. */
double hy_cli_real(const struct argp_state *state, const char *option, const char *text, double low,
                   double high);

/* The first SIGINT, SIGTERM or SIGHUP, 0: none. A further one kills, if it comes a second later.
 * Where signals are caught, a pipe that nobody reads is a failure to write and not a signal. */
extern atomic_int hy_signal;
void hy_catch_signals(void);

/* Writes the report of a database to stdout. */
HY_MUST_CHECK hy_status hy_print_report(const char *path, bool json, hy_error *error);

extern const char hy_cannot_write[];

/* Says so and ends the program. */
_Noreturn void hy_out_of_memory(void);

/* Makes jansson and GMP end the program, with a message, where memory is refused; call it before
 * any other use of them. */
void hy_library_memory(void);

/* Writes a value to stdout, with a newline, and releases it. */
HY_MUST_CHECK hy_status hy_print_json(json_t *json, size_t flags, hy_error *error);

/* A text as JSON; one that is no UTF-8 is only said to be such. */
json_t *hy_json_text(const char *text);

#endif
