/* Files on disk for a test program, and what an error must say. */
#ifndef HY_TESTS_CONFIG_FOLDER_H
#define HY_TESTS_CONFIG_FOLDER_H

#include <stddef.h>

#include "base/status.h"

#define NUM(array) (sizeof(array) / sizeof(array)[0])

/* Group fixtures of cmocka: a new folder for the program's files, and its removal. */
int folder_make(void **state);
int folder_remove(void **state);

/* The path of a name in the folder; valid until the next call. */
const char *folder_path(const char *name);

/* Writes a file and returns its path as folder_path does. */
const char *folder_write(const char *name, const void *bytes, size_t size);
const char *folder_write_text(const char *name, const char *text);

/* The error stands at line and column of `path` and has each of the words (up to NULL). */
void assert_error(hy_status status, const hy_error *error, const char *path, unsigned line,
                  unsigned column, const char *const *words);
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif
