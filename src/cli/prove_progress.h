/* How far a proof has come, on stderr: one line that changes on a terminal, else a line where a
 * bound has narrowed, and now and then. */
#ifndef HY_CLI_PROVE_PROGRESS_H
#define HY_CLI_PROVE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "solve/prove.h"

typedef struct hy_prove_talk {
    bool terminal;
    bool drawn; /* an open line is on the terminal */
    double shown;
    int lower, upper; /* shown last */
} hy_prove_talk;

void hy_prove_progress_start(hy_prove_talk *talk);

/* Tables are being made. */
void hy_prove_progress_tables(hy_prove_talk *talk, unsigned counters, uint64_t done,
                              uint64_t total);

/* As hy_prove_options wants it; `context` is the talk. */
void hy_prove_progress_bounds(void *context, const hy_prove_progress *progress);

/* Leaves the open line. */
void hy_prove_progress_end(hy_prove_talk *talk);

#endif
