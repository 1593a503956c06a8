/* The report as text. */
#include <inttypes.h>
#include <locale.h>
#include <string.h>

#include "report/numbers.h"
#include "report/report.h"
#include "report/stopping.h"

#define GROUPED_SIZE 32

/* 1234567 as "1,234,567". */
static const char *grouped(uint64_t number, char buffer[GROUPED_SIZE])
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            buffer[used++] = ',';
        buffer[used++] = digits[i];
    }
    buffer[used] = '\0';
    return buffer;
}

void hy_variant_label(const hy_rules *rules, char label[HY_LABEL_SIZE])
{
    hy_rules defaults = hy_rules_default();
    size_t used = (size_t)snprintf(label, HY_LABEL_SIZE, "2×%u, %u counter%s a hole", rules->holes,
                                   rules->seeds, rules->seeds == 1 ? "" : "s");
    for (size_t i = 0; i < hy_num_fields; i++) {
        const hy_field *field = &hy_fields[i];
        char text[HY_FIELD_TEXT_SIZE];
        unsigned value = hy_field_get(field, rules);
        bool shown = strcmp(field->key, "holes") == 0 || strcmp(field->key, "seeds") == 0;
        if (!shown && value != hy_field_get(field, &defaults) && used < HY_LABEL_SIZE)
            used += (size_t)snprintf(label + used, HY_LABEL_SIZE - used, ", %s=%s", field->key,
                                     hy_field_text(field, value, text));
    }
}

static void print_head(const hy_report *report, const hy_condition_report *row, FILE *out)
{
    const hy_condition *condition = &report->experiment->conditions[row->condition];
    char label[HY_LABEL_SIZE], first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    hy_variant_label(&condition->rules, label);
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    fprintf(out, "\ncondition %" PRIu32 "%s: %s\n", row->condition + 1,
            row->swapped ? " (seats swapped)" : "", label);
    fprintf(out, "  %-20s south %s, north %s", "policies", row->swapped ? second : first,
            row->swapped ? first : second);
    if (condition->opening_plies > 0)
        fprintf(out, "; opening: %" PRIu32 " random plies", condition->opening_plies);
    fputc('\n', out);
    if (row->swapped && hy_condition_repeats_swapped(condition))
        fprintf(out,
                "  %-20s both policies are the same, so these are the games of the other seating "
                "once more\n",
                "warning");
    if (!hy_condition_is_reproducible(condition))
        fprintf(out, "  %-20s a policy is limited by time: these games cannot be reproduced\n",
                "warning");
}

static void print_distinct(const hy_condition_report *row, FILE *out)
{
    char games[GROUPED_SIZE], distinct[GROUPED_SIZE];
    fprintf(out, "  %-20s %s; ", "games", grouped(row->games, games));
    if (row->distinct.standard_error > 0)
        fprintf(out, "about %s (± %.0f %%) of them distinct\n",
                grouped((uint64_t)row->distinct.estimate, distinct),
                100 * 1.96 * row->distinct.standard_error / row->distinct.estimate);
    else
        fprintf(out, "%s of them distinct\n", grouped((uint64_t)row->distinct.estimate, distinct));
    if (hy_games_repeat(row))
        fprintf(out,
                "  %-20s most games repeat one another, so the intervals below may be too "
                "narrow: vary the play (random_plies, epsilon, ties)\n",
                "warning");
}

static void print_percent(const char *name, const hy_estimate *share, uint64_t count, FILE *out)
{
    char number[GROUPED_SIZE];
    fprintf(out, "  %-20s %6.2f %%  [%.2f, %.2f]  %s games\n", name, 100 * share->value,
            100 * share->low, 100 * share->high, grouped(count, number));
}

static void print_results(const hy_condition_report *row, FILE *out)
{
    static const char *const names[HY_NUM_RESULTS] = {"south wins", "north wins", "draws",
                                                      "no result"};
    char number[GROUPED_SIZE];
    for (size_t i = 0; i < HY_NUM_RESULTS; i++)
        print_percent(names[i], &row->shares[i], row->results[i], out);
    if (row->first_player_score.known)
        fprintf(out, "  %-20s %8.4f  [%.4f, %.4f]  over %s games with a result\n",
                "first-player score", row->first_player_score.value, row->first_player_score.low,
                row->first_player_score.high, grouped(row->scored, number));
    fprintf(out, "  %-20s", "ended by");
    const char *separator = " ";
    for (size_t i = HY_GOES_ON + 1; i < HY_NUM_TERMINATIONS; i++) {
        if (row->terminations[i] > 0) {
            fprintf(out, "%s%s %s", separator, hy_termination_words[i],
                    grouped(row->terminations[i], number));
            separator = ", ";
        }
    }
    fputc('\n', out);
}

