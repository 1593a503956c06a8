/* The stream of a game in the shape that GSL's distributions take. */
#ifndef HY_RANDOM_GSL_STREAM_H
#define HY_RANDOM_GSL_STREAM_H

#include <gsl/gsl_rng.h>

/* For gsl_rng_alloc. gsl_rng_set(rng, seed) is hy_stream_make(seed, 0, HY_PURPOSE_OPENING); the
 * state (gsl_rng_state) is a hy_stream, so another stream can be copied in. */
extern const gsl_rng_type *const hy_gsl_philox;

#endif
