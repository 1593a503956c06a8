#include "report/groups.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"
#include "report/lengths.h"

/* The axes behind the fields of the rules. */
enum { SOUTH, NORTH, OPENING_PLIES, MAX_PLIES, MAX_LAPS, SWAPPED, NUM_OTHER_AXES };

static const char *const other_axes[NUM_OTHER_AXES] = {
    "south", "north", "opening_plies", "max_plies", "max_laps", "swapped",
};

static hy_status load_group(hy_store *store, uint32_t condition, bool swapped, hy_groups *groups,
                            hy_error *error)
{
    hy_group *group = &groups->groups[groups->num++];
    *group = (hy_group){
        .condition = condition,
        .swapped = swapped,
        .terms = &hy_store_experiment(store)->conditions[condition],
    };
    hy_status status = hy_store_summary(store, condition, swapped, &group->summary, error);
    if (status == HY_OK && group->summary.games > 0)
        status =
            hy_store_distinct(store, condition, swapped, &group->summary, &group->distinct, error);
    if (status == HY_OK && group->summary.games == 0) {
        hy_summary_clean_up(&group->summary);
        groups->num--;
    }
    return status;
}

hy_status hy_groups_load(hy_store *store, hy_groups *groups, hy_error *error)
{
    const hy_experiment *experiment = hy_store_experiment(store);
    hy_status status = HY_OK;
    *groups = (hy_groups){.store = store, .has_rows = experiment->record != HY_RECORD_SUMMARY};
    groups->groups = hy_new_array(2 * experiment->num_conditions + 1, sizeof groups->groups[0]);
    if (!groups->groups)
        return hy_fail_memory(error);
    for (uint32_t i = 0; status == HY_OK && i < experiment->num_conditions; i++) {
        for (unsigned s = 0; status == HY_OK && s < hy_num_seatings(&experiment->conditions[i]);
             s++)
            status = load_group(store, i, s > 0, groups, error);
    }
    if (status != HY_OK)
        hy_groups_clean_up(groups);
    return status;
}

void hy_groups_clean_up(hy_groups *groups)
{
    for (size_t i = 0; i < groups->num; i++)
        hy_summary_clean_up(&groups->groups[i].summary);
    free(groups->groups);
    *groups = (hy_groups){0};
}

size_t hy_num_axes(void)
{
    return hy_num_fields + NUM_OTHER_AXES;
}

const char *hy_axis_word(size_t axis)
{
    return axis < hy_num_fields ? hy_fields[axis].key : other_axes[axis - hy_num_fields];
}

