#include "cli/plan_print.h"

#include <inttypes.h>
#include <math.h>

#include "report/report.h"

static const char *fault_text(hy_plan_fault fault)
{
    switch (fault) {
    case HY_PLAN_GOOD:
        break;
    case HY_PLAN_FEW:
        return "the pilot has fewer than two games that count; play more";
    case HY_PLAN_CUT:
        return "games of the pilot were cut, so a mean over them would be a lower bound, however "
               "many are played; raise max_plies and max_laps, or ask for another metric";
    case HY_PLAN_ALIKE:
        return "all games of the pilot are alike in this, so it does not show how much they vary; "
               "play more, or vary the play";
    case HY_PLAN_HUGE:
        return "more games than can be asked for; be content with less precision";
    }
    return NULL;
}

static void print_target(const hy_plan_target *target, FILE *out)
{
    if (target->half_width > 0)
        fprintf(out, "%s ± %g at %g %%", hy_stop_metric_names[target->metric], target->half_width,
                100 * target->confidence);
    else
        fprintf(out, "a difference of %g in %s, found with probability %g at the level %g",
                target->difference, hy_stop_metric_names[target->metric], target->power,
                1 - target->confidence);
}

static void print_row(const hy_plan *plan, const hy_plan_row *row, FILE *out)
{
    const hy_condition *condition = &plan->experiment->conditions[row->condition];
    char label[HY_LABEL_SIZE], first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    hy_variant_label(&condition->rules, label);
    hy_policy_spec_print(condition->first, first);
    hy_policy_spec_print(condition->second, second);
    fprintf(out, "\ncondition %" PRIu32 "%s: %s; south %s, north %s\n", row->condition + 1,
            row->swapped ? " (seats swapped)" : "", label, row->swapped ? second : first,
            row->swapped ? first : second);
    fprintf(out, "  %-20s %" PRIu64 " games, of which %" PRIu64 " count", "pilot", row->pilot_games,
            row->pilot_counting);
    if (row->estimate.known)
        fprintf(out, "; %.4f  [%.4f, %.4f]", row->estimate.value, row->estimate.low,
                row->estimate.high);
    fputc('\n', out);
    if (row->fault != HY_PLAN_GOOD) {
        fprintf(out, "  %-20s not known: %s\n", "games", fault_text(row->fault));
        return;
    }
    fprintf(out,
            "  %-20s %" PRIu64 "  with a deviation of at most %.4g a game; the pilot's is %.4g\n",
            "games", row->games, row->deviation_limit, row->deviation);
}

static void print_seconds(double seconds, FILE *out)
{
    if (seconds < 120)
        fprintf(out, "%.0f s", ceil(seconds));
    else if (seconds < 7200)
        fprintf(out, "%.0f min", ceil(seconds / 60));
    else
        fprintf(out, "%.1f h", seconds / 3600);
}

static void print_costs(const hy_plan *plan, FILE *out)
{
    fprintf(out, "\n%zu conditions and seatings, %" PRIu64 " games in all; time ", plan->num_rows,
            plan->all_games);
    if (isnan(plan->seconds)) {
        fputs("not known", out);
    } else {
        fputs(plan->seconds_low ? "more than " : "about ", out);
        print_seconds(plan->seconds, out);
        fprintf(out, " on the pilot's machine with %u thread%s%s", plan->threads,
                plan->threads == 1 ? "" : "s",
                plan->seconds_low ? " (a run of the pilot was cut short)" : "");
    }
    if (isnan(plan->bytes))
        fputs("; disk not known\n", out);
    else
        fprintf(out, "; disk about %.3g MB\n", plan->bytes / 1e6);
}

void hy_plan_print(const hy_plan *plan, FILE *out)
{
    fprintf(out, "%s: games for ", plan->experiment->name);
    print_target(&plan->target, out);
    fputs(", per condition and seating\n", out);
    for (size_t i = 0; i < plan->num_rows; i++)
        print_row(plan, &plan->rows[i], out);
    if (plan->games == 0)
        return;
    print_costs(plan, out);
    if (plan->num_faults > 0)
        fprintf(out, "%zu of them without an answer, counted as the others\n", plan->num_faults);
    fprintf(out, "\nin the experiment file:\n  games: %" PRIu64 "\n", plan->games);
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *row_json(const hy_plan_row *row)
{
    bool good = row->fault == HY_PLAN_GOOD;
    json_t *object =
        json_pack("{s:I, s:b, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "condition",
                  (json_int_t)row->condition + 1, "swapped", row->swapped, "pilot_games",
                  (json_int_t)row->pilot_games, "pilot_games_counting",
                  (json_int_t)row->pilot_counting, "estimate", number(row->estimate.value), "low",
                  number(row->estimate.low), "high", number(row->estimate.high), "deviation",
                  number(row->deviation), "deviation_limit", number(row->deviation_limit), "games",
                  good ? json_integer((json_int_t)row->games) : json_null());
    if (object && !good)
        json_object_set_new(object, "reason", json_string(fault_text(row->fault)));
    return object;
}

static json_t *target_json(const hy_plan_target *target)
{
    json_t *object = json_pack("{s:s, s:f}", "metric", hy_stop_metric_words[target->metric],
                               "confidence", target->confidence);
    if (target->half_width > 0) {
        json_object_set_new(object, "half_width", json_real(target->half_width));
    } else {
        json_object_set_new(object, "difference", json_real(target->difference));
        json_object_set_new(object, "power", json_real(target->power));
    }
    return object;
}

json_t *hy_plan_json(const hy_plan *plan)
{
    json_t *rows = json_array();
    bool known = plan->games > 0;
    for (size_t i = 0; i < plan->num_rows; i++)
        json_array_append_new(rows, row_json(&plan->rows[i]));
    json_t *object =
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:i, s:o}", "experiment",
                  plan->experiment->name, "target", target_json(&plan->target), "conditions", rows,
                  "games", known ? json_integer((json_int_t)plan->games) : json_null(), "all_games",
                  known ? json_integer((json_int_t)plan->all_games) : json_null(), "seconds",
                  number(plan->seconds), "seconds_is_lower_bound", plan->seconds_low, "threads",
                  (int)plan->threads, "bytes", number(plan->bytes));
    return object;
}
