/* Small databases that the fuzzer of databases edits: made by the program itself, at the start. */
#ifndef HY_FUZZ_BASES_H
#define HY_FUZZ_BASES_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hy_fuzz_base {
    const char *name;
    const char *yaml;
    char *yaml_path; /* from here on made by hy_fuzz_bases */
    char *path;      /* as it was made */
    uint8_t *loose;  /* the same file with a schema that takes any value anywhere */
    size_t size;
} hy_fuzz_base;

/* A column of the database, beside `sqlite_schema`. */
typedef struct hy_fuzz_column {
    char table[32];
    char column[40];
} hy_fuzz_column;

#define HY_FUZZ_NUM_BASES 5

/* The bases, made when they are first asked for. */
const hy_fuzz_base *hy_fuzz_bases(void);

const hy_fuzz_column *hy_fuzz_columns(size_t *num);

/* Gives a database that was made from `loose` the schema that the program makes. */
void hy_fuzz_tighten(sqlite3 *handle);

#endif
