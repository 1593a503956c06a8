/* Experiment files. */
#include <stdlib.h>
#include <string.h>

#include "config/conditions.h"
#include "config/config.h"
#include "config/keys.h"
#include "config/stop.h"
#include "config/text_file.h"
#include "config/values.h"

static const hy_key *key_of(size_t index)
{
    return &hy_experiment_keys.keys[index];
}

static hy_status copy_text(const hy_yaml_node *const *values, size_t index, char **copy,
                           hy_error *error)
{
    const char *text;
    hy_status status = hy_value_text(values[index], key_of(index), &text, error);
    if (status != HY_OK)
        return status;
    *copy = strdup(text);
    return *copy ? HY_OK : hy_fail_memory(error);
}

static hy_status read_head(const hy_yaml_node *const *values, hy_experiment *experiment,
                           hy_error *error)
{
    size_t record = 0;
    hy_status status = copy_text(values, HY_EXPERIMENT_NAME, &experiment->name, error);
    if (status == HY_OK)
        status = copy_text(values, HY_EXPERIMENT_QUESTION, &experiment->question, error);
    if (status == HY_OK)
        status = hy_value_seed(values[HY_EXPERIMENT_SEED], key_of(HY_EXPERIMENT_SEED),
                               &experiment->seed, &experiment->seed_auto, error);
    if (status == HY_OK)
        status = hy_value_integer(values[HY_EXPERIMENT_GAMES], key_of(HY_EXPERIMENT_GAMES),
                                  &experiment->games, error);
    if (status == HY_OK)
        status = hy_value_word(values[HY_EXPERIMENT_RECORD], key_of(HY_EXPERIMENT_RECORD),
                               hy_record_words, HY_NUM_RECORDS, &record, error);
    experiment->record = (hy_record)record;
    return status;
}

static hy_status read_opening(const hy_yaml_node *node, uint64_t *plies, hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_OPENING_KEYS] = {0};
    if (node) {
        hy_status status = hy_keys_read(&hy_opening_keys, node, values, error);
        if (status != HY_OK)
            return status;
    }
    return hy_value_integer(values[HY_OPENING_PLIES], &hy_opening_keys.keys[HY_OPENING_PLIES],
                            plies, error);
}

static hy_status read_shape(const hy_yaml_node *const *values, hy_condition *shape, hy_error *error)
{
    uint64_t max_plies, opening;
    hy_status status = hy_value_integer(values[HY_EXPERIMENT_MAX_PLIES],
                                        key_of(HY_EXPERIMENT_MAX_PLIES), &max_plies, error);
    if (status == HY_OK)
        status = hy_value_integer(values[HY_EXPERIMENT_MAX_LAPS], key_of(HY_EXPERIMENT_MAX_LAPS),
                                  &shape->max_laps, error);
    if (status == HY_OK)
        status = read_opening(values[HY_EXPERIMENT_OPENING], &opening, error);
    if (status != HY_OK)
        return status;
    shape->max_plies = (uint32_t)max_plies;
    shape->opening_plies = (uint32_t)opening;
    return HY_OK;
}

static hy_status read_experiment(const hy_yaml_node *root, hy_experiment *experiment,
                                 hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_EXPERIMENT_KEYS];
    hy_condition shape = {0};
    hy_status status = hy_keys_read(&hy_experiment_keys, root, values, error);
    if (status == HY_OK)
        status = read_head(values, experiment, error);
    if (status == HY_OK)
        status = read_shape(values, &shape, error);
    if (status == HY_OK)
        status = hy_conditions_expand(values[HY_EXPERIMENT_RULES], values[HY_EXPERIMENT_POLICIES],
                                      &shape, experiment, error);
    if (status == HY_OK)
        status = hy_stop_read(values[HY_EXPERIMENT_STOP], experiment, error);
    return status;
}

hy_status hy_config_experiment(const char *path, hy_experiment *experiment, hy_error *error)
{
    hy_yaml_document document;
    size_t size;
    *experiment = (hy_experiment){0};
    hy_status status = hy_text_file_read(path, &experiment->source, &size, error);
    if (status != HY_OK)
        return status;
    status = hy_yaml_parse(experiment->source, size, path, &document, error);
    if (status == HY_OK) {
        status = read_experiment(document.root, experiment, error);
        hy_yaml_clean_up(&document);
    }
    if (status != HY_OK)
        hy_experiment_clean_up(experiment);
    return status;
}
