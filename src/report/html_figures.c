#include "report/html_figures.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/text_buffer.h"
#include "report/lengths.h"
#include "report/plot.h"
#include "stats/survival.h"

#define MAX_POINTS 600u /* of a curve; more cannot be seen */

/* Draws what has been written with `status`, and releases it. */
static hy_status draw(hy_text_buffer *script, hy_status status, char **svg, hy_error *error)
{
    status = hy_text_buffer_close(script, status, error);
    if (status == HY_OK)
        status = hy_plot_svg(script->text, svg, error);
    free(script->text);
    return status;
}

static void print_number(FILE *script, double value)
{
    if (isfinite(value))
        fprintf(script, " %.9g", value);
    else
        fputs(" NaN", script);
}

/* Two blocks of data, steps in both: plies and survival from 1 to the longest game, and plies with
 * the band where it is known. */
static void print_curve(FILE *script, const hy_survival *survival, uint64_t longest,
                        unsigned number)
{
    double last = 1;
    size_t step = survival->num_points / MAX_POINTS + 1;
    const hy_survival_point *before = NULL;
    fprintf(script, "$curve%u << EOD\n1 1\n", number);
    for (size_t i = 0; i < survival->num_points; i++) {
        last = survival->points[i].survival;
        if (i % step == 0 || i + 1 == survival->num_points)
            fprintf(script, "%g %.9g\n", survival->points[i].time, survival->points[i].survival);
    }
    fprintf(script, "%" PRIu64 " %.9g\nEOD\n$band%u << EOD\n", longest, last, number);
    for (size_t i = 0; i < survival->num_points; i++) {
        const hy_survival_point *point = &survival->points[i];
        if ((i % step != 0 && i + 1 < survival->num_points) || !isfinite(point->low))
            continue;
        if (before)
            fprintf(script, "%g %.9g %.9g\n", point->time, before->low, before->high);
        fprintf(script, "%g %.9g %.9g\n", point->time, point->low, point->high);
        before = point;
    }
    fprintf(script, "%sEOD\n", before ? "" : "1 1 1\n");
}

static hy_status print_curve_of(FILE *script, const hy_group *group, unsigned number,
                                hy_error *error)
{
    hy_lifetime *lifetimes;
    hy_survival survival;
    hy_status status = hy_lifetimes_of(&group->summary, 0, &lifetimes, error);
    if (status != HY_OK)
        return status;
    status = hy_survival_fit(lifetimes, group->summary.num_lengths, HY_BAND_LOG_LOG, HY_CONFIDENCE,
                             &survival, error);
    free(lifetimes);
    if (status != HY_OK)
        return status;
    print_curve(script, &survival, group->summary.max_plies, number);
    hy_survival_clean_up(&survival);
    return HY_OK;
}

hy_status hy_figure_survival(const hy_groups *groups, char **svg, hy_error *error)
{
    hy_text_buffer buffer;
    size_t num = groups->num < HY_MAX_CURVES ? groups->num : HY_MAX_CURVES;
    uint64_t longest = 0;
    hy_status status = HY_OK;
    *svg = NULL;
    for (unsigned i = 0; i < num; i++) {
        if (groups->groups[i].summary.max_plies > longest)
            longest = groups->groups[i].summary.max_plies;
    }
    if (longest == 0)
        return HY_OK;
    status = hy_text_buffer_open(&buffer, error);
    if (status != HY_OK)
        return status;
    FILE *script = buffer.out;
    fputs(hy_plot_head(), script);
    for (unsigned i = 0; status == HY_OK && i < num; i++)
        status = print_curve_of(script, &groups->groups[i], i, error);
    fputs("set xlabel 'plies (logarithmic)'\nset ylabel 'share of games still going on'\n"
          "set logscale x\nset yrange [0:1]\nset key outside right top\n"
          "set style fill transparent solid 0.15 noborder\n",
          script);
    fprintf(script, "set xrange [1:%" PRIu64 "]\nplot", longest < 2 ? 2 : longest);
    for (unsigned i = 0; i < num; i++) {
        const hy_group *group = &groups->groups[i];
        unsigned style = i % HY_PLOT_STYLES + 1;
        fprintf(script, "%s $band%u using 1:2:3 with filledcurves ls %u notitle,", i > 0 ? "," : "",
                i, style);
        fprintf(script, " $curve%u using 1:2 with steps ls %u title 'condition %" PRIu32 "%s'", i,
                style, group->condition + 1, group->swapped ? " (swapped)" : "");
    }
    fputc('\n', script);
    return draw(&buffer, status, svg, error);
}

/* The estimate that a figure shows of a condition. */
typedef const hy_estimate *hy_figure_value(const hy_condition_report *row);

/* What all the intervals need, and a little more; false: there are none. */
static bool range_of(const hy_report *report, hy_figure_value *value_of, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_estimate *value = value_of(&report->conditions[i]);
        if (!value->known)
            continue;
        *low = fmin(*low, fmin(value->value, value->low));
        *high = fmax(*high, fmax(value->value, value->high));
    }
    return *low <= *high;
}

/* One line a condition, from top to bottom; of shares. The range holds `always`, unless NaN. */
static hy_status draw_intervals(const hy_report *report, hy_figure_value *value_of,
                                const char *label, double always, const char *more, char **svg,
                                hy_error *error)
{
    hy_text_buffer buffer;
    double least, most;
    *svg = NULL;
    if (!range_of(report, value_of, &least, &most))
        return HY_OK;
    least = fmin(least, always);
    most = fmax(most, always);
    double margin = fmax(0.005, 0.05 * (most - least));
    hy_status status = hy_text_buffer_open(&buffer, error);
    if (status != HY_OK)
        return status;
    FILE *script = buffer.out;
    fputs(hy_plot_head(), script);
    fputs("$values << EOD\n", script);
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_condition_report *row = &report->conditions[i];
        const hy_estimate *value = value_of(row);
        fprintf(script, "%zu \"%" PRIu32 "%s\"", i + 1, row->condition + 1,
                row->swapped ? "s" : "");
        print_number(script, value->known ? value->value : NAN);
        print_number(script, value->known ? value->low : NAN);
        print_number(script, value->known ? value->high : NAN);
        fputc('\n', script);
    }
    fprintf(script,
            "EOD\nset ylabel 'condition (s: seats swapped)'\nset xlabel '%s'\n"
            "set yrange [%zu.5:0.5]\nset xrange [%.9g:%.9g]\n%s"
            "plot $values using 3:1:4:5:ytic(%s) with xerrorbars ls 1 dt 1 notitle\n",
            label, report->num_conditions, least - margin, most + margin, more,
            report->num_conditions <= 40 ? "2" : "int($1) % 10 == 0 ? strcol(2) : ''");
    return draw(&buffer, HY_OK, svg, error);
}

static const hy_estimate *score_of(const hy_condition_report *row)
{
    return &row->first_player_score;
}

static const hy_estimate *chains_of(const hy_condition_report *row)
{
    return &row->chains;
}

hy_status hy_figure_score(const hy_report *report, char **svg, hy_error *error)
{
    return draw_intervals(report, score_of, "first-player score, 95 % interval", 0.5,
                          "set arrow from 0.5, graph 0 to 0.5, graph 1 "
                          "nohead lc '#666666' dt 2\n",
                          svg, error);
}

hy_status hy_figure_chains(const hy_report *report, char **svg, hy_error *error)
{
    return draw_intervals(report, chains_of, "chains per capture, 95 % interval", NAN, "", svg,
                          error);
}
