/* Experiments with a stop rule, played into databases. */
#ifndef HY_TESTS_SEQUENTIAL_RUNS_H
#define HY_TESTS_SEQUENTIAL_RUNS_H

#include "sequential/rounds.h"
#include "store/databases.h"

hy_stop stop_half_width(hy_stop_metric metric, double half_width, uint64_t every);
hy_stop stop_sprt(double elo0, double elo1, uint64_t every);

/* Three conditions of short games that need different numbers of games; the last one with swap. */
hy_experiment experiment_rounds(uint64_t games, hy_record record, const hy_stop *stop);

/* The last of them, and one of self-play that is swapped as well. */
hy_experiment experiment_pairs(uint64_t games, hy_record record, const hy_stop *stop);

/* Plays what is missing in rounds. `stop` may be NULL. */
hy_status run_into(const char *path, hy_experiment *experiment, unsigned threads, hy_shard shard,
                   atomic_int *stop, hy_error *error);

/* The same; the test fails where it does. */
const char *run_all(const char *name, hy_experiment *experiment, unsigned threads);

/* Plays the games and what the rule decided again; the test fails where they differ. */
void assert_all_verifies(const char *path);

/* HY_MISMATCH of the decisions, with that word. */
void assert_decision_differs(const char *path, const char *word);

#endif
