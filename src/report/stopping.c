#include "report/stopping.h"

#include <inttypes.h>

#include "report/json_values.h"

static const hy_stop *stop_of(const hy_rule *rule)
{
    return &rule->experiment->stop;
}

static void print_interval(const hy_rule *rule, bool swapped, FILE *out)
{
    const hy_stop *stop = stop_of(rule);
    hy_estimate interval = hy_rule_interval(rule, swapped);
    if (!interval.known) {
        fprintf(out, "; %s not known", hy_stop_metric_names[stop->metric]);
        return;
    }
    fprintf(out, "; %s %.4f  [%.4f, %.4f] at %g %%, ", hy_stop_metric_names[stop->metric],
            interval.value, interval.low, interval.high, 100 * stop->confidence);
    if (hy_stop_metric_is_bounded(stop->metric))
        fputs("which holds at all looks together", out);
    else
        fprintf(out, "nominal: not corrected for looking %" PRIu64 " times", rule->looks);
    fprintf(out, " (asked for: ± %g)", stop->half_width);
}

static void print_test(const hy_rule *rule, FILE *out)
{
    const hy_stop *stop = stop_of(rule);
    hy_sprt_bounds bounds = hy_sprt_bounds_of(stop->alpha, stop->beta);
    fprintf(out, "; log-likelihood ratio %.2f of elo %g (H1) to %g (H0), %s, bounds [%.2f, %.2f]",
            rule->sprt.llr, stop->elo1, stop->elo0, hy_elo_scale_words[stop->scale], bounds.lower,
            bounds.upper);
}

static const char *reason_text(const hy_rule *rule)
{
    if (!rule->ended)
        return "nothing yet";
    switch (rule->reason) {
    case HY_STOPPED_HALF_WIDTH:
        return "half width";
    case HY_STOPPED_H0:
        return "sprt, H0 accepted";
    case HY_STOPPED_H1:
        return "sprt, H1 accepted";
    case HY_STOPPED_GAMES:
    case HY_NUM_STOP_REASONS:
        break;
    }
    return "the most games asked for, undecided";
}

void hy_stopping_write(const hy_rule *rule, bool swapped, FILE *out)
{
    bool sprt = stop_of(rule)->kind == HY_STOP_SPRT;
    hy_rule_count count = hy_rule_counted(rule, swapped);
    fprintf(out, "%s: look %" PRIu64 ", at %" PRIu64 " %s", reason_text(rule), rule->looks,
            rule->games, sprt ? "pairs" : "games");
    if (count.left_out > 0)
        fprintf(out, ", of which %" PRIu64 " count and %" PRIu64 " are left out, %s", count.counted,
                count.left_out, sprt ? "a game of them having no result" : "having no result");
    if (sprt)
        print_test(rule, out);
    else
        print_interval(rule, swapped, out);
}

void hy_stopping_print(const hy_rule *rule, bool swapped, FILE *out)
{
    fprintf(out, "  %-20s ", "stopped by");
    hy_stopping_write(rule, swapped, out);
    fputc('\n', out);
}

static json_t *interval_json(const hy_rule *rule, bool swapped)
{
    const hy_stop *stop = stop_of(rule);
    bool anytime = hy_stop_metric_is_bounded(stop->metric);
    hy_estimate interval = hy_rule_interval(rule, swapped);
    json_t *object = json_object();
    json_object_set_new(object, "metric", json_string(hy_stop_metric_words[stop->metric]));
    json_object_set_new(object, "estimate", hy_json_number(interval.value));
    json_object_set_new(object, "low", hy_json_number(interval.low));
    json_object_set_new(object, "high", hy_json_number(interval.high));
    json_object_set_new(object, "confidence", json_real(stop->confidence));
    json_object_set_new(object, "half_width_asked_for", json_real(stop->half_width));
    json_object_set_new(object, "anytime", json_boolean(anytime));
    json_object_set_new(object, "method",
                        json_string(anytime ? "confidence sequence, empirical Bernstein"
                                            : "nominal, not corrected for looking"));
    if (!interval.known)
        json_object_set_new(object, "reason",
                            json_string(rule->looks == 0 ? "no look yet"
                                                         : "nothing to estimate it from, or games "
                                                           "that were cut"));
    return object;
}

static json_t *test_json(const hy_rule *rule)
{
    const hy_stop *stop = stop_of(rule);
    hy_sprt_bounds bounds = hy_sprt_bounds_of(stop->alpha, stop->beta);
    json_t *object = json_object(), *pairs = json_array();
    for (size_t i = 0; i < HY_NUM_PAIR_CLASSES; i++)
        json_array_append_new(pairs, hy_json_count(rule->sprt.results.counts[i]));
    json_object_set_new(object, "llr", hy_json_number(rule->sprt.llr));
    json_object_set_new(object, "lower", hy_json_number(bounds.lower));
    json_object_set_new(object, "upper", hy_json_number(bounds.upper));
    json_object_set_new(object, "state", json_string(hy_sprt_state_words[rule->sprt.state]));
    json_object_set_new(object, "pairs", pairs);
    return object;
}

json_t *hy_stopping_json(const hy_rule *rule, bool swapped)
{
    json_t *object = json_object();
    json_object_set_new(object, "ended", json_boolean(rule->ended));
    json_object_set_new(object, "reason",
                        rule->ended ? json_string(hy_stop_reason_words[rule->reason])
                                    : json_null());
    json_object_set_new(object, "looks", hy_json_count(rule->looks));
    json_object_set_new(object, "games", hy_json_count(rule->games));
    hy_rule_count count = hy_rule_counted(rule, swapped);
    json_object_set_new(object, "counted", hy_json_count(count.counted));
    json_object_set_new(object, "left_out", hy_json_count(count.left_out));
    if (stop_of(rule)->kind == HY_STOP_SPRT)
        json_object_set_new(object, "sprt", test_json(rule));
    else
        json_object_set_new(object, "interval", interval_json(rule, swapped));
    return object;
}
