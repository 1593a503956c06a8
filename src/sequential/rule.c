#include "sequential/rule.h"

#include <math.h>

static hy_elo_model model_of(hy_elo_scale scale)
{
    switch (scale) {
    case HY_SCALE_LOGISTIC:
        return HY_ELO_LOGISTIC;
    case HY_SCALE_NORMALIZED:
    case HY_NUM_ELO_SCALES:
        break;
    }
    return HY_ELO_NORMALIZED;
}

hy_status hy_rule_init(hy_rule *rule, const hy_experiment *experiment, uint32_t condition,
                       hy_error *error)
{
    const hy_stop *stop = &experiment->stop;
    *rule = (hy_rule){.experiment = experiment, .condition = condition};
    if (stop->kind != HY_STOP_SPRT)
        return HY_OK;
    return hy_sprt_init(&rule->sprt, model_of(stop->scale), HY_NUM_PAIR_CLASSES, stop->elo0,
                        stop->elo1, stop->alpha, stop->beta, error);
}

static unsigned num_seatings(const hy_rule *rule)
{
    return hy_num_seatings(&rule->experiment->conditions[rule->condition]);
}

hy_window hy_rule_window(const hy_rule *rule)
{
    const hy_experiment *experiment = rule->experiment;
    hy_window window = {rule->games, rule->games};
    if (!rule->ended)
        window.end = hy_stop_next_look(&experiment->stop, experiment->games, rule->games);
    return window;
}

hy_estimate hy_stop_metric_estimate(hy_stop_metric metric, const hy_stop_metric_sums *sums,
                                    double confidence)
{
    hy_ratio_sums ratio = {
        .n = sums->n,
        .x = (double)sums->x,
        .y = (double)sums->y,
        .xx = (double)sums->xx,
        .yy = (double)sums->yy,
        .xy = (double)sums->xy,
    };
    uint64_t wins;
    hy_estimate mean;
    switch (metric) {
    case HY_STOP_METRIC_FIRST_PLAYER_SCORE: /* yy − y = 2·wins */
        wins = (uint64_t)(sums->yy - sums->y) / 2;
        return hy_score(wins, sums->y - 2 * wins, sums->n + wins - sums->y, confidence);
    case HY_STOP_METRIC_DRAWS:
    case HY_STOP_METRIC_ENDLESS:
        return hy_share(sums->y, sums->n, confidence);
    case HY_STOP_METRIC_CHAINS:
        return hy_clustered_share(&ratio, confidence);
    case HY_STOP_METRIC_CAPTURES:
    case HY_STOP_METRIC_PLIES:
        mean = hy_mean(sums->cut > 0 ? 0 : sums->n, ratio.y, ratio.yy, confidence, NULL);
        mean.low = fmax(0, mean.low);
        return mean;
    case HY_NUM_STOP_METRICS:
        break;
    }
    return hy_share(0, 0, confidence);
}

hy_estimate hy_rule_interval(const hy_rule *rule, bool swapped)
{
    const hy_stop *stop = &rule->experiment->stop;
    if (hy_stop_metric_is_bounded(stop->metric))
        return hy_sequence_interval(&rule->sequences[swapped], stop->confidence);
    return hy_stop_metric_estimate(stop->metric, &rule->totals[swapped], stop->confidence);
}

/* An interval without width comes from games that were all alike, and says nothing. */
static bool is_narrow(const hy_rule *rule, bool swapped)
{
    hy_estimate interval = hy_rule_interval(rule, swapped);
    double width = interval.high - interval.low;
    return interval.known && width > 0 && width <= 2 * rule->experiment->stop.half_width;
}

static void see_sums(hy_rule *rule, const hy_stop_metric_sums sums[2])
{
    hy_stop_metric metric = rule->experiment->stop.metric;
    double scale = hy_stop_metric_scale(metric);
    bool narrow = true;
    for (unsigned s = 0; s < num_seatings(rule); s++) {
        hy_stop_metric_add(&rule->totals[s], &sums[s]);
        if (hy_stop_metric_is_bounded(metric))
            hy_sequence_add(&rule->sequences[s], sums[s].n, (double)sums[s].y / scale,
                            (double)sums[s].yy / (scale * scale));
        narrow &= is_narrow(rule, s > 0);
    }
    rule->ended = narrow;
    rule->reason = HY_STOPPED_HALF_WIDTH;
}

