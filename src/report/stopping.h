/* What a stop rule saw and decided, as text and JSON. Private to src/report. */
#ifndef HY_REPORT_STOPPING_H
#define HY_REPORT_STOPPING_H

#include <jansson.h>
#include <stdio.h>

#include "sequential/rule.h"

/* What ended a condition and seating, as a sentence without its end. */
void hy_stopping_write(const hy_rule *rule, bool swapped, FILE *out);

/* A line of the report of a condition and seating. */
void hy_stopping_print(const hy_rule *rule, bool swapped, FILE *out);

/* The same as an object. */
json_t *hy_stopping_json(const hy_rule *rule, bool swapped);

#endif
