/* JSON Lines in, JSON Lines out: each row is an object that gets an answer. */
#ifndef HY_CLI_FILTER_H
#define HY_CLI_FILTER_H

#include <jansson.h>

#include "base/status.h"

/* Adds the answer to a row. */
typedef hy_status hy_answer(json_t *row, hy_error *error);

/* Answers every line of stdin on stdout; empty lines are passed over. A row that cannot be answered
 * gives {"error": …, "line": n} in its place, and HY_FAILED at the end. */
HY_MUST_CHECK hy_status hy_filter(hy_answer *answer, hy_error *error);

/* The same with an answer that is told what is asked. */
typedef hy_status hy_answer_with(json_t *row, const void *context, hy_error *error);
HY_MUST_CHECK hy_status hy_filter_with(hy_answer_with *answer, const void *context,
                                       hy_error *error);

/* Keys that no filter reads go through unchanged. But one that is nearly an optional key (of `num`)
 * that the row does not have is taken for misspelt and refused: its default would be used in
 * silence. */
HY_MUST_CHECK hy_status hy_refuse_misspelt(const json_t *row, const char *const *optional,
                                           size_t num, hy_error *error);

#endif
