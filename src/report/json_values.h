/* Numbers and estimates as JSON. Private to src/report. */
#ifndef HY_REPORT_JSON_VALUES_H
#define HY_REPORT_JSON_VALUES_H

#include <jansson.h>
#include <stdint.h>

#include "stats/estimate.h"

/* null where the number is not finite: JSON knows no other. */
json_t *hy_json_number(double value);

json_t *hy_json_count(uint64_t value);

/* An object of the estimate's numbers, its confidence and method; `reason` says why an unknown one
 * is null. */
json_t *hy_json_estimate(const hy_estimate *value, const char *method, const char *reason);

#endif
