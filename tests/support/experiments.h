/* Experiments made in memory, and a folder for what tests write. */
#ifndef HY_SUPPORT_EXPERIMENTS_H
#define HY_SUPPORT_EXPERIMENTS_H

#include <stdatomic.h>

#include "sim/experiment.h"

#define NUM(array) (sizeof(array) / sizeof(array)[0])

/* Without conditions, with a fixed seed; released with hy_experiment_clean_up. */
hy_experiment experiment_new(uint64_t games, hy_record record);

/* Adds a condition, given by texts; the test fails where they are none. The pointer is valid until
 * the next one is added. */
hy_condition *experiment_add(hy_experiment *experiment, const char *rules, const char *first,
                             const char *second, bool swap);

/* Two conditions of short games with chains and endless sowings, the second one with `swap`, an
 * opening, and games that are cut. */
hy_experiment experiment_small(uint64_t games, hy_record record);

hy_experiment experiment_copy(const hy_experiment *experiment);

/* What the policies of a hooked experiment do beside choosing. */
typedef struct policy_hook {
    atomic_ulong choices;  /* made so far */
    unsigned long stop_at; /* that choice sets `stop`; 0: none does */
    atomic_int stop;
} policy_hook;

extern policy_hook hook;

/* Gives every policy `random` the hook, without a change of name or of any choice, and resets the
 * hook to stop at that choice. */
void experiment_hook(hy_experiment *experiment, unsigned long stop_at);

/* Group fixtures of cmocka: a new folder for the program's files, and its removal. */
int scratch_make(void **state);
int scratch_remove(void **state);

/* The path of a name in the folder; valid to the end of the program. */
const char *scratch_path(const char *name);

/* Writes a text file there; with its folders where the name has some. */
const char *scratch_write(const char *name, const char *text);

#endif