static void print_length(const hy_condition_report *row, FILE *out)
{
    const hy_length_report *length = &row->length;
    char number[GROUPED_SIZE], all[GROUPED_SIZE], median[HY_NUMBER_SIZE];
    if (length->mean.known)
        fprintf(out, "  %-20s %8.2f  [%.2f, %.2f]  plies a game; standard deviation %.2f\n",
                "mean length", length->mean.value, length->mean.low, length->mean.high,
                length->standard_deviation);
    else if (length->num_censored > 0)
        fprintf(out,
                "  %-20s not given: %s of %s games were cut (truncated or unresolved), so their "
                "length is only a lower bound\n",
                "mean length", grouped(length->num_censored, number), grouped(row->games, all));
    if (length->median.known)
        fprintf(out, "  %-20s %s  plies, by Kaplan and Meier\n", "median length",
                hy_interval_text(&length->median, median));
    else
        fprintf(out, "  %-20s not reached: half of the games or more went on when they were cut\n",
                "median length");
    fprintf(out, "  %-20s", "length, quantiles");
    for (size_t i = 0; i < HY_NUM_QUANTILES; i++) {
        fprintf(out, "%s%.0f %%: ", i > 0 ? ", " : " ", 100 * hy_quantiles[i]);
        fprintf(out, "%s",
                length->quantile_known[i] ? grouped(length->quantile[i], number) : "not reached");
    }
    fprintf(out, "; longest %s plies\n", grouped(length->longest, number));
}

static void print_captures(const hy_condition_report *row, FILE *out)
{
    char chains[GROUPED_SIZE], captures[GROUPED_SIZE];
    if (row->captures.known)
        fprintf(out, "  %-20s %8.3f  [%.3f, %.3f]  a game; %.3f casas a game\n", "captures",
                row->captures.value, row->captures.low, row->captures.high, row->casas.value);
    else if (row->length.num_censored > 0)
        fprintf(out, "  %-20s not given: games were cut, so a mean a game would be a lower bound\n",
                "captures");
    if (row->captures_per_ply.known)
        fprintf(out, "  %-20s %8.4f  [%.4f, %.4f]  clustered by game\n", "captures a ply",
                row->captures_per_ply.value, row->captures_per_ply.low, row->captures_per_ply.high);
    if (row->chains.known)
        fprintf(out,
                "  %-20s %6.3f %%  [%.3f, %.3f]  %s of %s captures, clustered by game; longest "
                "chain %" PRIu64 "\n",
                "chains", 100 * row->chains.value, 100 * row->chains.low, 100 * row->chains.high,
                grouped(row->num_chains, chains), grouped(row->num_captures, captures),
                row->longest_chain);
}

static void print_condition(const hy_report *report, const hy_condition_report *row, FILE *out)
{
    print_head(report, row, out);
    if (row->games == 0) {
        fprintf(out, "  no games yet\n");
        return;
    }
    print_distinct(row, out);
    if (report->rules)
        hy_stopping_print(&report->rules[row->condition], row->swapped, out);
    print_results(row, out);
    print_length(row, out);
    print_captures(row, out);
}

static void print(const hy_report *report, FILE *out)
{
    const hy_experiment *experiment = report->experiment;
    char games[GROUPED_SIZE], asked[GROUPED_SIZE];
    fprintf(out, "%s", experiment->name);
    if (experiment->question[0] != '\0')
        fprintf(out, ": %s", experiment->question);
    fprintf(out, "\nseed %" PRIu64 "; %s of %s games; intervals at 95 %%", experiment->seed,
            grouped(report->games, games), grouped(report->asked, asked));
    if (report->rules)
        fprintf(out,
                "; at most %s games, ended by a stop rule: intervals are not corrected for that, "
                "but in the lines 'stopped by'",
                grouped(hy_experiment_num_games(experiment), asked));
    fputc('\n', out);
    for (size_t i = 0; i < report->num_conditions; i++)
        print_condition(report, &report->conditions[i], out);
}

/* Numbers have a decimal point whatever the locale of the program that asks. */
void hy_report_print(const hy_report *report, FILE *out)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    print(report, out);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
}
