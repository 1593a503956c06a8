#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/plain.h"
#include "cli/cli.h"

/* Also for what argp prints before it exits. */
static void close_stdout(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return;
    fprintf(stderr, "hoyito: %s\n", hy_cannot_write);
    _exit(5);
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
    const char *near = hy_command_near(name);
    fprintf(stderr, "hoyito: unknown command '%s'", name);
    if (near)
        fprintf(stderr, "; did you mean '%s'?", near);
    fprintf(stderr, "\nTry 'hoyito --help'.\n");
    return 2;
}

/* Gives standard files that are closed to something on which they fail as before, so that no other
 * file gets their numbers and what is written to them. */
static void occupy_standard_files(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++) {
        if (fcntl(number, F_GETFD) < 0)
            (void)!open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

int main(int argc, char **argv)
{
    argp_err_exit_status = 2;
    occupy_standard_files();
    signal(SIGXFSZ, SIG_IGN);    /* a file that may not grow is a failure to write */
    gsl_set_error_handler_off(); /* its default handler aborts */
    hy_library_memory();
    atexit(close_stdout);
    if (argc < 2) {
        hy_print_overview(stderr);
        return 2;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        hy_print_overview(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("hoyito %s\n", hy_version);
        return 0;
    }
    const hy_command *command = hy_command_find(argv[1]);
    return command ? run_command(command, argc - 1, argv + 1) : unknown_command(argv[1]);
}
