/* The report as one self-contained page: tables, figures, provenance, how to repeat it. */
#ifndef HY_REPORT_HTML_H
#define HY_REPORT_HTML_H

#include "report/groups.h"
#include "report/report.h"

/* Writes the page to `path`: as a whole, or not at all. `version` is the program's. The page loads
 * nothing and runs nothing; texts of the database are shown as they are, never as markup. HY_FAILED
 * where figures cannot be drawn or the file cannot be written. */
HY_MUST_CHECK hy_status hy_report_write_html(const hy_report *report, const hy_groups *groups,
                                             const char *database, const char *version,
                                             const char *path, hy_error *error);

#endif