static void see_pairs(hy_rule *rule, const uint64_t pairs[HY_NUM_PAIR_CLASSES])
{
    hy_sprt_state state = hy_sprt_add(&rule->sprt, pairs);
    rule->ended = state != HY_SPRT_CONTINUE;
    rule->reason = state == HY_SPRT_UPPER ? HY_STOPPED_H1 : HY_STOPPED_H0;
}

hy_status hy_rule_look(hy_rule *rule, hy_store *store, bool *found, hy_error *error)
{
    hy_window window = hy_rule_window(rule);
    hy_stop_metric_sums sums[2];
    uint64_t pairs[HY_NUM_PAIR_CLASSES];
    bool sprt = rule->experiment->stop.kind == HY_STOP_SPRT;
    hy_status status = HY_OK;
    *found = window.first < window.end;
    for (unsigned s = 0; status == HY_OK && *found && s < num_seatings(rule); s++)
        status = hy_store_get_look(store, rule->condition, s > 0, window, &sums[s], found, error);
    if (status == HY_OK && *found && sprt)
        status = hy_store_get_pairs(store, rule->condition, window, pairs, error);
    if (status != HY_OK || !*found)
        return status;
    rule->games = window.end;
    rule->looks++;
    if (sprt)
        see_pairs(rule, pairs);
    else
        see_sums(rule, sums);
    if (!rule->ended && rule->games == rule->experiment->games) {
        rule->ended = true;
        rule->reason = HY_STOPPED_GAMES;
    }
    return HY_OK;
}

hy_status hy_rule_catch_up(hy_rule *rule, hy_store *store, hy_error *error)
{
    bool found = true;
    hy_status status = HY_OK;
    while (status == HY_OK && found && !rule->ended)
        status = hy_rule_look(rule, store, &found, error);
    return status;
}

hy_rule_count hy_rule_counted(const hy_rule *rule, bool swapped)
{
    uint64_t counted = 0;
    if (rule->experiment->stop.kind == HY_STOP_SPRT) {
        for (size_t i = 0; i < HY_NUM_PAIR_CLASSES; i++)
            counted += rule->sprt.results.counts[i];
    } else {
        counted = rule->totals[swapped].n;
    }
    return (hy_rule_count){counted, rule->games - counted};
}

static hy_stopped_seating seating_of(const hy_rule *rule, bool swapped)
{
    const hy_stop *stop = &rule->experiment->stop;
    hy_rule_count count = hy_rule_counted(rule, swapped);
    hy_stopped_seating seating = {.counted = count.counted, .left_out = count.left_out};
    if (stop->kind == HY_STOP_SPRT) {
        hy_sprt_bounds bounds = hy_sprt_bounds_of(stop->alpha, stop->beta);
        seating.statistic = rule->sprt.llr;
        seating.low = bounds.lower;
        seating.high = bounds.upper;
        return seating;
    }
    hy_estimate interval = hy_rule_interval(rule, swapped);
    seating.statistic = interval.known ? interval.value : NAN;
    seating.low = interval.known ? interval.low : NAN;
    seating.high = interval.known ? interval.high : NAN;
    return seating;
}

hy_stopped hy_rule_stopped(const hy_rule *rule)
{
    const hy_stop *stop = &rule->experiment->stop;
    hy_stopped stopped = {
        .condition = rule->condition,
        .reason = rule->reason,
        .games = rule->games,
        .looks = rule->looks,
        .anytime = stop->kind == HY_STOP_SPRT || hy_stop_metric_is_bounded(stop->metric),
    };
    for (unsigned s = 0; s < num_seatings(rule); s++)
        stopped.seatings[s] = seating_of(rule, s > 0);
    return stopped;
}
