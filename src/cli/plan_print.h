/* A plan as text and as JSON. */
#ifndef HY_CLI_PLAN_PRINT_H
#define HY_CLI_PLAN_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "sequential/plan.h"

void hy_plan_print(const hy_plan *plan, FILE *out);

/* The caller's; numbers that are not known are null. */
json_t *hy_plan_json(const hy_plan *plan);

#endif
