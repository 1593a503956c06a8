#include "report/shown.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>

#include "report/report.h"

json_t *shown_json(const char *path)
{
    hy_store *store;
    hy_report report;
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    assert_int_equal(hy_report_build(store, &report, NULL), HY_OK);
    json_t *json = hy_report_json(&report);
    assert_non_null(json);
    hy_report_clean_up(&report);
    hy_store_abandon(store);
    return json;
}

char *shown_text(const char *path)
{
    hy_store *store;
    hy_report report;
    char *text = NULL;
    size_t size;
    assert_int_equal(hy_store_open(path, &store, NULL), HY_OK);
    assert_int_equal(hy_report_build(store, &report, NULL), HY_OK);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    hy_report_print(&report, out);
    assert_int_equal(fclose(out), 0);
    hy_report_clean_up(&report);
    hy_store_abandon(store);
    return text;
}

const char *shown_database(const char *name, hy_experiment *experiment)
{
    file_remove(scratch_path(name));
    return play_all(name, experiment, 2);
}

bool shown_with_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
    for (size_t i = 0; i < NUM(names); i++) {
        if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',')
            return true;
    }
    setlocale(LC_ALL, "C");
    return false;
}
