/* The golden answers, read from their files; the test fails where a row is not as expected. */
#ifndef HY_SUPPORT_GOLDEN_H
#define HY_SUPPORT_GOLDEN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A file of JSON Lines, and its next row (released with json_decref), NULL at the end. */
FILE *golden_open(const char *name);
json_t *golden_next(FILE *file);

/* A file that is one JSON text. */
json_t *golden_load(const char *name);

/* A member of a row that has to be there. */
json_t *golden_get(const json_t *row, const char *key);
uint64_t golden_integer(const json_t *row, const char *key);
double golden_real(const json_t *row, const char *key);
bool golden_boolean(const json_t *row, const char *key);
const char *golden_text(const json_t *row, const char *key); /* NULL for null */

/* An array of small numbers; returns how many. */
unsigned golden_numbers(const json_t *row, const char *key, uint16_t *numbers, unsigned max);

#endif
