/* The texts of configs/rules/, which the build writes into the program. */
#ifndef HY_CONFIG_PRESETS_H
#define HY_CONFIG_PRESETS_H

#include <stddef.h>

typedef struct hy_embedded_preset {
    const char *name;
    const char *file; /* for errors */
    const unsigned char *text;
    size_t size;
} hy_embedded_preset;

/* Ordered by name. */
extern const hy_embedded_preset hy_embedded_presets[];
extern const size_t hy_num_embedded_presets;

#endif
