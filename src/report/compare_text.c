/* A comparison as text: values, then effects with their intervals, then tests. */
#include <inttypes.h>
#include <math.h>

#include "report/compare.h"
#include "report/numbers.h"

/* What is not paired although games are stored one by one. */
static const char *unpaired(const hy_compare *compare)
{
    if (compare->options.metric->kind == HY_METRIC_MEDIAN)
        return " (in the test; intervals are those of independent groups)";
    for (size_t i = 0; i < compare->num_rows; i++) {
        if (compare->options.metric->kind == HY_METRIC_RESTRICTED && !compare->rows[i].paired)
            return " (but where the test is z: games were cut before the horizon, and groups are "
                   "taken to be independent)";
    }
    return "";
}

static void print_head(const hy_compare *compare, FILE *out)
{
    const hy_compare_options *options = &compare->options;
    const hy_metric *metric = options->metric;
    fprintf(out, "%s by %s: %s\n", metric->word, hy_axis_word(options->axis), metric->meaning);
    fprintf(out, "unit: %s, over %s; %g %% intervals; p adjusted for %zu comparison%s by %s\n",
            metric->unit, metric->denominator, 100 * options->confidence, compare->num_rows,
            compare->num_rows == 1 ? "" : "s", hy_adjustment_words[options->adjustment]);
    if (metric->kind == HY_METRIC_RESTRICTED)
        fprintf(out, "horizon: %g plies\n", compare->horizon);
    if (compare->groups->has_rows)
        fprintf(out, "games of the same number are paired: they draw the same random numbers%s\n",
                unpaired(compare));
    else
        fprintf(out, "groups are taken to be independent, but games of the same number draw the "
                     "same random numbers, so errors can be too small; record: games pairs them\n");
}

/* The games that a statement about the others leaves out, or that ended without end. */
static void print_ends(const hy_group *group, uint64_t asked, FILE *out)
{
    const hy_summary *summary = &group->summary;
    static const hy_termination shown[] = {HY_ENDLESS, HY_REPETITION, HY_UNRESOLVED, HY_TRUNCATED};
    fprintf(out, "%" PRIu64 " games", summary->games);
    if (summary->games < asked)
        fprintf(out, " (%" PRIu64 " were asked for)", asked);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        uint64_t games = summary->terminations[shown[i]];
        if (games > 0)
            fprintf(out, ", %" PRIu64 " %s (%.3g %%)", games, hy_termination_words[shown[i]],
                    100 * (double)games / (double)summary->games);
    }
    if (summary->results[HY_RESULT_NONE] > 0)
        fprintf(out, ", %" PRIu64 " without a result", summary->results[HY_RESULT_NONE]);
    if (hy_group_repeats(group))
        fprintf(out, "; WARNING: about %.0f distinct games, so intervals and p are too small",
                group->distinct.estimate);
}

static void print_levels(const hy_compare *compare, size_t stratum, FILE *out)
{
    for (size_t i = 0; i < compare->num_levels; i++) {
        const hy_compare_level *level = &compare->levels[i];
        char value[HY_NUMBER_SIZE];
        if (level->stratum != stratum)
            continue;
        fprintf(out, "  %-16s ", level->level);
        if (compare->options.metric->kind != HY_METRIC_HAZARD)
            fprintf(out, "%-28s ", hy_interval_text(&level->value, value));
        fprintf(out, "of ");
        print_ends(level->group, hy_store_experiment(compare->groups->store)->games, out);
        fputc('\n', out);
    }
}

static void print_equivalence(const hy_compare *compare, const hy_compare_row *row, FILE *out)
{
    char p[HY_NUMBER_SIZE];
    if (!(compare->options.margin > 0))
        return;
    if (!row->equivalence.known)
        fprintf(out, "; within ±%g: not known", compare->options.margin);
    else if (!isfinite(row->equivalence.p))
        fprintf(out, "; within ±%g: %s (by the interval)", compare->options.margin,
                row->equivalence.equivalent ? "shown" : "not shown");
    else
        fprintf(out, "; within ±%g: %s (%s)", compare->options.margin,
                row->equivalence.equivalent ? "shown" : "not shown",
                hy_p_text(row->equivalence.p, p));
}

static void print_row(const hy_compare *compare, const hy_compare_row *row, FILE *out)
{
    char text[HY_NUMBER_SIZE];
    fprintf(out, "  %s against %s:", compare->levels[row->level].level,
            compare->levels[row->base].level);
    if (row->difference.known)
        fprintf(out, " difference %s %s;", hy_interval_text(&row->difference, text),
                compare->options.metric->unit);
    if (row->ratio.known)
        fprintf(out, " ratio %s;", hy_interval_text(&row->ratio, text));
    if (!row->difference.known && !row->ratio.known)
        fprintf(out, " effect not known;");
    if (row->test) {
        fprintf(out, " %s", row->test);
        if (isfinite(row->statistic))
            fprintf(out, " %.4g", row->statistic);
        fprintf(out, ", %s", hy_p_text(row->p, text));
        fprintf(out, ", adjusted %s", hy_p_text(row->adjusted, text));
    } else {
        fprintf(out, " no test: %s",
                row->difference.known || compare->options.metric->kind == HY_METRIC_HAZARD
                    ? "the games do not vary"
                    : "nothing to count in one of them");
    }
    print_equivalence(compare, row, out);
    if (row->proportional_p < 0.05)
        fprintf(out, "; hazards are not in proportion (%s): the ratio is a mean over the game",
                hy_p_text(row->proportional_p, text));
    fputc('\n', out);
}

void hy_compare_print(const hy_compare *compare, FILE *out)
{
    print_head(compare, out);
    for (size_t stratum = 0; stratum < compare->num_strata; stratum++) {
        char text[512];
        hy_compare_stratum(compare, stratum, text, sizeof text);
        fprintf(out, "\n%s%s", text, text[0] ? "\n" : "");
        print_levels(compare, stratum, out);
        for (size_t i = 0; i < compare->num_rows; i++) {
            if (compare->levels[compare->rows[i].level].stratum == stratum)
                print_row(compare, &compare->rows[i], out);
        }
    }
}
