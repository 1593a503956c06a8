/* The command line: a table of commands, one file each. */
#ifndef HY_CLI_CLI_H
#define HY_CLI_CLI_H

#include <argp.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "cli/command.h"

extern const hy_command hy_command_run;
extern const hy_command hy_command_plan;
extern const hy_command hy_command_report;
extern const hy_command hy_command_compare;
extern const hy_command hy_command_effects;
extern const hy_command hy_command_ladder;
extern const hy_command hy_command_quality;
extern const hy_command hy_command_merge;
extern const hy_command hy_command_migrate;
extern const hy_command hy_command_verify;
extern const hy_command hy_command_rerun;
extern const hy_command hy_command_digest;
extern const hy_command hy_command_rules;
extern const hy_command hy_command_ply;
extern const hy_command hy_command_replay;
extern const hy_command hy_command_analyse;
extern const hy_command hy_command_play;
extern const hy_command hy_command_stats;
extern const hy_command hy_command_exact;
extern const hy_command hy_command_solve;
extern const hy_command hy_command_value;
extern const hy_command hy_command_prove;
extern const hy_command hy_command_bench;
extern const hy_command hy_command_help;

extern const char hy_version[]; /* that of project() in CMakeLists.txt */

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

/* Reads the arguments of a command; ends the program after --help, after wrong usage
 * (exit 2) and where memory is refused (exit 1).
 * `input` is what the parser of the command gets as state->input. */
void hy_parse_arguments(const hy_command *command, int argc, char **argv, void *input);

/* Ends the program with a usage error (exit 2) unless the text is an integer from `low` to `high`;
 * `option` names it in the message. */
uint64_t hy_cli_number(const struct argp_state *state, const char *option, const char *text,
                       uint64_t low, uint64_t high);

/* The same for a number between `low` and `high`, both left out. */
double hy_cli_real(const struct argp_state *state, const char *option, const char *text, double low,
                   double high);

/* What --help prints for a command, and for the program. */
void hy_print_help(const hy_command *command);
void hy_print_overview(FILE *out);

/* The first SIGINT, SIGTERM or SIGHUP, 0: none. A further one kills, if it comes a second later.
 * Where signals are caught, a pipe that nobody reads is a failure to write and not a signal. */
extern atomic_int hy_signal;
void hy_catch_signals(void);

/* Writes the report of a database to stdout. */
HY_MUST_CHECK hy_status hy_print_report(const char *path, bool json, hy_error *error);

extern const char hy_cannot_write[]; /* to standard output */

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
