/* Text that is written as to a file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/text_buffer.h"

/* Whether addresses can be limited: those of the sanitizers are beyond every limit. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CAN_LIMIT false
#elif defined(__has_feature)
#define CAN_LIMIT !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define CAN_LIMIT true
#endif

static void all_of_it_is_there(void **state)
{
    hy_text_buffer buffer;
    (void)state;
    for (unsigned lines = 0; lines < 100000; lines = 3 * lines + 1) {
        assert_int_equal(hy_text_buffer_open(&buffer, NULL), HY_OK);
        for (unsigned i = 0; i < lines; i++)
            fprintf(buffer.out, "%07u\n", i);
        assert_int_equal(hy_text_buffer_close(&buffer, HY_OK, NULL), HY_OK);
        assert_int_equal(buffer.size, 8 * lines);
        assert_int_equal(strlen(buffer.text), 8 * lines);
        for (unsigned i = 0; i < lines; i++)
            assert_int_equal(strtoul(buffer.text + 8 * (size_t)i, NULL, 10), i);
        free(buffer.text);
    }
}

static void failed_work_leaves_no_text(void **state)
{
    hy_error error = {0};
    hy_text_buffer buffer;
    (void)state;
    assert_int_equal(hy_text_buffer_open(&buffer, &error), HY_OK);
    fputs("half a", buffer.out);
    assert_int_equal(hy_text_buffer_close(&buffer, HY_STORAGE, &error), HY_STORAGE);
    assert_null(buffer.text);
    assert_int_equal(error.status, HY_OK); /* what was said of it before stays */
}

/* A part in the middle is lost, and what is written after it finds room. */
static void text_with_a_gap_is_a_failure(void **state)
{
    static char much[1 << 20];
    hy_error error = {0};
    hy_text_buffer buffer;
    struct rlimit before, less;
    (void)state;
    if (!CAN_LIMIT)
        skip();
    memset(much, 'x', sizeof much);
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(hy_text_buffer_open(&buffer, &error), HY_OK);
    less = before;
    less.rlim_cur = 256 << 20;
    assert_int_equal(setrlimit(RLIMIT_AS, &less), 0);
    for (unsigned i = 0; i < 400; i++)
        fwrite(much, 1, sizeof much, buffer.out);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    fputs("the end", buffer.out);
    assert_int_equal(hy_text_buffer_close(&buffer, HY_OK, &error), HY_NO_MEMORY);
    assert_int_equal(error.status, HY_NO_MEMORY);
    assert_null(buffer.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_it_is_there),
        cmocka_unit_test(failed_work_leaves_no_text),
        cmocka_unit_test(text_with_a_gap_is_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
