#include "random/gsl_stream.h"

#include "random/stream.h"

static void philox_set(void *state, unsigned long seed)
{
    *(hy_stream *)state = hy_stream_make(seed, 0, HY_PURPOSE_OPENING);
}

static unsigned long philox_get(void *state)
{
    return hy_stream_u32(state);
}

static double philox_get_double(void *state)
{
    return hy_stream_real(state);
}

static const gsl_rng_type philox_type = {
    .name = HY_GENERATOR,
    .max = 0xffffffffu,
    .min = 0,
    .size = sizeof(hy_stream),
    .set = philox_set,
    .get = philox_get,
    .get_double = philox_get_double,
};

const gsl_rng_type *const hy_gsl_philox = &philox_type;
