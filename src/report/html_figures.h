/* The figures of the page, as SVG. Private to src/report. */
#ifndef HY_REPORT_HTML_FIGURES_H
#define HY_REPORT_HTML_FIGURES_H

#include "report/groups.h"
#include "report/report.h"

/* A curve for each of the first so many conditions. */
#define HY_MAX_CURVES 8

/* *svg is the caller's, and NULL where there is nothing to draw. */

/* Shares of games still going on by plies (Kaplan and Meier), with 95 % bands. */
HY_MUST_CHECK hy_status hy_figure_survival(const hy_groups *groups, char **svg, hy_error *error);

/* The first player's score of every condition, with its interval. */
HY_MUST_CHECK hy_status hy_figure_score(const hy_report *report, char **svg, hy_error *error);

/* Chains per capture of every condition, with its interval. */
HY_MUST_CHECK hy_status hy_figure_chains(const hy_report *report, char **svg, hy_error *error);

#endif
