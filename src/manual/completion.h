/* Completion for shells, from the tables of the commands. */
#ifndef HY_MANUAL_COMPLETION_H
#define HY_MANUAL_COMPLETION_H

#include <stdio.h>

#include "cli/argument_words.h"

void hy_write_bash_completion(FILE *out);
void hy_write_zsh_completion(FILE *out);
void hy_write_fish_completion(FILE *out);

/* The words of an argument with blanks between them; nothing where it has none. */
void hy_print_argument_words(FILE *out, const hy_argument *argument);

/* The end of file names for a kind of files: ".db"; NULL where any will do. */
const char *hy_files_suffix(hy_argument_files files);

/* A text between single quotes. Those within are left by `quote`, and characters of `escaped` get a
 * backslash. `length` bytes are looked at, the most important part of a description. */
void hy_print_quoted(FILE *out, const char *text, size_t length, const char *quote,
                     const char *escaped);

/* The part of an option's text that fits in a list: up to its first semicolon. */
size_t hy_brief_length(const char *text);

#endif
