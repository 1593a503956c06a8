#include "report/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/draft.h"
#include "base/text_buffer.h"
#include "report/html_figures.h"
#include "report/numbers.h"
#include "report/stopping.h"

static const char style[] =
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#111;"
    "background:#fff}table{border-collapse:collapse;margin:1em 0;font-size:.9em}"
    "caption{text-align:left;font-weight:bold;padding:.3em 0}th,td{border:1px solid #bbb;"
    "padding:.25em .6em;text-align:left;vertical-align:top}td.n{text-align:right}"
    "figure{margin:1.5em 0}img{max-width:100%;height:auto}pre{background:#f4f4f4;padding:.8em;"
    "overflow-x:auto}.scroll{overflow-x:auto}";

/* Text as text, whatever it holds. */
static void escape(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        case '\'':
            fputs("&#39;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void cell(FILE *out, const char *text)
{
    fputs("<td>", out);
    escape(out, text);
    fputs("</td>", out);
}

static void number_cell(FILE *out, uint64_t number)
{
    fprintf(out, "<td class=\"n\">%" PRIu64 "</td>", number);
}

static void estimate_cell(FILE *out, const hy_estimate *value)
{
    char buffer[HY_NUMBER_SIZE];
    fprintf(out, "<td class=\"n\">%s</td>", hy_interval_text(value, buffer));
}

/* An SVG as an image of its own, so that nothing in it meets anything else of the page. */
static void image(FILE *out, const char *svg, const char *meaning, const char *caption)
{
    fputs("<figure><img alt=\"", out);
    escape(out, meaning);
    fputs("\" src=\"data:image/svg+xml,", out);
    for (; *svg; svg++) {
        unsigned char c = (unsigned char)*svg;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     (c != 0 && strchr("-_.~/:;=,() ", c));
        if (plain)
            fputc(c, out);
        else
            fprintf(out, "%%%02X", c);
    }
    fputs("\"><figcaption>", out);
    escape(out, caption);
    fputs("</figcaption></figure>\n", out);
}

static void print_conditions(const hy_report *report, FILE *out)
{
    fputs("<div class=\"scroll\"><table id=\"conditions\"><caption>Conditions</caption>"
          "<tr><th>condition<th>variant<th>south<th>north<th>opening<th>cap, plies<th>games</tr>\n",
          out);
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_condition_report *row = &report->conditions[i];
        const hy_condition *condition = &report->experiment->conditions[row->condition];
        char label[HY_LABEL_SIZE], south[HY_POLICY_TEXT_SIZE], north[HY_POLICY_TEXT_SIZE];
        hy_variant_label(&condition->rules, label);
        hy_policy_spec_print(row->swapped ? condition->second : condition->first, south);
        hy_policy_spec_print(row->swapped ? condition->first : condition->second, north);
        fprintf(out, "<tr><td>%" PRIu32 "%s</td>", row->condition + 1,
                row->swapped ? "s (seats swapped)" : "");
        cell(out, label);
        cell(out, south);
        cell(out, north);
        number_cell(out, condition->opening_plies);
        number_cell(out, condition->max_plies);
        number_cell(out, row->games);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

/* A mean a game, which is not given where games were cut. */
static void mean_cell(FILE *out, const hy_condition_report *row, const hy_estimate *value)
{
    if (row->length.num_censored > 0)
        fprintf(out, "<td>not given: %" PRIu64 " games were cut</td>", row->length.num_censored);
    else
        estimate_cell(out, value);
}

static void print_answers(const hy_report *report, FILE *out)
{
    fputs("<div class=\"scroll\"><table id=\"answers\"><caption>Answers, with 95 % intervals"
          "</caption><tr><th>condition<th>first-player score (points a game with a result)"
          "<th>south wins (share of games)<th>draws (share of games)"
          "<th>no result (share of games)<th>median length (plies)<th>mean length (plies a game)"
          "<th>captures a game<th>captures a ply<th>chains (share of captures)</tr>\n",
          out);
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_condition_report *row = &report->conditions[i];
        fprintf(out, "<tr><td>%" PRIu32 "%s</td>", row->condition + 1, row->swapped ? "s" : "");
        estimate_cell(out, &row->first_player_score);
        estimate_cell(out, &row->shares[HY_RESULT_SOUTH]);
        estimate_cell(out, &row->shares[HY_RESULT_DRAW]);
        estimate_cell(out, &row->shares[HY_RESULT_NONE]);
        if (row->games > 0 && !row->length.median.known)
            cell(out, "not reached");
        else
            estimate_cell(out, &row->length.median);
        mean_cell(out, row, &row->length.mean);
        mean_cell(out, row, &row->captures);
        estimate_cell(out, &row->captures_per_ply);
        estimate_cell(out, &row->chains);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n", out);
}

static void print_terminations(const hy_report *report, FILE *out)
{
    fputs("<div class=\"scroll\"><table id=\"terminations\"><caption>How games ended (games)"
          "</caption><tr><th>condition",
          out);
    for (size_t i = HY_GOES_ON + 1; i < HY_NUM_TERMINATIONS; i++)
        fprintf(out, "<th>%s", hy_termination_words[i]);
    fputs("<th>all</tr>\n", out);
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_condition_report *row = &report->conditions[i];
        fprintf(out, "<tr><td>%" PRIu32 "%s</td>", row->condition + 1, row->swapped ? "s" : "");
        for (size_t j = HY_GOES_ON + 1; j < HY_NUM_TERMINATIONS; j++)
            number_cell(out, row->terminations[j]);
        number_cell(out, row->games);
        fputs("</tr>\n", out);
    }
    fputs("</table></div>\n<p>An endless sowing ends a game by the rules. Truncated and unresolved "
          "games were cut by the simulation: they have no result, and their length is only a lower "
          "bound, so medians and curves take them as censored and no mean a game is given.</p>\n",
          out);
}

static void print_warnings(const hy_report *report, FILE *out)
{
    fputs("<ul id=\"warnings\">\n", out);
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_condition_report *row = &report->conditions[i];
        const hy_condition *condition = &report->experiment->conditions[row->condition];
        char name[32];
        snprintf(name, sizeof name, "%" PRIu32 "%s", row->condition + 1, row->swapped ? "s" : "");
        if (hy_games_repeat(row))
            fprintf(out,
                    "<li>Condition %s: most games repeat one another, so the intervals may be too "
                    "narrow; vary the play (random_plies, epsilon, ties).</li>\n",
                    name);
        if (row->swapped && hy_condition_repeats_swapped(condition))
            fprintf(out,
                    "<li>Condition %s: both policies are the same, so these are the games of the "
                    "other seating once more.</li>\n",
                    name);
        if (!hy_condition_is_reproducible(condition))
            fprintf(out,
                    "<li>Condition %s: a policy is limited by time; these games cannot be "
                    "reproduced.</li>\n",
                    name);
    }
    fputs("</ul>\n", out);
}

static hy_status print_stops(const hy_report *report, FILE *out, hy_error *error)
{
    if (!report->rules)
        return HY_OK;
    fprintf(out, "<div class=\"scroll\"><table id=\"stops\"><caption>What stopped the conditions"
                 "</caption><tr><th>condition<th>stopped by</tr>\n");
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_condition_report *row = &report->conditions[i];
        hy_text_buffer buffer;
        hy_status status = hy_text_buffer_open(&buffer, error);
        if (status != HY_OK)
            return status;
        hy_stopping_write(&report->rules[row->condition], row->swapped, buffer.out);
        status = hy_text_buffer_close(&buffer, HY_OK, error);
        if (status != HY_OK)
            return status;
        fprintf(out, "<tr><td>%" PRIu32 "%s</td>", row->condition + 1, row->swapped ? "s" : "");
        cell(out, buffer.text);
        fputs("</tr>\n", out);
        free(buffer.text);
    }
    fprintf(out,
            "</table></div>\n<p>At most %" PRIu64
            " games were asked for, ended by a stop rule: the "
            "intervals of the other tables are not corrected for that.</p>\n",
            hy_experiment_num_games(report->experiment));
    return HY_OK;
}

