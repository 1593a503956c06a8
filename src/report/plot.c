#include "report/plot.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

static const char head[] =
    "set terminal svg size 860,460 noenhanced font 'sans-serif,13' background '#ffffff'\n"
    "set encoding utf8\n"
    "set border 3 lw 1\n"
    "set tics nomirror\n"
    "set grid lc '#dddddd' lt 1 lw 0.6\n"
    "set style line 1 lc '#0072b2' lw 2 dt 1 pt 7 ps 0.7\n"
    "set style line 2 lc '#d55e00' lw 2 dt 2 pt 5 ps 0.7\n"
    "set style line 3 lc '#009e73' lw 2 dt 4 pt 9 ps 0.8\n"
    "set style line 4 lc '#cc79a7' lw 2 dt 3 pt 11 ps 0.8\n"
    "set style line 5 lc '#e69f00' lw 2 dt 5 pt 13 ps 0.8\n"
    "set style line 6 lc '#56b4e9' lw 2 dt (8,3) pt 6 ps 0.7\n"
    "set style line 7 lc '#000000' lw 2 dt (2,2) pt 4 ps 0.7\n"
    "set style line 8 lc '#999999' lw 2 dt (12,3,2,3) pt 8 ps 0.8\n";

const char *hy_plot_head(void)
{
    return head;
}

static hy_status cannot_draw(const char *why, hy_error *error)
{
    return hy_fail(error, HY_FAILED, "cannot draw figures with gnuplot: %s", why);
}

/* Starts gnuplot on two files. */
static hy_status start(int in, int out, pid_t *pid, hy_error *error)
{
    char program[] = "gnuplot", option[] = "--default-settings", input[] = "-";
    char *arguments[] = {program, option, input, NULL};
    char locale[] = "LC_ALL=C.UTF-8";
    char *environment[] = {locale, NULL}; /* nothing of ours changes the figures */
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return hy_fail_memory(error);
    int failed = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    if (failed == 0)
        failed = posix_spawnp(pid, "gnuplot", &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT)
        return cannot_draw("it is not installed (Debian: gnuplot-nox)", error);
    return failed == 0 ? HY_OK : cannot_draw(strerror(failed), error);
}

static hy_status finish(pid_t pid, hy_error *error)
{
    int state;
    while (waitpid(pid, &state, 0) < 0) {
        if (errno != EINTR)
            return cannot_draw(strerror(errno), error);
    }
    if (WIFEXITED(state) && WEXITSTATUS(state) == 127)
        return cannot_draw("it is not installed (Debian: gnuplot-nox)", error);
    return WIFEXITED(state) && WEXITSTATUS(state) == 0
               ? HY_OK
               : cannot_draw("it ended with an error", error);
}

/* All of a file as a text. */
static hy_status read_back(FILE *file, char **text, hy_error *error)
{
    if (fseek(file, 0, SEEK_END) != 0)
        return cannot_draw(strerror(errno), error);
    long size = ftell(file);
    if (size <= 0)
        return cannot_draw("it wrote nothing", error);
    rewind(file);
    *text = hy_new_array((size_t)size + 1, 1);
    if (!*text)
        return hy_fail_memory(error);
    if (fread(*text, 1, (size_t)size, file) == (size_t)size)
        return HY_OK;
    free(*text);
    return cannot_draw("its output cannot be read", error);
}

static hy_status draw(FILE *in, FILE *out, const char *script, char **svg, hy_error *error)
{
    pid_t pid;
    if (fputs(script, in) < 0 || fflush(in) != 0 || lseek(fileno(in), 0, SEEK_SET) != 0)
        return cannot_draw(strerror(errno), error);
    hy_status status = start(fileno(in), fileno(out), &pid, error);
    if (status == HY_OK)
        status = finish(pid, error);
    return status == HY_OK ? read_back(out, svg, error) : status;
}

static hy_status cannot_make_files(hy_error *error)
{
    char why[128];
    snprintf(why, sizeof why, "no temporary file can be made: %s", strerror(errno));
    return cannot_draw(why, error);
}

hy_status hy_plot_svg(const char *script, char **svg, hy_error *error)
{
    FILE *in = tmpfile(), *out = in ? tmpfile() : NULL;
    hy_status status = in && out ? draw(in, out, script, svg, error) : cannot_make_files(error);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return status;
}
