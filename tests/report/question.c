#include "report/question.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void question_open(question *q, const char *path)
{
    hy_error error;
    if (hy_store_open(path, &q->store, &error) != HY_OK)
        fail_msg("%s", error.text);
    if (hy_groups_load(q->store, &q->groups, &error) != HY_OK)
        fail_msg("%s", error.text);
}

void question_clean_up(question *q)
{
    hy_groups_clean_up(&q->groups);
    hy_store_abandon(q->store);
}

void question_refused(hy_status status, hy_status expected, const hy_error *error, const char *word)
{
    assert_int_equal(status, expected);
    if (!strstr(error->text, word))
        fail_msg("'%s' is not in: %s", word, error->text);
}
