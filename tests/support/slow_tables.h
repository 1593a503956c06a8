/* Values of all positions with few counters, slowly: every position's equation is applied again and
 * again, from 0 everywhere, until nothing changes. Independent of the library's tables. */
#ifndef HY_SUPPORT_SLOW_TABLES_H
#define HY_SUPPORT_SLOW_TABLES_H

#include "solve/forcing.h"

#define SLOW_MAX_COUNTERS 64u

typedef struct slow_tables {
    const hy_rules *rules;
    unsigned max_counters;
    int16_t *layer[SLOW_MAX_COUNTERS + 1]; /* by rank of the turned board; NULL: none */
} slow_tables;

/* Layers of at most `max_counters` counters that captures can lead to from the variant's start. */
void slow_tables_init(slow_tables *tables, const hy_rules *rules, unsigned max_counters);
void slow_tables_clean_up(slow_tables *tables);

/* The value to the mover of any position, settled or not. */
int slow_tables_value(const slow_tables *tables, const hy_position *position);

hy_value_source slow_tables_source(const slow_tables *tables);

/* How many positions a layer has, and the i-th, south to move. */
size_t slow_layer_size(const hy_rules *rules, unsigned counters);
hy_position slow_layer_position(const hy_rules *rules, unsigned counters, size_t rank);

#endif
