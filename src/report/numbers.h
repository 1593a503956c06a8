/* Numbers and intervals as people read them. Private to src/report. */
#ifndef HY_REPORT_NUMBERS_H
#define HY_REPORT_NUMBERS_H

#include "stats/estimate.h"

#define HY_NUMBER_SIZE 96

/* "0.4692 [0.4601, 0.4783]", with "not reached" for an end that is not known. Returns `buffer`, or
 * a constant. */
const char *hy_interval_text(const hy_estimate *value, char buffer[HY_NUMBER_SIZE]);

/* "p = 0.0123", "p = 1.2e-09", "p not known". */
const char *hy_p_text(double p, char buffer[HY_NUMBER_SIZE]);

#endif