/* A figure, which is released; NULL: there is nothing to draw. */
static void figure(FILE *out, char *svg, const char *meaning, const char *caption)
{
    if (svg)
        image(out, svg, meaning, caption);
    else
        fputs("<p class=\"left-out\">No figure: no condition has a value to draw.</p>\n", out);
    free(svg);
}

static hy_status print_figures(const hy_report *report, const hy_groups *groups, FILE *out,
                               hy_error *error)
{
    char *svg;
    hy_status status = hy_figure_survival(groups, &svg, error);
    if (status != HY_OK)
        return status;
    fputs("<h2>Length</h2>\n", out);
    figure(
        out, svg, "curves of the share of games still going on, by plies",
        groups->num > HY_MAX_CURVES
            ? "Share of games still going on after so many plies (Kaplan and Meier, 95 % bands); "
              "the first eight conditions."
            : "Share of games still going on after so many plies (Kaplan and Meier, 95 % bands).");
    status = hy_figure_score(report, &svg, error);
    if (status != HY_OK)
        return status;
    fputs("<h2>First player</h2>\n", out);
    figure(out, svg, "the first player's score of each condition with its interval",
           "South's points a game with a result; 0.5 (dashed) is even.");
    status = hy_figure_chains(report, &svg, error);
    if (status != HY_OK)
        return status;
    fputs("<h2>Chains</h2>\n", out);
    figure(out, svg, "the share of captures that take a chain, by condition",
           "Captures that take a chain, as a share of captures; errors are clustered by game.");
    return HY_OK;
}

