/* Included before each file that an analyser reads: a function that fails returns what it was told, which else only
 * base/status.c knows. */
#ifndef HY_SCRIPTS_ANALYSIS_H
#define HY_SCRIPTS_ANALYSIS_H

#include "base/status.h"

static inline hy_status hy_returned(hy_status returned, hy_status told)
{
    (void)returned;
    return told;
}

#define hy_fail(error, status, ...) hy_returned(hy_fail(error, status, __VA_ARGS__), status)
#define hy_fail_memory(error) hy_returned(hy_fail_memory(error), HY_NO_MEMORY)

#endif
