/* What is asked of a database: its groups, and refusals. */
#ifndef HY_TESTS_REPORT_QUESTION_H
#define HY_TESTS_REPORT_QUESTION_H

#include "report/groups.h"

typedef struct question {
    hy_store *store;
    hy_groups groups;
} question;

/* Opens a database and loads its groups; the test fails where that cannot be done. */
void question_open(question *q, const char *path);
void question_clean_up(question *q);

/* The test fails unless the status is `expected` and the error has the word. */
void question_refused(hy_status status, hy_status expected, const hy_error *error,
                      const char *word);

#endif
