/* An exact solution as text and as JSON. */
#ifndef HY_CLI_EXACT_OUTPUT_H
#define HY_CLI_EXACT_OUTPUT_H

#include <jansson.h>

#include "config/config.h"
#include "solve/exact.h"

void hy_print_exact(const hy_variant *variant, const hy_exact *exact);

/* With the keys of golden/exact.json; NULL where memory is refused. */
json_t *hy_exact_json(const hy_variant *variant, const hy_exact *exact);

#endif
