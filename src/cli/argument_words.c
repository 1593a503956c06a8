#include "cli/argument_words.h"

#include <string.h>

#include "cli/cli.h"
#include "cli/play_session.h"
#include "cli/stats_table.h"
#include "config/presets.h"
#include "policy/policy.h"
#include "report/effects.h"
#include "report/groups.h"
#include "report/metric.h"
#include "sim/stop_metric.h"
#include "stats/adjust.h"

static const char *variant_word(size_t index, const char **meaning)
{
    (void)meaning;
    return index < hy_num_embedded_presets ? hy_embedded_presets[index].name : NULL;
}

static const char *policy_word(size_t index, const char **meaning)
{
    if (index >= hy_num_policy_types)
        return NULL;
    *meaning = hy_policy_types[index]->meaning;
    return hy_policy_types[index]->name;
}

static const char *seat_word(size_t index, const char **meaning)
{
    return index == 0 ? HY_HUMAN : policy_word(index - 1, meaning);
}

static const char *metric_word(size_t index, const char **meaning)
{
    if (index >= hy_num_metrics)
        return NULL;
    *meaning = hy_metrics[index].meaning;
    return hy_metrics[index].word;
}

static const char *stop_metric_word(size_t index, const char **meaning)
{
    if (index >= HY_NUM_STOP_METRICS)
        return NULL;
    *meaning = hy_stop_metric_names[index];
    return hy_stop_metric_words[index];
}

static const char *statistic_word(size_t index, const char **meaning)
{
    const hy_statistic *one = hy_statistic_at(index);
    if (!one)
        return NULL;
    *meaning = one->answers;
    return one->name;
}

static const char *axis_word(size_t index, const char **meaning)
{
    (void)meaning;
    return index < hy_num_axes() ? hy_axis_word(index) : NULL;
}

static const char *adjustment_word(size_t index, const char **meaning)
{
    (void)meaning;
    return index < HY_NUM_ADJUSTMENTS ? hy_adjustment_words[index] : NULL;
}

static const char *scale_word(size_t index, const char **meaning)
{
    (void)meaning;
    return index < HY_NUM_SCALES ? hy_scale_words[index] : NULL;
}

static const char *command_word(size_t index, const char **meaning)
{
    const hy_command *command = hy_command_at(index);
    if (!command)
        return NULL;
    *meaning = command->summary;
    return command->name;
}

static const hy_argument arguments[] = {
    {"DB", .files = HY_FILES_DATABASE},
    {"NEW.db", .files = HY_FILES_DATABASE},
    {"OLD.db", .files = HY_FILES_DATABASE},
    {"OUT.db", .files = HY_FILES_DATABASE},
    {"PILOT.db", .files = HY_FILES_DATABASE},
    {"EXPERIMENT.yaml", .files = HY_FILES_YAML},
    {"FILE", .files = HY_FILES_ANY},
    {"DIR", .files = HY_FILES_FOLDER},
    {"VARIANT", .files = HY_FILES_YAML, .word = variant_word},
    {"POLICY", .word = policy_word},
    {"WHO", .word = seat_word},
    {"METRIC", .word = stop_metric_word, .list = "Metrics", .command = "plan"},
    {"METRIC", .word = metric_word, .list = "Metrics"},
    {"STATISTIC", .word = statistic_word, .list = "Statistics"},
    {"AXIS", .word = axis_word, .list = "Axes"},
    {"METHOD", .word = adjustment_word},
    {"SCALE", .word = scale_word},
    {"COMMAND", .word = command_word},
    /* Free: numbers and texts. */
    {.name = "C"},
    {.name = "D"},
    {.name = "I/N"},
    {.name = "LEVEL"},
    {.name = "MIB"},
    {.name = "N"},
    {.name = "P"},
    {.name = "PLIES"},
    {.name = "S"},
    {.name = "SECONDS"},
    {.name = "SHARE"},
    {.name = "SIZE"},
    {.name = "TEXT"},
    {.name = "W"},
};

const hy_argument *hy_argument_find(const char *command, const char *name)
{
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        const hy_argument *one = &arguments[i];
        if (strcmp(one->name, name) == 0 && (!one->command || strcmp(one->command, command) == 0))
            return one;
    }
    return NULL;
}

const hy_argument *hy_command_argument(const hy_command *command)
{
    const char *at = command->argp->args_doc;
    char name[32];
    for (size_t length; at && *at; at += length) {
        at += strspn(at, " []\n");
        length = strcspn(at, " []\n.");
        if (strncmp(at + length, ".db", 3) == 0 || strncmp(at + length, ".yaml", 5) == 0)
            length = strcspn(at, " []\n");
        if (length == 0 || *at == '<')
            length = strcspn(at, "\n");
        if (length >= sizeof name)
            continue;
        memcpy(name, at, length);
        name[length] = '\0';
        const hy_argument *argument = hy_argument_find(command->name, name);
        if (argument)
            return argument;
    }
    return NULL;
}