hy_status hy_axis_parse(const char *word, size_t *axis, hy_error *error)
{
    const char *words[64];
    size_t num = hy_num_axes();
    for (*axis = 0; *axis < num; ++*axis) {
        words[*axis] = hy_axis_word(*axis);
        if (strcmp(words[*axis], word) == 0)
            return HY_OK;
    }
    const char *near = hy_nearest_word(word, words, num);
    return hy_fail(error, HY_INVALID,
                   "unknown axis '%.40s'%s%s%s; an axis is a field of the rules, south, north, "
                   "opening_plies, max_plies, max_laps or swapped",
                   word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

void hy_group_level(const hy_group *group, size_t axis, char level[HY_LEVEL_SIZE])
{
    const hy_condition *terms = group->terms;
    if (axis < hy_num_fields) {
        char buffer[HY_FIELD_TEXT_SIZE];
        const hy_field *field = &hy_fields[axis];
        snprintf(level, HY_LEVEL_SIZE, "%s",
                 hy_field_text(field, hy_field_get(field, &terms->rules), buffer));
        return;
    }
    switch (axis - hy_num_fields) {
    case SOUTH:
        hy_policy_spec_print(group->swapped ? terms->second : terms->first, level);
        break;
    case NORTH:
        hy_policy_spec_print(group->swapped ? terms->first : terms->second, level);
        break;
    case OPENING_PLIES:
        snprintf(level, HY_LEVEL_SIZE, "%" PRIu32, terms->opening_plies);
        break;
    case MAX_PLIES:
        snprintf(level, HY_LEVEL_SIZE, "%" PRIu32, terms->max_plies);
        break;
    case MAX_LAPS:
        snprintf(level, HY_LEVEL_SIZE, "%" PRIu64, terms->max_laps);
        break;
    default:
        snprintf(level, HY_LEVEL_SIZE, "%s", group->swapped ? "true" : "false");
        break;
    }
}

bool hy_group_repeats(const hy_group *group)
{
    return group->distinct.estimate + 4 * group->distinct.standard_error <
           0.5 * (double)group->summary.games;
}

bool hy_groups_match(const hy_group *a, const hy_group *b, size_t axis)
{
    if (axis == hy_num_fields + SWAPPED)
        return a->condition == b->condition;
    bool is_seat = axis == hy_num_fields + SOUTH || axis == hy_num_fields + NORTH;
    for (size_t i = 0; i < hy_num_axes(); i++) {
        char level[HY_LEVEL_SIZE], other[HY_LEVEL_SIZE];
        if (i == axis || (is_seat && i == hy_num_fields + SWAPPED))
            continue;
        hy_group_level(a, i, level);
        hy_group_level(b, i, other);
        if (strcmp(level, other) != 0)
            return false;
    }
    return true;
}

static hy_status check_group(const hy_group *group, const hy_metric *metric, hy_error *error)
{
    uint64_t censored = hy_num_censored(&group->summary);
    if (metric->kind != HY_METRIC_MEAN || censored == 0)
        return HY_OK;
    return hy_fail(error, HY_FAILED,
                   "%" PRIu64 " of %" PRIu64 " games of condition %" PRIu32
                   " were cut (truncated or unresolved), so a mean of '%s' a game would be "
                   "biased%s%s",
                   censored, group->summary.games, group->condition + 1, metric->word,
                   metric->instead ? "; ask for " : "", metric->instead ? metric->instead : "");
}

hy_status hy_groups_carry(const hy_groups *groups, const hy_metric *metric, double asked,
                          double *horizon, hy_error *error)
{
    double known = INFINITY, longest = 0;
    hy_status status = HY_OK;
    for (size_t i = 0; status == HY_OK && i < groups->num; i++) {
        const hy_summary *summary = &groups->groups[i].summary;
        known = fmin(known, hy_known_until(summary));
        longest = fmax(longest, (double)summary->max_plies);
        status = check_group(&groups->groups[i], metric, error);
    }
    *horizon = asked;
    if (status != HY_OK || metric->kind != HY_METRIC_RESTRICTED)
        return status;
    if (asked == 0)
        *horizon = isfinite(known) ? known : longest;
    if (*horizon > known)
        return hy_fail(error, HY_FAILED,
                       "the horizon %g is beyond %g plies, where games were cut: what comes later "
                       "is not known",
                       *horizon, known);
    return HY_OK;
}

/* What the visit of a group's games needs. */
typedef struct hy_influence_visit {
    const hy_metric *metric;
    double horizon;
    double ratio, mean_x;
    hy_influences *influences;
} hy_influence_visit;

static hy_status add_influence(void *context, const hy_game_record *record, hy_error *error)
{
    const hy_influence_visit *visit = context;
    hy_influences *influences = visit->influences;
    double y, x;
    (void)error;
    hy_metric_of_game(visit->metric, record, visit->horizon, &y, &x);
    influences->numbers[influences->num] = record->number;
    influences->values[influences->num++] = (y - visit->ratio * x) / visit->mean_x;
    return HY_OK;
}

hy_status hy_group_influences(const hy_groups *groups, const hy_group *group,
                              const hy_metric *metric, double horizon, hy_influences *influences,
                              hy_error *error)
{
    hy_ratio_sums sums = hy_metric_sums(metric, &group->summary, horizon);
    hy_influence_visit visit = {
        .metric = metric,
        .horizon = horizon,
        .ratio = sums.y / sums.x,
        .mean_x = sums.x / (double)sums.n,
        .influences = influences,
    };
    *influences = (hy_influences){
        .numbers = hy_new_array(group->summary.games, sizeof influences->numbers[0]),
        .values = hy_new_array(group->summary.games, sizeof influences->values[0]),
    };
    hy_status status = influences->numbers && influences->values ? HY_OK : hy_fail_memory(error);
    if (status == HY_OK)
        status = hy_store_each_game(groups->store, group->condition, group->swapped, add_influence,
                                    &visit, error);
    if (status != HY_OK)
        hy_influences_clean_up(influences);
    return status;
}

void hy_influences_clean_up(hy_influences *influences)
{
    free(influences->numbers);
    free(influences->values);
    *influences = (hy_influences){0};
}

void hy_influences_discordant(const hy_influences *a, double share_a, const hy_influences *b,
                              double share_b, uint64_t *only_a, uint64_t *only_b)
{
    *only_a = 0;
    *only_b = 0;
    for (size_t i = 0, j = 0; i < a->num && j < b->num;) {
        if (a->numbers[i] == b->numbers[j]) {
            bool in_a = a->values[i++] + share_a > 0.5, in_b = b->values[j++] + share_b > 0.5;
            *only_a += in_a && !in_b;
            *only_b += in_b && !in_a;
        } else if (a->numbers[i] < b->numbers[j]) {
            i++;
        } else {
            j++;
        }
    }
}

double hy_influences_covariance(const hy_influences *a, const hy_influences *b)
{
    double sum = 0, common = 0;
    for (size_t i = 0, j = 0; i < a->num && j < b->num;) {
        if (a->numbers[i] == b->numbers[j]) {
            sum += a->values[i++] * b->values[j++];
            common++;
        } else if (a->numbers[i] < b->numbers[j]) {
            i++;
        } else {
            j++;
        }
    }
    if (common < 2)
        return 0;
    return sum / ((double)a->num * (double)b->num) * (common / (common - 1));
}
