/* The quality of a game as text. */
#include <inttypes.h>
#include <locale.h>
#include <math.h>

#include "report/quality.h"
#include "report/report.h"

#define NAME_WIDTH 27
#define INTERVAL_SIZE 64
#define INTERVAL_WIDTH 20

/* "[0.4312, 0.4501]" with four significant places of the value. */
static const char *interval_text(const hy_estimate *estimate, char buffer[INTERVAL_SIZE])
{
    snprintf(buffer, INTERVAL_SIZE, "[%.4g, %.4g]", estimate->low, estimate->high);
    return buffer;
}

static void print_measure(const hy_measure *measure, FILE *out)
{
    char interval[INTERVAL_SIZE];
    fprintf(out, "  %-*s ", NAME_WIDTH, measure->name);
    if (!measure->estimate.known) {
        fprintf(out, "unknown: %s\n", measure->reason);
        return;
    }
    fprintf(out, "%10.5g  %-22s %s; of %.0f %s", measure->estimate.value,
            interval_text(&measure->estimate, interval), measure->unit, measure->of,
            measure->denominator);
    if ((double)measure->games != measure->of)
        fprintf(out, " in %" PRIu64 " games", measure->games);
    fputc('\n', out);
}

static void print_head(const hy_quality_report *report, const hy_condition_quality *row, FILE *out)
{
    const hy_condition *condition = &report->experiment->conditions[row->condition];
    char label[HY_LABEL_SIZE], first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    hy_variant_label(&condition->rules, label);
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    fprintf(out, "\ncondition %" PRIu32 "%s: %s\n", row->condition + 1,
            row->swapped ? " (seats swapped)" : "", label);
    fprintf(out, "  %-*s south %s, north %s\n", NAME_WIDTH, "policies",
            row->swapped ? second : first, row->swapped ? first : second);
    fprintf(out, "  %-*s %s (10^%.2f): ways in which counters can stand while the game goes on\n",
            NAME_WIDTH, "positions", row->space.digits, row->space.log10);
    fprintf(out, "  %-*s %" PRIu64 ", of which %" PRIu64 " without a result\n", NAME_WIDTH, "games",
            row->games, row->no_result);
}

/* The interval takes up `width` places; 0 at the end of a line. */
static void print_share(const hy_sums *sums, int width, FILE *out)
{
    char interval[INTERVAL_SIZE];
    hy_estimate share = hy_measure_estimate(HY_MEASURE_SHARE, sums);
    if (share.known)
        fprintf(out, "  %6.4f %-*s", share.value, width, interval_text(&share, interval));
    else
        fprintf(out, "  %-*s", width > 0 ? width + 7 : 0, "unknown");
}

static void print_holes(const hy_capture_sums *sums, unsigned holes, FILE *out)
{
    fprintf(out, "  %-12s %9s  %-27s %9s  %-27s  %s\n", "landing hole", "captures",
            "share of captures", "chains", "share of chains", "chains of captures there");
    for (unsigned i = 0; i < 2 * holes; i++) {
        fprintf(out, "  %-5s %-6u %9.0f", i < holes ? "own" : "other", i % holes + 1,
                sums->captures_at[i].y);
        print_share(&sums->captures_at[i], INTERVAL_WIDTH, out);
        fprintf(out, " %9.0f", sums->chains_at[i].y);
        print_share(&sums->chains_at[i], INTERVAL_WIDTH, out);
        print_share(&sums->chained_at[i], 0, out);
        fputc('\n', out);
    }
}

static void print_casas(const hy_capture_sums *sums, FILE *out)
{
    for (unsigned casas = 1; casas <= sums->most_casas; casas++) {
        fprintf(out, "  %u casa%-7s %9.0f", casas, casas == 1 ? "" : "s", sums->casas[casas].y);
        print_share(&sums->casas[casas], 0, out);
        fputc('\n', out);
    }
}

static void print_ratio(const char *what, hy_measure_kind kind, const hy_sums *sums, FILE *out)
{
    char interval[INTERVAL_SIZE];
    hy_estimate ratio = hy_measure_estimate(kind, sums);
    if (ratio.known)
        fprintf(out, "; %s %.4f %s", what, ratio.value, interval_text(&ratio, interval));
}

static void print_captures(const hy_capture_sums *sums, const char *mover, unsigned holes,
                           FILE *out)
{
    fprintf(out, "\n  captures by %s: %.0f, %.0f of them chains", mover, sums->chain_share.x,
            sums->chain_share.y);
    print_ratio("chain share", HY_MEASURE_SHARE, &sums->chain_share, out);
    print_ratio("casas a capture", HY_MEASURE_RATIO, &sums->casas_a_capture, out);
    print_ratio("chain length", HY_MEASURE_RATIO, &sums->chain_length, out);
    print_ratio("chains in the own row", HY_MEASURE_SHARE, &sums->own_chains, out);
    fputc('\n', out);
    if (sums->en_passant > 0)
        fprintf(out, "  not counted: %" PRIu64 " plies that captured en passant only\n",
                sums->en_passant);
    if (sums->chain_share.x == 0)
        return;
    print_casas(sums, out);
    print_holes(sums, holes, out);
}

static void print_replayed(const hy_quality_report *report, const hy_condition_quality *row,
                           FILE *out)
{
    static const char *const movers[HY_NUM_MOVERS] = {"south", "north", "both"};
    const hy_quality_sums *sums = row->replayed;
    char evaluator[HY_POLICY_TEXT_SIZE];
    if (!sums) {
        fprintf(out, "\n  no games were played again: %s\n", row->not_replayed);
        return;
    }
    hy_policy_spec_print(report->evaluator, evaluator);
    fprintf(out,
            "\n  %" PRIu64 " games played again, %" PRIu64
            " without a result; positions valued by %s\n",
            sums->games, sums->results[HY_RESULT_NONE], evaluator);
    for (size_t i = 0; i < HY_NUM_QUALITY_MEASURES; i++)
        print_measure(&row->valued[i], out);
    for (unsigned i = 0; i < HY_NUM_MOVERS; i++)
        print_captures(&sums->captures[i], movers[i],
                       report->experiment->conditions[row->condition].rules.holes, out);
}

static void print(const hy_quality_report *report, FILE *out)
{
    fprintf(out, "%s", report->experiment->name);
    if (report->experiment->question[0] != '\0')
        fprintf(out, ": %s", report->experiment->question);
    fprintf(out, "\nintervals at 95 %%\n");
    for (size_t i = 0; i < report->num_conditions; i++) {
        const hy_condition_quality *row = &report->conditions[i];
        print_head(report, row, out);
        if (row->games == 0) {
            fprintf(out, "  no games yet\n");
            continue;
        }
        for (size_t k = 0; k < HY_NUM_CHEAP_MEASURES; k++)
            print_measure(&row->cheap[k], out);
        print_replayed(report, row, out);
    }
}

/* Numbers have a decimal point whatever the locale of the program that asks. */
void hy_quality_print(const hy_quality_report *report, FILE *out)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    locale_t before = plain ? uselocale(plain) : (locale_t)0;
    print(report, out);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
}
