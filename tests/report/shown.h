/* Reports as they are shown, of databases made for a test. */
#ifndef HY_TESTS_REPORT_SHOWN_H
#define HY_TESTS_REPORT_SHOWN_H

#include <jansson.h>

#include "store/databases.h"

/* The report of a database as JSON, and as text; the caller releases them. */
json_t *shown_json(const char *path);
char *shown_text(const char *path);

/* A database of the experiment, played anew under that name. */
const char *shown_database(const char *name, hy_experiment *experiment);

/* Sets a locale with a decimal comma; false where the system has none. */
bool shown_with_comma(void);

#endif
