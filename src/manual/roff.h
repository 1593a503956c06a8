/* Text as roff, for pages of man(7). */
#ifndef HY_MANUAL_ROFF_H
#define HY_MANUAL_ROFF_H

#include <stddef.h>
#include <stdio.h>

/* A paragraph of `length` bytes, in lines that end with sentences or before 80 columns; what stands
 * between backquotes is bold. */
void hy_roff_text(FILE *out, const char *text, size_t length);

/* A part of a line, to be shown as it is. */
void hy_roff_literal(FILE *out, const char *text, size_t length);

/* ".SH TITLE" in capitals. */
void hy_roff_section(FILE *out, const char *title);

/* A row of a list: the word in bold, and a paragraph. */
void hy_roff_row(FILE *out, const char *word, const char *meaning);

#endif
