/* Numbers and estimates as JSON. Private to src/report. */
#ifndef HY_REPORT_JSON_VALUES_H
#define HY_REPORT_JSON_VALUES_H

#include <jansson.h>
#include <stdint.h>

#include "stats/estimate.h"

/* null where the number is not finite: JSON knows no other. */
json_t *hy_json_number(double value);

json_t *hy_json_count(uint64_t value);

/* Why an estimate has no standard error. */
#define HY_ERROR_ALIKE "all games ended alike, so their variance says nothing"
#define HY_ERROR_OF_SHARE                                                                          \
    "none, all, or the same share in every game: how this varies cannot be told"
#define HY_ERROR_OF_METHOD "the method gives an interval and no standard error"

/* An object of the estimate's numbers, its confidence and method; `reason` says why an unknown one
 * is null, `error_reason` why a known one has no standard error (NULL: it always has). */
json_t *hy_json_estimate(const hy_estimate *value, const char *method, const char *reason,
                         const char *error_reason);

#endif
