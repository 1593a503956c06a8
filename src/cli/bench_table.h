/* The rows of `hoyito bench`. */
#ifndef HY_CLI_BENCH_TABLE_H
#define HY_CLI_BENCH_TABLE_H

#include <stddef.h>

#include "cli/bench.h"

#define HY_MAX_BENCHES 32

/* Fills in the benches of this machine whose name contains `only` (or that are their baselines),
 * in the order of the table, and returns how many they are. */
size_t hy_bench_table(const char *only, unsigned threads, hy_bench benches[HY_MAX_BENCHES]);

/* How the games of a bench are played on this machine; NULL where it plays none in lanes. */
const char *hy_bench_path(const hy_bench *bench);

#endif
