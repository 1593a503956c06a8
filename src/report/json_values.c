#include "report/json_values.h"

#include <math.h>

#include "report/report.h"

json_t *hy_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *hy_json_count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *hy_json_estimate(const hy_estimate *value, const char *method, const char *reason,
                         const char *error_reason)
{
    json_t *object = json_object();
    json_object_set_new(object, "estimate", hy_json_number(value->value));
    json_object_set_new(object, "standard_error", hy_json_number(value->standard_error));
    json_object_set_new(object, "low", hy_json_number(value->low));
    json_object_set_new(object, "high", hy_json_number(value->high));
    json_object_set_new(object, "confidence", json_real(HY_CONFIDENCE));
    json_object_set_new(object, "method", json_string(method));
    if (!value->known)
        json_object_set_new(object, "reason", json_string(reason));
    else if (!isfinite(value->standard_error))
        json_object_set_new(object, "standard_error_reason",
                            json_string(error_reason ? error_reason : HY_ERROR_OF_METHOD));
    return object;
}