/* The text of the experiment file, where a run has stored one. */
static hy_status print_run(void *context, const char *timestamp, const char *record,
                           hy_error *error)
{
    FILE *out = context;
    json_t *json = record ? json_loads(record, 0, NULL) : NULL;
    const json_t *software = json_object_get(json, "software");
    const json_t *parameters = json_object_get(json, "parameters");
    const json_t *resources = json_object_get(json, "resources");
    const char *version = json_string_value(json_object_get(software, "version"));
    const char *file = json_string_value(json_object_get(parameters, "experiment_file"));
    (void)error;
    fputs("<li>", out);
    escape(out, timestamp ? timestamp : "");
    fputs(": version ", out);
    escape(out, version ? version : "not known");
    if (json_is_number(json_object_get(resources, "elapsed_time")))
        fprintf(out, ", %.1f s", json_number_value(json_object_get(resources, "elapsed_time")));
    if (file) {
        fputs("<pre class=\"experiment\">", out);
        escape(out, file);
        fputs("</pre>", out);
    }
    fputs("</li>\n", out);
    json_decref(json);
    return HY_OK;
}

static hy_status print_provenance(const hy_report *report, hy_groups const *groups,
                                  const char *version, FILE *out, hy_error *error)
{
    const hy_experiment *experiment = report->experiment;
    fputs("<h2>How to repeat it</h2>\n<p>Save the experiment file below, then:</p>\n"
          "<pre id=\"command\">hoyito run ",
          out);
    escape(out, experiment->name);
    fprintf(out, ".yaml --seed %" PRIu64 " --games %" PRIu64 " -o ", experiment->seed,
            experiment->games);
    escape(out, experiment->name);
    fputs(".db</pre>\n<p>The same games come out on any machine, with any number of threads; "
          "<code>hoyito digest</code> of both databases is the same. This page was made by "
          "version ",
          out);
    escape(out, version);
    fputs(".</p>\n<h2>Provenance</h2>\n<ol id=\"provenance\">\n", out);
    hy_status status = hy_store_each_provenance(groups->store, print_run, out, error);
    fputs("</ol>\n", out);
    return status;
}

static hy_status print_page(const hy_report *report, const hy_groups *groups, const char *database,
                            const char *version, FILE *out, hy_error *error)
{
    const hy_experiment *experiment = report->experiment;
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; img-src data:\">\n<title>",
          out);
    escape(out, experiment->name);
    fprintf(out, "</title>\n<style>%s</style></head><body>\n<h1>", style);
    escape(out, experiment->name);
    fputs("</h1>\n<p id=\"question\">", out);
    escape(out, experiment->question);
    fprintf(out, "</p>\n<p>Seed %" PRIu64 "; %" PRIu64 " of %" PRIu64 " games; database ",
            experiment->seed, report->games, report->asked);
    escape(out, database);
    fputs(".</p>\n", out);
    print_conditions(report, out);
    print_warnings(report, out);
    print_answers(report, out);
    hy_status status = print_stops(report, out, error);
    print_terminations(report, out);
    if (status == HY_OK && groups->num > 0)
        status = print_figures(report, groups, out, error);
    if (status == HY_OK)
        status = print_provenance(report, groups, version, out, error);
    fputs("</body></html>\n", out);
    return status;
}

hy_status hy_report_write_html(const hy_report *report, const hy_groups *groups,
                               const char *database, const char *version, const char *path,
                               hy_error *error)
{
    hy_draft page;
    hy_status status = hy_draft_open(path, &page, error);
    if (status != HY_OK)
        return status;
    status = print_page(report, groups, database, version, page.file, error);
    if (status == HY_OK)
        return hy_draft_keep(&page, true, error);
    hy_draft_drop(&page);
    return status;
}
