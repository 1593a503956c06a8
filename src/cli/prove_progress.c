#include "cli/prove_progress.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

#define LINE_SECONDS 10.0
#define DRAW_SECONDS 0.2

void hy_prove_progress_start(hy_prove_talk *talk)
{
    *talk = (hy_prove_talk){.terminal = isatty(STDERR_FILENO) != 0,
                            .shown = hy_now(),
                            .lower = INT_MIN,
                            .upper = INT_MAX};
}

static bool is_time(hy_prove_talk *talk, bool news)
{
    double now = hy_now(), wait = talk->terminal ? DRAW_SECONDS : LINE_SECONDS;
    if (now - talk->shown < wait && (!news || talk->terminal))
        return false;
    talk->shown = now;
    talk->drawn = talk->terminal;
    if (talk->terminal)
        fputc('\r', stderr);
    return true;
}

static void end_line(const hy_prove_talk *talk)
{
    fputs(talk->terminal ? "\033[K" : "\n", stderr);
}

void hy_prove_progress_tables(hy_prove_talk *talk, unsigned counters, uint64_t done, uint64_t total)
{
    if (!is_time(talk, false))
        return;
    fprintf(stderr, "tables: %u counters, %.0f %%", counters,
            total > 0 ? 100 * (double)done / (double)total : 0);
    end_line(talk);
}

void hy_prove_progress_bounds(void *context, const hy_prove_progress *progress)
{
    hy_prove_talk *talk = context;
    bool news = progress->lower != talk->lower || progress->upper != talk->upper;
    if (!is_time(talk, news))
        return;
    double rate = progress->seconds > 0 ? (double)progress->nodes / progress->seconds : 0;
    talk->lower = progress->lower;
    talk->upper = progress->upper;
    fprintf(stderr,
            "value from %d to %d; south at level %u, north at level %u; %.3g million nodes, "
            "%.2f million/s, %.1f s",
            progress->lower, progress->upper, progress->level[0], progress->level[1],
            (double)progress->nodes / 1e6, rate / 1e6, progress->seconds);
    end_line(talk);
}

void hy_prove_progress_end(hy_prove_talk *talk)
{
    if (talk->drawn)
        fputc('\n', stderr);
    talk->drawn = false;
}
