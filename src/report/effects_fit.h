/* Estimating effects. Private to src/report. */
#ifndef HY_REPORT_EFFECTS_FIT_H
#define HY_REPORT_EFFECTS_FIT_H

#include "report/effects.h"

/* The index of the group's level of a factor; num_levels where it has none of them. */
unsigned hy_factor_level(const hy_factor *factor, const hy_group *group);

/* Estimates the effects listed in the table by least squares on the cells' values, and shares of
 * variation. */
HY_MUST_CHECK hy_status hy_effects_fit(const hy_effects *effects, hy_effect_table *table,
                                       hy_error *error);

/* By Cox's regression of the lengths; there are no shares and no mean. */
HY_MUST_CHECK hy_status hy_effects_fit_hazard(const hy_effects *effects, hy_effect_table *table,
                                              hy_error *error);

#endif
