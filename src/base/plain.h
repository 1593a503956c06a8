/* Text from files that a terminal may be given. */
#ifndef HY_BASE_PLAIN_H
#define HY_BASE_PLAIN_H

#include <stdbool.h>

/* Whether a text is UTF-8 without control characters (which move cursors, change colours and more),
 * new lines and tabs apart. */
bool hy_text_is_plain(const char *text);

/* Puts '?' for each byte for which a text is not plain. */
void hy_text_make_plain(char *text);

#endif
