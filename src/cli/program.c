/* What the help and the manual say of the program as a whole. */
#include "cli/cli.h"

static const char doc[] =
    "Plays experiments with a family of mancala games, stores every game in one\n"
    "SQLite file, and answers from it with numbers that carry their uncertainty;\n"
    "solves small variants exactly.\n\n"
    "  hoyito run experiments/quickstart/quickstart.yaml   play, and store\n"
    "  hoyito report quickstart.db                         how long, how fair?\n"
    "  hoyito rules hoyito-ii                              the game and its rules\n"
    "  hoyito help compare                                 more about a command";

static const struct argp_option options[] = {
    {"help", 'h', NULL, 0, "show this help", 0},
    {"version", 'V', NULL, 0, "print the version", 0},
    {0},
};

static const struct argp argp = {
    .options = options, .args_doc = "COMMAND [ARGUMENT...]", .doc = doc};

static const hy_help_row exits[] = {
    HY_EXIT_DONE,
    HY_EXIT_FAILED,
    {"2", "wrong usage, or an error in a file that the user wrote"},
    {"3", "a database or table is not the one needed, or is damaged"},
    HY_EXIT_STORAGE,
    {"129, 130, 143", "SIGHUP, SIGINT or SIGTERM; run, merge and solve go on"},
    {0},
};

static const hy_help_row environment[] = {
    {"SLURM_CPUS_PER_TASK", "threads, where -j does not say how many"},
    {"NO_COLOR, TERM", "no colours where the one is set, or the other is `dumb`"},
    {"PATH", "where `hoyito report --html` looks for gnuplot"},
    {"TMPDIR", "where `hoyito bench` writes its databases"},
    {0},
};

static const hy_help_row files[] = {
    {"NAME.db", "the database of the experiment NAME, where `hoyito run` is told no other"},
    {"DB-wal, DB-shm", "SQLite's, beside a database in use: they belong to it"},
    {"share/doc/hoyito/examples", "below the prefix of the installation: experiments and rules"},
    {"share/hoyito", "there as well: the JSON Schema of experiment files"},
    {0},
};

const hy_command hy_program = {
    .name = "hoyito",
    .summary = "research simulator for the Hoyito family of mancala games",
    .argp = &argp,
    .exits = exits,
    .environment = environment,
    .files = files,
};
