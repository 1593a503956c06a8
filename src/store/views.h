/* The views for people, and what their columns mean. Private to src/store. */
#ifndef HY_STORE_VIEWS_H
#define HY_STORE_VIEWS_H

#include <stddef.h>

typedef struct hy_view_doc {
    const char *view;
    const char *column; /* empty: the view itself */
    const char *unit;
    const char *meaning;
} hy_view_doc;

extern const char *const hy_views_sql;
extern const hy_view_doc hy_view_docs[];
extern const size_t hy_num_view_docs;

/* The measures of games: `v_quality` and `v_complexity`. */
extern const char *const hy_quality_views_sql;
extern const hy_view_doc hy_quality_view_docs[];
extern const size_t hy_num_quality_view_docs;

#endif
