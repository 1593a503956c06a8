#include "cli/database_arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "sim/threads.h"

#define JSON_OPTION                                                                                \
    {                                                                                              \
        "json", HY_KEY_JSON, NULL, 0, "the answer as JSON", 0                                      \
    }

const struct argp_option hy_database_options[] = {JSON_OPTION, {0}};

const struct argp_option hy_database_batch_options[] = {
    JSON_OPTION,
    {"threads", 'j', "N", 0,
     "threads; default: SLURM_CPUS_PER_TASK, else the processors allowed to this process", 0},
    {0},
};

error_t hy_parse_database_option(int key, char *text, struct argp_state *state)
{
    hy_database_arguments *arguments = state->input;
    switch (key) {
    case HY_KEY_JSON:
        arguments->json = true;
        return 0;
    case 'j':
        arguments->threads = hy_cli_number(state, "-j", text, 1, HY_LIMIT_THREADS);
        return 0;
    case ARGP_KEY_ARG:
        if (arguments->database)
            argp_error(state, "one database at a time; '%s' is too many", text);
        arguments->database = text;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a database is missing");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

void hy_note_journal(const char *path)
{
    char *journal;
    struct stat file;
    if (asprintf(&journal, "%s-wal", path) < 0)
        return;
    if (stat(journal, &file) == 0 && file.st_size > 0)
        fprintf(
            stderr,
            "note: another process reads '%s', so a part of it is still in '%s': do not copy or "
            "move the one without the other; the same command, when that process has ended, "
            "makes one file of them\n",
            path, journal);
    free(journal);
}

bool hy_is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
