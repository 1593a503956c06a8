/* A valid experiment file that has every key once (but 'sprt', which excludes others), a key a
 * line, to be spoilt one line at a time.
 */
#ifndef HY_TESTS_CONFIG_SAMPLE_H
#define HY_TESTS_CONFIG_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sample_line {
    unsigned indent; /* spaces, then "- " if `item` */
    bool item;
    const char *key;
    const char *value; /* "" : a mapping or a list follows */
} sample_line;

#define SAMPLE_MAX_LINES 64
#define SAMPLE_TEXT_SIZE 4096

/* Fills `lines` and returns how many there are. */
size_t sample_make(sample_line lines[SAMPLE_MAX_LINES]);

void sample_print(const sample_line *lines, size_t num_lines, char text[SAMPLE_TEXT_SIZE]);

/* The columns of a line's key and value, from 1. */
unsigned sample_key_column(const sample_line *line);
unsigned sample_value_column(const sample_line *line);

/* The index of the line of that key. */
size_t sample_find(const sample_line *lines, size_t num_lines, const char *key);

#endif
