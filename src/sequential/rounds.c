#include "sequential/rounds.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Puts down what ended the condition, if the rule has, and asks for the games of its next look. */
static hy_status advance(hy_store *store, const hy_rule *rule, hy_progress *progress,
                         hy_error *error)
{
    progress->windows[rule->condition] = hy_rule_window(rule);
    if (!rule->ended)
        return HY_OK;
    hy_stopped stopped = hy_rule_stopped(rule);
    return hy_store_put_stop(store, &stopped, error);
}

/* The games of the rule's window have been played. */
static hy_status look(hy_store *store, hy_rule *rule, hy_progress *progress, hy_error *error)
{
    bool found = false;
    hy_status status = hy_store_put_look(store, rule->condition, hy_rule_window(rule), error);
    if (status == HY_OK)
        status = hy_rule_look(rule, store, &found, error);
    if (status == HY_OK && !found)
        status = hy_fail(error, HY_MISMATCH, "games of condition %" PRIu32 " are not stored",
                         rule->condition + 1);
    return status == HY_OK ? advance(store, rule, progress, error) : status;
}

/* Goes through the looks at what is stored. */
static hy_status take_up(hy_store *store, hy_rule *rule, hy_progress *progress, hy_error *error)
{
    hy_stopped stopped;
    bool ended;
    hy_status status = hy_store_get_stop(store, rule->condition, &stopped, &ended, error);
    if (status == HY_OK && ended) {
        rule->ended = true;
        rule->games = stopped.games;
        progress->windows[rule->condition] = hy_rule_window(rule);
        return HY_OK;
    }
    if (status == HY_OK)
        status = hy_rule_catch_up(rule, store, error);
    if (status == HY_OK)
        status = advance(store, rule, progress, error);
    while (status == HY_OK && !rule->ended &&
           hy_progress_count_of(progress, rule->condition, HY_WHOLE_SHARD, false) == 0)
        status = look(store, rule, progress, error);
    return status;
}

static hy_status run_rounds(hy_store *store, const hy_batch *batch, hy_progress *progress,
                            hy_rule *rules, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    size_t num_open = 0;
    hy_status status = HY_OK;
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        status = hy_rule_init(&rules[i], experiment, i, error);
        if (status == HY_OK)
            status = take_up(store, &rules[i], progress, error);
        num_open += !rules[i].ended;
    }
    while (status == HY_OK && num_open > 0) {
        status = hy_batch_run(batch, error);
        for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
            if (rules[i].ended)
                continue;
            status = look(store, &rules[i], progress, error);
            num_open -= rules[i].ended;
        }
    }
    return status;
}

hy_status hy_rounds_run(hy_store *store, const hy_batch *batch, hy_progress *progress,
                        hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    if (experiment->stop.kind == HY_STOP_NEVER)
        return hy_batch_run(batch, error);
    if (batch->shard.count > 1)
        return hy_fail(error, HY_INVALID, "a stop rule needs all games, not those of one shard");
    hy_rule *rules = hy_new_array(experiment->num_conditions, sizeof *rules);
    if (!rules)
        return hy_fail_memory(error);
    hy_status status = run_rounds(store, batch, progress, rules, error);
    free(rules);
    return status;
}

/* Numbers that other compilers and machines may round otherwise. */
static bool is_near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static const char *seating_difference(const hy_stopped_seating *stored,
                                      const hy_stopped_seating *again)
{
    if (stored->counted != again->counted)
        return "counted";
    if (stored->left_out != again->left_out)
        return "left_out";
    if (!is_near(stored->statistic, again->statistic))
        return "statistic";
    return is_near(stored->low, again->low) && is_near(stored->high, again->high) ? NULL
                                                                                  : "low, high";
}

static const char *difference(const hy_stopped *stored, const hy_rule *rule)
{
    if (!rule->ended)
        return "games";
    hy_stopped again = hy_rule_stopped(rule);
    if (stored->reason != again.reason)
        return "reason";
    if (stored->games != again.games)
        return "games";
    if (stored->looks != again.looks)
        return "looks";
    if (stored->anytime != again.anytime)
        return "anytime";
    const char *column = NULL;
    for (unsigned s = 0; !column && s < 2; s++)
        column = seating_difference(&stored->seatings[s], &again.seatings[s]);
    return column;
}

hy_status hy_rounds_verify(hy_store *store, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_status status = HY_OK;
    if (experiment->stop.kind == HY_STOP_NEVER)
        return HY_OK;
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        hy_rule rule;
        hy_stopped stopped;
        bool ended;
        status = hy_store_get_stop(store, i, &stopped, &ended, error);
        if (status != HY_OK || !ended)
            continue;
        status = hy_rule_init(&rule, experiment, i, error);
        if (status == HY_OK)
            status = hy_rule_catch_up(&rule, store, error);
        const char *column = status == HY_OK ? difference(&stopped, &rule) : NULL;
        if (column)
            status = hy_fail(error, HY_MISMATCH,
                             "what stopped condition %" PRIu32
                             " is not what its games say: '%s' differs",
                             i + 1, column);
    }
    return status;
}
