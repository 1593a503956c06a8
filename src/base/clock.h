/* Time that only goes forward. */
#ifndef HY_BASE_CLOCK_H
#define HY_BASE_CLOCK_H

/* Seconds since some moment, by the monotonic clock. */
double hy_now(void);

#endif
