/* Words from people: strict numbers, and the nearest known word for a misspelt one. */
#ifndef HY_BASE_WORDS_H
#define HY_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a decimal integer without sign, leading zeros or other characters. */
bool hy_parse_u64(const char *text, uint64_t *value);

/* Reads a finite decimal number such as 0.25, 1 or 1.5e-3; the point is a point in every locale. */
bool hy_parse_real(const char *text, double *value);

/* Writes the shortest decimal number that reads back as `value`, in every locale with a point. */
void hy_print_real(double value, char *buffer, size_t size);

/* The word of `words` (num_words of them) nearest to `word`, or NULL where none is near: at most a
 * third of its letters inserted, left out, changed or swapped with a neighbour. */
const char *hy_nearest_word(const char *word, const char *const *words, size_t num_words);

#endif
