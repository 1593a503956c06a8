/* Figures, drawn by gnuplot as SVG. Private to src/report. */
#ifndef HY_REPORT_PLOT_H
#define HY_REPORT_PLOT_H

#include <stddef.h>

#include "base/status.h"

/* Runs gnuplot on a script that writes SVG to its standard output (hy_plot_head begins one); the
 * caller frees *svg. No shell is called. HY_FAILED where there is no gnuplot, or it fails. */
HY_MUST_CHECK hy_status hy_plot_svg(const char *script, char **svg, hy_error *error);

/* What every script begins with: the terminal and line styles in the colours
 * of Okabe and Ito (Color Universal Design, 2008), told apart by dashes as well. */
#define HY_PLOT_STYLES 8
const char *hy_plot_head(void);

#endif
