#include "cli/progress_bar.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

#define BAR_WIDTH 24
#define LINE_SECONDS 10.0
#define DRAW_SECONDS 0.2

void hy_progress_bar_start(hy_progress_bar *bar, uint64_t before, uint64_t total)
{
    *bar =
        (hy_progress_bar){.terminal = isatty(STDERR_FILENO) != 0, .before = before, .total = total};
    bar->unit = "games";
    bar->started = hy_now();
    bar->shown = bar->started;
}

static void print_state(const hy_progress_bar *bar, uint64_t played)
{
    double seconds = hy_now() - bar->started;
    double rate = seconds > 0 ? (double)played / seconds : 0;
    uint64_t done = bar->before + played;
    double share = bar->total > 0 ? (double)done / (double)bar->total : 1;
    if (bar->terminal) {
        fputs("\r[", stderr);
        for (int i = 0; i < BAR_WIDTH; i++)
            fputc(i < (int)(share * BAR_WIDTH) ? '#' : '.', stderr);
        fputs("] ", stderr);
    }
    fprintf(stderr, "%3.0f %%, %" PRIu64 " of %" PRIu64 " %s", 100 * share, done, bar->total,
            bar->unit);
    if (rate > 0)
        fprintf(stderr, ", %.0f %s/s, %.0f s left", rate, bar->unit,
                (double)(bar->total - done) / rate);
    fputs(bar->terminal ? "\033[K" : "\n", stderr);
}

void hy_progress_bar_show(hy_progress_bar *bar, uint64_t played)
{
    double wait = bar->terminal ? DRAW_SECONDS : LINE_SECONDS;
    if (hy_now() - bar->shown < wait)
        return;
    bar->shown = hy_now();
    bar->drawn = true;
    print_state(bar, played);
}

void hy_progress_bar_end(hy_progress_bar *bar, uint64_t played)
{
    if (!bar->drawn || !bar->terminal)
        return;
    print_state(bar, played);
    fputc('\n', stderr);
}
