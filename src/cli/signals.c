/* Signals that ask the program to stop. */
#include <signal.h>
#include <time.h>

#include "cli/cli.h"

atomic_int hy_signal;

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
    sigaddset(&action.sa_mask, SIGHUP);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (signal(SIGHUP, SIG_IGN) != SIG_IGN) /* `nohup` ignores it */
        sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a failure to write; nobody who reads may end a run */
}
