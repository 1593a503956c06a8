#include "config/stop.h"

#include "config/keys.h"
#include "config/values.h"

static hy_status read_half_width(const hy_yaml_node *const *values, hy_stop *stop, hy_error *error)
{
    const hy_key *keys = hy_stop_keys.keys;
    const hy_yaml_node *width = values[HY_STOP_KEY_HALF_WIDTH];
    size_t metric;
    hy_status status = hy_value_word(values[HY_STOP_KEY_METRIC], &keys[HY_STOP_KEY_METRIC],
                                     hy_stop_metric_words, HY_NUM_STOP_METRICS, &metric, error);
    if (status == HY_OK)
        status = hy_value_real(width, &keys[HY_STOP_KEY_HALF_WIDTH], &stop->half_width, error);
    if (status == HY_OK)
        status = hy_value_real(values[HY_STOP_KEY_CONFIDENCE], &keys[HY_STOP_KEY_CONFIDENCE],
                               &stop->confidence, error);
    if (status != HY_OK)
        return status;
    stop->kind = HY_STOP_HALF_WIDTH;
    stop->metric = (hy_stop_metric)metric;
    if (hy_stop_metric_is_bounded(stop->metric) && stop->half_width >= 0.5)
        return hy_yaml_fail(width, error,
                            "the %s lies between 0 and 1: 'half_width' must be below 0.5",
                            hy_stop_metric_names[stop->metric]);
    return HY_OK;
}

static hy_status read_sprt(const hy_yaml_node *node, hy_stop *stop, hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_SPRT_KEYS];
    const hy_key *keys = hy_sprt_keys.keys;
    double *const reals[HY_NUM_SPRT_KEYS] = {
        [HY_SPRT_KEY_ELO0] = &stop->elo0,
        [HY_SPRT_KEY_ELO1] = &stop->elo1,
        [HY_SPRT_KEY_ALPHA] = &stop->alpha,
        [HY_SPRT_KEY_BETA] = &stop->beta,
    };
    size_t scale;
    hy_status status = hy_keys_read(&hy_sprt_keys, node, values, error);
    for (size_t i = 0; status == HY_OK && i < HY_NUM_SPRT_KEYS; i++) {
        if (reals[i])
            status = hy_value_real(values[i], &keys[i], reals[i], error);
    }
    if (status == HY_OK)
        status = hy_value_word(values[HY_SPRT_KEY_MODEL], &keys[HY_SPRT_KEY_MODEL],
                               hy_elo_scale_words, HY_NUM_ELO_SCALES, &scale, error);
    if (status != HY_OK)
        return status;
    stop->kind = HY_STOP_SPRT;
    stop->scale = (hy_elo_scale)scale;
    if (stop->elo0 >= stop->elo1)
        return hy_yaml_fail(values[HY_SPRT_KEY_ELO1], error, "'elo1' must be above 'elo0'");
    return HY_OK;
}

/* Both games of a number are the unit of the test. */
static hy_status check_pairs(const hy_yaml_node *node, const hy_experiment *experiment,
                             hy_error *error)
{
    char first[HY_POLICY_TEXT_SIZE], second[HY_POLICY_TEXT_SIZE];
    if (experiment->record == HY_RECORD_SUMMARY)
        return hy_yaml_fail(node, error,
                            "'sprt' looks at pairs of games, which 'record: summary' does not "
                            "keep; choose 'record: games' or 'record: moves'");
    for (size_t i = 0; i < experiment->num_conditions; i++) {
        const hy_condition *condition = &experiment->conditions[i];
        if (condition->swap && !hy_condition_repeats_swapped(condition))
            continue;
        hy_policy_spec_print(condition->first, first);
        hy_policy_spec_print(condition->second, second);
        if (condition->swap)
            return hy_yaml_fail(node, error,
                                "'sprt' compares two policies; the entry of 'policies' with "
                                "south: %.100s, north: %.100s has one, whose games with swapped "
                                "seats are the same games once more",
                                first, second);
        return hy_yaml_fail(node, error,
                            "'sprt' looks at pairs of games with the seats swapped; the entry of "
                            "'policies' with south: %.100s, north: %.100s needs 'swap: true'",
                            first, second);
    }
    return HY_OK;
}

hy_status hy_stop_read(const hy_yaml_node *node, hy_experiment *experiment, hy_error *error)
{
    const hy_yaml_node *values[HY_NUM_STOP_KEYS];
    hy_stop *stop = &experiment->stop;
    *stop = (hy_stop){.kind = HY_STOP_NEVER};
    if (!node)
        return HY_OK;
    hy_status status = hy_keys_read(&hy_stop_keys, node, values, error);
    if (status != HY_OK)
        return status;
    const hy_yaml_node *sprt = values[HY_STOP_KEY_SPRT];
    bool both = values[HY_STOP_KEY_METRIC] && values[HY_STOP_KEY_HALF_WIDTH];
    bool any = values[HY_STOP_KEY_METRIC] || values[HY_STOP_KEY_HALF_WIDTH] ||
               values[HY_STOP_KEY_CONFIDENCE];
    if (sprt ? any : !both)
        return hy_yaml_fail(node, error,
                            "'stop' needs either 'metric' and 'half_width' (with 'confidence' if "
                            "it is not to be 0.95) or 'sprt'");
    status = hy_value_integer(values[HY_STOP_KEY_EVERY], &hy_stop_keys.keys[HY_STOP_KEY_EVERY],
                              &stop->every, error);
    if (status == HY_OK)
        status = sprt ? read_sprt(sprt, stop, error) : read_half_width(values, stop, error);
    return status == HY_OK && sprt ? check_pairs(sprt, experiment, error) : status;
}
