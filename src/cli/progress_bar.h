/* How far a batch has come, on stderr: a bar on a terminal, else a line now and then. */
#ifndef HY_CLI_PROGRESS_BAR_H
#define HY_CLI_PROGRESS_BAR_H

#include <stdbool.h>
#include <stdint.h>

/* Rate and time left are those of this run; games that were there before do not count. */
typedef struct hy_progress_bar {
    bool terminal;
    const char *unit; /* "games", unless the caller says something else after the start */
    uint64_t before;  /* games that were there already */
    uint64_t total;
    double started;
    double shown; /* when */
    bool drawn;
} hy_progress_bar;

void hy_progress_bar_start(hy_progress_bar *bar, uint64_t before, uint64_t total);

/* `played`: in this run. */
void hy_progress_bar_show(hy_progress_bar *bar, uint64_t played);

/* Leaves the line of the bar. */
void hy_progress_bar_end(hy_progress_bar *bar, uint64_t played);

#endif
