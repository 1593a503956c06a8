/* The rounds of test_coverage.c, twenty times as many. */
#define ROUNDS 20000
#include "stats/test_coverage.c"
