/* Edits of a database, a line each, as the fuzzer of databases reads them:
 *
 *   set TABLE ROW COLUMN VALUE   a row by its place in the table's key, * for all; any type
 * anywhere delete TABLE ROW copy TABLE ROW COLUMN VALUE  the row once more, with that value schema
 * TYPE NAME SQL         a row in sqlite_schema view NAME SQL                other text for what is
 * there byte OFFSET HEX              bytes of the file, after all other edits size N its length
 *
 * A VALUE is i and an integer, r and a real number, t and a text, x and bytes in hexadecimal, or n.
 */
#ifndef HY_FUZZ_PATCH_H
#define HY_FUZZ_PATCH_H

/* Applies the lines of `text` to a file made from a base's `loose`, and gives it its schema back.
 * `text` is written to. */
void hy_fuzz_patch(const char *path, char *text);

#endif
